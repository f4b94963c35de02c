//! `textDocument/completion`: what can be written at a place.

use std::path::{Path, PathBuf};

use stubborn_ide::database::normalize;
use stubborn_ide::disk::Disk;
use stubborn_ide::features::completion::{self, Offers};
use tower_lsp::lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionParams, CompletionResponse,
    CompletionTextEdit, Range, TextEdit,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub enum Answer {
    These(Option<CompletionResponse>),
    /// What the disk has to be asked for.
    Files(Files),
}

pub fn answer(view: &View, asked: &CompletionParams) -> Answer {
    let at = &asked.text_document_position;
    let url = &at.text_document.uri;
    let context = asked.context.as_ref();
    let typed = context.and_then(|context| context.trigger_character.as_deref());
    let typed = typed.and_then(|typed| typed.chars().next());
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let Some(found) = completion::completion(&view.database, file, offset, typed) else {
        return Answer::These(None);
    };
    let path = path(url);
    let range = places.range(&path, &found.bytes);
    match found.offers {
        Offers::Files(written) => match Files::new(&path, &written, range) {
            Some(files) => Answer::Files(files),
            None => Answer::These(None),
        },
        Offers::These(offers) => {
            let items = places.offers(&offers, range, view.client);
            Answer::These(Some(CompletionResponse::List(CompletionList {
                is_incomplete: !found.is_all,
                items,
            })))
        }
    }
}

/// The models that a text may use by what is written of a name.
pub struct Files {
    folder: PathBuf,
    /// The file's own name, which it does not use.
    own: String,
    /// The folder as it is written.
    written: String,
    range: Range,
}

impl Files {
    fn new(path: &str, written: &str, range: Range) -> Option<Files> {
        let path = Path::new(path);
        let beside = path.parent().filter(|folder| folder.is_absolute())?;
        let written = written.rfind('/').map_or("", |at| &written[..=at]);
        let folder = beside.join(written);
        Some(Files {
            folder: normalize(folder.to_str()?).into(),
            own: path.file_name()?.to_str()?.to_owned(),
            written: written.to_owned(),
            range,
        })
    }

    /// Looks at the disk.
    pub fn found_on(self, disk: &Disk) -> Option<CompletionResponse> {
        let names = disk.models(&self.folder).into_iter();
        let is_other = |name: &String| !(self.written.is_empty() && *name == self.own);
        let items = names.filter(is_other).map(|name| {
            let text = format!("{}{name}", self.written);
            CompletionItem {
                label: name,
                kind: Some(CompletionItemKind::FILE),
                filter_text: Some(text.clone()),
                text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(self.range, text))),
                ..CompletionItem::default()
            }
        });
        Some(CompletionResponse::List(CompletionList {
            is_incomplete: false,
            items: items.collect(),
        }))
    }
}
