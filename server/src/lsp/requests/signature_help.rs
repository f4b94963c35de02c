//! `textDocument/signatureHelp`: what the parentheses around a place ask for.

use stubborn_ide::features::signature;
use tower_lsp::lsp_types::{
    ServerCapabilities, SignatureHelp, SignatureHelpOptions, SignatureHelpParams,
};

use crate::lsp::convert::writing;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.signature_help_provider = Some(SignatureHelpOptions {
        trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
        ..SignatureHelpOptions::default()
    });
}

pub fn answer(view: &View, asked: &SignatureHelpParams) -> Option<SignatureHelp> {
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position_params);
    let found = signature::signature(&view.database, file, offset)?;
    Some(writing::signature(&found, view.client))
}
