//! What stands between the braces of a process, a tester, a specification or an automaton
//! (§5, §7).

use super::body_kind::BodyKind;
use super::starts::{BODY_ITEM_START, CLAUSE_START, STATEMENT_START};
use crate::SyntaxKind::*;
use crate::parser::Parser;

use super::elsewhere::FAR;

impl Parser<'_> {
    /// Whether `MODIFIERS state` begins here.
    pub(super) fn at_state_start(&self) -> bool {
        let mut n = 0;
        while self.nth(n) == IDENT && n < 8 {
            n += 1;
        }
        self.nth(n) == STATE_KW
    }
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

impl Parser<'_> {
    /// Whether the `in` here begins steps of several states, not a membership test: behind a
    /// declaration always, elsewhere on a line of its own.
    pub(super) fn at_shared_steps(&self) -> bool {
        if !self.in_body || self.in_test || !self.at(IN_KW) {
            return false;
        }
        let mut n = 1;
        if self.nth(1) == ANY_KW {
            return self.nth(2) == L_BRACE;
        }
        while self.nth(n) == IDENT && self.nth(n + 1) == COMMA {
            n += 2;
        }
        self.nth(n) == IDENT
            && self.nth(n + 1) == L_BRACE
            && (self.in_declaration || self.nth_begins_line(0))
    }

    pub(super) fn body(&mut self, kind: BodyKind) {
        let outside = std::mem::replace(&mut self.in_body, true);
        let around = (
            self.body_at.replace(self.position()),
            self.body_of.replace(kind),
        );
        body_of(self, kind);
        self.in_body = outside;
        (self.body_at, self.body_of) = around;
    }
}

fn body_of(p: &mut Parser<'_>, kind: BodyKind) {
    let marker = p.start();
    let open = p.position();
    let what = format!("the body of {}", kind.article());
    let is_sign = !p.at(L_BRACE) && p.block_sign(&what);
    if is_sign && !p.at(L_BRACE) {
        // Where the body ends nobody knows, unless it is said.
        if p.block_that_ends_with("process") {
            p.eat(SEMICOLON);
        } else {
            p.skip_to(|_| false);
        }
        marker.complete(p, BODY);
        return;
    }
    if !p.eat(L_BRACE) {
        p.missing(
            format!("expected `{{` and the body of {}", kind.article()),
            None,
        );
        let begins = p.at_set(BODY_ITEM_START) || p.at_state_start() || p.at_statement();
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
            _ if p.at_reserved_label() => p.reserved_label(),
            VAR_KW if (has_states || has_statements) && p.is_variable_outside(open) => {
                break;
            }
            VAR_KW => {
                let marker = p.start();
                p.bump();
                p.in_declaration = true;
                p.var_decl(marker);
                p.in_declaration = false;
                p.no_semicolon();
            }
            MACRO_KW => {
                let marker = p.start();
                p.bump();
                p.macro_decl(marker);
                p.no_semicolon();
            }
            ALPHABET_KW => action_line(p, ALPHABET_DECL),
            VISIBLE_KW => action_line(p, VISIBLE_DECL),
            OBSERVE_KW => observe(p),
            _ if p.at_item_start() => {
                if p.closer(open).is_none() {
                    break;
                }
                p.misplaced_item();
            }
            _ if p.at_state_start() || at_state_without_word(p) => {
                has_states = true;
                state(p);
            }
            IN_KW => shared_steps(p),
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
            _ if p.at_statement() => {
                has_statements = true;
                p.statement();
            }
            SEMICOLON => p.refuse("there is nothing here for `;` to end", "leave it out"),
            _ => p.not_a_statement(),
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
    p.event_list();
    marker.complete(p, kind);
    p.no_semicolon();
}

/// `observe p = e`
fn observe(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    p.name("what is observed");
    if p.at(COLON) {
        p.refuse(
            "what is observed stands behind `=`",
            "it is written `observe p = e`",
        );
        p.expr();
    } else if p.eat_eq() {
        p.expr();
    } else {
        p.missing(
            "expected `=` and what is observed",
            "it is written `observe p = e`",
        );
    }
    marker.complete(p, OBSERVE_DECL);
    p.no_semicolon();
}

/// `NAME { step … }`, whose word has been told to be missing.
fn state_that_lacks_its_word(p: &mut Parser<'_>) {
    let marker = p.start();
    p.name("a state");
    step_list(p);
    marker.complete(p, STATE);
    p.no_semicolon();
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
    p.name("a state");
    if p.nth_word(0).is_some_and(is_modifier) && !p.nth_begins_line(0) && !p.at_state_start() {
        late_modifier(p);
    }
    if p.at(WHEN_KW) {
        // No assignment can follow it, as it can a guard.
        let inside = std::mem::replace(&mut p.in_body, false);
        p.when_clause();
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
    p.no_semicolon();
}

/// `in a, b { step … }`, `in any { step … }`; the word is the current token.
fn shared_steps(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    if !p.eat(ANY_KW) {
        p.name_ref("a state");
        while p.eat(COMMA) {
            p.name_ref("a state");
        }
    }
    if p.at(L_BRACE) {
        step_list(p);
    } else {
        p.missing(
            "expected `{` and the steps",
            "write `in a, b { step … }`, or `in any { step … }` for all states that are not final",
        );
    }
    marker.complete(p, SHARED_STEPS);
    p.no_semicolon();
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
            _ if p.at_state_start() => {
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
            _ if p.at_item_start() => {
                if open.is_none_or(|open| p.closer(open).is_none()) {
                    break;
                }
                p.misplaced_item();
            }
            _ if p.at_set(CLAUSE_START) || p.at_step_name() => p.step_of_state(),
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
            p.skip_line();
        }
        IDENT if is_condition(p) => {
            p.unexpected("a guard stands behind `when`", "write `when e -> s`");
            p.guard_without_when();
        }
        IDENT if p.at_assignment() => {
            p.unexpected("a step's effects stand after `do`", "write `do x = e -> s`");
            p.effects_without_do();
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
            p.skip_to(|p| p.at_set(CLAUSE_START) || p.at(SEMICOLON) || p.at_state_start());
            // What is left of a statement's step is no step of its own.
            if p.at(ARROW) {
                p.node(STEP, Parser::target);
                p.eat(SEMICOLON);
            }
        }
    }
}
