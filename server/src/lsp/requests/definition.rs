//! `textDocument/definition`: where the name at a place is declared.

use tower_lsp::lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, OneOf, ServerCapabilities,
};

use crate::lsp::features::definition;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.definition_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position_params);
    let found = definition::definition(&view.database, file, offset)?;
    places.location(&found).map(GotoDefinitionResponse::Scalar)
}
