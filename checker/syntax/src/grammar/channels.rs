//! Channels: how they are declared (§3), and how one of several is written.

use crate::SyntaxKind::*;
use crate::parser::{Marker, Parser};

use super::{close, expressions, items, names, types};

/// What is told of a second index, and looked for where what follows from it is left out.
const ONE_INDEX: &str = "a channel has one index";

/// `channel c[I]: queue[n] of T1, T2`; the word has been taken.
pub(super) fn declaration(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `channel c: queue[n] of T1, T2`";
    let name = p.nth_text(0);
    names::name(p, "a channel");
    if p.at(L_BRACKET) {
        let index = p.start();
        let open = p.position();
        p.bump();
        types::type_expr(p);
        let mend =
            format!("write `{name}[0..N*N-1]` here, and `{name}[a * N + b]` where it is used");
        more_than_one_index(p, open, "the type of the index", &mend);
        index.complete(p, CHANNEL_INDEX);
    }
    if !p.eat(COLON) {
        p.missing("expected `:` and `queue` or `bag`", FORM);
    }
    if matches!(p.nth_text(0), "queue" | "bag") {
        p.bump();
    } else {
        let form = match p.current() {
            ARRAY_KW => "one for each value of a type is written `channel c[I]: queue[n] of T`",
            _ => FORM,
        };
        p.missing("expected `queue` or `bag`", form);
        if p.at(IDENT) && p.nth(1) == L_BRACKET {
            p.bump_as_error();
        }
    }
    if p.at(L_BRACKET) {
        let capacity = p.start();
        let open = p.position();
        p.bump();
        expressions::expr_for(p, "how many messages the channel holds");
        close(p, open, R_BRACKET, "the number of messages");
        capacity.complete(p, CAPACITY);
    } else {
        p.missing("expected `[` and how many messages the channel holds", FORM);
    }
    if p.eat_word("of") {
        let message = p.start();
        if p.at(L_PAREN) && p.nth(1) == IDENT && p.nth(2) == COLON {
            p.unexpected(
                "the parts of a message have no names",
                "write their types, `queue[n] of T1, T2`",
            );
            super::skip_one(p);
        } else if p.at(L_PAREN) && p.closer_of(0).is_some() {
            p.refuse(
                "the types of a message stand without parentheses",
                "write `queue[n] of T1, T2`",
            );
            types::type_expr(p);
            while p.eat(COMMA) {
                types::type_expr(p);
            }
            if p.at(R_PAREN) {
                p.bump_as_error();
            }
        } else {
            types::type_expr(p);
        }
        while p.eat(COMMA) {
            types::type_expr(p);
        }
        message.complete(p, MESSAGE);
    } else {
        p.missing("expected `of` and the types of a message", FORM);
    }
    if items::eat_eq(p) {
        expressions::expr_for(p, "the messages it holds at first");
    }
    items::finish(p, marker, CHANNEL_DECL);
}

/// `[e]` behind the name of a channel that is used; the bracket is the current token.
pub(super) fn index(p: &mut Parser<'_>, name: &str) {
    let open = p.position();
    p.bump();
    p.within(open, |p| expressions::expr_for(p, "an index"));
    let mend = format!("write `{name}[a * N + b]`, where `b` has `N` values from 0");
    more_than_one_index(p, open, "the index", &mend);
}

/// Closes the bracket of an index, with a message where another one follows, which is passed over.
fn more_than_one_index(p: &mut Parser<'_>, open: usize, context: &str, mend: &str) {
    let closer = p.closer(open).filter(|&closer| closer > p.position());
    if let Some(closer) = closer.filter(|_| p.at(COMMA)) {
        p.unexpected(ONE_INDEX, mend);
        p.bump_many_as_error(closer - p.position());
    }
    close(p, open, R_BRACKET, context);
    if p.at(L_BRACKET) && !p.nth_begins_line(0) {
        p.unexpected(ONE_INDEX, mend);
        while p.at(L_BRACKET) && !p.nth_begins_line(0) {
            super::skip_one(p);
        }
    }
}
