//! Requests for edits of the layout.

use stubborn_ide::features::formatting;
use tower_lsp::lsp_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    TextEdit,
};

use crate::lsp::view::View;

/// `textDocument/formatting`: what to replace so that a file is formatted.
pub fn whole(view: &View, asked: &DocumentFormattingParams) -> Option<Vec<TextEdit>> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let edits = formatting::formatting(&view.database, places.file(url))?;
    Some(places.edits(url, edits))
}

/// `textDocument/rangeFormatting`: what to replace so that what a range touches is formatted.
pub fn range(view: &View, asked: &DocumentRangeFormattingParams) -> Option<Vec<TextEdit>> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let range = places.bytes(url, asked.range);
    let edits = formatting::range_formatting(&view.database, places.file(url), &range);
    Some(places.edits(url, edits))
}

/// `textDocument/onTypeFormatting`: how deep the line stands on which something was typed.
pub fn on_type(view: &View, asked: &DocumentOnTypeFormattingParams) -> Option<Vec<TextEdit>> {
    let url = &asked.text_document_position.text_document.uri;
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position);
    let typed = asked.ch.chars().next()?;
    let edit = formatting::on_type_formatting(&view.database, file, offset, typed);
    Some(places.edits(url, edit))
}
