//! What stands between the braces of a process, a tester, a specification or an automaton
//! (§5, §7).

use crate::SyntaxKind::*;
use crate::parser::Parser;

use super::elsewhere::FAR;
use super::{
    BODY_ITEM_START, CLAUSE_START, STATEMENT_START, elsewhere, expressions, items, misplaced,
    names, properties, statements, steps,
};

/// Whose body it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Process,
    Tester,
    Specification,
    Buchi,
    Testing,
}

impl BodyKind {
    pub(super) fn article(self) -> &'static str {
        match self {
            BodyKind::Process => "a process",
            BodyKind::Tester => "a tester",
            BodyKind::Specification => "a specification",
            BodyKind::Buchi => "a Büchi automaton",
            BodyKind::Testing => "a testing automaton",
        }
    }
}

/// Whether `MODIFIERS state` begins here.
pub(super) fn at_state_start(p: &Parser<'_>) -> bool {
    let mut n = 0;
    while p.nth(n) == IDENT && n < 8 {
        n += 1;
    }
    p.nth(n) == STATE_KW
}

/// Words that stand before `state`, or that people put there.
pub(super) fn is_modifier(word: &str) -> bool {
    matches!(
        word,
        "initial"
            | "final"
            | "reject"
            | "deadlock"
            | "livelock"
            | "infinite"
            | "accepting"
            | "accept"
    )
}

/// Whether a state begins here that lacks its word: `initial s { … }`.
fn at_state_without_word(p: &Parser<'_>) -> bool {
    p.nth_word(0).is_some_and(is_modifier)
        && p.nth(1) == IDENT
        && p.nth(2) == L_BRACE
        && !p.nth_begins_line(1)
        && !p.nth_begins_line(2)
}

/// Whether a state begins here with a word that is no `state`, as one that is mistyped: `stat s { -> t }`.
fn at_state_with_another_word(p: &Parser<'_>) -> bool {
    p.nth(1) == IDENT
        && p.nth(2) == L_BRACE
        && !p.nth_begins_line(1)
        && !p.nth_begins_line(2)
        && (CLAUSE_START.contains(p.nth(3)) || p.nth(3) == R_BRACE)
}

pub(super) fn body(p: &mut Parser<'_>, kind: BodyKind) {
    let outside = std::mem::replace(&mut p.in_body, true);
    let around = (p.body_at.replace(p.position()), p.body_of.replace(kind));
    body_of(p, kind);
    p.in_body = outside;
    (p.body_at, p.body_of) = around;
}

fn body_of(p: &mut Parser<'_>, kind: BodyKind) {
    let marker = p.start();
    let open = p.position();
    let what = format!("the body of {}", kind.article());
    let is_sign = !p.at(L_BRACE) && elsewhere::block_sign(p, &what);
    if is_sign && !p.at(L_BRACE) {
        // Where the body ends nobody knows, unless it is said.
        if elsewhere::block_that_ends_with(p, "process") {
            p.eat(SEMICOLON);
        } else {
            super::skip_to(p, |_| false);
        }
        marker.complete(p, BODY);
        return;
    }
    if !p.eat(L_BRACE) {
        p.missing(
            format!("expected `{{` and the body of {}", kind.article()),
            None,
        );
        let begins = p.at_set(BODY_ITEM_START) || at_state_start(p) || statements::at_statement(p);
        if !begins || !p.has_spare_closing_brace() {
            marker.abandon(p);
            return;
        }
        p.assume_brace();
    }
    // Whether states, or statements, stand before what is next.
    let (mut has_states, mut has_statements) = (false, false);
    loop {
        match p.current() {
            EOF | R_BRACE => break,
            _ if statements::at_reserved_label(p) => statements::reserved_label(p),
            VAR_KW if (has_states || has_statements) && items::is_variable_outside(p, open) => {
                break;
            }
            VAR_KW => {
                let marker = p.start();
                p.bump();
                items::var_decl(p, marker);
                items::no_semicolon(p);
            }
            MACRO_KW => {
                let marker = p.start();
                p.bump();
                items::macro_decl(p, marker);
                items::no_semicolon(p);
            }
            ALPHABET_KW => action_line(p, ALPHABET_DECL),
            VISIBLE_KW => action_line(p, VISIBLE_DECL),
            OBSERVE_KW => observe(p),
            _ if items::at_item_start(p) => {
                if p.closer(open).is_none() {
                    break;
                }
                misplaced::item(p);
            }
            _ if at_state_start(p) || at_state_without_word(p) => {
                has_states = true;
                state(p);
            }
            IDENT if has_states && !has_statements && at_state_with_another_word(p) => {
                p.refuse(
                    "expected `state` before the name of a state",
                    "write `state s { … }`",
                );
                state_that_lacks_its_word(p);
            }
            IDENT if has_states && !has_statements && p.nth(1) == L_BRACE => {
                p.unexpected(
                    "expected `state` before the name of a state",
                    "write `state s { … }`",
                );
                state_that_lacks_its_word(p);
            }
            _ if statements::at_statement(p) => {
                has_statements = true;
                statements::statement(p);
            }
            SEMICOLON => p.refuse("there is nothing here for `;` to end", "leave it out"),
            _ => statements::not_a_statement(p),
        }
    }
    p.close_brace(
        open,
        &format!("expected `}}` at the end of {}", kind.article()),
    );
    marker.complete(p, BODY);
}

/// `alphabet a, b(*)`, `visible a, b(*)`
fn action_line(p: &mut Parser<'_>, kind: crate::SyntaxKind) {
    let marker = p.start();
    p.bump();
    properties::event_list(p);
    marker.complete(p, kind);
    items::no_semicolon(p);
}

/// `observe p = e`
fn observe(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    names::name(p, "what is observed");
    if p.at(COLON) {
        p.refuse(
            "what is observed stands behind `=`",
            "it is written `observe p = e`",
        );
        expressions::expr(p);
    } else if items::eat_eq(p) {
        expressions::expr(p);
    } else {
        p.missing(
            "expected `=` and what is observed",
            "it is written `observe p = e`",
        );
    }
    marker.complete(p, OBSERVE_DECL);
    items::no_semicolon(p);
}

/// `NAME { step … }`, whose word has been told to be missing.
fn state_that_lacks_its_word(p: &mut Parser<'_>) {
    let marker = p.start();
    names::name(p, "a state");
    step_list(p);
    marker.complete(p, STATE);
    items::no_semicolon(p);
}

/// `MODIFIERS state NAME when e { step … }`
fn state(p: &mut Parser<'_>) {
    let marker = p.start();
    let lacks_word = at_state_without_word(p);
    while p.at(IDENT) && !(lacks_word && p.nth(1) == L_BRACE) {
        p.bump_as(MODIFIER);
    }
    if lacks_word {
        p.missing(
            "expected `state` before its name",
            "write `initial state s { … }`",
        );
    } else {
        p.bump();
    }
    let is_before_name = p.nth(1) == IDENT && !p.nth_begins_line(0) && !p.nth_begins_line(1);
    if p.nth_word(0).is_some_and(is_modifier) && is_before_name {
        late_modifier(p);
    }
    names::name(p, "a state");
    if p.nth_word(0).is_some_and(is_modifier) && !p.nth_begins_line(0) && !at_state_start(p) {
        late_modifier(p);
    }
    if p.at(WHEN_KW) {
        // No assignment can follow it, as it can a guard.
        let inside = std::mem::replace(&mut p.in_body, false);
        steps::when(p);
        p.in_body = inside;
    }
    if p.at(COLON) {
        p.refuse(
            "a state's name is followed by its steps in braces",
            "write `{` … `}`",
        );
    }
    if p.at(L_BRACE) {
        step_list(p);
    } else if p.at_set(CLAUSE_START) && p.has_spare_closing_brace() {
        p.missing("expected `{` and the steps of the state", None);
        p.assume_brace();
        steps_until_brace(p, None);
        p.eat(R_BRACE);
    } else if p.at_set(CLAUSE_START) && !p.nth_begins_line(0) {
        p.missing("expected `{` and the steps of the state", None);
        steps_until_brace(p, None);
    }
    marker.complete(p, STATE);
    items::no_semicolon(p);
}

/// A modifier behind `state`.
fn late_modifier(p: &mut Parser<'_>) {
    let message = format!("`{}` stands before `state`", p.nth_text(0));
    let mend = format!("write `{} state s {{ … }}`", p.nth_text(0));
    p.unexpected(message, mend);
    p.bump_as(MODIFIER);
}

fn step_list(p: &mut Parser<'_>) {
    let open = p.position();
    p.bump();
    steps_until_brace(p, Some(open));
    p.close_brace(open, "expected `}` at the end of the state");
}

fn steps_until_brace(p: &mut Parser<'_>, open: Option<usize>) {
    loop {
        match p.current() {
            EOF | R_BRACE => break,
            _ if at_state_start(p) => {
                // Where all braces are closed, none is missing before it.
                let is_within = open.is_some_and(|open| p.closer(open).is_some());
                if !(is_within && p.body_is_closed()) {
                    break;
                }
                p.unexpected(
                    "a state cannot stand within a state",
                    "close the braces of the state around it before",
                );
                p.node(ERROR, state);
            }
            VAR_KW | ALPHABET_KW | VISIBLE_KW | OBSERVE_KW => break,
            _ if items::at_item_start(p) => {
                if open.is_none_or(|open| p.closer(open).is_none()) {
                    break;
                }
                misplaced::item(p);
            }
            _ if p.at_set(CLAUSE_START) => steps::step_of_state(p),
            SEMICOLON => p.refuse("there is nothing here for `;` to end", "leave it out"),
            _ => not_a_step(p),
        }
    }
}

/// Whether a comparison stands here, with the end of a step behind it on the line: a guard without its word.
fn is_condition(p: &Parser<'_>) -> bool {
    let line = (1..FAR).take_while(|n| !p.nth_begins_line(*n));
    let kinds: Vec<_> = line.map(|n| p.nth(n)).collect();
    let end = kinds.iter().position(|kind| {
        matches!(
            kind,
            ARROW | DO_KW | SEMICOLON | EQ | COLON_EQ | L_BRACE | R_BRACE
        )
    });
    let compares = |kind: &crate::SyntaxKind| {
        matches!(
            kind,
            EQ_EQ | BANG_EQ | LESS | LESS_EQ | GREATER | GREATER_EQ
        )
    };
    end.is_some_and(|end| matches!(kinds[end], ARROW | DO_KW) && kinds[..end].iter().any(compares))
}

fn not_a_step(p: &mut Parser<'_>) {
    match p.current() {
        ELSE_KW => {
            p.refuse(
                "there is no `else` among the steps of a state",
                "write the guard, `when not (…)`",
            );
        }
        COLON_COLON => {
            p.refuse("a step does not begin with `::`", "leave it out");
        }
        IDENT if p.at_word("changes") || p.at_word("changed") => {
            let message = format!("a step does not begin with `{}`", p.nth_text(0));
            p.unexpected(message, "write `change o -> s`");
            super::skip_line(p);
        }
        IDENT if is_condition(p) => {
            p.unexpected("a guard stands behind `when`", "write `when e -> s`");
            steps::guard_without_when(p);
        }
        IDENT if steps::at_assignment(p) => {
            p.unexpected("a step's effects stand after `do`", "write `do x = e -> s`");
            steps::effects_without_do(p);
        }
        _ => {
            let hint = match p.current() {
                AWAIT_KW => "`await` is a statement; a state has the step `when e -> s`",
                ASSERT_KW => "in a step it stands after `do`: `do assert e -> s`",
                IF_KW => {
                    "statements and states do not mix; a state has a step for each case, \
                     `when e do x = f -> s` and `when not (e) -> s`"
                }
                kind if STATEMENT_START.contains(kind) => {
                    "statements and states do not mix; a state has steps `… -> s`"
                }
                IDENT if p.at_word("goto") => "a step leads on by itself: `-> s`",
                IDENT if p.at_word("atomic") => {
                    "one step has any number of effects: `do { … } -> s`"
                }
                IDENT => "a step begins with `for`, `on`, `send`, `receive`, `when`, `do` or `->`",
                _ => "a step is written `on a when e do x = f -> s`, each part but `-> s` optional",
            };
            p.unexpected("expected a step", hint);
            super::skip_to(p, |p| {
                p.at_set(CLAUSE_START) || p.at(SEMICOLON) || at_state_start(p)
            });
            // What is left of a statement's step is no step of its own.
            if p.at(ARROW) {
                p.node(STEP, steps::target);
                p.eat(SEMICOLON);
            }
        }
    }
}
