//! Requests that lead from a name to other places.

use stubborn_ide::database::SourceFile;
use stubborn_ide::features::{
    Lead, definition, highlights, implementation, links, references, type_definition,
};
use tower_lsp::lsp_types::request::{
    GotoImplementationParams, GotoImplementationResponse, GotoTypeDefinitionParams,
    GotoTypeDefinitionResponse,
};
use tower_lsp::lsp_types::{
    DocumentHighlight, DocumentHighlightParams, DocumentLink, DocumentLinkParams,
    GotoDefinitionParams, GotoDefinitionResponse, Location, ReferenceParams,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

/// `textDocument/definition`: where the name at a place is declared, or the file that it names.
pub fn definition(view: &View, asked: &GotoDefinitionParams) -> Option<GotoDefinitionResponse> {
    lead(view, asked, view.client.definition_links, |file, offset| {
        definition::definition(&view.database, file, offset)
    })
}

/// `textDocument/typeDefinition`: where the type of what stands at a place is declared.
pub fn type_definition(
    view: &View,
    asked: &GotoTypeDefinitionParams,
) -> Option<GotoTypeDefinitionResponse> {
    lead(
        view,
        asked,
        view.client.type_definition_links,
        |file, offset| type_definition::type_definition(&view.database, file, offset),
    )
}

/// `textDocument/implementation`: who takes part in the action at a place, sends to the channel, and so
/// on.
pub fn implementation(
    view: &View,
    asked: &GotoImplementationParams,
) -> Option<GotoImplementationResponse> {
    lead(
        view,
        asked,
        view.client.implementation_links,
        |file, offset| implementation::implementation(&view.database, &view.users(), file, offset),
    )
}

/// Locations that `find` returns for a place, as links if the client supports them.
fn lead(
    view: &View,
    asked: &GotoDefinitionParams,
    links: bool,
    find: impl FnOnce(SourceFile, usize) -> Option<Lead>,
) -> Option<GotoDefinitionResponse> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    places.lead(&at.text_document.uri, &find(file, offset)?, links)
}

/// `textDocument/references`: where the name at a place is used.
pub fn references(view: &View, asked: &ReferenceParams) -> Option<Vec<Location>> {
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

/// `textDocument/documentHighlight`: the other places of a name in its file.
pub fn highlights(view: &View, asked: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let at = &asked.text_document_position_params;
    let mut places = view.places();
    let (file, offset) = places.asked(at);
    let found = highlights::highlights(&view.database, file, offset)?;
    let path = path(&at.text_document.uri);
    let found = found.iter().map(|one| places.highlight(&path, one));
    Some(found.collect())
}

/// `textDocument/documentLink`: the files that a text uses.
pub fn links(view: &View, asked: &DocumentLinkParams) -> Vec<DocumentLink> {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let found = links::links(&view.database, places.file(url));
    let path = path(url);
    let found = found.iter().filter_map(|one| places.link(&path, one));
    found.collect()
}
