//! `textDocument/documentSymbol`: what a file declares.

use stubborn_ide::features::symbols;
use tower_lsp::lsp_types::{
    DocumentSymbolParams, DocumentSymbolResponse, OneOf, ServerCapabilities,
};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.document_symbol_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &DocumentSymbolParams) -> DocumentSymbolResponse {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let declared = symbols::symbols(&view.database, places.file(url));
    places.symbols(url, &declared, view.client)
}
