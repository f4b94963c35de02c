//! `textDocument/rangeFormatting`: what to replace so that what a range touches is formatted.

use stubborn_ide::features::formatting;
use tower_lsp::lsp_types::{DocumentRangeFormattingParams, OneOf, ServerCapabilities, TextEdit};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.document_range_formatting_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &DocumentRangeFormattingParams) -> Option<Vec<TextEdit>> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let range = places.bytes(url, asked.range);
    let edits = formatting::range_formatting(&view.database, places.file(url), &range);
    Some(places.edits(url, edits))
}
