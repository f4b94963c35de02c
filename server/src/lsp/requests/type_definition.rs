//! `textDocument/typeDefinition`: where the type of what stands at a place is declared.

use stubborn_ide::features::type_definition;
use tower_lsp::lsp_types::request::{GotoTypeDefinitionParams, GotoTypeDefinitionResponse};
use tower_lsp::lsp_types::{ServerCapabilities, TypeDefinitionProviderCapability};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.type_definition_provider = Some(TypeDefinitionProviderCapability::Simple(true));
}

pub fn answer(view: &View, asked: &GotoTypeDefinitionParams) -> Option<GotoTypeDefinitionResponse> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let lead = type_definition::type_definition(&view.database, file, offset)?;
    places.lead(
        &at.text_document.uri,
        &lead,
        view.client.type_definition_links,
    )
}
