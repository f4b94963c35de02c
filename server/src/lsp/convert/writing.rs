//! What is offered to somebody who writes.

use std::sync::Arc;

use stubborn_ide::features::completion::{Offer, OfferKind};
use stubborn_ide::features::formatting::Edit;
use stubborn_ide::features::hints::{Hint, HintKind};
use stubborn_ide::features::signature::Signature;
use stubborn_model::names::symbols::SymbolKind;
use tower_lsp::lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InlayHint,
    InlayHintKind, InlayHintLabel, InlayHintTooltip, InsertTextFormat, InsertTextMode,
    MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Range, SignatureHelp,
    SignatureInformation, TextEdit, Url,
};

use super::{Places, path};
use crate::lsp::client::Client;

impl Places<'_> {
    /// Edits of a file.
    pub fn edits(&mut self, url: &Url, edits: impl IntoIterator<Item = Edit>) -> Vec<TextEdit> {
        let path = path(url);
        let edits = edits.into_iter();
        let edits = edits.map(|(bytes, text)| TextEdit::new(self.range(&path, &bytes), text));
        edits.collect()
    }

    pub fn hint(&mut self, path: &Arc<str>, hint: Hint) -> InlayHint {
        let (kind, says) = match hint.kind {
            HintKind::Value => (None, "the value"),
            HintKind::Range => (Some(InlayHintKind::TYPE), "the range"),
            HintKind::Seen => (None, "no run has other values"),
            HintKind::Instances => (None, "one for each value of the parameters"),
        };
        InlayHint {
            position: self.range(path, &(hint.at..hint.at)).start,
            label: InlayHintLabel::String(hint.text),
            kind,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(says.to_owned())),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        }
    }

    /// Offers that replace what stands at `range`, the best first.
    pub fn offers(&self, offers: &[Offer], range: Range, client: Client) -> Vec<CompletionItem> {
        let can_be_taken = |offer: &&Offer| client.snippets || !offer.only_as_snippet;
        let offers = offers.iter().filter(can_be_taken).enumerate();
        offers
            .map(|(number, one)| offer(number, one, range, client))
            .collect()
    }
}

fn offer(number: usize, offer: &Offer, range: Range, client: Client) -> CompletionItem {
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

pub fn signature(found: &Signature, client: Client) -> SignatureHelp {
    let Signature { label, .. } = found;
    let units = |bytes: usize| {
        let before = label.get(..bytes).unwrap_or(label);
        u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
    };
    let parameter = |place: &std::ops::Range<usize>| ParameterInformation {
        label: if client.label_offsets {
            ParameterLabel::LabelOffsets([units(place.start), units(place.end)])
        } else {
            ParameterLabel::Simple(label.get(place.clone()).unwrap_or_default().to_owned())
        },
        documentation: None,
    };
    let documentation = found.documentation.as_ref();
    // A client takes the first parameter to be meant where none is.
    let parameters = found.active.map(|_| {
        let parameters = found.parameters.iter();
        parameters.map(parameter).collect()
    });
    SignatureHelp {
        signatures: vec![SignatureInformation {
            label: label.clone(),
            documentation: documentation
                .map(|text| documented(text, client.signatures_in_markdown)),
            parameters,
            active_parameter: None,
        }],
        active_signature: Some(0),
        active_parameter: found.active.and_then(|active| u32::try_from(active).ok()),
    }
}

fn documented(text: &str, in_markdown: bool) -> Documentation {
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
        SymbolKind::Property | SymbolKind::Assumption => CompletionItemKind::PROPERTY,
    }
}
