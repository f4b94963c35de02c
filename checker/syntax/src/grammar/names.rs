//! Names: where they are declared, where they are used, and in lists of what is bound.

use super::starts::{BODY_ITEM_START, CLAUSE_START, ITEM_START, STATEMENT_START};
use crate::SyntaxKind::{self, *};
use crate::kind::TokenSet;
use crate::parser::Parser;

use super::elsewhere::FAR;

/// What stands after a name in the forms that declare one.
const AFTER_NAME: TokenSet = TokenSet::new(&[
    EQ, COLON, COLON_EQ, EQ_EQ, L_PAREN, L_BRACE, L_BRACKET, COMMA, R_BRACE, R_PAREN, IN_KW,
    WHEN_KW,
]);

impl Parser<'_> {
    /// A name that is declared; `what` says for what, with its article ("a constant").
    pub(super) fn name(&mut self, what: &str) -> bool {
        named(self, what, None)
    }

    /// The same where `form` says how all of it is written.
    pub(super) fn name_as(&mut self, what: &str, form: &str) -> bool {
        named(self, what, Some(form))
    }
}

fn named(p: &mut Parser<'_>, what: &str, form: Option<&str>) -> bool {
    if p.at(IDENT) {
        p.bump_as(NAME);
        let is_dashed =
            p.at(MINUS) && p.nth(1) == IDENT && p.nth_is_joined(0) && p.nth_is_joined(1);
        if is_dashed {
            p.unexpected("names have no `-`", "write `_`");
            p.bump_many_as_error(2);
        }
        return true;
    }
    if taken_word(p) {
        reserved(p, what);
        p.bump_as(NAME);
        return true;
    }
    no_name(p, &format!("expected a name for {what}"), form);
    false
}

impl Parser<'_> {
    /// A name that is used.
    pub(super) fn name_ref(&mut self, what: &str) -> bool {
        if self.at(IDENT) {
            self.plain_name_ref();
            return true;
        }
        if taken_word(self) {
            reserved(self, what);
            self.plain_name_ref();
            return true;
        }
        no_name(self, &format!("expected the name of {what}"), None);
        false
    }

    /// The name of a state after `->`. What begins no step and no state there was meant as one.
    pub(super) fn state_ref(&mut self) {
        let what = "a state";
        let begins_another = CLAUSE_START.contains(self.current())
            || BODY_ITEM_START.contains(self.current())
            || ITEM_START.contains(self.current());
        if self.current().is_reserved_word() && !self.nth_begins_line(0) && !begins_another {
            reserved(self, what);
            self.plain_name_ref();
        } else {
            self.name_ref(what);
        }
    }

    /// The name after a `.`. A reserved word there was meant as one, unless it can go on with the
    /// expression.
    pub(super) fn member_ref(&mut self) {
        const GOES_ON: TokenSet =
            TokenSet::new(&[AND_KW, OR_KW, IMPLIES_KW, IN_KW, THEN_KW, ELSE_KW, DO_KW]);
        let what = "a field or a variable";
        if self.current().is_reserved_word()
            && !self.nth_begins_line(0)
            && !GOES_ON.contains(self.current())
        {
            reserved(self, what);
            self.plain_name_ref();
        } else {
            self.name_ref(what);
        }
    }

    /// Whether a statement begins here, on a line of its own, that is none of what stands before it: an assignment, or one with
    /// a label.
    pub(super) fn next_line_begins_statement(&self) -> bool {
        if !self.in_body || !self.at(IDENT) || !self.nth_begins_line(0) {
            return false;
        }
        let mut n = 1;
        while n < FAR {
            n = match self.nth(n) {
                L_BRACKET => match self.closer_of(n) {
                    Some(closer) => closer + 1,
                    None => return false,
                },
                DOT if self.nth(n + 1) == IDENT => n + 2,
                EQ | COLON_EQ => return true,
                COLON => return n == 1,
                _ => return false,
            };
        }
        false
    }

    /// Whether a field begins here, if only one that lacks its `:`.
    pub(super) fn at_field(&self) -> bool {
        self.at(IDENT) || self.field_is_at(0)
    }

    /// Whether a field and its `:` stand `n` tokens on, also one that is called by a reserved word.
    pub(super) fn field_is_at(&self, n: usize) -> bool {
        (self.nth(n) == IDENT || self.nth(n).is_reserved_word()) && self.nth(n + 1) == COLON
    }
}

fn reserved(p: &mut Parser<'_>, what: &str) {
    let message = format!(
        "`{}` is a reserved word and cannot name {what}",
        p.nth_text(0)
    );
    p.unexpected(message, "choose another name");
}

impl Parser<'_> {
    /// The current token as a name that is used.
    pub(super) fn plain_name_ref(&mut self) {
        self.bump_as(NAME_REF);
    }
}

/// Whether a reserved word stands where somebody meant a name.
fn taken_word(p: &Parser<'_>) -> bool {
    p.current().is_reserved_word()
        && !p.nth_begins_line(0)
        && (AFTER_NAME.contains(p.nth(1)) || p.nth_begins_line(1))
}

fn no_name(p: &mut Parser<'_>, message: &str, form: Option<&str>) {
    if matches!(p.current(), INT | STRING | UNKNOWN) && !p.nth_begins_line(0) {
        p.refuse(message, "names begin with a letter or `_`");
    } else {
        p.missing(message, form);
    }
}

impl Parser<'_> {
    /// Parameters in parentheses, if there are any here, in a form that has no `where`; `what` says which, with its
    /// article.
    pub(super) fn opt_param_list(&mut self, what: &str) {
        param_list(self, &|p| p.no_where(what));
    }

    /// Parameters whose opening parenthesis is not there, as has been told.
    pub(super) fn parameters_up_to_parenthesis(&mut self) {
        let marker = self.start();
        self.binding(Bound::Parameter);
        while self.eat(COMMA) && self.at(IDENT) {
            self.binding(Bound::Parameter);
        }
        if self.where_is_at() {
            where_clause(self);
        }
        self.eat(R_PAREN);
        marker.complete(self, PARAM_LIST);
    }

    /// The same where `where e` may stand behind the last.
    pub(super) fn opt_param_list_where(&mut self) {
        param_list(self, &where_clause);
        if self.where_is_at() && !self.nth_begins_line(0) {
            self.unexpected(
                "`where` stands in the parentheses, behind the last parameter",
                WHERE,
            );
            where_clause(self);
        }
    }
}

fn param_list(p: &mut Parser<'_>, clause: &dyn Fn(&mut Parser<'_>)) {
    if !p.at(L_PAREN) {
        return;
    }
    let marker = p.start();
    let mut are_there = false;
    p.comma_list(
        R_PAREN,
        "the parameters",
        |p| p.at(IDENT) || (p.current().is_reserved_word() && p.nth(1) == IN_KW),
        |p| {
            let has_type_behind = || {
                let mut behind = (2..FAR).map(|n| p.nth(n));
                behind.find(|kind| matches!(kind, IN_KW | COMMA | R_PAREN | EOF)) == Some(IN_KW)
            };
            if p.at(IDENT)
                && p.nth_word(1) == Some("where")
                && p.nth(2) != IN_KW
                && has_type_behind()
            {
                p.unexpected("`where` stands behind the last parameter", WHERE);
                p.skip_to(|p| p.at(R_PAREN) || p.nth_begins_line(0));
                return;
            }
            if !p.where_is_at() || matches!(p.nth(1), COMMA | R_PAREN) {
                p.binding(Bound::Parameter);
            } else {
                let message = match are_there {
                    true => "no `,` stands before `where`",
                    false => "there is no parameter before `where` of which it could be true",
                };
                p.unexpected(message, WHERE);
            }
            are_there = true;
            if matches!(p.current(), WHEN_KW | IF_KW | PIPE) && !p.nth_begins_line(0) {
                p.unexpected("which values there are is said by `where`", WHERE);
                p.skip_to(|p| p.at(R_PAREN) || p.nth_begins_line(0));
            }
            if p.where_is_at() {
                clause(p);
                if p.at(COMMA) && p.nth(1) != R_PAREN {
                    p.unexpected("`where` stands behind the last parameter", WHERE);
                }
            }
        },
    );
    marker.complete(p, PARAM_LIST);
}

const WHERE: &str = "it is written `(x in T, y in U where e)`";

impl Parser<'_> {
    /// Whether the word is here and no parameter has it for a name.
    pub(super) fn where_is_at(&self) -> bool {
        self.at_word("where") && !matches!(self.nth(1), IN_KW | COLON | EQ)
    }
}

/// `where e`
fn where_clause(p: &mut Parser<'_>) {
    let marker = p.start();
    p.bump();
    p.expr_for("the condition of `where`");
    marker.complete(p, WHERE_CLAUSE);
}

impl Parser<'_> {
    /// Refuses `where e`, and takes it.
    pub(super) fn no_where(&mut self, what: &str) {
        self.unexpected(
            format!("{what} has no `where`"),
            "it keeps values of the parameters of a process, an automaton or a property",
        );
        where_clause(self);
    }

    /// `v in T, w in U where e`
    pub(super) fn binding_list(&mut self) {
        self.bindings_of(Bound::Values);
    }

    /// The same of a quantifier or an aggregate, which may go through a set or a list.
    pub(super) fn element_list(&mut self) {
        self.bindings_of(Bound::Elements);
    }

    fn bindings_of(&mut self, bound: Bound) {
        self.binding(bound);
        // An operand behind a `,` is what is said of the values, with the wrong sign before it.
        while self.at(COMMA)
            && !(self.nth(1) == IDENT
                && matches!(self.nth(2), L_BRACKET | L_PAREN | DOT | AT | EQ_EQ | LESS))
        {
            self.bump();
            self.binding(bound);
        }
        if self.where_is_at() {
            where_clause(self);
        }
    }
}

/// What a name is bound to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// A parameter: the values of a type.
    Parameter,
    /// The values of a type.
    Values,
    /// The values of a type, or the elements of a set or a list.
    Elements,
}

/// Tokens as they are written in a message.
pub(super) fn written(tokens: &[(SyntaxKind, &str)]) -> String {
    let shown = tokens.iter().map(|(kind, text)| match kind {
        IN_KW => " in ".to_owned(),
        COMMA => ", ".to_owned(),
        _ => (*text).to_owned(),
    });
    shown.collect()
}

/// So many tokens stand in what a message quotes.
const MOST_QUOTED: usize = 20;

/// Tells of `x, y in T`, where each name has a type of its own, at the first `,`. What has no type is bound to nothing:
/// it goes with the names that follow it.
fn names_of_one_type(p: &mut Parser<'_>, first: &str) {
    let mut n = 0;
    while p.nth(n) == COMMA && p.nth(n + 1) == IDENT && n < MOST_QUOTED {
        n += 2;
    }
    if n == 0 || p.nth(n) != IN_KW {
        return;
    }
    let is_end = |kind| {
        matches!(kind, COLON | COMMA | R_PAREN | R_BRACKET | L_BRACE | EOF)
            || STATEMENT_START.contains(kind)
    };
    let ty: String = (n + 1..n + MOST_QUOTED)
        .take_while(|n| !is_end(p.nth(*n)))
        .map(|n| p.nth_text(n))
        .collect();
    let others = (1..n).step_by(2).map(|n| p.nth_text(n));
    let each: Vec<String> = std::iter::once(first)
        .chain(others)
        .map(|name| format!("{name} in {ty}"))
        .collect();
    p.unexpected(
        "each name that is bound has its own `in` and type",
        format!("write `{}`", each.join(", ")),
    );
    p.bump_many_as_error(n);
}

impl Parser<'_> {
    /// `v in T`
    pub(super) fn binding(&mut self, bound: Bound) {
        let marker = self.start();
        let is_param = bound == Bound::Parameter;
        let what = if is_param { "a parameter" } else { "a value" };
        let first = self.nth_text(0);
        if self.name(what) {
            names_of_one_type(self, first);
            if self.eat(IN_KW) {
                match bound {
                    Bound::Elements => self.type_or_collection(),
                    Bound::Parameter | Bound::Values => self.type_expr(),
                }
            } else if self.at(EQ) || (is_param && self.at(COLON)) {
                self.refuse("expected `in` and a type", "it is written `x in T`");
                self.type_expr();
            } else {
                self.missing("expected `in` and a type", "it is written `x in T`");
                let is_where = is_param && self.where_is_at();
                if self.at_type_start() && !self.nth_begins_line(0) && !is_where {
                    self.type_expr();
                }
            }
        }
        marker.complete(self, BINDING);
    }
}
