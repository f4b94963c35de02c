//! The grammar: a function for each form of the language, and what it does about mistakes.
//!
//! Two rules hold throughout. A function takes only what it can use, or at least one token, so
//! that the parser always goes on; and it leaves alone whatever begins something else (an item,
//! a state, a step, the bracket that closes what is around it), so that a mistake never
//! swallows what follows it.

mod bodies;
pub(crate) mod body_kind;
mod channels;
mod elsewhere;
mod expressions;
mod fairness;
mod items;
mod misplaced;
mod names;
mod properties;
pub(crate) mod starts;
mod statements;
mod steps;
mod types;

use crate::SyntaxKind::*;
use crate::parser::Parser;
use starts::{BODY_ITEM_START, ITEM_START, STATEMENT_START};

impl Parser<'_> {
    pub(crate) fn source_file(&mut self) {
        let marker = self.start();
        while !self.at_end() {
            self.item();
        }
        marker.complete(self, SOURCE_FILE);
    }

    /// Takes the token, or tells that it is missing.
    pub(crate) fn expect(&mut self, kind: crate::SyntaxKind, message: &str) -> bool {
        let there = self.eat(kind);
        if !there {
            self.missing(message, None);
        }
        there
    }

    /// Takes the bracket that closes the one at `open` (the number of its token). Where something
    /// else stands there it is told once, and passed over if the bracket comes later.
    pub(crate) fn close(&mut self, open: usize, kind: crate::SyntaxKind, context: &str) {
        if self.eat(kind) {
            return;
        }
        let text = match kind {
            R_PAREN => "`)`",
            R_BRACKET => "`]`",
            _ => "`}`",
        };
        let goes_on =
            self.nth_begins_line(0) || self.at_set(STATEMENT_START) || self.at_set(BODY_ITEM_START);
        let closer = self
            .closer(open)
            .filter(|&closer| closer > self.position() && !goes_on);
        let Some(closer) = closer else {
            self.missing(format!("expected {text} after {context}"), None);
            return;
        };
        self.unexpected(format!("expected {text} after {context}"), None);
        self.bump_many_as_error(closer - self.position());
        self.eat(kind);
    }

    /// Parses what is in brackets and separated by commas; a comma may stand after the last. The
    /// opening bracket is the current token.
    pub(crate) fn comma_list(
        &mut self,
        kind: crate::SyntaxKind,
        context: &str,
        starts: impl Fn(&Parser<'_>) -> bool,
        mut element: impl FnMut(&mut Parser<'_>),
    ) {
        let open = self.position();
        self.bump();
        while !self.at(kind) && starts(self) {
            let before = self.position();
            self.within(open, &mut element);
            if self.at(SEMICOLON) && self.closer(open).is_some() {
                self.refuse("expected `,`", "within brackets `,` separates, not `;`");
            } else if !self.eat(COMMA) {
                let is_left = self.nth_begins_line(0) && self.closer(open).is_none();
                if !starts(self) || self.position() == before || is_left {
                    break;
                }
                self.missing("expected `,`", None);
            }
        }
        self.close(open, kind, context);
    }

    /// Passes over what is left of the line.
    pub(crate) fn skip_line(&mut self) {
        self.skip_to(|p| p.nth_begins_line(0));
    }

    /// Passes over one token, or what stands in brackets.
    pub(crate) fn skip_one(&mut self) {
        self.skip_to(|_| true);
    }

    /// Passes over at least one token, up to something that `stop` knows, the end of what is
    /// around, or the next line.
    pub(crate) fn skip_to(&mut self, stop: impl Fn(&Parser<'_>) -> bool) {
        let marker = self.start();
        let mut first = true;
        loop {
            match self.current() {
                EOF => break,
                R_BRACE if !first => break,
                _ if !first && (stop(self) || self.at_item_start()) => break,
                L_PAREN | L_BRACKET | L_BRACE => {
                    let length = self.closer_of(0).filter(|&length| {
                        (1..length)
                            .all(|n| !ITEM_START.contains(self.nth(n)) || !self.nth_begins_line(n))
                    });
                    for _ in 0..=length.unwrap_or(0) {
                        self.bump();
                    }
                }
                _ => self.bump(),
            }
            first = false;
        }
        marker.complete(self, ERROR);
    }
}
