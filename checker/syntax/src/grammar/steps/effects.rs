//! What a step does: `do x = e, y = f`, `do { … }`, and assignments and calls of macros, which are statements too.

use crate::SyntaxKind::{self, *};
use crate::grammar::elsewhere::FAR;
use crate::grammar::starts::{EXPR_START, STATEMENT_START};
use crate::kind::TokenSet;
use crate::parser::Parser;

use super::order::MOST_QUOTED;

impl Parser<'_> {
    /// `do x = e, y = f`, `do { … }`
    pub(in crate::grammar) fn do_clause(&mut self, in_state: bool) {
        let clause = self.start();
        self.bump();
        if self.at(L_BRACE) {
            effect_block(self);
        } else if at_effect(self) {
            self.effects(in_state);
        } else if at_event(self) && !self.nth_begins_line(0) {
            event_before_do(self);
        } else if self.at(COLON_COLON) {
            self.no_double_colon("od");
        } else {
            self.missing(
                "expected an effect after `do`",
                "write `do x = e`, or several: `do x = e, y = f` or `do { … }`",
            );
        }
        clause.complete(self, DO_CLAUSE);
    }

    /// Effects where somebody forgot the `do`, with the rest of the step.
    pub(in crate::grammar) fn effects_without_do(&mut self) {
        let marker = self.start();
        let begins = self.position();
        self.node(DO_CLAUSE, |p| p.effects(true));
        let last = self.clauses(5, true);
        self.finish_step_of_state(last, begins);
        marker.complete(self, STEP);
        self.eat(SEMICOLON);
    }

    /// Effects separated by commas.
    pub(super) fn effects(&mut self, in_state: bool) {
        self.effect();
        loop {
            match self.current() {
                COMMA => {
                    self.bump();
                    if at_effect(self) {
                        self.effect();
                    } else {
                        self.missing("expected an effect after `,`", None);
                    }
                }
                // Among statements these begin a statement.
                IDENT if in_state && self.at_assignment() => {
                    self.missing("expected `,` between effects", "or write `do { … }`");
                    self.effect();
                }
                SEMICOLON if in_state && self.nth(1) == IDENT && self.nth(2) == EQ => {
                    self.refuse(
                        "`;` ends the step",
                        "between effects write `,`, or put them in braces, `do { … }`",
                    );
                    self.effect();
                }
                _ => break,
            }
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
                _ if p.at_item_start() => {
                    if p.closer(open).is_none() {
                        break;
                    }
                    p.misplaced_item();
                }
                STATE_KW | ARROW => break,
                _ if p.at_state_start() => break,
                _ if at_effect(p) => p.effect(),
                _ => not_an_effect(p),
            }
        }
        p.close_brace(open, "expected `}` after the effects");
        marker.complete(p, BLOCK);
    });
}

fn at_event(p: &Parser<'_>) -> bool {
    matches!(p.current(), ON_KW | SEND_KW | RECEIVE_KW) && p.nth(1) == IDENT
}

/// Tells of an action or a message among the effects.
fn event_before_do(p: &mut Parser<'_>) {
    let message = format!("`{}` stands before `do`", p.nth_text(0));
    let here = p.event_here();
    let before = p.taken_since(p.position().saturating_sub(MOST_QUOTED));
    let words = before.iter().rev().map(|(kind, _)| *kind);
    let event = words
        .take_while(|kind| !matches!(kind, SEMICOLON | ARROW | L_BRACE | R_BRACE))
        .find(|kind| matches!(kind, ON_KW | SEND_KW | RECEIVE_KW));
    let hint = match event == Some(RECEIVE_KW) && p.at(SEND_KW) {
        true => format!("a message that is passed on in the same step: `receive c(?x) {here}`"),
        false => format!("write `{here} do x = e`"),
    };
    p.unexpected(message, hint);
}

fn not_an_effect(p: &mut Parser<'_>) {
    if at_event(p) {
        event_before_do(p);
        return p.skip_to(|p| {
            p.nth_begins_line(0)
                || matches!(p.current(), SEMICOLON | COMMA)
                || at_effect(p) && p.nth(1) == EQ
        });
    }
    let hint = match p.current() {
        WHEN_KW | AWAIT_KW => "the guard stands before `do`",
        ON_KW | SEND_KW | RECEIVE_KW => "it stands before `do`; a step has one of them",
        WHILE_KW | LOOP_KW => "all effects of a step take place at once: write `for x in T { … }`",
        EITHER_KW => "a step that chooses a value is written `do x = any T`",
        _ => "effects are `x = e`, `if e { … }`, `for x in T { … }`, `assert e` and macros",
    };
    p.unexpected("expected an effect", hint);
    p.skip_to(|p| p.nth_begins_line(0) || matches!(p.current(), SEMICOLON | COMMA));
}

fn at_effect(p: &Parser<'_>) -> bool {
    p.at(IF_KW) || p.at(FOR_KW) || p.at(ASSERT_KW) || (p.at(IDENT) && !p.at_state_start())
}

impl Parser<'_> {
    /// Whether something is assigned to here.
    pub(in crate::grammar) fn at_assignment(&self) -> bool {
        self.at(IDENT)
            && matches!(
                self.nth(1),
                EQ | EQ_EQ | COLON_EQ | PLUS_EQ | MINUS_EQ | L_BRACKET | DOT
            )
            && !self.at_state_start()
    }

    /// One effect: an assignment, `if`, `for`, `assert` or a macro.
    pub(in crate::grammar) fn effect(&mut self) {
        match self.current() {
            IF_KW => self.if_with(|p| {
                if p.at(L_BRACE) {
                    effect_block(p);
                } else {
                    p.missing("expected `{` and the effects", None);
                }
            }),
            FOR_KW => {
                let marker = self.start();
                self.bump();
                self.binding_list();
                if self.at(L_BRACE) {
                    effect_block(self);
                } else {
                    self.missing("expected `{` and the effects for each value", None);
                }
                marker.complete(self, FOR_EFFECT);
            }
            ASSERT_KW => self.assert(),
            _ => {
                self.assignment_or_call();
            }
        }
    }

    /// `assert e`
    pub(in crate::grammar) fn assert(&mut self) {
        let marker = self.start();
        self.bump();
        self.expr_for("a condition");
        if self.at(COMMA) && self.nth(1) == STRING {
            self.unexpected(
                "an assertion has no text",
                "write it into a comment, `// …`",
            );
            self.bump_many_as_error(2);
        }
        marker.complete(self, ASSERT_STMT);
    }

    /// `place = e` or the call of a macro, whichever it is: the kind of the node says.
    pub(in crate::grammar) fn assignment_or_call(&mut self) -> SyntaxKind {
        const PLACE_GOES_ON: TokenSet = TokenSet::new(&[
            EQ, EQ_EQ, COLON_EQ, L_BRACKET, DOT, L_PAREN, PLUS, MINUS, BANG, QUESTION, AT, LESS,
            LESS_EQ, GREATER, GREATER_EQ, BANG_EQ, PLUS_EQ, MINUS_EQ,
        ]);
        let marker = self.start();
        let is_call = match self.nth(1) {
            L_PAREN => {
                let after = self.closer_of(1).map(|closer| self.nth(closer + 1));
                !matches!(after, Some(DOT | AT | EQ | EQ_EQ | PLUS_EQ | MINUS_EQ))
            }
            STAR | SLASH | PERCENT => self.nth(2) != EQ,
            next => !PLACE_GOES_ON.contains(next),
        };
        if is_call {
            call(self);
            marker.complete(self, CALL_STMT);
            return CALL_STMT;
        }
        self.place();
        right_hand_side(self);
        marker.complete(self, ASSIGNMENT);
        ASSIGNMENT
    }
}

fn call(p: &mut Parser<'_>) {
    let word = p.nth_text(0);
    p.plain_name_ref();
    if p.at(L_PAREN) {
        let list = p.start();
        p.comma_list(
            R_PAREN,
            "the arguments",
            |p| p.at_set(EXPR_START) || p.at(AMP),
            |p| {
                p.expr();
            },
        );
        list.complete(p, ARG_LIST);
    } else if !p.nth_begins_line(0) && (p.at_set(EXPR_START) && !p.at(IF_KW)) && !p.at(L_BRACE) {
        p.missing(
            format!("expected `=` after `{word}`"),
            "a statement is a step (`on a`, `send c(e)`, …), `x = e`, or a macro's call `f(e)`",
        );
        p.skip_to(|p| p.nth_begins_line(0) || p.at(SEMICOLON) || p.at_set(STATEMENT_START));
    }
}

/// Whether a word stands before a range that other languages have for `any`.
fn is_random(p: &Parser<'_>) -> bool {
    let mut behind = 2;
    if p.nth(1) == MINUS {
        behind += 1;
    }
    let is_word = matches!(
        p.nth_text(0),
        "random" | "rand" | "choose" | "pick" | "some" | "nondet" | "one_of"
    );
    is_word && p.nth(behind) == DOT_DOT && !p.nth_begins_line(1)
}

/// Whether the line goes on with another assignment behind an `or`, `x = 1 || y = 2`. Where what stands before it may be
/// a truth value, `y = 2` is more likely to be meant for a comparison.
fn chooses_an_assignment(p: &Parser<'_>) -> bool {
    const NUMBER: TokenSet = TokenSet::new(&[INT, IDENT, PLUS, MINUS, STAR, SLASH, PERCENT]);
    let goes_on = |n: &usize| NUMBER.contains(p.nth(*n)) && (*n == 0 || !p.nth_begins_line(*n));
    let end = (0..FAR).take_while(goes_on).count();
    (0..end).any(|n| p.nth(n) != IDENT)
        && matches!(p.nth(end), OR_KW | PIPE_PIPE)
        && p.nth(end + 1) == IDENT
        && matches!(p.nth(end + 2), EQ | COLON_EQ)
}

fn right_hand_side(p: &mut Parser<'_>) {
    if p.at(EQ_EQ) {
        p.unexpected(
            "`==` compares, it does not assign (nor wait, as `await e` does)",
            "write `=`",
        );
    }
    if p.eat_eq() {
        if p.at(IDENT) && p.nth(1) == EQ && !p.nth_begins_line(0) && !p.nth_begins_line(1) {
            p.unexpected(
                "an assignment has no value",
                "write `y = e, x = y`, one after the other",
            );
            rest_of_line(p);
        } else if p.at(LESS) && p.nth(1) == MINUS && p.nth_is_joined(1) || p.at(RECEIVE_KW) {
            p.unexpected(
                "a message is no value",
                "write `receive c(?x)`, which waits for one and keeps it in `x`",
            );
            rest_of_line(p);
        } else if p.at(IDENT) && matches!(p.nth(1), INT | MINUS) && is_random(p) {
            p.unexpected(
                format!("there is no `{}`", p.nth_text(0)),
                "write `x = any 0..3`, say: each of the values may be taken",
            );
            let any = p.start();
            p.bump_as_error();
            p.type_expr();
            any.complete(p, ANY_VALUE);
        } else if p.at(ANY_KW) {
            let any = p.start();
            p.bump();
            p.type_expr();
            any.complete(p, ANY_VALUE);
        } else if chooses_an_assignment(p) {
            p.expr_before_or("a value");
            if matches!(p.current(), OR_KW | PIPE_PIPE) {
                p.unexpected(
                    "statements are not joined by `or`",
                    "to do one of them write `either { x = e } or { y = f }`, to do both `x = e, \
                     y = f`",
                );
                rest_of_line(p);
            }
        } else {
            p.expr_for("a value");
            if p.at(IF_KW) && !p.nth_begins_line(0) && p.line_has(ELSE_KW) {
                p.unexpected(
                    "the test of an `if` stands before its values",
                    "write `if e then e else e`",
                );
                let marker = p.start();
                p.bump();
                p.expr();
                p.eat(ELSE_KW);
                p.expr();
                marker.complete(p, ERROR);
            }
        }
        return;
    }
    if matches!(p.current(), PLUS_EQ | MINUS_EQ) {
        let sign = p.nth_text(0);
        p.bump();
        if p.at(ANY_KW) {
            p.unexpected(
                format!("`any` is no operand of `{sign}`"),
                "write `x = any T`, or declare a variable for the value",
            );
            p.bump_as_error();
            p.type_expr();
        } else {
            p.expr_for("a value");
        }
        return;
    }
    match (p.current(), p.nth(1)) {
        (PLUS, PLUS) | (MINUS, MINUS) => {
            let sign = p.nth_text(0);
            p.unexpected(
                format!("there is no operator `{sign}{sign}`"),
                format!("write `x = x {sign} 1`"),
            );
            p.bump_many_as_error(2);
        }
        (STAR | SLASH | PERCENT, EQ) => {
            let sign = p.nth_text(0);
            p.unexpected(
                format!("there is no operator `{sign}=`"),
                format!("write `x = x {sign} e`"),
            );
            let marker = p.start();
            p.bump();
            p.bump();
            p.expr();
            marker.complete(p, ERROR);
        }
        (BANG | QUESTION, _) => {
            p.unexpected(
                "messages are not sent and received with `!` and `?`",
                "write `send c(e)` and `receive c(?x)`",
            );
            rest_of_line(p);
        }
        (LESS, MINUS) if p.nth_is_joined(1) => {
            p.unexpected(
                "messages are not sent and received with `<-`",
                "write `send c(e)` and `receive c(?x)`",
            );
            rest_of_line(p);
        }
        (LESS | LESS_EQ | GREATER | GREATER_EQ | BANG_EQ, _) => {
            p.unexpected(
                "a condition is no statement",
                "to wait until it is true, write `await e`; an assignment is `x = e`",
            );
            rest_of_line(p);
        }
        (FAT_ARROW, _) | (MINUS, GREATER) => {
            p.unexpected("expected `=`", "an assignment is written `x = e`");
            rest_of_line(p);
        }
        _ => {
            p.missing(
                "expected `=` and a value",
                "an assignment is written `x = e`",
            );
            if !p.nth_begins_line(0)
                && !matches!(p.current(), R_BRACE | SEMICOLON | COMMA | EOF | ARROW)
                && !p.at_set(STATEMENT_START)
            {
                rest_of_line(p);
            }
        }
    }
}

fn rest_of_line(p: &mut Parser<'_>) {
    p.skip_to(|p| {
        p.nth_begins_line(0)
            || matches!(p.current(), SEMICOLON | ARROW)
            || p.at_set(STATEMENT_START)
    });
}
