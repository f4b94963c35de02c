//! `textDocument/definition`: where the name at a place is declared, or the file that it names.

use stubborn_ide::features::definition;
use tower_lsp::lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, OneOf, ServerCapabilities,
};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.definition_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let lead = definition::definition(&view.database, file, offset)?;
    places.lead(&at.text_document.uri, &lead, view.client.definition_links)
}
