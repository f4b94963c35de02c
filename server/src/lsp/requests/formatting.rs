//! `textDocument/formatting`: what to replace so that a file is formatted.

use stubborn_ide::features::formatting;
use tower_lsp::lsp_types::{DocumentFormattingParams, OneOf, ServerCapabilities, TextEdit};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.document_formatting_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let edits = formatting::formatting(&view.database, places.file(url))?;
    Some(places.edits(url, edits))
}
