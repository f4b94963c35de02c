//! Expressions (§3) and formulas (§6), by operator precedence.

use super::starts::EXPR_START;
use crate::SyntaxKind::*;
use crate::foreign::unknown_operator;
use crate::kind::TokenSet;
use crate::parser::{CompletedMarker, Parser};

mod atoms;

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

impl Parser<'_> {
    /// An expression, or a message that one is expected here.
    pub(super) fn expr(&mut self) -> bool {
        self.expr_for("an expression")
    }

    /// An expression; `what` names it in the message where there is none.
    pub(super) fn expr_for(&mut self, what: &str) -> bool {
        !is_still_to_be_written(self, what) && self.expr_of(Level::Implies, what).is_some()
    }
}

/// Tells that an expression is missing where a statement begins on the next line.
fn is_still_to_be_written(p: &mut Parser<'_>, what: &str) -> bool {
    let is_missing = p.next_line_begins_statement();
    if is_missing {
        p.missing(format!("expected {what}"), None);
    }
    is_missing
}

/// Whether what stands in braces is a set beside which another one stands.
fn is_compared(p: &Parser<'_>) -> bool {
    const BESIDE: TokenSet = TokenSet::new(&[
        LESS, LESS_EQ, GREATER, GREATER_EQ, EQ_EQ, BANG_EQ, PLUS, MINUS, STAR,
    ]);
    let behind = p.closer_of(0).map(|closer| closer + 1);
    behind.is_some_and(|n| BESIDE.contains(p.nth(n)))
}

impl Parser<'_> {
    /// A test before a block: `{` does not begin a record there.
    pub(super) fn test(&mut self) {
        if self.at(L_BRACE) && !is_compared(self) {
            self.missing("expected an expression to test", None);
        } else {
            let outside = std::mem::replace(&mut self.in_test, true);
            self.expr_for("an expression to test");
            self.in_test = outside;
        }
    }

    /// A condition. The assignment on the next line is none.
    pub(super) fn condition(&mut self) {
        let is_next =
            self.nth_begins_line(0) && self.at(IDENT) && matches!(self.nth(1), EQ | COLON);
        if is_next || self.at(L_BRACE) && !is_compared(self) {
            self.missing("expected a condition", None);
        } else {
            self.expr_for("a condition");
        }
    }

    /// A formula, in which temporal operators stand too.
    pub(super) fn formula(&mut self) {
        let outside = std::mem::replace(&mut self.in_formula, true);
        self.has_told_letters = false;
        self.expr_for("a formula");
        self.in_formula = outside;
    }

    /// What stands before an `or` that is none.
    pub(super) fn expr_before_or(&mut self, what: &str) {
        self.expr_of(Level::And, what);
    }

    /// An expression without comparisons and what is looser, as an end of a range.
    pub(super) fn additive(&mut self, what: &str) {
        self.expr_of(Level::Sum, what);
    }

    /// What can be assigned to: a name, a cell, a field.
    pub(super) fn place(&mut self) {
        self.expr_of(Level::Postfix, "a variable");
    }

    fn expr_of(&mut self, least: Level, what: &str) -> Option<CompletedMarker> {
        self.deeper(|p| {
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
                        "write `a < b and b < c`, or put one of them in parentheses",
                    );
                }
                compared = level == Level::Comparison;
                let marker = left.precede(p);
                if p.at(NOT_KW) {
                    p.bump_as_error();
                }
                if p.at(IN_KW) {
                    match p.nth(1) {
                        L_BRACKET if !is_added_to(p, 1) => p.bump_as_error(),
                        _ => p.bump(),
                    }
                    if p.at(L_BRACE) && is_written_out(p) {
                        p.set_expr();
                    } else {
                        p.expr_of(Level::Sum, "a set");
                        if p.eat(DOT_DOT) {
                            p.expr_of(Level::Sum, "an expression");
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
                let what = format!("an expression after `{operator}`");
                // Behind `and` and the like what looks like an assignment is meant for a comparison.
                if level < Level::Comparison || !is_still_to_be_written(p, &what) {
                    p.expr_of(right, &what);
                }
                left = marker.complete(p, BINARY_EXPR);
            }
            if least == Level::Implies && p.at(QUESTION) && !p.nth_begins_line(0) && !p.in_unclosed
            {
                left = chosen(p, left);
            }
            Some(left)
        })?
    }
}

/// `c ? a : b`; the `?` is the current token.
fn chosen(p: &mut Parser<'_>, test: CompletedMarker) -> CompletedMarker {
    if matches!(p.nth(1), L_BRACKET | QUESTION) {
        p.unexpected(
            "a channel is not looked into with `?`",
            "`len(c)`, `empty(c)` and `full(c)` ask about it",
        );
    } else {
        p.unexpected("there is no `? :`", "write `if c then a else b`");
    }
    let marker = test.precede(p);
    p.bump();
    p.expr();
    if p.eat(COLON) {
        p.expr();
    }
    marker.complete(p, IF_EXPR)
}

/// The operator that stands here between two operands, how many tokens it has, and whether the
/// language does not have it. An operator of another language is reported and read as what is meant.
fn infix(p: &mut Parser<'_>, least: Level) -> Option<(Level, usize, bool)> {
    if let Some((kind, tokens, (message, hint))) = p.foreign_operator() {
        let level = level_of(kind);
        if least > level {
            return None;
        }
        p.unexpected(message, hint);
        return Some((level, tokens, true));
    }
    if let Some((level, tokens, message, hint)) = mistaken(p) {
        if least > level {
            return None;
        }
        p.unexpected(message, hint);
        return Some((level, tokens, false));
    }
    let level = match p.current() {
        UNKNOWN => level_of(unknown_operator(p.nth_text(0))?),
        IMPLIES_KW => Level::Implies,
        ARROW if p.in_formula => Level::Implies,
        OR_KW | PIPE_PIPE => Level::Or,
        AND_KW | AMP_AMP => Level::And,
        IDENT if p.in_formula && is_until(p, 0) => Level::Until,
        IDENT if !p.in_formula && !p.in_body && is_until(p, 0) && !p.nth_begins_line(0) => {
            not_a_formula(p);
            Level::Until
        }
        IN_KW if p.at_shared_steps() => return None,
        IN_KW | LESS | EQ_EQ | BANG_EQ | LESS_EQ | GREATER | GREATER_EQ => Level::Comparison,
        PLUS | MINUS => Level::Sum,
        STAR | SLASH | PERCENT => Level::Product,
        _ => return None,
    };
    Some((level, 1, false))
}

/// An operator that the language does not have, or not here: how it binds, how many tokens it has,
/// and the message with its hint.
fn mistaken(p: &Parser<'_>) -> Option<(Level, usize, &'static str, &'static str)> {
    const SAME: &str = "that two values are the same, truth values too, is written `==`";
    use Level::{And, Comparison, Implies, Or};
    let joined = |n: usize, kind| p.nth(n) == kind && p.nth_is_joined(n);
    let (level, tokens, message, hint) = match p.current() {
        ARROW if !p.in_formula && !p.in_body => {
            let message = "`->` is an operator only in the formulas of `ltl`";
            (Implies, 1, message, "write `implies`")
        }
        LESS if joined(1, GREATER) => {
            let message = "`<>` stands before a formula, not between two values";
            (Comparison, 2, message, "to compare, write `!=`")
        }
        LESS if joined(1, ARROW) => (Comparison, 2, "there is no operator `<->`", SAME),
        LESS_EQ if joined(1, GREATER) => (Comparison, 2, "there is no operator `<=>`", SAME),
        NOT_KW if p.nth(1) == IN_KW => {
            let message = "there is no `not in`";
            (Comparison, 1, message, "write `not (e in {e, e})`")
        }
        IN_KW if p.nth(1) == L_BRACKET && !is_added_to(p, 1) => {
            let hint =
                "write `e in {e, e}`; what an array has is asked by `exists i in I: a[i] == e`";
            (Comparison, 1, "a set stands in braces", hint)
        }
        IN_KW if p.nth(1) != L_BRACE && range_is_behind(p) => {
            let message = "`in` asks whether a value is in a set `{e, e}`";
            (
                Comparison,
                1,
                message,
                "for a range write `lo <= x and x <= hi`",
            )
        }
        EQ_EQ if joined(1, EQ) => {
            let message = "there is no operator `===`";
            (Comparison, 2, message, "to compare, write `==`")
        }
        EQ if joined(1, LESS) => (Comparison, 2, "there is no operator `=<`", "write `<=`"),
        EQ if joined(1, SLASH) && joined(2, EQ) => {
            (Comparison, 3, "there is no operator `=/=`", "write `!=`")
        }
        EQ if !p.in_unclosed => {
            let hint = match p.in_body {
                true => {
                    "to compare, write `==`; a guard or a test has no effects, these stand after `do`"
                }
                false => "to compare, write `==`",
            };
            (Comparison, 1, "`=` assigns, it does not compare", hint)
        }
        AMP => {
            let hint = "write `and`, or `&&`; for the bits of integers, `bit_and(a, b)`";
            (And, 1, "there is no operator `&`", hint)
        }
        PIPE => {
            let hint = "write `or`, or `||`; for the bits of integers, `bit_or(a, b)`";
            (Or, 1, "there is no operator `|`", hint)
        }
        FAT_ARROW => {
            let hint = "write `implies`; to compare, `>=`";
            (Implies, 1, "there is no operator `=>`", hint)
        }
        _ => return None,
    };
    Some((level, tokens, message, hint))
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

impl Parser<'_> {
    /// `{e, e}` after `in`.
    fn set_expr(&mut self) {
        self.comma_list(
            R_BRACE,
            "the set",
            |p| p.at_set(EXPR_START),
            |p| {
                p.expr();
            },
        );
    }
}

/// Whether the set in braces behind `in` is all that is asked, and its members are written out.
fn is_written_out(p: &Parser<'_>) -> bool {
    let behind = p.closer_of(0).map(|closer| closer + 1);
    let goes_on = |n: usize| matches!(p.nth(n), PLUS | MINUS | STAR);
    let is_comprehension = p.begins_binding(1) && p.says_of_each(0);
    !behind.is_some_and(goes_on) && !is_comprehension
}

/// Whether something is put behind the list that begins at the token `n` after the current one.
fn is_added_to(p: &Parser<'_>, n: usize) -> bool {
    let behind = p.closer_of(n).map(|closer| closer + 1);
    behind.is_some_and(|behind| p.nth(behind) == PLUS)
}

/// Whether `lo..hi` stands behind this `in`.
fn range_is_behind(p: &Parser<'_>) -> bool {
    let mut n = 1;
    loop {
        match p.nth(n) {
            DOT_DOT => return true,
            IDENT | INT | PLUS | MINUS | STAR | SLASH | PERCENT | DOT => n += 1,
            L_PAREN | L_BRACKET => match p.closer_of(n) {
                Some(closer) => n = closer + 1,
                None => return false,
            },
            _ => return false,
        }
    }
}

/// An operand with the operators before it.
fn operand(p: &mut Parser<'_>, least: Level, what: &str) -> Option<CompletedMarker> {
    let (tokens, level) = match p.current() {
        MINUS => (1, Level::Minus),
        NOT_KW | BANG => (1, Level::Not),
        IDENT if p.in_formula => {
            let is_before_formula = !is_until(p, 1)
                && matches!(
                    next_on_line(p),
                    IDENT | NOT_KW | BANG | LESS | FORALL_KW | EXISTS_KW
                );
            match p.nth_text(0) {
                "always" | "eventually" => {}
                "next" => no_next(p),
                "X" if is_before_formula => no_next(p),
                "G" if is_before_formula => {
                    no_letter(p, "there is no operator `G`", "write `always`, or `[]`");
                }
                "F" if is_before_formula => {
                    no_letter(p, "there is no operator `F`", "write `eventually`, or `<>`");
                }
                "until" | "weak_until" | "release" => {
                    p.missing(format!("expected {what}"), None);
                    return None;
                }
                word if is_path_quantifier(word)
                    && is_before_formula
                    && matches!(p.nth(1), IDENT | NOT_KW | BANG) =>
                {
                    no_path_quantifier(p);
                }
                _ => return p.with_expr(least, what),
            }
            (1, Level::Not)
        }
        IDENT if at_stray_temporal_word(p) => {
            match p.nth_text(0) {
                "next" => no_next(p),
                _ => not_a_formula(p),
            }
            (1, Level::Not)
        }
        L_BRACKET if p.in_formula && p.nth(1) == R_BRACKET => (2, Level::Not),
        LESS if p.nth(1) == GREATER => {
            if !p.in_formula {
                not_a_formula(p);
            }
            (2, Level::Not)
        }
        L_BRACKET
            if !p.in_body
                && p.nth(1) == R_BRACKET
                && matches!(p.nth(2), IDENT | NOT_KW | BANG | LESS)
                && !p.nth_begins_line(2) =>
        {
            not_a_formula(p);
            (2, Level::Not)
        }
        _ => return p.with_expr(least, what),
    };
    let marker = p.start();
    let operator: String = (0..tokens).map(|n| p.nth_text(n)).collect();
    for _ in 0..tokens {
        p.bump();
    }
    p.expr_of(
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
    if p.body_of.is_some() {
        p.unexpected("there are no temporal operators here", "write an `ltl`");
        return;
    }
    p.unexpected(
        "temporal operators stand only in the formulas of `ltl`",
        "write `ltl NAME: f`; an `invariant` holds in every reachable state anyway",
    );
}

/// Tells of the first operator of a formula that is written in the way of another logic: the others are known then.
fn no_letter(p: &mut Parser<'_>, message: &str, hint: &str) {
    if !std::mem::replace(&mut p.has_told_letters, true) {
        p.unexpected(message, hint);
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
    while is_path_quantifier(p.nth_text(1)) {
        p.bump();
    }
}

fn is_path_quantifier(word: &str) -> bool {
    matches!(word, "AG" | "AF" | "EF" | "EG" | "AX" | "EX")
}

fn no_next(p: &mut Parser<'_>) {
    p.unexpected(
        "there is no `next`",
        "which step of which process comes next is chance; say what holds `until` something \
             else does",
    );
}
