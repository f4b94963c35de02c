//! Edits of texts.

use stubborn_ide::features::Edits;
use tower_lsp::lsp_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit,
    WorkspaceEdit,
};

use super::Places;
use crate::lsp::view::View;

impl Places<'_> {
    /// Edits of the texts of `view`: to clients that take such, of these very versions of them.
    pub fn workspace_edit(&mut self, edits: &Edits, view: &View) -> WorkspaceEdit {
        let mut all = WorkspaceEdit::default();
        for (path, edits) in edits {
            let Some(uri) = self.url(path) else { continue };
            let edits = edits
                .iter()
                .map(|(bytes, text)| TextEdit::new(self.range(path, bytes), text.clone()));
            let edits: Vec<TextEdit> = edits.collect();
            if view.client.takes_versioned_edits {
                let version = view.versions.get(path).copied();
                let edit = TextDocumentEdit {
                    text_document: OptionalVersionedTextDocumentIdentifier { uri, version },
                    edits: edits.into_iter().map(OneOf::Left).collect(),
                };
                let none = || DocumentChanges::Edits(Vec::new());
                let changes = all.document_changes.get_or_insert_with(none);
                if let DocumentChanges::Edits(all) = changes {
                    all.push(edit);
                }
            } else {
                let changes = all.changes.get_or_insert_default();
                changes.insert(uri, edits);
            }
        }
        all
    }
}
