//! `stubborn/text`: the text of an open file as the server has it. Whoever doubts that editor and
//! server have the same text before them can ask, and put it into a report.

use serde::{Deserialize, Serialize};
use tower_lsp::lsp_types::TextDocumentIdentifier;

use crate::lsp::owner::Owner;

pub const METHOD: &str = "stubborn/text";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenText {
    pub version: i32,
    pub text: String,
}

pub fn answer(owner: &Owner, asked: &TextDocumentIdentifier) -> Option<OpenText> {
    let document = owner.document(&asked.uri)?;
    Some(OpenText {
        version: document.version,
        text: document.text(),
    })
}
