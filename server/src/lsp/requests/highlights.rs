//! `textDocument/documentHighlight`: the other places of a name in its file.

use stubborn_ide::features::highlights;
use tower_lsp::lsp_types::{DocumentHighlight, DocumentHighlightParams, OneOf, ServerCapabilities};

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.document_highlight_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let found = highlights::highlights(&view.database, file, offset)?;
    let path = path(&at.text_document.uri);
    let found = found.iter().map(|one| places.highlight(&path, one));
    Some(found.collect())
}
