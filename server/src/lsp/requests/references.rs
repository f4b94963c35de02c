//! `textDocument/references`: where the name at a place is used.

use stubborn_ide::features::references;
use tower_lsp::lsp_types::{Location, OneOf, ReferenceParams, ServerCapabilities};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.references_provider = Some(OneOf::Left(true));
}

pub fn answer(view: &View, asked: &ReferenceParams) -> Option<Vec<Location>> {
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position);
    let with_declaration = asked.context.include_declaration;
    let found = references::references(
        &view.database,
        &view.users(),
        file,
        offset,
        with_declaration,
    )?;
    let found = found.iter().filter_map(|one| places.location(one));
    Some(found.collect())
}
