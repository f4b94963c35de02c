//! `stubborn/explanation`: how a property stands, with the run that shows it, as its hover tells it.

use serde::{Deserialize, Serialize};
use stubborn_ide::features::hover::property::of_property;
use stubborn_ide::features::state::state;
use tower_lsp::lsp_types::TextDocumentIdentifier;

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub const METHOD: &str = "stubborn/explanation";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExplanationParams {
    pub text_document: TextDocumentIdentifier,
    /// With the values of its parameters.
    pub property: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    pub markdown: String,
}

/// `None` where the file has no such property.
pub fn answer(view: &View, asked: &ExplanationParams) -> Option<Explanation> {
    let url = &asked.text_document.uri;
    let file = view.places().file(url);
    let before = view.before(&path(url));
    let db = &view.database;
    let one = state(db, file, &asked.property, &view.pending, before)?;
    Some(Explanation {
        markdown: of_property(&one.name, &one.state, true),
    })
}
