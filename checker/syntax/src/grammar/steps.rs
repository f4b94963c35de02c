//! Steps: their clauses, arguments and effects (§4).

use crate::SyntaxKind::{self, *};
use crate::parser::{Marker, Parser};

use super::bodies::BodyKind;
use super::expressions::{self, EXPR_START};
use super::{CLAUSE_START, bodies, channels, comma_list, elsewhere, names, statements};

mod effects;
mod order;

use effects::effects;
pub(super) use effects::{
    assert, assignment_or_call, at_assignment, do_clause, effect, effects_without_do,
};
use order::{SENDS_TOO, order};

/// One step of a state, which says where it goes.
pub(super) fn step_of_state(p: &mut Parser<'_>) {
    let marker = p.start();
    let begins = p.position();
    let last = clauses(p, 0, true);
    finish_step_of_state(p, last, begins);
    marker.complete(p, STEP);
    p.eat(SEMICOLON);
}

/// `e -> s`: a step that begins with its guard, without the word, which has been told.
pub(super) fn guard_without_when(p: &mut Parser<'_>) {
    let marker = p.start();
    let begins = p.position();
    p.node(WHEN_CLAUSE, expressions::expr);
    let last = clauses(p, 4, true);
    finish_step_of_state(p, last, begins);
    marker.complete(p, STEP);
    p.eat(SEMICOLON);
}

/// `begins` is the number of the step's first token.
fn finish_step_of_state(p: &mut Parser<'_>, last: u32, begins: usize) {
    if last == 6 {
        return;
    }
    let before = order(p.current()).is_some_and(|order| order <= last && order < 6);
    let hint = if p.is_behind_target(begins) {
        "`->` stands at the end of a step: `on a -> s`"
    } else if before && !p.nth_begins_line(0) {
        "every step of a state says where it goes; its parts come in the order `for`, `on` (or \
         `send`, `receive`, `receive … send …`), `when`, `do`, `->`"
    } else {
        "every step of a state says where it goes"
    };
    p.missing("expected `->` and a state's name", hint);
}

/// The `for` of a step; its word is the current token. How values of it are left out differs: the steps of a tester have
/// no guard.
fn for_clause(p: &mut Parser<'_>) -> Marker {
    let clause = p.start();
    let instead = match p.body_of {
        Some(BodyKind::Tester) => "name the values that it has, `for x in 1..3`, say",
        _ => "say it in the guard, `when e`",
    };
    p.bump();
    names::binding_list(p, instead);
    while p.at(FOR_KW) && p.nth(1) == IDENT && p.nth(2) == IN_KW {
        order::another_for(p);
        names::binding_list(p, instead);
    }
    clause
}

/// A step among statements; the first clause is the current token. A `for` before a block is no
/// step but effects.
pub(super) fn step_statement(p: &mut Parser<'_>) {
    let marker = p.start();
    let mut last = 0;
    if p.at(FOR_KW) {
        let clause = for_clause(p);
        if p.at(L_BRACE) {
            clause.abandon(p);
            statements::block(p, "the effects");
            marker.complete(p, FOR_EFFECT);
            return;
        }
        clause.complete(p, FOR_CLAUSE);
        last = 1;
        if !p.at_set(CLAUSE_START) || p.at(FOR_KW) {
            p.missing(
                "expected a step after `for`",
                "write `for v in T on a(v)`, say",
            );
        }
    }
    clauses(p, last, false);
    marker.complete(p, STEP);
}

/// The clauses of a step that come after the one with number `last`. Answers with the number of
/// the last one.
fn clauses(p: &mut Parser<'_>, mut last: u32, in_state: bool) -> u32 {
    let mut event = None;
    while let Some(next) = order(p.current()) {
        if next <= last {
            if !order::another_event(p, last, in_state, event) {
                break;
            }
            event = event.or(Some(ON_KW));
            continue;
        }
        last = next;
        if last == 2 {
            event = Some(p.current());
        }
        match p.current() {
            FOR_KW => {
                let clause = for_clause(p);
                clause.complete(p, FOR_CLAUSE);
            }
            ON_KW => on(p),
            SEND_KW => message(p, SEND_CLAUSE),
            RECEIVE_KW => {
                message(p, RECEIVE_CLAUSE);
                if p.at(SEND_KW) {
                    message(p, SEND_CLAUSE);
                    event = Some(SENDS_TOO);
                }
            }
            CHANGE_KW => change(p),
            WHEN_KW => when(p),
            DO_KW => do_clause(p, in_state),
            _ => target(p),
        }
        let may_follow = last == 2 || last == 4 && p.at(L_BRACE) && !p.is_told_here();
        if may_follow && !p.nth_begins_line(0) && behind_event(p, in_state) {
            last = 5;
        }
    }
    if in_state && last < 6 && another_arrow(p) {
        last = 6;
    }
    last
}

const EFFECTS: &str = "the effects of a step stand after `do`";

/// Tells that the block here is none, and passes it over.
pub(super) fn block_without_do(p: &mut Parser<'_>) {
    p.unexpected(
        EFFECTS,
        "write `do { … }`, or begin the next statement without braces",
    );
    super::skip_one(p);
}

/// What people write behind an action or a message where here `when`, `do` or another step begins. Whether the
/// step has its effects now.
fn behind_event(p: &mut Parser<'_>, in_state: bool) -> bool {
    let is_effect =
        p.nth(1) == IDENT && matches!(p.nth(2), EQ | EQ_EQ | COLON_EQ) && !p.nth_begins_line(1);
    match p.current() {
        COMMA | SLASH | COLON if is_effect => {
            p.refuse(EFFECTS, "write `do`");
            p.node(DO_CLAUSE, |p| effects(p, in_state));
            true
        }
        L_BRACE if p.closer_of(0).is_some() => {
            block_without_do(p);
            false
        }
        L_BRACKET if p.closer_of(0).is_some() => {
            p.unexpected("the guard of a step stands after `when`", "write `when e`");
            super::skip_one(p);
            false
        }
        DOT if p.nth_is_joined(0) && p.nth_is_joined(1) => {
            p.unexpected(
                "an action belongs to nobody",
                "write `on a`: everyone who has it takes part; which of them it is, is said by an \
                 argument, `on a(i)`",
            );
            super::skip_to(p, |p| {
                p.nth_begins_line(0) || p.at(SEMICOLON) || order(p.current()).is_some()
            });
            false
        }
        COMMA | OR_KW | AND_KW | PIPE | AMP | PIPE_PIPE | AMP_AMP | DOT => {
            let hint = match in_state {
                true => "write a step for each: `on a -> s  on b -> s`",
                false => {
                    "one after the other is `on a; on b`, one of them `either { on a } or { on b }`"
                }
            };
            p.unexpected("a step has one action", hint);
            super::skip_to(p, |p| {
                p.nth_begins_line(0) || p.at(SEMICOLON) || order(p.current()).is_some()
            });
            false
        }
        _ => false,
    }
}

/// `=> s`, `--> s`, `goto s` at the end of a step of a state.
fn another_arrow(p: &mut Parser<'_>) -> bool {
    let tokens = match (p.current(), p.nth(1)) {
        (FAT_ARROW, IDENT) => 1,
        (MINUS, ARROW) if p.nth_is_joined(1) => 2,
        (IDENT, IDENT) if p.at_word("goto") && !p.nth_begins_line(0) => 1,
        _ => return false,
    };
    let word: String = (0..tokens).map(|n| p.nth_text(n)).collect();
    p.unexpected(
        format!("where a step leads is not written with `{word}`"),
        "write `-> s`",
    );
    let marker = p.start();
    p.bump_many_as_error(tokens);
    names::name_ref(p, "a state");
    marker.complete(p, TARGET);
    true
}

fn on(p: &mut Parser<'_>) {
    let clause = p.start();
    p.bump();
    if names::next_line_begins_statement(p) {
        p.missing("expected the name of an action", None);
    } else if names::name_ref(p, "an action") && p.at(L_PAREN) {
        arguments(p);
    }
    clause.complete(p, ON_CLAUSE);
}

fn message(p: &mut Parser<'_>, kind: SyntaxKind) {
    let form = match kind {
        SEND_CLAUSE => "write `send c(e)`",
        _ => "write `receive c(?x)`",
    };
    let clause = p.start();
    p.bump();
    if p.at(INT) && !p.nth_begins_line(0) {
        p.unexpected("expected the name of a channel", form);
        elsewhere::rest_of_statement(p);
        clause.complete(p, kind);
        return;
    }
    let name = p.nth_text(0);
    if names::next_line_begins_statement(p) {
        p.missing("expected the name of a channel", form);
    } else if names::name_ref(p, "a channel") {
        if p.at(L_BRACKET) {
            channels::index(p, name);
        }
        if p.at(L_PAREN) {
            arguments(p);
        } else {
            p.missing("expected the message in parentheses", form);
            if matches!(p.nth_text(0), "from" | "to") && !p.nth_begins_line(0) {
                elsewhere::rest_of_statement(p);
            }
        }
        if p.at(L_PAREN) && !p.nth_begins_line(0) {
            p.unexpected(
                "which one of several channels it is stands in brackets",
                "write `c[i](e)`",
            );
            super::skip_one(p);
        }
    }
    clause.complete(p, kind);
}

/// `(e, ?x, *)`
fn arguments(p: &mut Parser<'_>) {
    let marker = p.start();
    let starts =
        |p: &Parser<'_>| p.at(STAR) || p.at(QUESTION) || p.at(ANY_KW) || p.at_set(EXPR_START);
    comma_list(p, R_PAREN, "the arguments", starts, |p| match p.current() {
        STAR => {
            p.bump_as(WILD_ARG);
        }
        QUESTION => {
            let argument = p.start();
            p.bump();
            expressions::place(p);
            argument.complete(p, BIND_ARG);
        }
        BANG if p.nth(1) == INT => {
            p.refuse(
                "a value that is given has no sign before it",
                "write `a(1)`; `a(?x)` takes one",
            );
            expressions::expr(p);
        }
        ANY_KW => {
            p.unexpected(
                "an argument that may be anything is written `*`",
                "or `?x`, to keep it in `x`",
            );
            super::skip_to(p, |p| p.at(COMMA) || p.at(R_PAREN));
        }
        _ => {
            expressions::expr(p);
        }
    });
    marker.complete(p, ARG_LIST);
}

fn change(p: &mut Parser<'_>) {
    let clause = p.start();
    p.bump();
    names::name_ref(p, "what is observed");
    while p.eat(COMMA) {
        names::name_ref(p, "what is observed");
    }
    clause.complete(p, CHANGE_CLAUSE);
}

/// `when e`
pub(super) fn when(p: &mut Parser<'_>) {
    let clause = p.start();
    p.bump();
    if p.at(ELSE_KW) || p.at_word("otherwise") && !p.nth_begins_line(0) && order(p.nth(1)).is_some()
    {
        p.refuse(
            "there is no `else` among guards",
            "write the guard, `not (…)`",
        );
    } else {
        expressions::condition(p);
    }
    clause.complete(p, WHEN_CLAUSE);
}

/// `-> s`
pub(super) fn target(p: &mut Parser<'_>) {
    let clause = p.start();
    p.bump();
    let is_name = !p.nth_begins_line(0) && p.nth_begins_line(1);
    let is_modifier = p.nth_word(0).is_some_and(bodies::is_modifier);
    if p.at(IDENT) && !is_name && is_modifier && bodies::at_state_start(p) {
        p.missing("expected a state's name after `->`", None);
    } else {
        names::state_ref(p);
    }
    clause.complete(p, TARGET);
}
