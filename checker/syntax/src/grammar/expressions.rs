//! Expressions (§3) and formulas (§6), by operator precedence.

use crate::SyntaxKind::*;
use crate::kind::TokenSet;
use crate::parser::{CompletedMarker, Parser};

use super::{close, comma_list, elsewhere, expect, names, types};

/// What begins an expression.
pub(super) const EXPR_START: TokenSet = TokenSet::new(&[
    INT, TRUE_KW, FALSE_KW, IDENT, L_PAREN, L_BRACKET, L_BRACE, MINUS, NOT_KW, BANG, FORALL_KW,
    EXISTS_KW, IF_KW,
]);

/// How tightly an operator binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Implies,
    Or,
    And,
    Until,
    Not,
    Comparison,
    Sum,
    Product,
    Minus,
    Postfix,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Implies => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Until,
            Level::Until => Level::Not,
            Level::Not => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Minus,
            Level::Minus | Level::Postfix => Level::Postfix,
        }
    }
}

/// An expression, or a message that one is expected here.
pub(super) fn expr(p: &mut Parser<'_>) -> bool {
    expr_of(p, Level::Implies, "an expression").is_some()
}

/// An expression; `what` names it in the message where there is none.
pub(super) fn expr_for(p: &mut Parser<'_>, what: &str) -> bool {
    expr_of(p, Level::Implies, what).is_some()
}

/// A test before a block: `{` does not begin a record there.
pub(super) fn test(p: &mut Parser<'_>) {
    if p.at(L_BRACE) {
        p.missing("expected an expression to test", None);
    } else {
        expr_for(p, "an expression to test");
    }
}

/// A condition. The assignment on the next line is none.
pub(super) fn condition(p: &mut Parser<'_>) {
    let is_next = p.nth_begins_line(0) && p.at(IDENT) && matches!(p.nth(1), EQ | COLON);
    if is_next || p.at(L_BRACE) {
        p.missing("expected a condition", None);
    } else {
        expr_for(p, "a condition");
    }
}

/// A formula, in which temporal operators stand too.
pub(super) fn formula(p: &mut Parser<'_>) {
    let outside = std::mem::replace(&mut p.in_formula, true);
    p.has_told_letters = false;
    expr_for(p, "a formula");
    p.in_formula = outside;
}

/// An expression without comparisons and what is looser, as an end of a range.
pub(super) fn additive(p: &mut Parser<'_>, what: &str) {
    expr_of(p, Level::Sum, what);
}

/// What can be assigned to: a name, a cell, a field.
pub(super) fn place(p: &mut Parser<'_>) {
    expr_of(p, Level::Postfix, "a variable");
}

fn expr_of(p: &mut Parser<'_>, least: Level, what: &str) -> Option<CompletedMarker> {
    p.deeper(|p| {
        let mut left = operand(p, least, what)?;
        let mut compared = false;
        let mut told = false;
        while let Some((level, tokens, is_foreign)) = infix(p, least) {
            if level < least {
                break;
            }
            if level == Level::Comparison && compared && !told {
                told = true;
                p.unexpected(
                    "comparisons do not chain",
                    Some("write `a < b and b < c`, or put one of them in parentheses"),
                );
            }
            compared = level == Level::Comparison;
            let marker = left.precede(p);
            if p.at(NOT_KW) {
                p.bump_as_error();
            }
            if p.at(IN_KW) {
                match p.nth(1) {
                    L_BRACKET => p.bump_as_error(),
                    _ => p.bump(),
                }
                if p.at(L_BRACE) {
                    set(p);
                } else {
                    expr_of(p, Level::Sum, "a set");
                    if p.eat(DOT_DOT) {
                        expr_of(p, Level::Sum, "an expression");
                    }
                }
                left = marker.complete(p, IN_EXPR);
                continue;
            }
            let operator = p.nth_text(0);
            // What stands beside an operator that there is not was written for it.
            let sign = is_foreign.then(|| p.start());
            for _ in 0..tokens {
                p.bump();
            }
            if let Some(sign) = sign {
                sign.complete(p, ERROR);
            }
            let right = match level {
                Level::Implies | Level::Until => level,
                _ => level.tighter(),
            };
            expr_of(p, right, &format!("an expression after `{operator}`"));
            left = marker.complete(p, BINARY_EXPR);
        }
        if least == Level::Implies && p.at(QUESTION) && !p.nth_begins_line(0) && !p.in_unclosed {
            left = chosen(p, left);
        }
        Some(left)
    })?
}

/// `c ? a : b`; the `?` is the current token.
fn chosen(p: &mut Parser<'_>, test: CompletedMarker) -> CompletedMarker {
    if matches!(p.nth(1), L_BRACKET | QUESTION) {
        p.unexpected(
            "a channel is not looked into with `?`",
            Some("`len(c)`, `empty(c)` and `full(c)` ask about it"),
        );
    } else {
        p.unexpected("there is no `? :`", Some("write `if c then a else b`"));
    }
    let marker = test.precede(p);
    p.bump();
    expr(p);
    if p.eat(COLON) {
        expr(p);
    }
    marker.complete(p, IF_EXPR)
}

/// The operator that stands here between two operands, how many tokens it has, and whether it is one that there is
/// not. What people write for an operator from elsewhere is told and read as what they mean.
fn infix(p: &mut Parser<'_>, least: Level) -> Option<(Level, usize, bool)> {
    if let Some((kind, tokens, (message, hint))) = elsewhere::operator(p) {
        let level = level_of(kind);
        if least > level {
            return None;
        }
        p.unexpected(message, Some(hint));
        return Some((level, tokens, true));
    }
    let level = match p.current() {
        UNKNOWN => {
            let level = level_of(elsewhere::unknown_operator(p.nth_text(0))?);
            return (least <= level).then_some((level, 1, false));
        }
        IMPLIES_KW => Level::Implies,
        ARROW if p.in_formula => Level::Implies,
        ARROW if !p.in_body && least <= Level::Implies => {
            p.unexpected(
                "`->` is an operator only in the formulas of `ltl`",
                Some("write `implies`"),
            );
            Level::Implies
        }
        OR_KW | PIPE_PIPE => Level::Or,
        AND_KW | AMP_AMP => Level::And,
        IDENT if p.in_formula => match p.nth_text(0) {
            "until" | "weak_until" | "release" | "U" | "W" | "R" => Level::Until,
            _ => return None,
        },
        LESS if p.nth(1) == GREATER && p.nth_is_joined(1) && least <= Level::Comparison => {
            p.unexpected(
                "`<>` stands before a formula, not between two values",
                Some("to compare, write `!=`"),
            );
            return Some((Level::Comparison, 2, false));
        }
        LESS => Level::Comparison,
        NOT_KW if p.nth(1) == IN_KW && least <= Level::Comparison => {
            p.unexpected("there is no `not in`", Some("write `not (e in {e, e})`"));
            Level::Comparison
        }
        IN_KW if p.nth(1) == L_BRACE => Level::Comparison,
        IN_KW if p.nth(1) == L_BRACKET && least <= Level::Comparison => {
            p.unexpected(
                "a set stands in braces",
                Some(
                    "write `e in {e, e}`; what an array has is asked by `exists i in I: a[i] == e`",
                ),
            );
            Level::Comparison
        }
        IN_KW if least <= Level::Comparison => {
            p.unexpected(
                "`in` asks whether a value is in a set `{e, e}`",
                Some("for a range write `lo <= x and x <= hi`"),
            );
            Level::Comparison
        }
        IDENT if !p.in_body && is_until(p, 0) && !p.nth_begins_line(0) => {
            not_a_formula(p);
            Level::Until
        }
        EQ_EQ if p.nth(1) == EQ && p.nth_is_joined(1) && least <= Level::Comparison => {
            p.unexpected("there is no operator `===`", Some("to compare, write `==`"));
            return Some((Level::Comparison, 2, false));
        }
        EQ_EQ | BANG_EQ | LESS_EQ | GREATER | GREATER_EQ => Level::Comparison,
        PLUS | MINUS => Level::Sum,
        STAR | SLASH | PERCENT => Level::Product,
        EQ if least <= Level::Comparison && !p.in_unclosed => {
            let hint = match p.in_body {
                true => {
                    "to compare, write `==`; a guard or a test has no effects, these stand after `do`"
                }
                false => "to compare, write `==`",
            };
            p.unexpected("`=` assigns, it does not compare", Some(hint));
            Level::Comparison
        }
        AMP if least <= Level::And => {
            p.unexpected(
                "there is no operator `&`",
                Some("write `and`, or `&&`; for the bits of integers, `bit_and(a, b)`"),
            );
            Level::And
        }
        PIPE if least <= Level::Or => {
            p.unexpected(
                "there is no operator `|`",
                Some("write `or`, or `||`; for the bits of integers, `bit_or(a, b)`"),
            );
            Level::Or
        }
        FAT_ARROW if least <= Level::Implies => {
            p.unexpected(
                "there is no operator `=>`",
                Some("write `implies`; to compare, `>=`"),
            );
            Level::Implies
        }
        _ => return None,
    };
    Some((level, 1, false))
}

/// How tightly what stands for others of its level binds.
fn level_of(kind: crate::SyntaxKind) -> Level {
    match kind {
        IMPLIES_KW => Level::Implies,
        OR_KW => Level::Or,
        AND_KW => Level::And,
        EQ_EQ => Level::Comparison,
        PLUS => Level::Sum,
        _ => Level::Product,
    }
}

/// `{e, e}` after `in`.
fn set(p: &mut Parser<'_>) {
    comma_list(
        p,
        R_BRACE,
        "the set",
        |p| p.at_set(EXPR_START),
        |p| {
            expr(p);
        },
    );
}

/// An operand with the operators before it.
fn operand(p: &mut Parser<'_>, least: Level, what: &str) -> Option<CompletedMarker> {
    let (tokens, level) = match p.current() {
        MINUS => (1, Level::Minus),
        NOT_KW | BANG => (1, Level::Not),
        IDENT if p.in_formula => match (p.nth_text(0), next_on_line(p)) {
            ("always" | "eventually", _) => (1, Level::Not),
            ("next", _) => {
                no_next(p);
                (1, Level::Not)
            }
            ("X", IDENT | NOT_KW | BANG | LESS | FORALL_KW | EXISTS_KW) if !is_until(p, 1) => {
                no_next(p);
                (1, Level::Not)
            }
            ("G", IDENT | NOT_KW | BANG | LESS | FORALL_KW | EXISTS_KW) if !is_until(p, 1) => {
                no_letter(p, "there is no operator `G`", "write `always`, or `[]`");
                (1, Level::Not)
            }
            ("F", IDENT | NOT_KW | BANG | LESS | FORALL_KW | EXISTS_KW) if !is_until(p, 1) => {
                no_letter(p, "there is no operator `F`", "write `eventually`, or `<>`");
                (1, Level::Not)
            }
            ("until" | "weak_until" | "release", _) => {
                p.missing(format!("expected {what}"), None);
                return None;
            }
            ("AG" | "AF" | "EF" | "EG" | "AX" | "EX", IDENT | NOT_KW | BANG) if !is_until(p, 1) => {
                no_path_quantifier(p);
                (1, Level::Not)
            }
            _ => return with(p, least, what),
        },
        IDENT if at_stray_temporal_word(p) => {
            if p.at_word("next") {
                no_next(p);
            } else {
                not_a_formula(p);
            }
            (1, Level::Not)
        }
        L_BRACKET if p.in_formula && p.nth(1) == R_BRACKET => (2, Level::Not),
        LESS if p.in_formula && p.nth(1) == GREATER => (2, Level::Not),
        L_BRACKET
            if !p.in_body
                && p.nth(1) == R_BRACKET
                && matches!(p.nth(2), IDENT | NOT_KW | BANG | LESS)
                && !p.nth_begins_line(2) =>
        {
            not_a_formula(p);
            (2, Level::Not)
        }
        LESS if p.nth(1) == GREATER => {
            not_a_formula(p);
            (2, Level::Not)
        }
        _ => return with(p, least, what),
    };
    let marker = p.start();
    let operator: String = (0..tokens).map(|n| p.nth_text(n)).collect();
    for _ in 0..tokens {
        p.bump();
    }
    expr_of(
        p,
        level.max(least),
        &format!("an expression after `{operator}`"),
    );
    Some(marker.complete(p, PREFIX_EXPR))
}

/// The token behind the current one, if it stands on its line: what begins the next may be another declaration.
fn next_on_line(p: &Parser<'_>) -> crate::SyntaxKind {
    match p.nth_begins_line(1) {
        true => EOF,
        false => p.nth(1),
    }
}

/// Whether the token `n` after the current one is an operator between two formulas.
fn is_until(p: &Parser<'_>, n: usize) -> bool {
    matches!(
        p.nth_word(n),
        Some("until" | "weak_until" | "release" | "U" | "W" | "R")
    )
}

/// Whether a temporal operator stands before an operand, outside of formulas.
fn at_stray_temporal_word(p: &Parser<'_>) -> bool {
    !p.in_body
        && matches!(p.nth_word(0), Some("always" | "eventually" | "next"))
        && matches!(
            p.nth(1),
            IDENT | INT | TRUE_KW | FALSE_KW | NOT_KW | BANG | FORALL_KW | EXISTS_KW
        )
        && !p.nth_begins_line(1)
}

fn not_a_formula(p: &mut Parser<'_>) {
    p.unexpected(
        "temporal operators stand only in the formulas of `ltl`",
        Some("write `ltl NAME: f`; an `invariant` holds in every reachable state anyway"),
    );
}

/// Tells of the first operator of a formula that is written in the way of another logic: the others are known then.
fn no_letter(p: &mut Parser<'_>, message: &str, hint: &str) {
    if !std::mem::replace(&mut p.has_told_letters, true) {
        p.unexpected(message, Some(hint));
    }
}

/// `AG EF e` in a formula.
fn no_path_quantifier(p: &mut Parser<'_>) {
    let message = format!("there is no operator `{}`", p.nth_text(0));
    no_letter(
        p,
        &message,
        "AG e is `invariant NAME: e`, EF e `reachable NAME: e`, AG EF e `progress NAME: may e`, AG \
         AF e `progress NAME: must e`",
    );
    while matches!(p.nth_text(1), "AG" | "AF" | "EF" | "EG" | "AX" | "EX") {
        p.bump();
    }
}

fn no_next(p: &mut Parser<'_>) {
    p.unexpected(
        "there is no `next`",
        Some(
            "which step of which process comes next is chance; say what holds `until` something \
             else does",
        ),
    );
}

/// An atom with what follows it: an index, a field, a location.
/// `r with { f: e, g: e }`, or what may stand before the `with`. A place that is assigned to has none.
fn with(p: &mut Parser<'_>, least: Level, what: &str) -> Option<CompletedMarker> {
    let mut left = postfix(p, what)?;
    while least < Level::Postfix && p.at_word("with") {
        let is_bare = p.nth(1) == IDENT && p.nth(2) == COLON && !p.nth_begins_line(0);
        if p.nth(1) != L_BRACE && !is_bare {
            break;
        }
        let marker = left.precede(p);
        p.bump();
        if is_bare {
            p.missing(
                "expected `{` and the fields that are to have other values",
                Some("write `r with { f: e }`"),
            );
            p.bump();
            p.bump();
            expr(p);
        } else {
            record(p);
        }
        left = marker.complete(p, WITH_EXPR);
    }
    Some(left)
}

fn postfix(p: &mut Parser<'_>, what: &str) -> Option<CompletedMarker> {
    let mut left = atom(p, what)?;
    loop {
        match p.current() {
            L_BRACKET => {
                let marker = left.precede(p);
                let open = p.position();
                p.bump();
                p.within(open, |p| expr_for(p, "an index"));
                close(p, open, R_BRACKET, "the index");
                left = marker.complete(p, INDEX_EXPR);
            }
            DOT if p.nth(1) == INT && left.kind() == LITERAL => {
                p.unexpected(
                    "there are no fractions",
                    Some("numbers are integers: count in smaller units"),
                );
                let marker = left.precede(p);
                p.bump_as_error();
                p.bump_as_error();
                left = marker.complete(p, PAREN_EXPR);
            }
            DOT if p.nth_text(1) == "state" && matches!(left.kind(), NAME_EXPR | CALL_EXPR) => {
                let marker = left.precede(p);
                p.unexpected(
                    "a process has no `.state`",
                    Some("where it is, is asked by `p@s` or `p(i)@s`"),
                );
                p.bump_as_error();
                names::plain_name_ref(p);
                left = marker.complete(p, FIELD_EXPR);
            }
            DOT => {
                let marker = left.precede(p);
                p.bump();
                names::member_ref(p);
                left = marker.complete(p, FIELD_EXPR);
            }
            COLON_COLON if p.nth(1) == IDENT && p.nth_is_joined(0) && p.nth_is_joined(1) => {
                let marker = left.precede(p);
                p.unexpected(
                    "a value of an enumeration stands without its type",
                    Some("write its name alone"),
                );
                p.bump_as_error();
                names::plain_name_ref(p);
                left = marker.complete(p, FIELD_EXPR);
            }
            AT => {
                if !matches!(left.kind(), NAME_EXPR | CALL_EXPR) {
                    p.unexpected(
                        "`@` stands after an instance of a process",
                        Some("write `p@s` or `p(i)@s`"),
                    );
                    let marker = left.precede(p);
                    p.bump_as_error();
                    places(p);
                    left = marker.complete(p, AT_EXPR);
                    continue;
                }
                let marker = left.precede(p);
                locations(p);
                left = marker.complete(p, AT_EXPR);
            }
            L_PAREN if !p.nth_begins_line(0) => {
                match left.kind() {
                    FIELD_EXPR => {
                        let hint = elsewhere::instead_of_method(p.text_before());
                        p.unexpected("there are no methods", Some(hint));
                    }
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

/// `@s`, `@{s, t}`; the `@` is the current token.
pub(super) fn locations(p: &mut Parser<'_>) {
    p.bump();
    places(p);
}

fn places(p: &mut Parser<'_>) {
    if p.at(L_BRACE) {
        comma_list(
            p,
            R_BRACE,
            "the states",
            |p| p.at(IDENT),
            names::plain_name_ref,
        );
    } else {
        names::name_ref(p, "a state or a label");
    }
}

fn atom(p: &mut Parser<'_>, what: &str) -> Option<CompletedMarker> {
    Some(match p.current() {
        INT | TRUE_KW | FALSE_KW => {
            let marker = p.start();
            p.bump();
            marker.complete(p, LITERAL)
        }
        IDENT if p.nth(1) == L_PAREN && begins_binding(p, 2) => aggregate(p),
        IDENT
            if begins_binding(p, 1)
                && matches!(p.nth_text(0), "all" | "each" | "every" | "some" | "exist") =>
        {
            let (word, meant) = match p.nth_text(0) {
                word @ ("some" | "exist") => (word, "write `exists`"),
                word => (word, "write `forall`"),
            };
            p.unexpected(format!("there is no `{word}`"), Some(meant));
            quantifier(p)
        }
        IDENT if p.nth(1) == L_PAREN => {
            let marker = p.start();
            names::plain_name_ref(p);
            arguments(p);
            marker.complete(p, CALL_EXPR)
        }
        IDENT if p.at_word("IF") && elsewhere::tests(p, "THEN") => {
            p.unexpected("`IF` is written `if`", Some("write `if e then e else e`"));
            super::skip_to(p, |p| {
                p.nth_begins_line(0)
                    || matches!(p.current(), SEMICOLON | R_PAREN | R_BRACKET | COMMA)
            });
            return None;
        }
        IDENT => {
            let marker = p.start();
            names::plain_name_ref(p);
            marker.complete(p, NAME_EXPR)
        }
        L_PAREN => {
            let marker = p.start();
            let open = p.position();
            p.bump();
            p.within(open, expr);
            if p.at(COMMA) && p.closer(open).is_some() {
                p.unexpected(
                    "expected `)` after the expression",
                    Some("conditions are joined by `and` or `or`"),
                );
                super::skip_to(p, |p| p.at(R_PAREN));
            }
            close(p, open, R_PAREN, "the expression");
            marker.complete(p, PAREN_EXPR)
        }
        L_BRACKET => array(p),
        L_BRACE if p.nth(1) == R_BRACE || names::field_is_at(p, 1) => record(p),
        L_BRACE if p.nth_is_set() => {
            p.unexpected(
                "a set in braces stands only after `in`",
                Some("an array is written `[e, e]`, a record `{f: e, g: e}`"),
            );
            let marker = p.start();
            set(p);
            marker.complete(p, ERROR);
            return None;
        }
        FORALL_KW | EXISTS_KW => quantifier(p),
        IF_KW => conditional(p),
        ANY_KW => {
            p.unexpected(
                "`any` stands alone on the right of `=` in an effect",
                Some("write `x = any T`, and use `x` in a later effect"),
            );
            let marker = p.start();
            p.bump();
            types::type_expr(p);
            marker.complete(p, ERROR);
            return None;
        }
        STRING | UNKNOWN => {
            p.unexpected(
                format!("expected {what}"),
                Some("there are no texts: a value of an `enum` stands without quotation marks"),
            );
            p.bump_as_error();
            return None;
        }
        ASSERT_KW if !p.nth_begins_line(0) && !p.in_body => {
            p.unexpected(
                "`assert` is a statement",
                Some("leave it out: the condition stands alone"),
            );
            p.bump_as_error();
            return atom(p, what);
        }
        FOR_KW if matches!(p.nth_text(1), "all" | "each" | "every") => {
            p.unexpected("`forall` is one word", Some("write `forall x in T: e`"));
            p.bump_as_error();
            quantifier(p)
        }
        AMP if p.nth(1) == IDENT => {
            p.unexpected(
                "there are no references",
                Some("leave `&` out: a macro may assign to what it is given"),
            );
            p.bump_as_error();
            return postfix(p, what);
        }
        LESS if p.nth(1) == LESS => {
            p.unexpected(
                format!("expected {what}"),
                Some("an array is written `[e, e]`"),
            );
            super::skip_to(p, |p| {
                p.nth_begins_line(0)
                    || matches!(p.current(), SEMICOLON | R_PAREN | COMMA) && p.nth(1) != INT
            });
            return None;
        }
        kind if kind.is_reserved_word() && is_meant_as_name(p) => {
            let message = format!("`{}` is a reserved word, no name", p.nth_text(0));
            p.unexpected(message, Some("choose another name"));
            let marker = p.start();
            names::plain_name_ref(p);
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

/// Whether `v in T` begins at the token `n` after the current one, and not `e in {…}`.
fn begins_binding(p: &Parser<'_>, n: usize) -> bool {
    p.nth(n) == IDENT && p.nth(n + 1) == IN_KW && p.nth(n + 2) != L_BRACE
}

/// Arguments in parentheses that are expressions.
fn arguments(p: &mut Parser<'_>) {
    let marker = p.start();
    comma_list(
        p,
        R_PAREN,
        "the arguments",
        |p| p.at_set(EXPR_START) || p.at(AMP),
        |p| {
            expr(p);
            if p.at(FOR_KW) && p.nth(2) == IN_KW && !p.nth_begins_line(0) {
                p.unexpected(
                    "values are not gone through by a `for` here",
                    Some("write `forall x in T: e`, `exists x in T: e`, `count(x in T: e)` or `sum(x in T: e)`"),
                );
                super::skip_to(p, |p| p.at(R_PAREN) || p.nth_begins_line(0));
            }
        },
    );
    marker.complete(p, ARG_LIST);
}

fn aggregate(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    names::plain_name_ref(p);
    let open = p.position();
    p.bump();
    names::binding_list(p);
    if expect(p, COLON, "expected `:` and an expression") {
        expr(p);
    }
    close(p, open, R_PAREN, "the expression");
    marker.complete(p, AGGREGATE_EXPR)
}

fn array(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    if begins_binding(p, 1) {
        let open = p.position();
        p.bump();
        names::binding(p, false);
        if expect(p, COLON, "expected `:` and the value of the cell") {
            expr(p);
        }
        close(p, open, R_BRACKET, "the value of the cell");
        return marker.complete(p, COMPREHENSION_EXPR);
    }
    comma_list(
        p,
        R_BRACKET,
        "the cells",
        |p| p.at_set(EXPR_START),
        |p| {
            expr(p);
            if p.at_word("EXCEPT") {
                p.unexpected(
                    "an array with another cell is no value",
                    Some("write `a[i] = e`, which changes the one cell"),
                );
                super::skip_to(p, |p| p.at(R_BRACKET) || p.nth_begins_line(0));
            } else if p.at(FOR_KW) && !p.nth_begins_line(0) {
                p.unexpected(
                    "an array is not made by a `for`",
                    Some("each cell is worked out from its index in `[i in I: e]`"),
                );
                super::skip_to(p, |p| p.at(R_BRACKET) || p.nth_begins_line(0));
            }
        },
    );
    marker.complete(p, ARRAY_EXPR)
}

fn record(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    comma_list(p, R_BRACE, "the fields", names::at_field, |p| {
        let marker = p.start();
        names::name_ref(p, "a field");
        if expect(p, COLON, "expected `:` and the value of the field") {
            expr(p);
        }
        marker.complete(p, RECORD_FIELD);
    });
    marker.complete(p, RECORD_EXPR)
}

fn quantifier(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    p.bump();
    if p.at(L_PAREN) && begins_binding(p, 1) && p.closer_of(0).is_some() {
        p.unexpected(
            "what is bound stands without parentheses",
            Some("write `forall x in T: e`"),
        );
        p.bump_as_error();
        names::binding_list(p);
        p.bump_as_error();
        p.eat(COLON);
        expr(p);
        return marker.complete(p, QUANTIFIER_EXPR);
    }
    names::binding_list(p);
    if p.at(COMMA) {
        p.unexpected(
            "expected `:` and what is said of each value",
            Some("it is written `forall x in T: e`"),
        );
        p.bump_as_error();
        expr(p);
    } else if expect(p, COLON, "expected `:` and what is said of each value") {
        expr(p);
    }
    marker.complete(p, QUANTIFIER_EXPR)
}

fn conditional(p: &mut Parser<'_>) -> CompletedMarker {
    let marker = p.start();
    p.bump();
    expr(p);
    if p.at(L_BRACE) && !p.nth_begins_line(0) && p.closer_of(0).is_some() {
        p.unexpected(
            "the values of an `if` do not stand in braces",
            Some("write `if e then e else e`"),
        );
        super::skip_to(p, |_| true);
        if p.at(ELSE_KW) && p.nth(1) == L_BRACE {
            p.bump();
            super::skip_to(p, |_| true);
        }
        return marker.complete(p, IF_EXPR);
    }
    if p.eat(THEN_KW) {
        expr(p);
    } else {
        p.missing(
            "expected `then` and a value",
            Some("an expression with a test is written `if e then e else e`"),
        );
    }
    if p.eat(ELSE_KW) {
        expr(p);
    } else {
        p.missing(
            "expected `else` and a value",
            Some("an expression with a test is written `if e then e else e`"),
        );
    }
    marker.complete(p, IF_EXPR)
}

impl Parser<'_> {
    /// Whether the brace here holds expressions and commas: a set where none can stand.
    fn nth_is_set(&self) -> bool {
        self.closer_of(0).is_some()
            && EXPR_START.contains(self.nth(1))
            && matches!(self.nth(2), COMMA | R_BRACE)
    }
}
