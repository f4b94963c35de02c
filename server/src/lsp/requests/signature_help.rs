//! `textDocument/signatureHelp`: what the parentheses around a place ask for.

use stubborn_ide::features::signature;
use tower_lsp::lsp_types::{SignatureHelp, SignatureHelpParams};

use crate::lsp::convert::writing;
use crate::lsp::view::View;

pub fn answer(view: &View, asked: &SignatureHelpParams) -> Option<SignatureHelp> {
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position_params);
    let found = signature::signature(&view.database, file, offset)?;
    Some(writing::signature(&found, view.client))
}
