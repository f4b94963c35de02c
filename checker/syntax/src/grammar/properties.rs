//! Properties and settings (§6), and `refines` (§7). The word at the head has been taken.

use crate::SyntaxKind::*;
use crate::kind::TokenSet;
use crate::parser::{Marker, Parser};

use super::expressions::{self, EXPR_START};
use super::items::{self, colon};
use super::{comma_list, names};

/// The name of a property and its parameters.
fn head(p: &mut Parser<'_>, form: &str) {
    names::name_as(p, "the property", form);
    names::opt_param_list_where(p);
}

pub(super) fn invariant(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `invariant NAME: e`";
    head(p, FORM);
    if colon(p, "expected `:` and what is always true", FORM) || p.at_set(EXPR_START) {
        expressions::expr(p);
    }
    items::finish(p, marker, INVARIANT_DECL);
}

pub(super) fn progress(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `progress NAME: may e` or `progress NAME: must e`";
    head(p, FORM);
    colon(p, "expected `:` and `may` or `must`", FORM);
    if !p.eat(MAY_KW) && !p.eat(MUST_KW) {
        p.missing(
            "expected `may` or `must`",
            "`may e`: a state with `e` can be reached; `must e`: one is met on every path",
        );
    }
    expressions::expr(p);
    items::finish(p, marker, PROGRESS_DECL);
}

pub(super) fn reachable(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `reachable NAME: e`";
    head(p, FORM);
    if colon(
        p,
        "expected `:` and what is true in some reachable state",
        FORM,
    ) || p.at_set(EXPR_START)
    {
        word_that_it_says(p);
        expressions::expr(p);
    }
    items::finish(p, marker, REACHABLE_DECL);
}

/// `may e`, `eventually e`: what `reachable` says by itself.
fn word_that_it_says(p: &mut Parser<'_>) {
    let diamond = p.at(LESS) && p.nth(1) == GREATER && p.nth_is_joined(1);
    let is_temporal = diamond || p.at_word("eventually") && p.nth(1) != L_PAREN;
    let word = if diamond { "<>" } else { p.nth_text(0) };
    if is_temporal && !p.nth_begins_line(1) {
        p.unexpected("temporal operators stand only in the formulas of `ltl`", format!(
                "leave `{word}` out: `reachable NAME: e` says that some run comes to a state with `e`; that every run \
                 does is written `ltl NAME: eventually e`"
            ));
    } else if p.at(MAY_KW) {
        p.unexpected(
            "`may` stands in a `progress`",
            "leave it out: `reachable NAME: e` says that some run comes to a state with `e`; that \
             from every state \
                 one can be reached is written `progress NAME: may e`",
        );
    } else if p.at(MUST_KW) {
        p.unexpected(
            "`must` stands in a `progress`",
            "write `progress NAME: must e`",
        );
    } else {
        return;
    }
    let marker = p.start();
    p.bump();
    if diamond {
        p.bump();
    }
    marker.complete(p, ERROR);
}

/// `expect violated: mutex, access(2), deadlock when e`
pub(super) fn expect(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `expect violated: NAME, NAME(2), deadlock`";
    const WHEN: &str = "it is written `expect violated: NAME, NAME(2) when e`";
    if !p.eat_word("violated") {
        let form = match p.nth_text(0) {
            "holds" => "leave it out: what is not named is expected to hold",
            _ => FORM,
        };
        p.missing("expected `violated`, `:` and names of properties", form);
        rest_of_line(p);
        items::finish(p, marker, EXPECT_SETTING);
        return;
    }
    if colon(p, "expected `:` and names of properties", FORM)
        || p.at(IDENT) && !p.nth_begins_line(0)
    {
        expected(p);
        while p.eat(COMMA) {
            if items::at_item_start(p) {
                p.missing(
                    "expected another property after `,`",
                    "or leave the `,` out",
                );
                break;
            }
            expected(p);
        }
        if matches!(p.current(), IF_KW | FOR_KW) && !p.nth_begins_line(0) {
            let message = format!("`{}` cannot stand here", p.nth_text(0));
            p.unexpected(message, WHEN);
            rest_of_line(p);
        } else if p.eat(WHEN_KW) {
            expressions::expr_for(p, "the condition of what is expected");
            if p.at(COMMA) {
                p.unexpected(
                    "`when` stands behind the last name",
                    "what is expected otherwise has an `expect violated` of its own",
                );
                rest_of_line(p);
            }
        }
    }
    items::finish(p, marker, EXPECT_SETTING);
}

/// `access`, `access(2)`
fn expected(p: &mut Parser<'_>) {
    let marker = p.start();
    if names::name_ref(p, "a property") && p.at(L_PAREN) {
        let list = p.start();
        let at_value = |p: &Parser<'_>| p.at_set(EXPR_START);
        comma_list(p, R_PAREN, "the values", at_value, |p| {
            expressions::expr(p);
        });
        list.complete(p, ARG_LIST);
    }
    marker.complete(p, EVENT);
}

pub(super) fn ltl(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `ltl NAME: f`";
    head(p, FORM);
    if colon(p, "expected `:` and a formula", FORM) || p.at_set(EXPR_START) {
        expressions::formula(p);
    }
    items::finish(p, marker, LTL_DECL);
}

pub(super) fn recurrence(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `recurrence NAME: infinitely A implies infinitely B`";
    let begins = p.position();
    head(p, FORM);
    colon(p, "expected `:` and `infinitely`", FORM);
    infinitely(p, FORM);
    event_set(p);
    if p.at(ARROW) {
        p.refuse("expected `implies`", FORM);
    } else if !p.eat(IMPLIES_KW) {
        if !p.has_told_since(begins) {
            p.missing("expected `implies` and `infinitely`", FORM);
        }
        items::finish(p, marker, RECURRENCE_DECL);
        return;
    }
    infinitely(p, FORM);
    event_set(p);
    items::finish(p, marker, RECURRENCE_DECL);
}

fn infinitely(p: &mut Parser<'_>, form: &str) {
    if !p.eat_word("infinitely") {
        p.missing("expected `infinitely`", form);
    }
}

pub(super) fn event_set(p: &mut Parser<'_>) {
    let marker = p.start();
    if p.at(L_BRACE) {
        comma_list(p, R_BRACE, "the actions", |p| p.at(IDENT), event);
    } else {
        event(p);
    }
    marker.complete(p, EVENT_SET);
}

/// `a`, `a(1, *)`, `p(i)@label`
pub(super) fn event(p: &mut Parser<'_>) {
    const NAMED: &str = "make it an action, or give it a place or a process of its own: an action, `a(*)`, `p(i)@label`, \
                         `p(i)` or a set `{…}` of them names steps";
    let marker = p.start();
    let name = p.nth_text(0);
    if matches!(p.current(), SEND_KW | RECEIVE_KW) && !p.nth_begins_line(0) {
        let message = format!("a `{name}` has no name here");
        p.unexpected(message, NAMED);
        super::skip_line(p);
    } else if names::name_ref(p, "an action") {
        if p.at(L_BRACKET) && !p.nth_begins_line(0) {
            let message = format!("steps are meant here, and `{name}[…]` names none");
            p.unexpected(message, NAMED);
            super::skip_line(p);
        }
        if p.at(L_PAREN) {
            let list = p.start();
            comma_list(
                p,
                R_PAREN,
                "the arguments",
                |p| p.at(STAR) || p.at_set(EXPR_START),
                |p| {
                    if p.at(STAR) {
                        p.bump_as(WILD_ARG);
                    } else {
                        expressions::expr(p);
                    }
                },
            );
            list.complete(p, ARG_LIST);
        }
        if p.at(AT) {
            expressions::locations(p);
        }
        if matches!(
            p.current(),
            EQ_EQ | BANG_EQ | LESS | LESS_EQ | GREATER | GREATER_EQ
        ) && !p.nth_begins_line(0)
        {
            p.unexpected(
                "steps are meant here, not conditions",
                "an action, `a(*)`, `p(i)@label` or a set `{…}` of them; of conditions speaks an \
                 `ltl`",
            );
            super::skip_line(p);
        }
    }
    marker.complete(p, EVENT);
}

/// `a, b(*)`
pub(super) fn event_list(p: &mut Parser<'_>) {
    event(p);
    while p.eat(COMMA) {
        event(p);
    }
}

pub(super) fn deadlock(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `deadlock allowed when e` or `deadlock ignored`";
    if p.eat_word("allowed") {
        if p.eat(WHEN_KW) {
            expressions::expr(p);
        } else {
            p.missing("expected `when` and a condition", FORM);
        }
    } else if !p.eat_word("ignored") {
        p.missing("expected `allowed when` or `ignored`", FORM);
        rest_of_line(p);
    }
    items::finish(p, marker, DEADLOCK_SETTING);
}

pub(super) fn termination(p: &mut Parser<'_>, marker: Marker) {
    let complete = p.eat(NOT_KW) && p.eat_word("required");
    if !complete {
        p.missing(
            "expected `not required`",
            "the only setting of it is `termination not required`",
        );
        rest_of_line(p);
    }
    items::finish(p, marker, TERMINATION_SETTING);
}

pub(super) fn refines(p: &mut Parser<'_>, marker: Marker) {
    const FORM: &str = "it is written `refines NAME in traces`; others are `failures`, \
                        `divergences`, `infinite traces` and `cffd`";
    names::name_ref(p, "a specification");
    if p.at(L_PAREN) && !p.nth_begins_line(0) {
        p.unexpected(
            "`refines` takes the name of the specification alone",
            "one with parameters is checked for each value of them",
        );
        super::skip_to(p, |p| p.at(IN_KW));
    }
    if !p.eat(IN_KW) {
        p.missing("expected `in` and what is compared", FORM);
        items::finish(p, marker, REFINES_DECL);
        return;
    }
    match p.nth_word(0) {
        Some("traces" | "failures" | "divergences" | "cffd") => p.bump(),
        Some("infinite") => {
            p.bump();
            if !p.eat_word("traces") {
                p.missing("expected `traces` after `infinite`", FORM);
            }
        }
        Some(word) if !p.nth_begins_line(0) => {
            p.unexpected(format!("`{word}` is nothing to compare in"), FORM);
            rest_of_line(p);
        }
        _ => p.missing("expected what is compared", FORM),
    }
    let is_list = matches!(p.current(), AND_KW | AMP_AMP | COMMA | PLUS | OR_KW);
    if is_list && !p.nth_begins_line(0) {
        p.unexpected(
            "a `refines` compares in one way",
            "write one `refines` for each",
        );
        rest_of_line(p);
    }
    items::finish(p, marker, REFINES_DECL);
}

/// Passes over what is left of a line that has been told to be wrong.
fn rest_of_line(p: &mut Parser<'_>) {
    const NEVER: TokenSet = TokenSet::new(&[EOF, R_BRACE, SEMICOLON]);
    if !p.nth_begins_line(0) && !p.at_set(NEVER) {
        super::skip_line(p);
    }
}
