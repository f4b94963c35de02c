//! `textDocument/codeLens`: how each property stands, over its line.

use stubborn_ide::features::{lens, values};
use tower_lsp::lsp_types::{CodeLens, CodeLensParams};

use crate::lsp::commands::{SHOW_RUN, SHOW_TRACE};
use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn answer(view: &View, asked: &CodeLensParams) -> Vec<CodeLens> {
    if !view.settings.shows_lenses {
        return Vec::new();
    }
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let file = places.file(url);
    let path = path(url);
    let lenses = lens::lenses(&view.database, file, &view.pending, view.before(&path));
    let (tried, looked) = (&view.tried, &view.looked);
    let values = values::lenses(&view.database, file, &view.pending, tried, looked);
    let debugging = match view.settings.has_debugger {
        true => lens::debugging(&lenses),
        false => Vec::new(),
    };
    let lenses = lenses.into_iter().chain(debugging).chain(values);
    let show_run = match view.settings.has_panel {
        true => SHOW_TRACE,
        false => SHOW_RUN,
    };
    let lenses = lenses.map(|lens| places.lens(&path, url, lens, show_run));
    lenses.collect()
}
