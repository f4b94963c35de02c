//! Semantic tokens, each of which is told by where it stands after the one before.

use std::sync::Arc;

use stubborn_ide::features::semantic_tokens::Token;
use tower_lsp::lsp_types::{Position, SemanticToken};

use super::Places;

impl Places<'_> {
    pub fn tokens(&mut self, path: &Arc<str>, tokens: &[Token]) -> Vec<SemanticToken> {
        let mut before = Position::new(0, 0);
        let tokens = tokens.iter().map(|token| {
            let range = self.range(path, &token.bytes);
            let at = range.start;
            let delta_line = at.line - before.line;
            let delta_start = match delta_line {
                0 => at.character - before.character,
                _ => at.character,
            };
            before = at;
            SemanticToken {
                delta_line,
                delta_start,
                length: range.end.character - at.character,
                token_type: token.kind as u32,
                token_modifiers_bitset: token.modifiers,
            }
        });
        tokens.collect()
    }
}
