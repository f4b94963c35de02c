//! Properties and settings (§6), and `refines` (§7). The word at the head has been taken.

use super::starts::EXPR_START;
use crate::SyntaxKind::*;
use crate::kind::TokenSet;
use crate::parser::{Marker, Parser};

/// The name of a property and its parameters.
fn head(p: &mut Parser<'_>, form: &str) {
    p.name_as("the property", form);
    p.opt_param_list_where();
}

impl Parser<'_> {
    pub(super) fn invariant(&mut self, marker: Marker) {
        const FORM: &str = "it is written `invariant NAME: e`";
        head(self, FORM);
        if self.colon("expected `:` and what is always true", FORM) || self.at_set(EXPR_START) {
            self.expr();
        }
        self.finish_item(marker, INVARIANT_DECL);
    }

    pub(super) fn progress(&mut self, marker: Marker) {
        const FORM: &str = "it is written `progress NAME: may e` or `progress NAME: must e`";
        head(self, FORM);
        self.colon("expected `:` and `may` or `must`", FORM);
        if !self.eat(MAY_KW) && !self.eat(MUST_KW) {
            self.missing(
                "expected `may` or `must`",
                "`may e`: a state with `e` can be reached; `must e`: one is met on every path",
            );
        }
        self.expr();
        self.finish_item(marker, PROGRESS_DECL);
    }

    pub(super) fn reachable(&mut self, marker: Marker) {
        const FORM: &str = "it is written `reachable NAME: e`";
        head(self, FORM);
        if self.colon(
            "expected `:` and what is true in some reachable state",
            FORM,
        ) || self.at_set(EXPR_START)
        {
            word_that_it_says(self);
            self.expr();
        }
        self.finish_item(marker, REACHABLE_DECL);
    }
}

impl Parser<'_> {
    pub(super) fn bound(&mut self, marker: Marker) {
        const FORM: &str = "it is written `bound NAME: e`";
        self.name_as("the bound", FORM);
        if self.at(L_PAREN) {
            self.unexpected(
                "a bound has no parameters",
                "write `bound NAME: forall i in T: e`",
            );
            self.opt_param_list_where();
        }
        if self.colon(
            "expected `:` and what is true of the states that are expanded",
            FORM,
        ) || self.at_set(EXPR_START)
        {
            self.expr();
        }
        self.finish_item(marker, BOUND_DECL);
    }
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

impl Parser<'_> {
    /// `expect violated: mutex, access(2), deadlock when e`
    pub(super) fn expect_setting(&mut self, marker: Marker) {
        const FORM: &str = "it is written `expect violated: NAME, NAME(2), deadlock`";
        const WHEN: &str = "it is written `expect violated: NAME, NAME(2) when e`";
        if !self.eat_word("violated") {
            let form = match self.nth_text(0) {
                "holds" => "leave it out: what is not named is expected to hold",
                _ => FORM,
            };
            self.missing("expected `violated`, `:` and names of properties", form);
            rest_of_line(self);
            self.finish_item(marker, EXPECT_SETTING);
            return;
        }
        if self.colon("expected `:` and names of properties", FORM)
            || self.at(IDENT) && !self.nth_begins_line(0)
        {
            expected(self);
            while self.eat(COMMA) {
                if self.at_item_start() {
                    self.missing(
                        "expected another property after `,`",
                        "or leave the `,` out",
                    );
                    break;
                }
                expected(self);
            }
            if matches!(self.current(), IF_KW | FOR_KW) && !self.nth_begins_line(0) {
                let message = format!("`{}` cannot stand here", self.nth_text(0));
                self.unexpected(message, WHEN);
                rest_of_line(self);
            } else if self.eat(WHEN_KW) {
                self.expr_for("the condition of what is expected");
                if self.at(COMMA) {
                    self.unexpected(
                        "`when` stands behind the last name",
                        "what is expected otherwise has an `expect violated` of its own",
                    );
                    rest_of_line(self);
                }
            }
        }
        self.finish_item(marker, EXPECT_SETTING);
    }
}

/// `access`, `access(2)`
fn expected(p: &mut Parser<'_>) {
    let marker = p.start();
    if p.name_ref("a property") && p.at(L_PAREN) {
        let list = p.start();
        let at_value = |p: &Parser<'_>| p.at_set(EXPR_START);
        p.comma_list(R_PAREN, "the values", at_value, |p| {
            p.expr();
        });
        list.complete(p, ARG_LIST);
    }
    marker.complete(p, EVENT);
}

impl Parser<'_> {
    pub(super) fn ltl(&mut self, marker: Marker) {
        const FORM: &str = "it is written `ltl NAME: f`";
        head(self, FORM);
        if self.colon("expected `:` and a formula", FORM) || self.at_set(EXPR_START) {
            self.formula();
        }
        self.finish_item(marker, LTL_DECL);
    }

    pub(super) fn recurrence(&mut self, marker: Marker) {
        const FORM: &str = "it is written `recurrence NAME: infinitely A implies infinitely B`";
        let begins = self.position();
        head(self, FORM);
        self.colon("expected `:` and `infinitely`", FORM);
        infinitely(self, FORM);
        self.event_set();
        if self.at(ARROW) {
            self.refuse("expected `implies`", FORM);
        } else if !self.eat(IMPLIES_KW) {
            if !self.has_told_since(begins) {
                self.missing("expected `implies` and `infinitely`", FORM);
            }
            self.finish_item(marker, RECURRENCE_DECL);
            return;
        }
        infinitely(self, FORM);
        self.event_set();
        self.finish_item(marker, RECURRENCE_DECL);
    }
}

fn infinitely(p: &mut Parser<'_>, form: &str) {
    if !p.eat_word("infinitely") {
        p.missing("expected `infinitely`", form);
    }
}

impl Parser<'_> {
    pub(super) fn event_set(&mut self) {
        let marker = self.start();
        if self.at(L_BRACE) {
            self.comma_list(R_BRACE, "the actions", |p| p.at(IDENT), |p| p.event());
        } else {
            self.event();
        }
        marker.complete(self, EVENT_SET);
    }

    /// `a`, `a(1, *)`, `p(i)@label`
    pub(super) fn event(&mut self) {
        const NAMED: &str = "make it an action, or give it a place or a process of its own: an action, `a(*)`, `p(i)@label`, \
                         `p(i)` or a set `{…}` of them names steps";
        let marker = self.start();
        let name = self.nth_text(0);
        if matches!(self.current(), SEND_KW | RECEIVE_KW) && !self.nth_begins_line(0) {
            let message = format!("a `{name}` has no name here");
            self.unexpected(message, NAMED);
            self.skip_line();
        } else if self.name_ref("an action") {
            if self.at(L_BRACKET) && !self.nth_begins_line(0) {
                let message = format!("steps are meant here, and `{name}[…]` names none");
                self.unexpected(message, NAMED);
                self.skip_line();
            }
            if self.at(L_PAREN) {
                let list = self.start();
                self.comma_list(
                    R_PAREN,
                    "the arguments",
                    |p| p.at(STAR) || p.at_set(EXPR_START),
                    |p| {
                        if p.at(STAR) {
                            p.bump_as(WILD_ARG);
                        } else {
                            p.expr();
                        }
                    },
                );
                list.complete(self, ARG_LIST);
            }
            if self.at(AT) {
                self.locations();
            }
            if matches!(
                self.current(),
                EQ_EQ | BANG_EQ | LESS | LESS_EQ | GREATER | GREATER_EQ
            ) && !self.nth_begins_line(0)
            {
                self.unexpected(
                "steps are meant here, not conditions",
                "an action, `a(*)`, `p(i)@label` or a set `{…}` of them; of conditions speaks an \
                 `ltl`",
            );
                self.skip_line();
            }
        }
        marker.complete(self, EVENT);
    }

    /// `a, b(*)`
    pub(super) fn event_list(&mut self) {
        self.event();
        while self.eat(COMMA) {
            self.event();
        }
    }

    pub(super) fn deadlock(&mut self, marker: Marker) {
        const FORM: &str = "it is written `deadlock allowed when e` or `deadlock ignored`";
        if self.eat_word("allowed") {
            if self.eat(WHEN_KW) {
                self.expr();
            } else {
                self.missing("expected `when` and a condition", FORM);
            }
        } else if !self.eat_word("ignored") {
            self.missing("expected `allowed when` or `ignored`", FORM);
            rest_of_line(self);
        }
        self.finish_item(marker, DEADLOCK_SETTING);
    }

    pub(super) fn termination(&mut self, marker: Marker) {
        let complete = self.eat(NOT_KW) && self.eat_word("required");
        if !complete {
            self.missing(
                "expected `not required`",
                "the only setting of it is `termination not required`",
            );
            rest_of_line(self);
        }
        self.finish_item(marker, TERMINATION_SETTING);
    }

    pub(super) fn refines(&mut self, marker: Marker) {
        const FORM: &str = "it is written `refines NAME in traces`; others are `failures`, \
                        `divergences`, `infinite traces` and `cffd`";
        self.name_ref("a specification");
        if self.at(L_PAREN) && !self.nth_begins_line(0) {
            self.unexpected(
                "`refines` takes the name of the specification alone",
                "one with parameters is checked for each value of them",
            );
            self.skip_to(|p| p.at(IN_KW));
        }
        if !self.eat(IN_KW) {
            self.missing("expected `in` and what is compared", FORM);
            self.finish_item(marker, REFINES_DECL);
            return;
        }
        match self.nth_word(0) {
            Some("traces" | "failures" | "divergences" | "cffd") => self.bump(),
            Some("infinite") => {
                self.bump();
                if !self.eat_word("traces") {
                    self.missing("expected `traces` after `infinite`", FORM);
                }
            }
            Some(word) if !self.nth_begins_line(0) => {
                self.unexpected(format!("`{word}` is nothing to compare in"), FORM);
                rest_of_line(self);
            }
            _ => self.missing("expected what is compared", FORM),
        }
        let is_list = matches!(self.current(), AND_KW | AMP_AMP | COMMA | PLUS | OR_KW);
        if is_list && !self.nth_begins_line(0) {
            self.unexpected(
                "a `refines` compares in one way",
                "write one `refines` for each",
            );
            rest_of_line(self);
        }
        self.finish_item(marker, REFINES_DECL);
    }
}

/// Passes over what is left of a line that has been told to be wrong.
fn rest_of_line(p: &mut Parser<'_>) {
    const NEVER: TokenSet = TokenSet::new(&[EOF, R_BRACE, SEMICOLON]);
    if !p.nth_begins_line(0) && !p.at_set(NEVER) {
        p.skip_line();
    }
}
