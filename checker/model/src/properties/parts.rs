//! The parts of a formula: what it joins by `and`, each in the words of the text. An invariant is a formula without
//! temporal operators.
//!
//! A formula holds of a run if and only if all of its parts do, so that where it does not hold some
//! part says why. `always (f and g)` is `always f` and `always g`, `h implies (f and g)` is
//! `h implies f` and `h implies g`, `h or forall k in T: f` is `h or f` for each value, and for each of both where another `forall` stands beside it, `if h then f else g` are `h implies f` and `not h implies g`; `forall` is one
//! conjunct for each value, `not exists` and `not (f or g)` are what they come to, `f == true` is `f`, `f == g` with a `forall` on one side is `f implies g` and `g implies f`, and a definition is
//! what it stands for; all else is one part.

mod around;
mod words;

use std::rc::Rc;

use stubborn_syntax::ast;

use self::around::{Around, Chain, Operand, Taken, What, built_within};
use self::words::{by_name, line, names, occurs, says};

use super::formulas::{Propositions, has_temporal_operator};
use super::named::FormulaPart;
use super::words::quoted;
use crate::declarations::Opened;
use crate::elaborate::Elaborator;
use crate::names::Env;
use crate::names::env::Binding;
use crate::steps::each;
use stubborn_system::property::Ltl;

/// A formula with more parts than this is not taken apart,
const MOST_PARTS: usize = 64;
/// nor is one that is larger, written out;
pub(super) const LARGEST_WRITTEN: u64 = 10_000;
/// nor one whose parts, each with all that is around it, are together so many times as large, and so much
/// more;
const MORE: u64 = 4;
const LEAST: u64 = 1_000;
/// and nothing is that stands deeper within it.
pub(super) const DEEPEST: u32 = 100;

/// The parts of a formula that has no mistakes and was `written` so large; none where it is one part
/// itself.
pub(super) fn parts(
    elaborator: &mut Elaborator,
    body: &ast::Expr,
    written: u64,
) -> Vec<FormulaPart> {
    if written > LARGEST_WRITTEN {
        return Vec::new();
    }
    let mut attempt = |with_all: bool| {
        let found = elaborator.quietly(|this| {
            let mut apart = Apart {
                found: Vec::new(),
                around: Vec::new(),
                values: Vec::new(),
                is_ambiguous: false,
                with_all,
                has_several: false,
                most: this.work + MORE * written + LEAST,
            };
            apart.take(this, body, 0);
            (this.work <= apart.most, apart)
        });
        let Some((is_within, apart)) = found else {
            return (Vec::new(), false);
        };
        match apart.found.len() {
            2..=MOST_PARTS if is_within => (apart.found, false),
            _ => (Vec::new(), apart.has_several),
        }
    };
    match attempt(true) {
        // As many as the values of one of several have together may be few enough.
        (_, true) => attempt(false).0,
        (found, false) => found,
    }
}

struct Apart {
    found: Vec<FormulaPart>,
    /// From the outside in.
    around: Vec<Around>,
    /// What `forall` and arguments have bound: `k = 3`.
    values: Vec<String>,
    /// How many parts the elaborator may have written out.
    most: u64,
    /// In the words of the last part a name means one thing here and another thing there.
    is_ambiguous: bool,
    /// Of a chain of `or`s every `forall` is taken apart, each value of one with each value of the others; else the last one.
    with_all: bool,
    /// There is such a chain.
    has_several: bool,
}

impl Apart {
    fn take(&mut self, elaborator: &mut Elaborator, expr: &ast::Expr, depth: u32) {
        if self.found.len() > MOST_PARTS || elaborator.work > self.most {
            return;
        }
        if depth > DEEPEST {
            self.part(elaborator, expr);
            return;
        }
        let depth = depth + 1;
        match expr {
            ast::Expr::Paren(inner) => {
                if let Some(inner) = inner.inner() {
                    self.take(elaborator, &inner, depth);
                }
            }
            ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Always) => {
                if let Some(operand) = prefix.operand() {
                    let before = self.found.len();
                    self.within(What::Always, elaborator, |this, elaborator| {
                        this.take(elaborator, &operand, depth);
                    });
                    self.unless_apart(before, expr);
                }
            }
            ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Not) => {
                if let Some(operand) = prefix.operand() {
                    let before = self.found.len();
                    self.take_negated(elaborator, &operand, depth);
                    self.unless_apart(before, expr);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::And) => {
                for operand in binary.lhs().into_iter().chain(binary.rhs()) {
                    self.take(elaborator, &operand, depth);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Implies) => {
                if let (Some(given), Some(right)) = (binary.lhs(), binary.rhs()) {
                    let before = self.found.len();
                    self.within(What::Given(given), elaborator, |this, elaborator| {
                        this.take(elaborator, &right, depth);
                    });
                    self.whole_if_ambiguous(before, elaborator, expr);
                    self.unless_apart(before, expr);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Or) => {
                let operands = operands_of_or(expr);
                let mut is_apart = |one: &ast::Expr| is_for_each_value(elaborator, one, DEEPEST);
                let apart = (0..operands.len()).filter(|at| is_apart(&operands[*at]));
                let apart: Vec<usize> = apart.collect();
                let Some(last) = apart.last() else {
                    self.part(elaborator, expr);
                    return;
                };
                let before = self.found.len();
                self.has_several |= apart.len() > 1;
                if self.with_all && apart.len() > 1 {
                    self.take_of_or(elaborator, &operands, &apart, depth);
                    if !std::mem::take(&mut self.is_ambiguous) {
                        self.unless_apart(before, expr);
                        return;
                    }
                    self.found.truncate(before);
                }
                self.take_of_or(elaborator, &operands, &[*last], depth);
                self.whole_if_ambiguous(before, elaborator, expr);
                self.unless_apart(before, expr);
            }
            ast::Expr::Binary(binary) if compared_with_truth(binary).is_some() => {
                if let Some((operand, is_true)) = compared_with_truth(binary) {
                    let before = self.found.len();
                    match is_true {
                        true => self.take(elaborator, &operand, depth),
                        false => self.take_negated(elaborator, &operand, depth),
                    }
                    self.unless_apart(before, expr);
                }
            }
            // `f == g` is `f implies g` and `g implies f`.
            ast::Expr::Binary(binary)
                if binary.op() == Some(ast::BinaryOp::Eq)
                    && [binary.lhs(), binary.rhs()]
                        .iter()
                        .flatten()
                        .any(|side| is_for_each_value(elaborator, side, DEEPEST)) =>
            {
                let before = self.found.len();
                if let (Some(left), Some(right)) = (binary.lhs(), binary.rhs()) {
                    for (given, other) in [(&left, &right), (&right, &left)] {
                        self.within(
                            What::Given(given.clone()),
                            elaborator,
                            |this, elaborator| {
                                this.take(elaborator, other, depth);
                            },
                        );
                    }
                }
                self.whole_if_ambiguous(before, elaborator, expr);
                self.unless_apart(before, expr);
            }
            ast::Expr::If(choice) => {
                let before = self.found.len();
                let values = [(choice.then_value(), true), (choice.else_value(), false)];
                for (value, is_true) in values {
                    if let (Some(test), Some(value)) = (choice.condition(), value)
                        && !matches!(&value, ast::Expr::Literal(literal)
                            if literal.value() == Some(ast::LiteralValue::Bool(true)))
                    {
                        self.within(What::If(test, is_true), elaborator, |this, elaborator| {
                            this.take(elaborator, &value, depth);
                        });
                    }
                }
                self.whole_if_ambiguous(before, elaborator, expr);
                self.unless_apart(before, expr);
            }
            ast::Expr::Quantifier(quantifier)
                if quantifier.quantifier() != Some(ast::Quantifier::Exists)
                    && elaborator.goes_through_types(quantifier) =>
            {
                self.each_value(elaborator, quantifier, &mut |apart, this, body| {
                    apart.take(this, body, depth);
                });
            }
            _ => match elaborator.opened_definition(expr) {
                Some(Opened {
                    env: inside,
                    body,
                    parameters,
                }) if !has_temporal_operator(&body) && !self.names_occur(&parameters, &body) => {
                    let (before, bound) = (self.found.len(), self.values.len());
                    let values = parameters.iter().filter_map(|name| shown(&inside, name));
                    self.values.extend(values);
                    elaborator.in_scope(&inside, |this| self.take(this, &body, depth));
                    self.values.truncate(bound);
                    self.unless_apart(before, expr);
                }
                _ => self.part(elaborator, expr),
            },
        }
    }

    /// The parts of a chain of `or`s, of which these are taken apart.
    fn take_of_or(
        &mut self,
        elaborator: &mut Elaborator,
        operands: &[ast::Expr],
        apart: &[usize],
        depth: u32,
    ) {
        let Some((first, open)) = apart.split_first() else {
            return;
        };
        let chain = Chain {
            operands: operands.iter().cloned().map(Operand::Text).collect(),
            at: *first,
            open: open.to_vec(),
            depth,
        };
        self.within(What::Or(chain), elaborator, |this, elaborator| {
            this.take(elaborator, &operands[*first], depth);
        });
    }

    /// Goes on with the next operand of the chain of `or`s that stands there around the part, which has become this.
    fn take_next(&mut self, elaborator: &mut Elaborator, expr: &ast::Expr, at: usize) {
        self.is_ambiguous |= self.says_two_things(at + 1);
        let values = self.bound_since(at + 1, self.around[at].bound);
        let rest = self.around.split_off(at + 1);
        let taken = Taken {
            expr: expr.clone(),
            env: elaborator.env.clone(),
            around: rest.clone(),
            values,
        };
        let Some(Around {
            what: What::Or(mut chain),
            env: outside,
            bound,
        }) = self.around.pop()
        else {
            unreachable!("a chain stands there");
        };
        let before = Around {
            what: What::Or(chain.clone()),
            env: outside.clone(),
            bound,
        };
        let own = self.values.split_off(bound);
        chain.operands[chain.at] = Operand::Taken(Rc::new(taken));
        chain.at = chain.open.remove(0);
        if let Operand::Text(next) = chain.operands[chain.at].clone() {
            let depth = chain.depth;
            elaborator.in_scope(&outside, |elaborator| {
                self.within(What::Or(chain), elaborator, |this, elaborator| {
                    this.take(elaborator, &next, depth);
                });
            });
        }
        self.values.extend(own);
        self.around.push(before);
        self.around.extend(rest);
    }

    /// What is bound behind so many values, and in what has been taken of the chains around from there on.
    fn bound_since(&self, around: usize, from: usize) -> Vec<String> {
        let mut all = Vec::new();
        let mut next = from;
        for one in &self.around[around..] {
            if one.what.taken().next().is_some() {
                all.extend_from_slice(&self.values[next..one.bound]);
                next = one.bound;
            }
            all.extend(one.what.taken().flat_map(|taken| taken.values.clone()));
        }
        all.extend_from_slice(&self.values[next..]);
        all
    }

    /// The parts of `not expr`.
    fn take_negated(&mut self, elaborator: &mut Elaborator, expr: &ast::Expr, depth: u32) {
        if self.found.len() > MOST_PARTS || elaborator.work > self.most {
            return;
        }
        match expr {
            _ if depth > DEEPEST => self.negated(elaborator, expr),
            ast::Expr::Paren(inner) => {
                if let Some(inner) = inner.inner() {
                    self.take_negated(elaborator, &inner, depth + 1);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Or) => {
                for operand in binary.lhs().into_iter().chain(binary.rhs()) {
                    self.take_negated(elaborator, &operand, depth + 1);
                }
            }
            ast::Expr::Quantifier(quantifier)
                if quantifier.quantifier() == Some(ast::Quantifier::Exists)
                    && elaborator.goes_through_types(quantifier) =>
            {
                self.each_value(elaborator, quantifier, &mut |apart, this, body| {
                    apart.take_negated(this, body, depth + 1);
                });
            }
            _ => self.negated(elaborator, expr),
        }
    }

    fn negated(&mut self, elaborator: &mut Elaborator, expr: &ast::Expr) {
        self.within(What::Not, elaborator, |this, elaborator| {
            this.part(elaborator, expr)
        });
    }

    /// Takes what is within this.
    fn within(
        &mut self,
        what: What,
        elaborator: &mut Elaborator,
        take: impl FnOnce(&mut Apart, &mut Elaborator),
    ) {
        self.around.push(Around {
            what,
            env: elaborator.env.clone(),
            bound: self.values.len(),
        });
        take(self, elaborator);
        self.around.pop();
    }

    /// Takes `expr` as one part, where the words of those that were found since then say two things by one name.
    fn whole_if_ambiguous(&mut self, before: usize, elaborator: &mut Elaborator, expr: &ast::Expr) {
        if std::mem::take(&mut self.is_ambiguous) {
            self.found.truncate(before);
            self.part(elaborator, expr);
        }
    }

    /// Whether something that was bound outside of a definition has a name that means another thing in its body.
    fn names_occur(&self, parameters: &[String], body: &ast::Expr) -> bool {
        let others = names(&self.values).filter(|name| !parameters.iter().any(|one| one == name));
        others.into_iter().any(|name| occurs(name, body))
    }

    /// Whether something that is bound within one of those around, from there on, has a name that means another thing
    /// beside it.
    fn says_two_things(&self, from: usize) -> bool {
        (from..self.around.len()).any(|at| {
            let around = &self.around[at];
            let bound = self.bound_since(at, around.bound);
            let operands = around.what.operands();
            names(&bound).any(|name| operands.iter().any(|operand| occurs(name, operand)))
        })
    }

    /// Takes the body of a quantifier for each value of what it binds.
    fn each_value(
        &mut self,
        elaborator: &mut Elaborator,
        quantifier: &ast::QuantifierExpr,
        take: &mut dyn FnMut(&mut Apart, &mut Elaborator, &ast::Expr),
    ) {
        let Some(body) = quantifier.body() else {
            return;
        };
        let bindings: Vec<ast::Binding> = quantifier.bindings().collect();
        each(elaborator, &bindings, &mut |this| {
            let bound = self.values.len();
            self.values.extend(bindings.iter().filter_map(|one| {
                let name = ast::HasName::name(one)?.text();
                shown(&this.env, &name)
            }));
            take(self, this, &body);
            self.values.truncate(bound);
            self.found.len() <= MOST_PARTS
        });
    }

    /// What was found since then is known by the words of `expr`, where it is one part alone.
    fn unless_apart(&mut self, before: usize, expr: &ast::Expr) {
        let words = self.words(expr);
        if let [part] = &mut self.found[before..] {
            part.text = words;
        }
    }

    /// The words of the text, on one line, with what of those around them belongs to the part, and the
    /// values of what is bound there.
    fn words(&self, expr: &ast::Expr) -> String {
        let quoted = quoted(&line(expr, &self.around).0);
        let values = self.bound_since(0, 0);
        if values.is_empty() {
            return quoted;
        }
        let values = match self.says_whose(expr) {
            Some(each) => each,
            None => by_name(&values).join(", "),
        };
        format!("{quoted} for {values}")
    }

    /// Where a name is bound in one operand of a chain of `or`s and stands in another one for something else: what is
    /// bound in which of them, `k = 1 in `x != k` and k = 2 in `y != k``.
    fn says_whose(&self, expr: &ast::Expr) -> Option<String> {
        let last = (self.around.iter()).rposition(|one| one.what.taken().next().is_some())?;
        let taken = self.around.iter().flat_map(|one| one.what.taken());
        let mut each: Vec<(String, Vec<String>)> = taken
            .map(|taken| (line(&taken.expr, &taken.around).0, taken.values.clone()))
            .collect();
        let own = self.values[self.around[last].bound..].to_vec();
        each.push((line(expr, &self.around[last + 1..]).0, own));
        let is_clear = each.iter().enumerate().all(|(at, (_, values))| {
            let others = each.iter().enumerate().filter(|(other, _)| *other != at);
            let mut lines = others.map(|(_, (line, _))| line);
            !lines.any(|line| names(values).any(|name| says(name, line)))
        });
        if is_clear {
            return None;
        }
        let outside = by_name(&self.values[..self.around[last].bound]);
        let outside = outside.into_iter().map(str::to_owned);
        let each = each.into_iter().filter(|(_, values)| !values.is_empty());
        let each = each
            .map(|(line, values)| format!("{} in {}", by_name(&values).join(", "), quoted(&line)));
        let all: Vec<String> = outside.chain(each).collect();
        Some(match all.split_last() {
            Some((last, before)) if !before.is_empty() => {
                format!("{} and {last}", before.join(", "))
            }
            _ => all.concat(),
        })
    }

    fn part(&mut self, elaborator: &mut Elaborator, expr: &ast::Expr) {
        let open = (self.around.iter())
            .rposition(|one| matches!(&one.what, What::Or(chain) if !chain.open.is_empty()));
        if let Some(at) = open {
            self.take_next(elaborator, expr, at);
            return;
        }
        self.is_ambiguous |= self.says_two_things(0);
        let mut propositions = Propositions::default();
        let whole = built_within(elaborator, expr, &self.around, &mut propositions);
        let formula = whole.formula(&mut propositions);
        self.found.push(FormulaPart {
            text: self.words(expr),
            ltl: Ltl {
                propositions: propositions.list,
                formula,
            },
        });
    }
}

/// What a chain of `or`s joins, in the order of the text.
fn operands_of_or(expr: &ast::Expr) -> Vec<ast::Expr> {
    let mut found = Vec::new();
    let mut rest = expr.clone();
    // A chain goes to the left.
    while let ast::Expr::Binary(binary) = &rest
        && binary.op() == Some(ast::BinaryOp::Or)
        && let (Some(left), Some(right)) = (binary.lhs(), binary.rhs())
    {
        found.push(right);
        rest = left;
    }
    found.push(rest);
    found.reverse();
    found
}

/// Whether it is a `forall`, or `not exists`, or stands for one.
fn is_for_each_value(elaborator: &mut Elaborator, expr: &ast::Expr, deepest: u32) -> bool {
    let Some(deepest) = deepest.checked_sub(1) else {
        return false;
    };
    match expr {
        ast::Expr::Paren(inner) => inner
            .inner()
            .is_some_and(|inner| is_for_each_value(elaborator, &inner, deepest)),
        ast::Expr::Quantifier(one) => {
            one.quantifier() == Some(ast::Quantifier::Forall) && elaborator.goes_through_types(one)
        }
        ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Not) => {
            let mut operand = prefix.operand();
            while let Some(ast::Expr::Paren(inner)) = operand {
                operand = inner.inner();
            }
            matches!(operand, Some(ast::Expr::Quantifier(one))
                if one.quantifier() == Some(ast::Quantifier::Exists)
                    && elaborator.goes_through_types(&one))
        }
        _ => match elaborator.opened_definition(expr) {
            Some(Opened {
                env: inside, body, ..
            }) => elaborator.in_scope(&inside, |this| is_for_each_value(this, &body, deepest)),
            None => false,
        },
    }
}

/// `f`, and whether it is to be true, of `f == true`, `f != true` and so on.
fn compared_with_truth(binary: &ast::BinaryExpr) -> Option<(ast::Expr, bool)> {
    let is_equal = match binary.op()? {
        ast::BinaryOp::Eq => true,
        ast::BinaryOp::Ne => false,
        _ => return None,
    };
    let ast::Expr::Literal(literal) = binary.rhs()? else {
        return None;
    };
    match literal.value()? {
        ast::LiteralValue::Bool(value) => Some((binary.lhs()?, value == is_equal)),
        ast::LiteralValue::Int(_) => None,
    }
}

/// `k = 3`, for what a `forall` or an argument binds.
fn shown(env: &Env, name: &str) -> Option<String> {
    match env.lookup(name)?.0 {
        Binding::Constant { value, domain, .. } => {
            Some(format!("{name} = {}", domain.shape.scalar(*value)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
