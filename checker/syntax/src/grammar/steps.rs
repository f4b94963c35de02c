//! Steps: their clauses, arguments and effects (§4).

use crate::SyntaxKind::{self, *};
use crate::kind::TokenSet;
use crate::parser::Parser;

use super::expressions::{self, EXPR_START};
use super::{CLAUSE_START, bodies, close, comma_list, elsewhere, items, names, statements, types};

/// The place of a clause in the order of clauses.
fn order(kind: SyntaxKind) -> Option<u32> {
    match kind {
        FOR_KW => Some(1),
        ON_KW | SEND_KW | RECEIVE_KW => Some(2),
        CHANGE_KW => Some(3),
        WHEN_KW => Some(4),
        DO_KW => Some(5),
        ARROW => Some(6),
        _ => None,
    }
}

/// One step of a state, which says where it goes.
pub(super) fn step_of_state(p: &mut Parser<'_>) {
    let marker = p.start();
    let begins = p.position();
    let last = clauses(p, 0, true);
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
         `send`, `receive`), `when`, `do`, `->`"
    } else {
        "every step of a state says where it goes"
    };
    p.missing("expected `->` and a state's name", Some(hint));
}

/// A step among statements; the first clause is the current token. A `for` before a block is no
/// step but effects.
pub(super) fn step_statement(p: &mut Parser<'_>) {
    let marker = p.start();
    let mut last = 0;
    if p.at(FOR_KW) {
        let clause = p.start();
        p.bump();
        names::binding_list(p);
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
                Some("write `for v in T on a(v)`, say"),
            );
        }
    }
    clauses(p, last, false);
    marker.complete(p, STEP);
}

/// The clauses of a step that come after the one with number `last`. Answers with the number of
/// the last one.
fn clauses(p: &mut Parser<'_>, mut last: u32, in_state: bool) -> u32 {
    while let Some(next) = order(p.current()).filter(|&next| next > last) {
        last = next;
        match p.current() {
            FOR_KW => {
                let clause = p.start();
                p.bump();
                names::binding_list(p);
                clause.complete(p, FOR_CLAUSE);
            }
            ON_KW => on(p),
            SEND_KW => message(p, SEND_CLAUSE),
            RECEIVE_KW => message(p, RECEIVE_CLAUSE),
            CHANGE_KW => change(p),
            WHEN_KW => when(p),
            DO_KW => do_clause(p, in_state),
            _ => target(p),
        }
        let may_follow = last == 2 || last == 4 && p.at(L_BRACE);
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
        Some("write `do { … }`, or begin the next statement without braces"),
    );
    super::skip_to(p, |_| true);
}

/// What people write behind an action or a message where here `when`, `do` or another step begins. Whether the
/// step has its effects now.
fn behind_event(p: &mut Parser<'_>, in_state: bool) -> bool {
    let is_effect =
        p.nth(1) == IDENT && matches!(p.nth(2), EQ | EQ_EQ | COLON_EQ) && !p.nth_begins_line(1);
    match p.current() {
        COMMA | SLASH | COLON if is_effect => {
            p.unexpected(EFFECTS, Some("write `do`"));
            p.bump_as_error();
            let clause = p.start();
            effects(p, in_state);
            clause.complete(p, DO_CLAUSE);
            true
        }
        L_BRACE if p.closer_of(0).is_some() => {
            block_without_do(p);
            false
        }
        L_BRACKET if p.closer_of(0).is_some() => {
            p.unexpected(
                "the guard of a step stands after `when`",
                Some("write `when e`"),
            );
            super::skip_to(p, |_| true);
            false
        }
        COMMA | OR_KW | AND_KW | PIPE | AMP | PIPE_PIPE | AMP_AMP | DOT => {
            let hint = match in_state {
                true => "write a step for each: `on a -> s  on b -> s`",
                false => {
                    "one after the other is `on a; on b`, one of them `either { on a } or { on b }`"
                }
            };
            p.unexpected("a step has one action", Some(hint));
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
        Some("write `-> s`"),
    );
    let marker = p.start();
    let sign = p.start();
    for _ in 0..tokens {
        p.bump();
    }
    sign.complete(p, ERROR);
    names::name_ref(p, "a state");
    marker.complete(p, TARGET);
    true
}

fn on(p: &mut Parser<'_>) {
    let clause = p.start();
    p.bump();
    if names::name_ref(p, "an action") && p.at(L_PAREN) {
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
        p.unexpected("expected the name of a channel", Some(form));
        elsewhere::rest_of_statement(p);
    } else if names::name_ref(p, "a channel") {
        if p.at(L_BRACKET) {
            let open = p.position();
            p.bump();
            p.within(open, |p| expressions::expr_for(p, "an index"));
            close(p, open, R_BRACKET, "the index");
        }
        if p.at(L_PAREN) {
            arguments(p);
        } else {
            p.missing("expected the message in parentheses", Some(form));
            if matches!(p.nth_text(0), "from" | "to") && !p.nth_begins_line(0) {
                elsewhere::rest_of_statement(p);
            }
        }
        if p.at(L_PAREN) && !p.nth_begins_line(0) {
            p.unexpected(
                "which one of several channels it is stands in brackets",
                Some("write `c[i](e)`"),
            );
            super::skip_to(p, |_| true);
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
            let argument = p.start();
            p.bump();
            argument.complete(p, WILD_ARG);
        }
        QUESTION => {
            let argument = p.start();
            p.bump();
            expressions::place(p);
            argument.complete(p, BIND_ARG);
        }
        ANY_KW => {
            p.unexpected(
                "an argument that may be anything is written `*`",
                Some("or `?x`, to keep it in `x`"),
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
        p.unexpected(
            "there is no `else` among guards",
            Some("write the guard, `not (…)`"),
        );
        p.bump_as_error();
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
    if p.at(IDENT) && !is_name && bodies::at_state_start(p) {
        p.missing("expected a state's name after `->`", None);
    } else {
        names::name_ref(p, "a state");
    }
    clause.complete(p, TARGET);
}

/// `do x = e, y = f`, `do { … }`
pub(super) fn do_clause(p: &mut Parser<'_>, in_state: bool) {
    let clause = p.start();
    p.bump();
    if p.at(L_BRACE) {
        effect_block(p);
    } else if at_effect(p) {
        effects(p, in_state);
    } else if p.at(COLON_COLON) {
        statements::no_double_colon(p, "od");
    } else {
        p.missing(
            "expected an effect after `do`",
            Some("write `do x = e`, or several: `do x = e, y = f` or `do { … }`"),
        );
    }
    clause.complete(p, DO_CLAUSE);
}

/// Effects where somebody forgot the `do`, with the rest of the step.
pub(super) fn effects_without_do(p: &mut Parser<'_>) {
    let marker = p.start();
    let begins = p.position();
    let clause = p.start();
    effects(p, true);
    clause.complete(p, DO_CLAUSE);
    let last = clauses(p, 5, true);
    finish_step_of_state(p, last, begins);
    marker.complete(p, STEP);
    p.eat(SEMICOLON);
}

/// Effects separated by commas.
fn effects(p: &mut Parser<'_>, in_state: bool) {
    effect(p);
    loop {
        match p.current() {
            COMMA => {
                p.bump();
                if at_effect(p) {
                    effect(p);
                } else {
                    p.missing("expected an effect after `,`", None);
                }
            }
            // Among statements these begin a statement.
            IDENT if in_state && at_assignment(p) => {
                p.missing("expected `,` between effects", Some("or write `do { … }`"));
                effect(p);
            }
            SEMICOLON if in_state && p.nth(1) == IDENT && p.nth(2) == EQ => {
                p.unexpected(
                    "`;` ends the step",
                    Some("between effects write `,`, or put them in braces, `do { … }`"),
                );
                p.bump_as_error();
                effect(p);
            }
            _ => break,
        }
    }
}

/// `{ … }` with effects, separated by `;`, `,` or nothing.
fn effect_block(p: &mut Parser<'_>) {
    p.deeper(|p| {
        let marker = p.start();
        let open = p.position();
        p.bump();
        loop {
            match p.current() {
                EOF | R_BRACE => break,
                COMMA | SEMICOLON => p.bump(),
                _ if items::at_item_start(p) => {
                    if p.closer(open).is_none() {
                        break;
                    }
                    items::misplaced_item(p);
                }
                STATE_KW | ARROW => break,
                _ if bodies::at_state_start(p) => break,
                _ if at_effect(p) => effect(p),
                _ => not_an_effect(p),
            }
        }
        if !p.eat(R_BRACE) {
            p.missing_closing_brace(open, "expected `}` after the effects");
        }
        marker.complete(p, BLOCK);
    });
}

fn not_an_effect(p: &mut Parser<'_>) {
    let hint = match p.current() {
        WHEN_KW | AWAIT_KW => "the guard stands before `do`",
        ON_KW | SEND_KW | RECEIVE_KW => "it stands before `do`; a step has one of them",
        WHILE_KW | LOOP_KW => "all effects of a step take place at once: write `for x in T { … }`",
        EITHER_KW => "a step that chooses a value is written `do x = any T`",
        _ => "effects are `x = e`, `if e { … }`, `for x in T { … }`, `assert e` and macros",
    };
    p.unexpected("expected an effect", Some(hint));
    super::skip_to(p, |p| {
        p.nth_begins_line(0) || matches!(p.current(), SEMICOLON | COMMA)
    });
}

fn at_effect(p: &Parser<'_>) -> bool {
    p.at(IF_KW) || p.at(FOR_KW) || p.at(ASSERT_KW) || (p.at(IDENT) && !bodies::at_state_start(p))
}

/// Whether something is assigned to here.
pub(super) fn at_assignment(p: &Parser<'_>) -> bool {
    p.at(IDENT)
        && matches!(p.nth(1), EQ | EQ_EQ | COLON_EQ | L_BRACKET | DOT)
        && !bodies::at_state_start(p)
}

/// One effect: an assignment, `if`, `for`, `assert` or a macro.
pub(super) fn effect(p: &mut Parser<'_>) {
    match p.current() {
        IF_KW => statements::if_with(p, |p| {
            if p.at(L_BRACE) {
                effect_block(p);
            } else {
                p.missing("expected `{` and the effects", None);
            }
        }),
        FOR_KW => {
            let marker = p.start();
            p.bump();
            names::binding_list(p);
            if p.at(L_BRACE) {
                effect_block(p);
            } else {
                p.missing("expected `{` and the effects for each value", None);
            }
            marker.complete(p, FOR_EFFECT);
        }
        ASSERT_KW => assert(p),
        _ => {
            assignment_or_call(p);
        }
    }
}

/// `assert e`
pub(super) fn assert(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    expressions::expr_for(p, "a condition");
    if p.at(COMMA) && p.nth(1) == STRING {
        p.unexpected(
            "an assertion has no text",
            Some("write it into a comment, `// …`"),
        );
        let text = p.start();
        p.bump();
        p.bump();
        text.complete(p, ERROR);
    }
    marker.complete(p, ASSERT_STMT);
}

/// `place = e` or the call of a macro, whichever it is: the kind of the node says.
pub(super) fn assignment_or_call(p: &mut Parser<'_>) -> SyntaxKind {
    const PLACE_GOES_ON: TokenSet = TokenSet::new(&[
        EQ, EQ_EQ, COLON_EQ, L_BRACKET, DOT, L_PAREN, PLUS, MINUS, BANG, QUESTION, AT, LESS,
        LESS_EQ, GREATER, GREATER_EQ, BANG_EQ,
    ]);
    let marker = p.start();
    let is_call = match p.nth(1) {
        L_PAREN => {
            let after = p.closer_of(1).map(|closer| p.nth(closer + 1));
            !matches!(after, Some(DOT | AT | EQ | EQ_EQ))
        }
        next => !PLACE_GOES_ON.contains(next),
    };
    if is_call {
        call(p);
        marker.complete(p, CALL_STMT);
        return CALL_STMT;
    }
    expressions::place(p);
    right_hand_side(p);
    marker.complete(p, ASSIGNMENT);
    ASSIGNMENT
}

fn call(p: &mut Parser<'_>) {
    let word = p.nth_text(0);
    if word == "goto" && p.nth(1) == IDENT {
        p.unexpected(
            "there is no `goto` among statements",
            Some("write the process as states, with `-> s`"),
        );
        p.bump_as_error();
    }
    names::plain_name_ref(p);
    if p.at(L_PAREN) {
        let list = p.start();
        comma_list(
            p,
            R_PAREN,
            "the arguments",
            |p| p.at_set(EXPR_START) || p.at(AMP),
            |p| {
                expressions::expr(p);
            },
        );
        list.complete(p, ARG_LIST);
    } else if !p.nth_begins_line(0) && (p.at_set(EXPR_START) && !p.at(IF_KW)) && !p.at(L_BRACE) {
        p.missing(
            format!("expected `=` after `{word}`"),
            Some(
                "a statement is a step (`on a`, `send c(e)`, …), `x = e`, or a macro's call `f(e)`",
            ),
        );
        super::skip_to(p, |p| {
            p.nth_begins_line(0) || p.at(SEMICOLON) || p.at_set(super::STATEMENT_START)
        });
    }
}

fn right_hand_side(p: &mut Parser<'_>) {
    if p.at(EQ_EQ) {
        p.unexpected(
            "`==` compares, it does not assign (nor wait, as `await e` does)",
            Some("write `=`"),
        );
    }
    if items::eat_eq(p) {
        if p.at(IDENT) && p.nth(1) == EQ && !p.nth_begins_line(0) && !p.nth_begins_line(1) {
            p.unexpected(
                "an assignment has no value",
                Some("write `y = e, x = y`, one after the other"),
            );
            rest_of_line(p);
        } else if p.at(LESS) && p.nth(1) == MINUS && p.nth_is_joined(1) || p.at(RECEIVE_KW) {
            p.unexpected(
                "a message is no value",
                Some("write `receive c(?x)`, which waits for one and keeps it in `x`"),
            );
            rest_of_line(p);
        } else if p.at(ANY_KW) {
            let any = p.start();
            p.bump();
            types::type_expr(p);
            any.complete(p, ANY_VALUE);
        } else {
            expressions::expr_for(p, "a value");
            if p.at(IF_KW) && !p.nth_begins_line(0) && elsewhere::line_has(p, ELSE_KW) {
                p.unexpected(
                    "the test of an `if` stands before its values",
                    Some("write `if e then e else e`"),
                );
                let marker = p.start();
                p.bump();
                expressions::expr(p);
                p.eat(ELSE_KW);
                expressions::expr(p);
                marker.complete(p, ERROR);
            }
        }
        return;
    }
    match (p.current(), p.nth(1)) {
        (PLUS, PLUS) | (MINUS, MINUS) => {
            let sign = p.nth_text(0);
            p.unexpected(
                format!("there is no operator `{sign}{sign}`"),
                Some(&format!("write `x = x {sign} 1`")),
            );
            let marker = p.start();
            p.bump();
            p.bump();
            marker.complete(p, ERROR);
        }
        (PLUS | MINUS | STAR | SLASH | PERCENT, EQ) => {
            let sign = p.nth_text(0);
            p.unexpected(
                format!("there is no operator `{sign}=`"),
                Some(&format!("write `x = x {sign} e`")),
            );
            let marker = p.start();
            p.bump();
            p.bump();
            expressions::expr(p);
            marker.complete(p, ERROR);
        }
        (BANG | QUESTION, _) => {
            p.unexpected(
                "messages are not sent and received with `!` and `?`",
                Some("write `send c(e)` and `receive c(?x)`"),
            );
            rest_of_line(p);
        }
        (LESS, MINUS) if p.nth_is_joined(1) => {
            p.unexpected(
                "messages are not sent and received with `<-`",
                Some("write `send c(e)` and `receive c(?x)`"),
            );
            rest_of_line(p);
        }
        (LESS | LESS_EQ | GREATER | GREATER_EQ | BANG_EQ, _) => {
            p.unexpected(
                "a condition is no statement",
                Some("to wait until it is true, write `await e`; an assignment is `x = e`"),
            );
            rest_of_line(p);
        }
        (FAT_ARROW, _) | (MINUS, GREATER) => {
            p.unexpected("expected `=`", Some("an assignment is written `x = e`"));
            rest_of_line(p);
        }
        _ => {
            p.missing(
                "expected `=` and a value",
                Some("an assignment is written `x = e`"),
            );
            if !p.nth_begins_line(0)
                && !matches!(p.current(), R_BRACE | SEMICOLON | COMMA | EOF | ARROW)
                && !p.at_set(super::STATEMENT_START)
            {
                rest_of_line(p);
            }
        }
    }
}

fn rest_of_line(p: &mut Parser<'_>) {
    super::skip_to(p, |p| {
        p.nth_begins_line(0)
            || matches!(p.current(), SEMICOLON | ARROW)
            || p.at_set(super::STATEMENT_START)
    });
}
