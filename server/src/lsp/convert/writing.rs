//! What is offered to somebody who writes.

use stubborn_model::names::symbols::SymbolKind;
use tower_lsp::lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat,
    InsertTextMode, MarkupContent, MarkupKind, Range, TextEdit, Url,
};

use super::{Places, path};
use crate::lsp::events::Writing;
use crate::lsp::features::completion::{Offer, OfferKind};
use crate::lsp::features::formatting::Edit;

impl Places<'_> {
    /// Edits of a file.
    pub fn edits(&mut self, url: &Url, edits: impl IntoIterator<Item = Edit>) -> Vec<TextEdit> {
        let path = path(url);
        let edits = edits.into_iter();
        let edits = edits.map(|(bytes, text)| TextEdit::new(self.range(&path, &bytes), text));
        edits.collect()
    }

    /// Offers that replace what stands at `range`, the best first.
    pub fn offers(&self, offers: &[Offer], range: Range, client: Writing) -> Vec<CompletionItem> {
        let can_be_taken = |offer: &&Offer| client.snippets || !offer.only_as_snippet;
        let offers = offers.iter().filter(can_be_taken).enumerate();
        offers
            .map(|(number, one)| offer(number, one, range, client))
            .collect()
    }
}

fn offer(number: usize, offer: &Offer, range: Range, client: Writing) -> CompletionItem {
    let snippet = offer.snippet.as_ref().filter(|_| client.snippets);
    let text = snippet.unwrap_or(&offer.label).clone();
    let documentation = offer.documentation.as_ref();
    CompletionItem {
        label: offer.label.clone(),
        kind: Some(kind(offer.kind)),
        detail: (!offer.detail.is_empty()).then(|| offer.detail.clone()),
        documentation: documentation.map(|text| documented(text, client.offers_in_markdown)),
        sort_text: Some(format!("{number:04}")),
        insert_text_format: snippet.map(|_| InsertTextFormat::SNIPPET),
        insert_text_mode: text
            .contains('\n')
            .then_some(InsertTextMode::ADJUST_INDENTATION),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, text))),
        ..CompletionItem::default()
    }
}

pub fn documented(text: &str, in_markdown: bool) -> Documentation {
    let value = text.trim().to_owned();
    if in_markdown {
        Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        })
    } else {
        Documentation::String(value)
    }
}

fn kind(kind: OfferKind) -> CompletionItemKind {
    let OfferKind::Name(kind) = kind else {
        return match kind {
            OfferKind::Snippet => CompletionItemKind::SNIPPET,
            _ => CompletionItemKind::KEYWORD,
        };
    };
    match kind {
        SymbolKind::Constant | SymbolKind::Param => CompletionItemKind::CONSTANT,
        SymbolKind::Type => CompletionItemKind::STRUCT,
        SymbolKind::Enumeration => CompletionItemKind::ENUM,
        SymbolKind::EnumerationValue => CompletionItemKind::ENUM_MEMBER,
        SymbolKind::Field => CompletionItemKind::FIELD,
        SymbolKind::Variable
        | SymbolKind::LocalVariable
        | SymbolKind::Parameter
        | SymbolKind::Bound
        | SymbolKind::Observed => CompletionItemKind::VARIABLE,
        SymbolKind::Channel => CompletionItemKind::INTERFACE,
        SymbolKind::Action => CompletionItemKind::EVENT,
        SymbolKind::Definition | SymbolKind::Macro => CompletionItemKind::FUNCTION,
        SymbolKind::Process | SymbolKind::Tester => CompletionItemKind::CLASS,
        SymbolKind::State | SymbolKind::Label => CompletionItemKind::VALUE,
        SymbolKind::Property => CompletionItemKind::PROPERTY,
    }
}
