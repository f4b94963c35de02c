//! `textDocument/inlayHint`: what is shown between the words of a text.

use stubborn_ide::features::hints;
use tower_lsp::lsp_types::{InlayHint, InlayHintParams};

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn answer(view: &View, asked: &InlayHintParams) -> Vec<InlayHint> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let piece = places.bytes(url, asked.range);
    let found = hints::hints(
        &view.database,
        places.file(url),
        &piece,
        view.settings.hints,
    );
    let path = path(url);
    let found = found.into_iter().map(|hint| places.hint(&path, hint));
    found.collect()
}
