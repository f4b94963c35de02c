//! Types (§3).

use super::starts::EXPR_START;
use crate::SyntaxKind::*;
use crate::kind::TokenSet;
use crate::parser::Parser;

/// What makes an expression of the name before it.
const CONTINUES_EXPRESSION: TokenSet = TokenSet::new(&[
    DOT_DOT, PLUS, MINUS, STAR, SLASH, PERCENT, L_PAREN, L_BRACKET, DOT, AT,
]);

impl Parser<'_> {
    pub(super) fn at_type_start(&self) -> bool {
        matches!(self.current(), BOOL_KW | ARRAY_KW | RECORD_KW) || self.at_set(EXPR_START)
    }

    /// A type, or a message that one is expected here.
    pub(super) fn type_expr(&mut self) {
        self.deeper(|p| match p.current() {
        BOOL_KW => {
            p.bump_as(BOOL_TYPE);
            p.length_behind_type();
        }
        ARRAY_KW => array(p),
        IDENT if at_collection(p) => match p.nth_text(0) {
            "set" if p.nth(1) != L_BRACKET => set(p),
            "list" if p.nth(1) == L_BRACKET => list(p),
            _ => collection(p),
        },
        RECORD_KW => record(p),
        IDENT if !CONTINUES_EXPRESSION.contains(p.nth(1)) => {
            p.node(NAMED_TYPE, Parser::plain_name_ref);
            if p.at(LESS) && !p.nth_begins_line(0) {
                p.unexpected(
                    "a type has no types in `<…>`",
                    "several values are an `array[I] of T`, messages a `channel`",
                );
                p.skip_line();
            }
        }
        CHANNEL_KW | ENUM_KW if !p.nth_begins_line(0) => {
            let message = format!("expected a type, found the word `{}`", p.nth_text(0));
            let hint = match p.current() {
                CHANNEL_KW => "a channel is no variable: write `channel c: queue[1] of T`",
                _ => "declare it on a line of its own, `enum NAME { a, b }`, and use its name here",
            };
            p.unexpected(message, hint);
            p.skip_to(|p| {
                p.nth_begins_line(0) || matches!(p.current(), COMMA | R_PAREN)
            });
        }
        L_BRACE => {
            let hint = match (p.nth(1), p.nth(2)) {
                (_, COLON) => "a record is written `record { f: T, g: U }`",
                (IDENT, COMMA | R_BRACE) => {
                    "values with names are declared by `enum NAME { a, b }`, and `NAME` stands here"
                }
                (INT, COMMA | R_BRACE) => "numbers are of a range, `lo..hi`",
                _ => "a type is `bool`, `lo..hi`, a name, `array[I] of T`, `set of T`, `list[n] of T` or `record { f: T }`",
            };
            p.unexpected("expected a type", hint);
            p.skip_one();
        }
        L_BRACKET if is_whole(p, 0) => {
            p.unexpected(
                "expected a type",
                "numbers are of a range, `lo..hi`, several values an `array[I] of T`",
            );
            p.skip_one();
        }
        IDENT if p.at_word("range") && is_whole(p, 1) => {
            p.unexpected("there is no `range`", "write `lo..hi`, to which both ends belong");
            p.skip_to(|p| !p.at(L_PAREN));
        }
        _ if p.at_set(EXPR_START) => range(p),
        DOT_DOT => range(p),
        _ => p.missing(
            "expected a type",
            "a type is `bool`, `lo..hi`, a name, `array[I] of T`, `set of T`, `list[n] of T` or \
             `record { f: T }`",
        ),
    });
    }
}

/// `set of T`, `list[n] of T`, and the like which are no types here.
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

fn set(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    p.bump();
    p.type_expr();
    marker.complete(p, SET_TYPE);
}

fn list(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    let open = p.position();
    p.bump();
    p.within(open, |p| {
        p.expr_for("how many elements the list can have");
        if p.at(DOT_DOT) {
            p.unexpected(
                "a list has a length, not a type for its index",
                "write `list[4] of T`, say, for up to four elements",
            );
            p.skip_to(|p| p.at(R_BRACKET) || p.nth_begins_line(0));
        }
    });
    p.close(open, R_BRACKET, "the length of the list");
    of(p);
    marker.complete(p, LIST_TYPE);
}

fn collection(p: &mut Parser<'_>) {
    let word = p.nth_text(0);
    let mend = match word {
        "set" => "it has as many elements as its type has values: write `set of T`",
        "list" => "write how many elements it can have, `list[4] of T`, say",
        "queue" | "bag" => "it is a kind of channel: `channel c: queue[3] of T`",
        "map" => "a value for each index is an `array[I] of T`",
        _ => "write `list[n] of T`, with the number of elements that it can have",
    };
    let message = match word {
        "set" => String::from("a set has no length"),
        "list" => String::from("expected `[` and the length of the list"),
        _ => format!("there is no type `{word} of`"),
    };
    p.unexpected(message, mend);
    let marker = p.start();
    p.bump();
    if p.at(L_BRACKET) {
        let closer = p.closer_of(0).unwrap_or(0);
        (0..=closer).for_each(|_| p.bump());
    }
    p.bump();
    p.type_expr();
    marker.complete(p, ERROR);
}

impl Parser<'_> {
    /// A type, or the set or the list whose elements are bound.
    pub(super) fn type_or_collection(&mut self) {
        let goes_on = matches!(self.nth(1), DOT | L_BRACKET | L_PAREN);
        if !self.at(IDENT) || !goes_on || at_collection(self) {
            return self.type_expr();
        }
        let marker = self.start();
        self.additive("a type, or a set or a list");
        if self.at(DOT_DOT) {
            upper_end(self);
            marker.complete(self, RANGE_TYPE);
        } else {
            marker.abandon(self);
        }
    }
}

fn range(p: &mut Parser<'_>) {
    let marker = p.start();
    p.additive("the lower end of the range");
    upper_end(p);
    marker.complete(p, RANGE_TYPE);
}

/// `..hi`
fn upper_end(p: &mut Parser<'_>) {
    if p.eat(DOT_DOT) {
        if p.at(DOT) {
            p.refuse("a range is written with two dots", "write `lo..hi`");
        } else if matches!(p.current(), EQ | LESS) && p.nth_is_joined(0) {
            p.refuse(
                "a range is written with two dots alone",
                "write `lo..hi`, to which both ends belong",
            );
        }
        p.additive("the upper end of the range");
    } else {
        p.missing(
            "expected `..` and the upper end of the range",
            "a type of integers is written `lo..hi`, both ends belonging to it",
        );
    }
}

/// Whether the bracket `n` after the current token is closed, and what it closes is no part of a range.
fn is_whole(p: &Parser<'_>, n: usize) -> bool {
    let is_bracket = matches!(p.nth(n), L_PAREN | L_BRACKET);
    let behind = p
        .closer_of(n)
        .filter(|_| is_bracket)
        .map(|closer| p.nth(closer + 1));
    behind.is_some_and(|behind| !CONTINUES_EXPRESSION.contains(behind))
}

impl Parser<'_> {
    /// `bool[3]`
    pub(super) fn length_behind_type(&mut self) {
        if self.at(L_BRACKET) && !self.nth_begins_line(0) {
            self.unexpected(
                "the length of an array does not stand in brackets behind a name or a type",
                "write `array[0..2] of T`, say",
            );
            self.skip_one();
        }
    }
}

fn array(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if p.at(L_BRACKET) {
        let open = p.position();
        p.bump();
        index_type(p);
        while p.eat(COMMA) {
            index_type(p);
        }
        p.close(open, R_BRACKET, "the type of the index");
    } else {
        p.missing(
            "expected `[` and the type of the index",
            "write `array[I] of T`",
        );
        if !p.at_word("of") && !p.nth_begins_line(0) {
            p.skip_to(|p| p.at_word("of") || p.nth_begins_line(0));
        }
    }
    of(p);
    marker.complete(p, ARRAY_TYPE);
}

/// The type of an index; a length in its place has a message.
fn index_type(p: &mut Parser<'_>) {
    if p.at(INT) && matches!(p.nth(1), R_BRACKET | COMMA) {
        let last = p
            .nth_text(0)
            .parse()
            .map_or(0, |length: u64| length.saturating_sub(1));
        p.unexpected(
            "an array has a type for its index, not a length",
            format!("write `0..{last}`"),
        );
        p.node(RANGE_TYPE, Parser::bump_as_error);
    } else {
        p.type_expr();
    }
}

/// `of T`
fn of(p: &mut Parser<'_>) {
    if p.eat_word("of") {
        p.type_expr();
    } else {
        p.missing(
            "expected `of` and the type of the cells",
            "write `array[I] of T`",
        );
        if p.at_type_start() && !p.nth_begins_line(0) {
            p.type_expr();
        }
    }
}

fn record(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if p.at(L_BRACE) {
        p.comma_list(R_BRACE, "the fields", |p| p.at_field(), field);
    } else {
        p.missing(
            "expected `{` and the fields",
            "write `record { f: T, g: U }`",
        );
    }
    marker.complete(p, RECORD_TYPE);
}

fn field(p: &mut Parser<'_>) {
    let marker = p.start();
    p.name("a field");
    if p.expect(COLON, "expected `:` and the type of the field") {
        p.type_expr();
    }
    marker.complete(p, FIELD_DECL);
}
