//! `textDocument/hover`: what is known of the name at a place.

use tower_lsp::lsp_types::{Hover, HoverParams, HoverProviderCapability, ServerCapabilities};

use crate::lsp::convert::path;
use crate::lsp::features::hover;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.hover_provider = Some(HoverProviderCapability::Simple(true));
}

pub fn answer(view: &View, asked: &HoverParams) -> Option<Hover> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let path = path(&at.text_document.uri);
    let before = view.before(&path);
    let found = hover::hover(
        &view.database,
        &view.users(),
        file,
        offset,
        &view.pending,
        before,
    )?;
    Some(places.hover(&path, found, view.client))
}
