//! `textDocument/onTypeFormatting`: how deep the line stands on which something was typed.

use stubborn_ide::features::formatting;
use tower_lsp::lsp_types::{
    DocumentOnTypeFormattingOptions, DocumentOnTypeFormattingParams, ServerCapabilities, TextEdit,
};

use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    all.document_on_type_formatting_provider = Some(DocumentOnTypeFormattingOptions {
        first_trigger_character: "}".to_owned(),
        more_trigger_character: Some(vec!["\n".to_owned()]),
    });
}

pub fn answer(view: &View, asked: &DocumentOnTypeFormattingParams) -> Option<Vec<TextEdit>> {
    let url = &asked.text_document_position.text_document.uri;
    let mut places = view.places();
    let (file, offset) = places.asked(&asked.text_document_position);
    let typed = asked.ch.chars().next()?;
    let edit = formatting::on_type_formatting(&view.database, file, offset, typed);
    Some(places.edits(url, edit))
}
