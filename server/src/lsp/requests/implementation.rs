//! `textDocument/implementation`: who takes part in the action at a place, sends to the channel, and so
//! on.

use stubborn_ide::features::implementation;
use tower_lsp::lsp_types::request::{GotoImplementationParams, GotoImplementationResponse};
use tower_lsp::lsp_types::{ImplementationProviderCapability, ServerCapabilities};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.implementation_provider = Some(ImplementationProviderCapability::Simple(true));
}

pub fn answer(view: &View, asked: &GotoImplementationParams) -> Option<GotoImplementationResponse> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let lead = implementation::implementation(&view.database, &view.users(), file, offset)?;
    places.lead(
        &at.text_document.uri,
        &lead,
        view.client.implementation_links,
    )
}
