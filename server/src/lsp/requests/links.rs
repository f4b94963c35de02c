//! `textDocument/documentLink`: the files that a text uses.

use stubborn_ide::features::links;
use tower_lsp::lsp_types::{
    DocumentLink, DocumentLinkOptions, DocumentLinkParams, ServerCapabilities,
    WorkDoneProgressOptions,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.document_link_provider = Some(DocumentLinkOptions {
        resolve_provider: Some(false),
        work_done_progress_options: WorkDoneProgressOptions::default(),
    });
}

pub fn answer(view: &View, asked: &DocumentLinkParams) -> Vec<DocumentLink> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let found = links::links(&view.database, places.file(url));
    let path = path(url);
    let found = found.iter().filter_map(|one| places.link(&path, one));
    found.collect()
}
