//! What stands between operators: names, literals, calls, quantifiers and the like, with what follows them.

use crate::SyntaxKind::*;
use crate::grammar::elsewhere;
use crate::grammar::names::Bound;
use crate::grammar::starts::EXPR_START;
use crate::kind::TokenSet;
use crate::parser::{CompletedMarker, Parser};

use super::Level;

impl Parser<'_> {
    /// `r with { f: e, g: e }`, or what may stand before the `with`. A place that is assigned to has none.
    pub(super) fn with_expr(&mut self, least: Level, what: &str) -> Option<CompletedMarker> {
        let mut left = postfix(self, what)?;
        while least < Level::Postfix && self.at_word("with") {
            let is_bare = self.nth(1) == IDENT && self.nth(2) == COLON && !self.nth_begins_line(0);
            if self.nth(1) != L_BRACE && !is_bare {
                break;
            }
            let marker = left.precede(self);
            self.bump();
            if is_bare {
                self.missing(
                    "expected `{` and the fields that are to have other values",
                    "write `r with { f: e }`",
                );
                self.bump();
                self.bump();
                self.expr();
            } else {
                record(self);
            }
            left = marker.complete(self, WITH_EXPR);
        }
        Some(left)
    }
}

/// An atom with what follows it: an index, a field, a location.
fn postfix(p: &mut Parser<'_>, what: &str) -> Option<CompletedMarker> {
    let mut left = atom(p, what)?;
    loop {
        match p.current() {
            L_BRACKET => {
                let marker = left.precede(p);
                let open = p.position();
                p.bump();
                p.within(open, |p| p.expr_for("an index"));
                if p.at(DOT_DOT) {
                    p.bump();
                    p.within(open, |p| p.expr_for("the last index of the part"));
                    p.close(open, R_BRACKET, "the indices of the part");
                    left = marker.complete(p, SLICE_EXPR);
                    continue;
                }
                while p.at(COMMA) && p.closer(open).is_some() {
                    p.bump();
                    p.within(open, |p| p.expr_for("an index"));
                }
                p.close(open, R_BRACKET, "the index");
                left = marker.complete(p, INDEX_EXPR);
            }
            DOT if p.nth(1) == INT && left.kind() == LITERAL => {
                p.unexpected(
                    "there are no fractions",
                    "numbers are integers: count in smaller units",
                );
                let marker = left.precede(p);
                p.bump_as_error();
                p.bump_as_error();
                left = marker.complete(p, PAREN_EXPR);
            }
            DOT if p.nth_text(1) == "state" && matches!(left.kind(), NAME_EXPR | CALL_EXPR) => {
                let marker = left.precede(p);
                p.refuse(
                    "a process has no `.state`",
                    "where it is, is asked by `p@s` or `p(i)@s`",
                );
                p.plain_name_ref();
                left = marker.complete(p, FIELD_EXPR);
            }
            DOT => {
                let marker = left.precede(p);
                p.bump();
                p.member_ref();
                left = marker.complete(p, FIELD_EXPR);
            }
            COLON_COLON if p.nth(1) == IDENT && p.nth_is_joined(0) && p.nth_is_joined(1) => {
                let marker = left.precede(p);
                p.refuse(
                    "a value of an enumeration stands without its type",
                    "write its name alone",
                );
                p.plain_name_ref();
                left = marker.complete(p, FIELD_EXPR);
            }
            AT => {
                if !matches!(left.kind(), NAME_EXPR | CALL_EXPR) {
                    p.unexpected(
                        "`@` stands after an instance of a process",
                        "write `p@s` or `p(i)@s`",
                    );
                    let marker = left.precede(p);
                    p.bump_as_error();
                    places(p);
                    left = marker.complete(p, AT_EXPR);
                    continue;
                }
                let marker = left.precede(p);
                p.locations();
                left = marker.complete(p, AT_EXPR);
            }
            L_PAREN if !p.nth_begins_line(0) => {
                match left.kind() {
                    FIELD_EXPR => {
                        let hint = elsewhere::instead_of_method(p.text_before());
                        p.unexpected("there are no methods", hint);
                    }
                    AT_EXPR => p.unexpected(
                        "which instance is meant stands before the `@`",
                        "write `p(i)@s`, with the process first",
                    ),
                    _ => p.unexpected("only a name can have arguments in parentheses", None),
                }
                let marker = left.precede(p);
                arguments(p);
                left = marker.complete(p, CALL_EXPR);
            }
            _ => return Some(left),
        }
    }
}

impl Parser<'_> {
    /// `@s`, `@{s, t}`; the `@` is the current token.
    pub(in crate::grammar) fn locations(&mut self) {
        self.bump();
        places(self);
    }
}

fn places(p: &mut Parser<'_>) {
    if p.at(L_BRACE) {
        if p.nth(1) == R_BRACE {
            p.unexpected(
                "nobody is ever at none of its states",
                "name some between the braces, `p@{s, t}`",
            );
        }
        p.comma_list(
            R_BRACE,
            "the states",
            |p| p.at(IDENT),
            |p| p.plain_name_ref(),
        );
    } else {
        p.name_ref("a state or a label");
    }
}

fn atom(p: &mut Parser<'_>, what: &str) -> Option<CompletedMarker> {
    Some(match p.current() {
        INT | TRUE_KW | FALSE_KW => p.bump_as(LITERAL),
        IDENT if p.nth(1) == L_PAREN && p.begins_binding(2) && is_aggregate(p) => aggregate(p),
        IDENT if at_aggregate_without_type(p) => aggregate(p),
        IDENT
            if p.begins_binding(1)
                && matches!(p.nth_text(0), "all" | "each" | "every" | "some" | "exist") =>
        {
            let (word, meant) = match p.nth_text(0) {
                word @ ("some" | "exist") => (word, "write `exists`"),
                word => (word, "write `forall`"),
            };
            p.unexpected(format!("there is no `{word}`"), meant);
            quantifier(p)
        }
        IDENT if p.nth(1) == L_PAREN => {
            let marker = p.start();
            p.plain_name_ref();
            arguments(p);
            marker.complete(p, CALL_EXPR)
        }
        IDENT if p.at_word("IF") && p.tests_in_parentheses("THEN") => {
            p.unexpected("`IF` is written `if`", "write `if e then e else e`");
            p.skip_to(|p| {
                p.nth_begins_line(0)
                    || matches!(p.current(), SEMICOLON | R_PAREN | R_BRACKET | COMMA)
            });
            return None;
        }
        IDENT => {
            let marker = p.start();
            p.plain_name_ref();
            marker.complete(p, NAME_EXPR)
        }
        L_PAREN => {
            let marker = p.start();
            let open = p.position();
            p.bump();
            p.within(open, Parser::expr);
            if p.at(COMMA) && p.closer(open).is_some() {
                p.unexpected(
                    "expected `)` after the expression",
                    "conditions are joined by `and` or `or`",
                );
                p.skip_to(|p| p.at(R_PAREN));
            }
            p.close(open, R_PAREN, "the expression");
            marker.complete(p, PAREN_EXPR)
        }
        L_BRACKET => array(p),
        L_BRACE
            if p.field_is_at(1)
                || p.nth(1) == IDENT && p.nth(2) == EQ && p.closer_of(0).is_some() =>
        {
            record(p)
        }
        L_BRACE if p.nth(1) == IDENT && p.nth_text(2) == "with" && p.closer_of(0).is_some() => {
            let record = p.nth_text(1);
            p.unexpected(
                "a record with other values for some fields has braces around these alone",
                format!("write `{record} with {{ f: e }}`"),
            );
            p.skip_one();
            return None;
        }
        L_BRACE if p.begins_binding(1) && p.closer_of(0).is_some() && p.says_of_each(0) => {
            set_comprehension(p)
        }
        L_BRACE if at_set(p) => {
            let marker = p.start();
            p.set_expr();
            marker.complete(p, SET_EXPR)
        }
        FORALL_KW | EXISTS_KW => quantifier(p),
        IF_KW => conditional(p),
        ANY_KW => {
            p.unexpected(
                "`any` stands alone on the right of `=` in an effect",
                "write `x = any T`, and use `x` in a later effect",
            );
            let marker = p.start();
            p.bump();
            p.type_expr();
            marker.complete(p, ERROR);
            return None;
        }
        STRING | UNKNOWN => {
            p.refuse(
                format!("expected {what}"),
                "there are no texts: a value of an `enum` stands without quotation marks",
            );
            return None;
        }
        ASSERT_KW if !p.nth_begins_line(0) && !p.in_body => {
            p.refuse(
                "`assert` is a statement",
                "leave it out: the condition stands alone",
            );
            return atom(p, what);
        }
        FOR_KW if matches!(p.nth_text(1), "all" | "each" | "every") => {
            p.refuse("`forall` is one word", "write `forall x in T: e`");
            quantifier(p)
        }
        AMP if p.nth(1) == IDENT => {
            p.refuse(
                "there are no references",
                "leave `&` out: a macro may assign to what it is given",
            );
            return postfix(p, what);
        }
        LESS if p.nth(1) == LESS => {
            p.unexpected(format!("expected {what}"), "an array is written `[e, e]`");
            p.skip_to(|p| {
                p.nth_begins_line(0)
                    || matches!(p.current(), SEMICOLON | R_PAREN | COMMA) && p.nth(1) != INT
            });
            return None;
        }
        kind if kind.is_reserved_word() && is_meant_as_name(p) => {
            let message = format!("`{}` is a reserved word, no name", p.nth_text(0));
            p.unexpected(message, "choose another name");
            let marker = p.start();
            p.plain_name_ref();
            marker.complete(p, NAME_EXPR)
        }
        _ => {
            p.missing(format!("expected {what}"), None);
            return None;
        }
    })
}

/// Whether a reserved word stands where an operand should, with an operator after it.
fn is_meant_as_name(p: &Parser<'_>) -> bool {
    const OPERATORS: TokenSet = TokenSet::new(&[
        PLUS, MINUS, STAR, SLASH, PERCENT, EQ_EQ, BANG_EQ, LESS, LESS_EQ, GREATER, GREATER_EQ,
        R_PAREN, R_BRACKET, COMMA, AND_KW, OR_KW, IMPLIES_KW,
    ]);
    !p.nth_begins_line(0) && OPERATORS.contains(p.nth(1))
}

impl Parser<'_> {
    /// Whether `v in T` begins at the token `n` after the current one, and not `e in {…}`.
    pub(super) fn begins_binding(&self, n: usize) -> bool {
        self.nth(n) == IDENT && self.nth(n + 1) == IN_KW && self.nth(n + 2) != L_BRACE
    }
}

/// At `count(x: e)`, which says nothing of the values of `x`, and `count(x, y in T: e)`.
fn at_aggregate_without_type(p: &Parser<'_>) -> bool {
    if !matches!(p.nth_text(0), "count" | "sum" | "min" | "max") || p.nth(1) != L_PAREN {
        return false;
    }
    let mut n = 2;
    while p.nth(n) == IDENT && p.nth(n + 1) == COMMA {
        n += 2;
    }
    p.nth(n) == IDENT && p.nth(n + 1) == COLON || n > 2 && p.begins_binding(n)
}

/// Arguments in parentheses that are expressions.
fn arguments(p: &mut Parser<'_>) {
    let marker = p.start();
    p.comma_list(
        R_PAREN,
        "the arguments",
        |p| p.at_set(EXPR_START) || p.at(AMP),
        |p| {
            p.expr();
            if p.at(FOR_KW) && p.nth(2) == IN_KW && !p.nth_begins_line(0) {
                p.unexpected(
                    "values are not gone through by a `for` here",
                    "write `forall x in T: e`, `exists x in T: e`, `count(x in T: e)` or `sum(x \
                     in T: e)`",
                );
                p.skip_to(|p| p.at(R_PAREN) || p.nth_begins_line(0));
            }
        },
    );
    marker.complete(p, ARG_LIST);
}

fn aggregate(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    let word = p.nth_text(0);
    p.plain_name_ref();
    let open = p.position();
    p.bump();
    if p.nth(1) == COLON {
        let bound = p.nth_text(0);
        p.bump_as_error();
        p.missing(
            "expected `in` and a type",
            format!("write `{word}({bound} in T: e)`"),
        );
        p.bump();
        p.expr();
        p.close(open, R_PAREN, "the expression");
        return marker.complete(p, AGGREGATE_EXPR);
    }
    p.element_list();
    if p.expect(COLON, "expected `:` and an expression") {
        p.expr();
    }
    p.close(open, R_PAREN, "the expression");
    marker.complete(p, AGGREGATE_EXPR)
}

fn array(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    if p.begins_binding(1) && p.says_of_each(0) {
        let open = p.position();
        p.bump();
        p.binding(Bound::Values);
        if p.expect(COLON, "expected `:` and the value of the cell") {
            p.expr();
        }
        p.close(open, R_BRACKET, "the value of the cell");
        return marker.complete(p, COMPREHENSION_EXPR);
    }
    p.comma_list(
        R_BRACKET,
        "the cells",
        |p| p.at_set(EXPR_START),
        |p| {
            p.expr();
            if p.at_word("EXCEPT") {
                p.unexpected(
                    "an array with another cell is no value",
                    "write `a[i] = e`, which changes the one cell",
                );
                p.skip_to(|p| p.at(R_BRACKET) || p.nth_begins_line(0));
            } else if p.at(SEMICOLON) && p.nth(2) == R_BRACKET {
                p.unexpected(
                    "expected `,`",
                    "within brackets `,` separates, not `;`; so many equal cells are `[i in 0..2: \
                     e]`, say",
                );
                p.skip_to(|p| p.at(R_BRACKET) || p.nth_begins_line(0));
            } else if p.at(FOR_KW) && !p.nth_begins_line(0) {
                p.unexpected(
                    "an array is not made by a `for`",
                    "each cell is worked out from its index in `[i in I: e]`",
                );
                p.skip_to(|p| p.at(R_BRACKET) || p.nth_begins_line(0));
            }
        },
    );
    marker.complete(p, ARRAY_EXPR)
}

fn record(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    p.comma_list(
        R_BRACE,
        "the fields",
        |p| p.at_field(),
        |p| {
            let marker = p.start();
            p.name_ref("a field");
            if p.at(EQ) {
                p.refuse("a field's value stands behind `:`", "write `{f: e, g: e}`");
                p.expr();
            } else if p.expect(COLON, "expected `:` and the value of the field") {
                match p.current() {
                    QUESTION => p.bind_arg(),
                    STAR => {
                        p.bump_as(WILD_ARG);
                    }
                    _ => {
                        p.expr();
                    }
                }
            }
            marker.complete(p, RECORD_FIELD);
        },
    );
    marker.complete(p, RECORD_EXPR)
}

fn quantifier(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    p.bump();
    if p.at(L_PAREN) && p.begins_binding(1) && p.closer_of(0).is_some() {
        p.refuse(
            "what is bound stands without parentheses",
            "write `forall x in T: e`",
        );
        p.element_list();
        p.bump_as_error();
        p.eat(COLON);
        p.expr();
        return marker.complete(p, QUANTIFIER_EXPR);
    }
    p.element_list();
    if p.at(COMMA) {
        p.refuse(
            "expected `:` and what is said of each value",
            "it is written `forall x in T: e`",
        );
        p.expr();
    } else if p.expect(COLON, "expected `:` and what is said of each value") {
        p.expr();
    }
    marker.complete(p, QUANTIFIER_EXPR)
}

fn conditional(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    p.bump();
    p.expr();
    if p.at(L_BRACE) && !p.nth_begins_line(0) && p.closer_of(0).is_some() {
        p.unexpected(
            "the values of an `if` do not stand in braces",
            "write `if e then e else e`",
        );
        p.skip_one();
        if p.at(ELSE_KW) && p.nth(1) == L_BRACE {
            p.bump();
            p.skip_one();
        }
        return marker.complete(p, IF_EXPR);
    }
    if p.eat(THEN_KW) {
        p.expr();
    } else {
        p.missing(
            "expected `then` and a value",
            "an expression with a test is written `if e then e else e`",
        );
    }
    if p.eat(ELSE_KW) {
        p.expr();
    } else {
        p.missing(
            "expected `else` and a value",
            "an expression with a test is written `if e then e else e`",
        );
    }
    marker.complete(p, IF_EXPR)
}

/// At `{}`, or a brace that holds expressions and commas.
fn at_set(p: &Parser<'_>) -> bool {
    let Some(closer) = p.closer_of(0) else {
        return false;
    };
    closer == 1
        || EXPR_START.contains(p.nth(1))
            && !(1..closer)
                .any(|n| matches!(p.nth(n), EQ | COLON_EQ | SEMICOLON) || p.nth(n) == ARROW)
}

/// Whether what stands behind `f(x in T` is said of each value, as in an aggregate, or whether this is an argument.
fn is_aggregate(p: &Parser<'_>) -> bool {
    if matches!(p.nth_text(0), "count" | "sum" | "min" | "max") {
        return true;
    }
    p.says_of_each(1)
}

impl Parser<'_> {
    /// Whether something is said of each value that a name is bound to in the bracket `open` after the current token, or
    /// that was to be written; and not only whether a value is in a set.
    pub(super) fn says_of_each(&self, open: usize) -> bool {
        let Some(closer) = self.closer_of(open) else {
            return true;
        };
        let mut n = open + 1;
        while n < closer {
            match self.nth(n) {
                COLON | DOT_DOT => return true,
                L_PAREN | L_BRACKET | L_BRACE => {
                    n = self.closer_of(n).map_or(closer, |closer| closer + 1);
                }
                _ => n += 1,
            }
        }
        false
    }
}

fn set_comprehension(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    let open = p.position();
    p.bump();
    p.binding(Bound::Values);
    if p.expect(COLON, "expected `:` and which values are in the set") {
        p.expr();
    }
    p.close(open, R_BRACE, "which values are in the set");
    marker.complete(p, SET_COMPREHENSION_EXPR)
}
