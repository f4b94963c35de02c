//! Channels: how they are declared (§3), and how one of several is written.

use crate::SyntaxKind::*;
use crate::parser::{Marker, Parser};

impl Parser<'_> {
    /// `channel c[I]: queue[n] of T1, T2`; the word has been taken.
    pub(super) fn channel_decl(&mut self, marker: Marker) {
        const FORM: &str = "it is written `channel c: queue[n] of T1, T2`";
        let name = self.nth_text(0);
        self.name("a channel");
        if self.at(L_BRACKET) {
            let index = self.start();
            let open = self.position();
            self.bump();
            self.type_expr();
            while self.eat(COMMA) {
                self.type_expr();
            }
            self.close(open, R_BRACKET, "the type of the index");
            index_apart(self, &format!("write `channel {name}[I, J]`"), |p| {
                p.type_expr()
            });
            index.complete(self, CHANNEL_INDEX);
        }
        if !self.eat(COLON) {
            self.missing("expected `:` and `queue` or `bag`", FORM);
        }
        if matches!(self.nth_text(0), "queue" | "bag") {
            self.bump();
        } else {
            let form = match self.current() {
                ARRAY_KW => "one for each value of a type is written `channel c[I]: queue[n] of T`",
                _ => FORM,
            };
            self.missing("expected `queue` or `bag`", form);
            if self.at(IDENT) && self.nth(1) == L_BRACKET {
                self.bump_as_error();
            }
        }
        if self.at(L_BRACKET) {
            let capacity = self.start();
            let open = self.position();
            self.bump();
            self.expr_for("how many messages the channel holds");
            self.close(open, R_BRACKET, "the number of messages");
            capacity.complete(self, CAPACITY);
        } else {
            self.missing("expected `[` and how many messages the channel holds", FORM);
        }
        if self.eat_word("of") {
            let message = self.start();
            if self.at(L_PAREN) && self.nth(1) == IDENT && self.nth(2) == COLON {
                self.unexpected(
                    "the parts of a message have no names",
                    "write their types, `queue[n] of T1, T2`",
                );
                self.skip_one();
            } else if self.at(L_PAREN) && self.closer_of(0).is_some() {
                self.refuse(
                    "the types of a message stand without parentheses",
                    "write `queue[n] of T1, T2`",
                );
                self.type_expr();
                while self.eat(COMMA) {
                    self.type_expr();
                }
                if self.at(R_PAREN) {
                    self.bump_as_error();
                }
            } else {
                self.type_expr();
            }
            while self.eat(COMMA) {
                self.type_expr();
            }
            message.complete(self, MESSAGE);
        } else {
            self.missing("expected `of` and the types of a message", FORM);
        }
        if self.eat_eq() {
            self.expr_for("the messages it holds at first");
        }
        self.finish_item(marker, CHANNEL_DECL);
    }

    /// `[e]` or `[e, f]` behind the name of a channel that is used; the bracket is the current token.
    pub(super) fn channel_index(&mut self, name: &str) {
        let open = self.position();
        self.bump();
        self.within(open, |p| p.expr_for("an index"));
        while self.at(COMMA) && self.closer(open).is_some() {
            self.bump();
            self.within(open, |p| p.expr_for("an index"));
        }
        self.close(open, R_BRACKET, "the index");
        index_apart(self, &format!("write `{name}[i, j]`"), |p| {
            p.expr_for("an index");
        });
    }
}

/// A message at a second index in brackets of its own, which is read as if it stood beside the first.
fn index_apart(p: &mut Parser<'_>, mend: &str, index: fn(&mut Parser<'_>)) {
    if p.at(L_BRACKET) && !p.nth_begins_line(0) {
        p.unexpected(
            "the indices of a channel stand in one pair of brackets",
            mend,
        );
        while p.at(L_BRACKET) && !p.nth_begins_line(0) {
            let open = p.position();
            p.bump_as_error();
            p.within(open, index);
            if p.at(R_BRACKET) {
                p.bump_as_error();
            }
        }
    }
}
