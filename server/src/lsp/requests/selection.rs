//! `textDocument/selectionRange`: what can be selected around some places.

use stubborn_ide::features::selection;
use tower_lsp::lsp_types::{
    SelectionRange, SelectionRangeParams, SelectionRangeProviderCapability, ServerCapabilities,
    TextDocumentPositionParams,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.selection_range_provider = Some(SelectionRangeProviderCapability::Simple(true));
}

/// One for each place, in their order.
pub fn answer(view: &View, asked: &SelectionRangeParams) -> Vec<SelectionRange> {
    let document = &asked.text_document;
    let mut places = view.places();
    let path = path(&document.uri);
    let around = asked.positions.iter().map(|position| {
        let at = TextDocumentPositionParams::new(document.clone(), *position);
        let (file, offset) = places.asked(&at);
        let pieces = selection::selections(&view.database, file, offset);
        places.selection(&path, &pieces)
    });
    around.collect()
}
