//! Steps: their clauses, arguments and effects (§4).

use super::starts::{CLAUSE_START, EXPR_START};
use crate::SyntaxKind::{self, *};
use crate::parser::{Marker, Parser};

use super::bodies;

mod effects;
mod order;

use order::{SENDS_TOO, order};

impl Parser<'_> {
    /// One step of a state, which says where it goes.
    pub(super) fn step_of_state(&mut self) {
        let marker = self.start();
        if self.at_step_name() {
            self.name("a step");
            self.bump();
        }
        let begins = self.position();
        let last = self.clauses(0, true);
        self.finish_step_of_state(last, begins);
        marker.complete(self, STEP);
        self.eat(SEMICOLON);
    }

    /// At `NAME:` before a step of a state.
    pub(super) fn at_step_name(&self) -> bool {
        self.at(IDENT) && self.nth(1) == COLON && CLAUSE_START.contains(self.nth(2))
    }

    /// `e -> s`: a step that begins with its guard, without the word, which has been told.
    pub(super) fn guard_without_when(&mut self) {
        let marker = self.start();
        let begins = self.position();
        self.node(WHEN_CLAUSE, Parser::expr);
        let last = self.clauses(4, true);
        self.finish_step_of_state(last, begins);
        marker.complete(self, STEP);
        self.eat(SEMICOLON);
    }

    /// `begins` is the number of the step's first token.
    fn finish_step_of_state(&mut self, last: u32, begins: usize) {
        if last == 6 {
            return;
        }
        let before = order(self.current()).is_some_and(|order| order <= last && order < 6);
        let hint = if self.is_behind_target(begins) {
            "`->` stands at the end of a step: `on a -> s`"
        } else if before && !self.nth_begins_line(0) {
            "every step of a state says where it goes; its parts come in the order `for`, `on` (or \
         `send`, `receive`, `receive … send …`), `when`, `do`, `->`"
        } else {
            "every step of a state says where it goes"
        };
        self.missing("expected `->` and a state's name", hint);
    }
}

/// The `for` of a step; its word is the current token.
fn for_clause(p: &mut Parser<'_>) -> Marker {
    let clause = p.start();
    p.bump();
    p.binding_list();
    while p.at(FOR_KW) && p.nth(1) == IDENT && p.nth(2) == IN_KW {
        p.another_for();
        p.binding_list();
    }
    clause
}

impl Parser<'_> {
    /// A step among statements; the first clause is the current token. A `for` before a block is no
    /// step but effects.
    pub(super) fn step_statement(&mut self) {
        let marker = self.start();
        let mut last = 0;
        if self.at(FOR_KW) {
            let clause = for_clause(self);
            if self.at(L_BRACE) {
                clause.abandon(self);
                self.block("the effects");
                marker.complete(self, FOR_EFFECT);
                return;
            }
            clause.complete(self, FOR_CLAUSE);
            last = 1;
            if !self.at_set(CLAUSE_START) || self.at(FOR_KW) {
                self.missing(
                    "expected a step after `for`",
                    "write `for v in T on a(v)`, say",
                );
            }
        }
        self.clauses(last, false);
        marker.complete(self, STEP);
    }

    /// The clauses of a step that come after the one with number `last`. Answers with the number of
    /// the last one.
    fn clauses(&mut self, mut last: u32, in_state: bool) -> u32 {
        let mut event = None;
        while let Some(next) = order(self.current()) {
            if next <= last {
                if !self.another_event(last, in_state, event) {
                    break;
                }
                event = event.or(Some(ON_KW));
                continue;
            }
            last = next;
            if last == 2 {
                event = Some(self.current());
            }
            match self.current() {
                FOR_KW => {
                    let clause = for_clause(self);
                    clause.complete(self, FOR_CLAUSE);
                }
                ON_KW => self.on_clause(),
                SEND_KW => self.message_clause(SEND_CLAUSE),
                RECEIVE_KW => {
                    self.message_clause(RECEIVE_CLAUSE);
                    if self.at(SEND_KW) {
                        self.message_clause(SEND_CLAUSE);
                        event = Some(SENDS_TOO);
                    }
                }
                CHANGE_KW => change(self),
                WHEN_KW => self.when_clause(),
                DO_KW => self.do_clause(in_state),
                _ => self.target(),
            }
            let may_follow = last == 2 || last == 4 && self.at(L_BRACE) && !self.is_told_here();
            if may_follow && !self.nth_begins_line(0) && behind_event(self, in_state) {
                last = 5;
            }
        }
        if in_state && last < 6 && another_arrow(self) {
            last = 6;
        }
        last
    }
}

const EFFECTS: &str = "the effects of a step stand after `do`";

impl Parser<'_> {
    /// Tells that the block here is none, and passes it over.
    pub(super) fn block_without_do(&mut self) {
        self.unexpected(
            EFFECTS,
            "write `do { … }`, or begin the next statement without braces",
        );
        self.skip_one();
    }
}

/// What people write behind an action or a message where here `when`, `do` or another step begins. Whether the
/// step has its effects now.
fn behind_event(p: &mut Parser<'_>, in_state: bool) -> bool {
    let is_effect =
        p.nth(1) == IDENT && matches!(p.nth(2), EQ | EQ_EQ | COLON_EQ) && !p.nth_begins_line(1);
    match p.current() {
        COMMA | SLASH | COLON if is_effect => {
            p.refuse(EFFECTS, "write `do`");
            p.node(DO_CLAUSE, |p| p.effects(in_state));
            true
        }
        L_BRACE if p.closer_of(0).is_some() => {
            p.block_without_do();
            false
        }
        L_BRACKET if p.closer_of(0).is_some() => {
            p.unexpected("the guard of a step stands after `when`", "write `when e`");
            p.skip_one();
            false
        }
        DOT if p.nth_is_joined(0) && p.nth_is_joined(1) => {
            p.unexpected(
                "an action belongs to nobody",
                "write `on a`: everyone who has it takes part; which of them it is, is said by an \
                 argument, `on a(i)`",
            );
            p.skip_to(|p| p.nth_begins_line(0) || p.at(SEMICOLON) || order(p.current()).is_some());
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
            p.skip_to(|p| p.nth_begins_line(0) || p.at(SEMICOLON) || order(p.current()).is_some());
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
    p.name_ref("a state");
    marker.complete(p, TARGET);
    true
}

impl Parser<'_> {
    fn on_clause(&mut self) {
        let clause = self.start();
        self.bump();
        if self.next_line_begins_statement() {
            self.missing("expected the name of an action", None);
        } else if self.name_ref("an action") && self.at(L_PAREN) {
            arguments(self);
        }
        clause.complete(self, ON_CLAUSE);
    }

    fn message_clause(&mut self, kind: SyntaxKind) {
        let form = match kind {
            SEND_CLAUSE => "write `send c(e)`",
            _ => "write `receive c(?x)`",
        };
        let clause = self.start();
        self.bump();
        if self.at(INT) && !self.nth_begins_line(0) {
            self.unexpected("expected the name of a channel", form);
            self.rest_of_statement();
            clause.complete(self, kind);
            return;
        }
        let name = self.nth_text(0);
        if self.next_line_begins_statement() {
            self.missing("expected the name of a channel", form);
        } else if self.name_ref("a channel") {
            if self.at(L_BRACKET) {
                self.channel_index(name);
            }
            if self.at(L_PAREN) {
                arguments(self);
            } else {
                self.missing("expected the message in parentheses", form);
                if matches!(self.nth_text(0), "from" | "to") && !self.nth_begins_line(0) {
                    self.rest_of_statement();
                }
            }
            if self.at(L_PAREN) && !self.nth_begins_line(0) {
                self.unexpected(
                    "which one of several channels it is stands in brackets",
                    "write `c[i](e)`",
                );
                self.skip_one();
            }
        }
        clause.complete(self, kind);
    }
}

/// `(e, ?x, *)`
fn arguments(p: &mut Parser<'_>) {
    let marker = p.start();
    let starts =
        |p: &Parser<'_>| p.at(STAR) || p.at(QUESTION) || p.at(ANY_KW) || p.at_set(EXPR_START);
    p.comma_list(R_PAREN, "the arguments", starts, |p| match p.current() {
        STAR => {
            p.bump_as(WILD_ARG);
        }
        QUESTION => p.bind_arg(),
        BANG if p.nth(1) == INT => {
            p.refuse(
                "a value that is given has no sign before it",
                "write `a(1)`; `a(?x)` takes one",
            );
            p.expr();
        }
        ANY_KW => {
            p.unexpected(
                "an argument that may be anything is written `*`",
                "or `?x`, to keep it in `x`",
            );
            p.skip_to(|p| p.at(COMMA) || p.at(R_PAREN));
        }
        _ => {
            p.expr();
        }
    });
    marker.complete(p, ARG_LIST);
}

impl Parser<'_> {
    /// `?x`
    pub(super) fn bind_arg(&mut self) {
        let argument = self.start();
        self.bump();
        self.place();
        argument.complete(self, BIND_ARG);
    }
}

fn change(p: &mut Parser<'_>) {
    let clause = p.start();
    p.bump();
    p.name_ref("what is observed");
    while p.eat(COMMA) {
        p.name_ref("what is observed");
    }
    clause.complete(p, CHANGE_CLAUSE);
}

impl Parser<'_> {
    /// `when e`
    pub(super) fn when_clause(&mut self) {
        let clause = self.start();
        self.bump();
        if self.at(ELSE_KW)
            || self.at_word("otherwise") && !self.nth_begins_line(0) && order(self.nth(1)).is_some()
        {
            self.refuse(
                "there is no `else` among guards",
                "write the guard, `not (…)`",
            );
        } else {
            self.condition();
        }
        clause.complete(self, WHEN_CLAUSE);
    }

    /// `-> s`
    pub(super) fn target(&mut self) {
        let clause = self.start();
        self.bump();
        let is_name = !self.nth_begins_line(0) && self.nth_begins_line(1);
        let is_modifier = self.nth_word(0).is_some_and(bodies::is_modifier);
        if self.at(IDENT) && !is_name && is_modifier && self.at_state_start() {
            self.missing("expected a state's name after `->`", None);
        } else {
            self.state_ref();
        }
        clause.complete(self, TARGET);
    }
}
