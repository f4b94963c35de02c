//! The grammar: a function for each form of the language, and what it does about mistakes.
//!
//! Two rules hold throughout. A function takes only what it can use, or at least one token, so
//! that the parser always goes on; and it leaves alone whatever begins something else (an item,
//! a state, a step, the bracket that closes what is around it), so that a mistake never
//! swallows what follows it.

pub(crate) mod bodies;
mod channels;
pub(crate) mod elsewhere;
mod expressions;
mod fairness;
mod items;
mod misplaced;
mod names;
mod properties;
mod statements;
mod steps;
mod types;

use crate::SyntaxKind::*;
use crate::kind::TokenSet;
use crate::parser::Parser;

pub(crate) use items::at_item_start;

/// The words that begin an item and can begin nothing else, nor continue anything.
pub(crate) const ITEM_START: TokenSet = TokenSet::new(&[
    USE_KW,
    CONST_KW,
    PARAM_KW,
    TYPE_KW,
    ENUM_KW,
    CHANNEL_KW,
    ACTION_KW,
    DEF_KW,
    MACRO_KW,
    PROCESS_KW,
    INVARIANT_KW,
    PROGRESS_KW,
    LTL_KW,
    RECURRENCE_KW,
    REFINES_KW,
    TESTER_KW,
    SPECIFICATION_KW,
    BUCHI_KW,
    TESTING_KW,
]);

/// Whether such a token begins a declaration wherever it stands; a macro's may stand in a process.
pub fn begins_item(kind: crate::SyntaxKind) -> bool {
    ITEM_START.contains(kind) && kind != MACRO_KW
}

/// What begins a clause of a step.
const CLAUSE_START: TokenSet = TokenSet::new(&[
    FOR_KW, ON_KW, SEND_KW, RECEIVE_KW, CHANGE_KW, WHEN_KW, DO_KW, ARROW,
]);

/// The words that begin a statement, clauses included; names begin statements too.
const STATEMENT_START: TokenSet = CLAUSE_START.union(TokenSet::new(&[
    ASSERT_KW, AWAIT_KW, SKIP_KW, IF_KW, WHILE_KW, LOOP_KW, EITHER_KW, BREAK_KW, STOP_KW,
]));

/// What begins a line in a body.
const BODY_ITEM_START: TokenSet =
    TokenSet::new(&[VAR_KW, ALPHABET_KW, VISIBLE_KW, OBSERVE_KW, STATE_KW]);

/// What cannot stand in parentheses or in square brackets.
pub(crate) const ENDS_BRACKETS: TokenSet = ITEM_START.union(TokenSet::new(&[
    VAR_KW, STATE_KW, FOR_KW, ON_KW, SEND_KW, RECEIVE_KW, CHANGE_KW, WHEN_KW, DO_KW, AWAIT_KW,
    WHILE_KW, LOOP_KW, EITHER_KW,
]));

pub(crate) fn source_file(p: &mut Parser<'_>) {
    let marker = p.start();
    while !p.at_end() {
        items::item(p);
    }
    marker.complete(p, SOURCE_FILE);
}

/// Takes the token, or tells that it is missing.
fn expect(p: &mut Parser<'_>, kind: crate::SyntaxKind, message: &str) -> bool {
    let there = p.eat(kind);
    if !there {
        p.missing(message, None);
    }
    there
}

/// Takes the bracket that closes the one at `open` (the number of its token). Where something
/// else stands there it is told once, and passed over if the bracket comes later.
fn close(p: &mut Parser<'_>, open: usize, kind: crate::SyntaxKind, context: &str) {
    if p.eat(kind) {
        return;
    }
    let text = match kind {
        R_PAREN => "`)`",
        R_BRACKET => "`]`",
        _ => "`}`",
    };
    let goes_on = p.nth_begins_line(0) || p.at_set(STATEMENT_START) || p.at_set(BODY_ITEM_START);
    let closer = p
        .closer(open)
        .filter(|&closer| closer > p.position() && !goes_on);
    let Some(closer) = closer else {
        p.missing(format!("expected {text} after {context}"), None);
        return;
    };
    p.unexpected(format!("expected {text} after {context}"), None);
    p.bump_many_as_error(closer - p.position());
    p.eat(kind);
}

/// Parses what is in brackets and separated by commas; a comma may stand after the last. The
/// opening bracket is the current token.
fn comma_list(
    p: &mut Parser<'_>,
    kind: crate::SyntaxKind,
    context: &str,
    starts: impl Fn(&Parser<'_>) -> bool,
    mut element: impl FnMut(&mut Parser<'_>),
) {
    let open = p.position();
    p.bump();
    while !p.at(kind) && starts(p) {
        let before = p.position();
        p.within(open, &mut element);
        if p.at(SEMICOLON) && p.closer(open).is_some() {
            p.refuse("expected `,`", "within brackets `,` separates, not `;`");
        } else if !p.eat(COMMA) {
            let is_left = p.nth_begins_line(0) && p.closer(open).is_none();
            if !starts(p) || p.position() == before || is_left {
                break;
            }
            p.missing("expected `,`", None);
        }
    }
    close(p, open, kind, context);
}

/// Passes over what is left of the line.
fn skip_line(p: &mut Parser<'_>) {
    skip_to(p, |p| p.nth_begins_line(0));
}

/// Passes over one token, or what stands in brackets.
fn skip_one(p: &mut Parser<'_>) {
    skip_to(p, |_| true);
}

/// Passes over at least one token, up to something that `stop` knows, the end of what is
/// around, or the next line.
fn skip_to(p: &mut Parser<'_>, stop: impl Fn(&Parser<'_>) -> bool) {
    let marker = p.start();
    let mut first = true;
    loop {
        match p.current() {
            EOF => break,
            R_BRACE if !first => break,
            _ if !first && (stop(p) || at_item_start(p)) => break,
            L_PAREN | L_BRACKET | L_BRACE => {
                let length = p.closer_of(0).filter(|&length| {
                    (1..length).all(|n| !ITEM_START.contains(p.nth(n)) || !p.nth_begins_line(n))
                });
                for _ in 0..=length.unwrap_or(0) {
                    p.bump();
                }
            }
            _ => p.bump(),
        }
        first = false;
    }
    marker.complete(p, ERROR);
}
