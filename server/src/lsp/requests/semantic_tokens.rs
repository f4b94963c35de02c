//! `textDocument/semanticTokens/full`, `full/delta` and `range`: what each token is.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use stubborn_ide::features::semantic_tokens::{KINDS, MODIFIERS, tokens};
use tower_lsp::lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta,
    SemanticTokensDeltaParams, SemanticTokensEdit, SemanticTokensFullDeltaResult,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, SemanticTokensParams,
    SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensServerCapabilities,
    ServerCapabilities, Url,
};

use crate::lsp::convert::path;
use crate::lsp::view::View;

pub fn capability(all: &mut ServerCapabilities) {
    let options = SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: KINDS.map(SemanticTokenType::new).to_vec(),
            token_modifiers: MODIFIERS.map(SemanticTokenModifier::new).to_vec(),
        },
        range: Some(true),
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
        ..SemanticTokensOptions::default()
    };
    let told = SemanticTokensServerCapabilities::SemanticTokensOptions(options);
    all.semantic_tokens_provider = Some(told);
}

/// What was last answered of each open file, so that only what is new need be told next.
#[derive(Default)]
pub struct Answered {
    files: Mutex<HashMap<Arc<str>, Answer>>,
    count: AtomicU64,
}

struct Answer {
    id: String,
    tokens: Vec<SemanticToken>,
}

impl Answered {
    /// Keeps an answer in the place of the one before, which is given back, of open files alone.
    fn keep(
        &self,
        view: &View,
        path: Arc<str>,
        tokens: &[SemanticToken],
    ) -> (String, Option<Answer>) {
        let id = self.count.fetch_add(1, Ordering::Relaxed).to_string();
        // An answer is put in whole, so that what a panic has poisoned is as good.
        let mut files = self.files.lock();
        files.retain(|path, _| view.open.contains_key(path));
        let before = files.remove(&path);
        if view.open.contains_key(&path) {
            let answer = Answer {
                id: id.clone(),
                tokens: tokens.to_vec(),
            };
            files.insert(path, answer);
        }
        (id, before)
    }
}

pub fn full(view: &View, asked: &SemanticTokensParams, answered: &Answered) -> SemanticTokens {
    let url = &asked.text_document.uri;
    let data = all_of(view, url);
    let (id, _) = answered.keep(view, path(url), &data);
    SemanticTokens {
        result_id: Some(id),
        data,
    }
}

pub fn delta(
    view: &View,
    asked: &SemanticTokensDeltaParams,
    answered: &Answered,
) -> SemanticTokensFullDeltaResult {
    let url = &asked.text_document.uri;
    let data = all_of(view, url);
    let (id, before) = answered.keep(view, path(url), &data);
    let result_id = Some(id);
    match before.filter(|before| before.id == asked.previous_result_id) {
        Some(before) => SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta {
            result_id,
            edits: edit(&before.tokens, &data).into_iter().collect(),
        }),
        None => SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data }),
    }
}

pub fn range(view: &View, asked: &SemanticTokensRangeParams) -> SemanticTokensRangeResult {
    let url = &asked.text_document.uri;
    let mut places = view.places();
    let within = places.bytes(url, asked.range);
    let found = tokens(&view.database, places.file(url), Some(&within));
    let found = SemanticTokens {
        result_id: None,
        data: places.tokens(&path(url), &found),
    };
    found.into()
}

fn all_of(view: &View, url: &Url) -> Vec<SemanticToken> {
    let mut places = view.places();
    let found = tokens(&view.database, places.file(url), None);
    places.tokens(&path(url), &found)
}

/// What to replace in the numbers of the old tokens, five for each.
fn edit(old: &[SemanticToken], new: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let same = |(one, other): &(&SemanticToken, &SemanticToken)| one == other;
    let first = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev());
    let last = last.take_while(same).count();
    let (old, new) = (&old[..old.len() - last], &new[..new.len() - last]);
    (!old.is_empty() || !new.is_empty()).then(|| SemanticTokensEdit {
        start: 5 * u32::try_from(first).unwrap_or(u32::MAX / 5),
        delete_count: 5 * u32::try_from(old.len()).unwrap_or(u32::MAX / 5),
        data: Some(new.to_vec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lengths: &[u32]) -> Vec<SemanticToken> {
        let token = |length: &u32| SemanticToken {
            delta_line: 0,
            delta_start: 1,
            length: *length,
            token_type: 0,
            token_modifiers_bitset: 0,
        };
        lengths.iter().map(token).collect()
    }

    #[test]
    fn an_edit_makes_the_new_tokens_of_the_old_ones() {
        let all: [&[u32]; 7] = [
            &[],
            &[1],
            &[1, 1],
            &[1, 2],
            &[1, 2, 1],
            &[2, 1, 2],
            &[1, 2, 2, 1],
        ];
        for old in all {
            for new in all {
                let (mut now, new) = (tokens(old), tokens(new));
                if let Some(edit) = edit(&now, &new) {
                    let start = edit.start as usize / 5;
                    let end = start + edit.delete_count as usize / 5;
                    now.splice(start..end, edit.data.expect("tokens"));
                }
                assert_eq!(now, new);
            }
        }
        assert_eq!(edit(&tokens(&[1, 2]), &tokens(&[1, 2])), None);
    }
}
