//! `textDocument/foldingRange`: what can be folded away.

use stubborn_ide::features::folding;
use tower_lsp::lsp_types::{
    FoldingRange, FoldingRangeParams, FoldingRangeProviderCapability, ServerCapabilities,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.folding_range_provider = Some(FoldingRangeProviderCapability::Simple(true));
}

pub fn answer(view: &View, asked: &FoldingRangeParams) -> Vec<FoldingRange> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let folds = folding::folds(&view.database, places.file(url));
    places.folds(&path(url), &folds, view.client)
}
