//! Types (§3).

use crate::SyntaxKind::*;
use crate::kind::TokenSet;
use crate::parser::Parser;

use super::expressions::{self, EXPR_START};
use super::{close, comma_list, expect, names};

/// What makes an expression of the name before it.
const CONTINUES_EXPRESSION: TokenSet = TokenSet::new(&[
    DOT_DOT, PLUS, MINUS, STAR, SLASH, PERCENT, L_PAREN, L_BRACKET, DOT, AT,
]);

pub(super) fn at_type_start(p: &Parser<'_>) -> bool {
    matches!(p.current(), BOOL_KW | ARRAY_KW | RECORD_KW) || p.at_set(EXPR_START)
}

/// A type, or a message that one is expected here.
pub(super) fn type_expr(p: &mut Parser<'_>) {
    p.deeper(|p| match p.current() {
        BOOL_KW => {
            let marker = p.start();
            p.bump();
            marker.complete(p, BOOL_TYPE);
        }
        ARRAY_KW => array(p),
        IDENT if at_collection(p) => collection(p),
        RECORD_KW => record(p),
        IDENT if !CONTINUES_EXPRESSION.contains(p.nth(1)) => {
            let marker = p.start();
            names::plain_name_ref(p);
            marker.complete(p, NAMED_TYPE);
        }
        CHANNEL_KW | ENUM_KW if !p.nth_begins_line(0) => {
            let message = format!("expected a type, found the word `{}`", p.nth_text(0));
            p.unexpected(
                message,
                Some("declare it on a line of its own and use its name here"),
            );
        }
        L_BRACE => {
            p.unexpected(
                "expected a type",
                Some("a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`"),
            );
            super::skip_to(p, |_| true);
        }
        _ if p.at_set(EXPR_START) => range(p),
        DOT_DOT => range(p),
        _ => p.missing(
            "expected a type",
            Some("a type is `bool`, `lo..hi`, a name, `array[I] of T` or `record { f: T }`"),
        ),
    });
}

/// `set of T`, `list[n] of T` and the like, which are no types here.
fn at_collection(p: &Parser<'_>) -> bool {
    let is_word = matches!(
        p.nth_text(0),
        "set" | "list" | "seq" | "sequence" | "vector" | "stack" | "queue" | "bag" | "map"
    );
    let of = match p.nth(1) {
        L_BRACKET => p.closer_of(1).map_or(usize::MAX, |closer| closer + 1),
        _ => 1,
    };
    is_word && of != usize::MAX && p.nth_word(of) == Some("of")
}

fn collection(p: &mut Parser<'_>) {
    let word = p.nth_text(0);
    let mend = match word {
        "set" => "an `array[T] of bool` says of each value whether it is in it",
        "queue" | "bag" => "it is a kind of channel: `channel c: queue[3] of T`",
        _ => "take an `array[0..n] of T`, and a variable for how much of it is used",
    };
    p.unexpected(format!("there is no type `{word} of`"), Some(mend));
    let marker = p.start();
    p.bump();
    if p.at(L_BRACKET) {
        let closer = p.closer_of(0).unwrap_or(0);
        (0..=closer).for_each(|_| p.bump());
    }
    p.bump();
    type_expr(p);
    marker.complete(p, ERROR);
}

fn range(p: &mut Parser<'_>) {
    let marker = p.start();
    expressions::additive(p, "the lower end of the range");
    if p.eat(DOT_DOT) {
        if p.at(DOT) {
            p.unexpected("a range is written with two dots", Some("write `lo..hi`"));
            p.bump_as_error();
        }
        expressions::additive(p, "the upper end of the range");
    } else {
        p.missing(
            "expected `..` and the upper end of the range",
            Some("a type of integers is written `lo..hi`, both ends belonging to it"),
        );
    }
    marker.complete(p, RANGE_TYPE);
}

fn array(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if p.at(L_BRACKET) {
        let open = p.position();
        p.bump();
        type_expr(p);
        close(p, open, R_BRACKET, "the type of the index");
    } else {
        p.missing(
            "expected `[` and the type of the index",
            Some("write `array[I] of T`"),
        );
        if !p.at_word("of") && !p.nth_begins_line(0) {
            super::skip_to(p, |p| p.at_word("of") || p.nth_begins_line(0));
        }
    }
    of(p);
    marker.complete(p, ARRAY_TYPE);
}

/// `of T`
fn of(p: &mut Parser<'_>) {
    if p.eat_word("of") {
        type_expr(p);
    } else {
        p.missing(
            "expected `of` and the type of the cells",
            Some("write `array[I] of T`"),
        );
        if at_type_start(p) && !p.nth_begins_line(0) {
            type_expr(p);
        }
    }
}

fn record(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if p.at(L_BRACE) {
        comma_list(p, R_BRACE, "the fields", names::at_field, field);
    } else {
        p.missing(
            "expected `{` and the fields",
            Some("write `record { f: T, g: U }`"),
        );
    }
    marker.complete(p, RECORD_TYPE);
}

fn field(p: &mut Parser<'_>) {
    let marker = p.start();
    names::name(p, "a field");
    if expect(p, COLON, "expected `:` and the type of the field") {
        type_expr(p);
    }
    marker.complete(p, FIELD_DECL);
}
