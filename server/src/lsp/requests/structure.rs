//! Requests for the structure of texts.

use stubborn_ide::features::{folding, selection, symbols, workspace_symbols};
use tower_lsp::lsp_types::{
    DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeParams, SelectionRange,
    SelectionRangeParams, SymbolInformation, TextDocumentPositionParams, WorkspaceSymbolParams,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

/// `textDocument/documentSymbol`: what a file declares.
pub fn symbols(view: &View, asked: &DocumentSymbolParams) -> DocumentSymbolResponse {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let declared = symbols::symbols(&view.database, places.file(url));
    places.symbols(url, &declared, view.client)
}

/// `workspace/symbol`: the names of all known files that have some letters.
pub fn workspace_symbols(view: &View, asked: &WorkspaceSymbolParams) -> Vec<SymbolInformation> {
    let roots = view.users();
    let found = workspace_symbols::workspace_symbols(&view.database, &roots, &asked.query);
    let mut places = view.places();
    let found = found.into_iter();
    found
        .filter_map(|one| places.workspace_symbol(one, view.client))
        .collect()
}

/// `textDocument/foldingRange`: what can be folded away.
pub fn folding(view: &View, asked: &FoldingRangeParams) -> Vec<FoldingRange> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let folds = folding::folds(&view.database, places.file(url));
    places.folds(&path(url), &folds, view.client)
}

/// `textDocument/selectionRange`: what can be selected around some places.
/// One for each place, in their order.
pub fn selection(view: &View, asked: &SelectionRangeParams) -> Vec<SelectionRange> {
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
