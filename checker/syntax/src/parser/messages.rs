//! Messages about the text that is parsed.

use rowan::TextRange;

use super::Parser;
use crate::SyntaxKind;
use crate::error::SyntaxError;

/// What to write instead, if it is known.
pub(crate) struct Hint(Option<String>);

impl From<Option<&str>> for Hint {
    fn from(hint: Option<&str>) -> Hint {
        Hint(hint.map(str::to_string))
    }
}

impl From<&str> for Hint {
    fn from(hint: &str) -> Hint {
        Some(hint).into()
    }
}

impl From<String> for Hint {
    fn from(hint: String) -> Hint {
        Hint(Some(hint))
    }
}

/// What the hint says that ends with the number of a line.
pub(crate) const LINE_OF_BRACE: &str = "its `{` is in line ";

impl Parser<'_> {
    /// Reports that something is missing, at the end of the token before.
    pub(crate) fn missing(&mut self, message: impl Into<String>, hint: impl Into<Hint>) {
        let before = self.at.checked_sub(1);
        let before = before.and_then(|before| self.tokens.get(before));
        let end = before.map_or(0.into(), |token| token.range.end());
        self.report(message.into(), TextRange::empty(end), hint.into());
    }

    /// Takes the brace that closes the one with the number `open`, or reports that it is missing.
    pub(crate) fn close_brace(&mut self, open: usize, message: &str) {
        if self.eat(SyntaxKind::R_BRACE) || self.leaving || self.told_at == Some(self.at) {
            return;
        }
        let brace = self.tokens.get(open);
        let hint = brace
            .filter(|token| token.kind == SyntaxKind::L_BRACE)
            .map(|brace| {
                let text = &self.input.text[..brace.range.start().into()];
                let line_ends = |text: &str| text.matches('\n').count();
                let line = line_ends(self.input.before) + line_ends(text) + 1;
                format!("{LINE_OF_BRACE}{line}")
            });
        self.missing(message, Hint(hint));
    }

    /// Reports that the current token does not belong; at the end of the text, that something is
    /// missing.
    pub(crate) fn unexpected(&mut self, message: impl Into<String>, hint: impl Into<Hint>) {
        match self.tokens.get(self.look(self.at)) {
            Some(token) => self.report(message.into(), token.range, hint.into()),
            None => self.missing(message, hint),
        }
    }

    /// Reports that the current token does not belong, and puts it aside.
    pub(crate) fn refuse(&mut self, message: impl Into<String>, hint: impl Into<Hint>) {
        self.unexpected(message, hint);
        self.bump_as_error();
    }

    fn report(&mut self, message: String, range: TextRange, Hint(hint): Hint) {
        if self.input.is_cut_short && self.look(self.at) >= self.tokens.len() {
            return;
        }
        // What is missing before a line and what is wrong with the line are two mistakes.
        let is_other = !range.is_empty()
            && self.nth_begins_line(0)
            && self
                .errors
                .last()
                .is_some_and(|last| last.range.end() < range.start());
        if self.leaving || (self.told_at == Some(self.at) && !is_other) {
            return;
        }
        // What the lexer has told about a character is not told again.
        let unknown = self.at(SyntaxKind::UNKNOWN)
            || (self.at > 0 && self.tokens[self.at - 1].kind == SyntaxKind::UNKNOWN);
        self.told_at = Some(self.at);
        if !unknown {
            self.errors.push(SyntaxError {
                message,
                range,
                hint,
            });
        }
    }
}
