//! `workspace/symbol`: the names of all known files that have some letters.

use stubborn_ide::features::workspace_symbols;
use tower_lsp::lsp_types::{OneOf, ServerCapabilities, SymbolInformation, WorkspaceSymbolParams};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.workspace_symbol_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &WorkspaceSymbolParams) -> Vec<SymbolInformation> {
    let roots = view.users();
    let found = workspace_symbols::workspace_symbols(&view.database, &roots, &asked.query);
    let mut places = view.places();
    let found = found.into_iter();
    found
        .filter_map(|one| places.workspace_symbol(one, view.client))
        .collect()
}
