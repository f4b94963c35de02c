//! The parts of a formula: what it joins by `and`, each in the words of the text. An invariant is a formula without
//! temporal operators.
//!
//! A formula holds of a run if and only if all of its parts do, so that where it does not hold some
//! part says why. `always (f and g)` is `always f` and `always g`, `h implies (f and g)` is
//! `h implies f` and `h implies g`, `h or forall k in T: f` is `h or f` for each value, and for each of both where another `forall` stands beside it, `if h then f else g` are `h implies f` and `not h implies g`; `forall` is one
//! conjunct for each value, `not exists` and `not (f or g)` are what they come to, `f == true` is `f`, `f == g` with a `forall` on one side is `f implies g` and `g implies f`, and a definition is
//! what it stands for; all else is one part.

use std::rc::Rc;

use stubborn_syntax::ast;

use super::formulas::{Propositions, formula, has_temporal_operator};
use super::words::quoted;
use crate::declarations::Opened;
use crate::elaborate::Elaborator;
use crate::names::Env;
use crate::names::env::Binding;
use crate::steps::each;
use stubborn_system::property::{Formula, Ltl};
use stubborn_system::system::{Expr, Unary};

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

/// One of the parts of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaPart {
    /// In the words of the text, with the values of what `forall` binds: `` `always (x != k)` for k = 3 ``.
    pub text: String,
    /// The formula with this conjunct alone in the place of all.
    pub ltl: Ltl,
}

/// The parts of a formula that has no mistakes and was `written` so large; none where it is one part
/// itself.
pub(super) fn parts(
    elaborator: &mut Elaborator,
    env: &Env,
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
                most: this.work() + MORE * written + LEAST,
            };
            apart.take(this, env, body, 0);
            (this.work() <= apart.most, apart)
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

/// What is around a part.
#[derive(Clone)]
struct Around {
    what: What,
    env: Env,
    /// How many values were bound there.
    bound: usize,
}

#[derive(Clone)]
enum What {
    Always,
    /// The left side of an `implies`.
    Given(ast::Expr),
    /// The test of an `if`, and whether it is true where the part counts.
    If(ast::Expr, bool),
    Not,
    Or(Chain),
}

/// A chain of `or`s, one operand of which is the part, or what it is in.
#[derive(Clone)]
struct Chain {
    operands: Vec<Operand>,
    /// Which it is.
    at: usize,
    /// Those behind it of which each value is taken with each of this one, and how deep they stand.
    open: Vec<usize>,
    depth: u32,
}

#[derive(Clone)]
enum Operand {
    Text(ast::Expr),
    /// What has become of one for some values.
    Taken(Rc<Taken>),
}

struct Taken {
    expr: ast::Expr,
    env: Env,
    around: Vec<Around>,
    values: Vec<String>,
}

impl Chain {
    fn beside(&self) -> impl Iterator<Item = &Operand> {
        let (left, right) = (&self.operands[..self.at], &self.operands[self.at + 1..]);
        left.iter().chain(right)
    }

    fn taken(&self) -> impl Iterator<Item = &Rc<Taken>> {
        self.operands.iter().filter_map(|one| match one {
            Operand::Taken(taken) => Some(taken),
            Operand::Text(_) => None,
        })
    }
}

impl What {
    /// What stands beside the part as it stands in the text.
    fn operands(&self) -> Vec<&ast::Expr> {
        match self {
            What::Always | What::Not => Vec::new(),
            What::Given(one) | What::If(one, _) => vec![one],
            What::Or(chain) => (chain.beside())
                .filter_map(|one| match one {
                    Operand::Text(text) => Some(text),
                    Operand::Taken(_) => None,
                })
                .collect(),
        }
    }

    fn taken(&self) -> impl Iterator<Item = &Rc<Taken>> {
        let chain = match self {
            What::Or(chain) => Some(chain),
            _ => None,
        };
        chain.into_iter().flat_map(Chain::taken)
    }
}

/// A part with some of what is around it. Without temporal operators it is one expression, in which what stands first keeps
/// what stands behind it from being evaluated, as in the text.
enum Built {
    Plain(Expr),
    Formula(Formula),
}

impl Built {
    fn formula(self, propositions: &mut Propositions) -> Formula {
        match self {
            Built::Plain(expr) => propositions.formula(expr),
            Built::Formula(formula) => formula,
        }
    }

    fn not(self) -> Built {
        match self {
            Built::Plain(expr) => Built::Plain(Expr::Unary(Unary::Not, Box::new(expr))),
            Built::Formula(formula) => Built::Formula(Formula::Not(Box::new(formula))),
        }
    }

    fn any(all: Vec<Built>, propositions: &mut Propositions) -> Built {
        let is_plain = all.iter().all(|one| matches!(one, Built::Plain(_)));
        if !is_plain {
            let all = all.into_iter().map(|one| one.formula(propositions));
            return Built::Formula(Formula::Any(all.collect()));
        }
        let all = all.into_iter().filter_map(|one| match one {
            Built::Plain(expr) => Some(expr),
            Built::Formula(_) => None,
        });
        Built::Plain(Expr::Any(all.collect()))
    }
}

fn built(
    elaborator: &mut Elaborator,
    env: &Env,
    expr: &ast::Expr,
    propositions: &mut Propositions,
) -> Built {
    match has_temporal_operator(expr) {
        true => Built::Formula(formula(elaborator, env, expr, propositions)),
        false => Built::Plain(elaborator.boolean(env, expr, "a formula").expr),
    }
}

/// The formula, or the part of one, with what is around it.
fn built_within(
    elaborator: &mut Elaborator,
    env: &Env,
    expr: &ast::Expr,
    around: &[Around],
    propositions: &mut Propositions,
) -> Built {
    let mut whole = built(elaborator, env, expr, propositions);
    for around in around.iter().rev() {
        let mut beside = |one: &ast::Expr, propositions: &mut Propositions| {
            built(elaborator, &around.env, one, propositions)
        };
        whole = match &around.what {
            What::Always => Built::Formula(Formula::Always(Box::new(whole.formula(propositions)))),
            What::Not => whole.not(),
            What::Given(given) => {
                let given = beside(given, propositions).not();
                Built::any(vec![given, whole], propositions)
            }
            What::If(test, is_true) => {
                let test = beside(test, propositions);
                let excludes = match is_true {
                    true => test.not(),
                    false => test,
                };
                Built::any(vec![excludes, whole], propositions)
            }
            What::Or(chain) => {
                let mut any = Vec::with_capacity(chain.operands.len());
                let mut whole = Some(whole);
                for (at, one) in chain.operands.iter().enumerate() {
                    any.extend(match one {
                        _ if at == chain.at => whole.take(),
                        Operand::Text(text) => {
                            Some(built(elaborator, &around.env, text, propositions))
                        }
                        Operand::Taken(taken) => {
                            let Taken {
                                env, expr, around, ..
                            } = &**taken;
                            Some(built_within(elaborator, env, expr, around, propositions))
                        }
                    });
                }
                Built::any(any, propositions)
            }
        };
    }
    whole
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
    fn take(&mut self, elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr, depth: u32) {
        if self.found.len() > MOST_PARTS || elaborator.work() > self.most {
            return;
        }
        if depth > DEEPEST {
            self.part(elaborator, env, expr);
            return;
        }
        let depth = depth + 1;
        match expr {
            ast::Expr::Paren(inner) => {
                if let Some(inner) = inner.inner() {
                    self.take(elaborator, env, &inner, depth);
                }
            }
            ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Always) => {
                if let Some(operand) = prefix.operand() {
                    let before = self.found.len();
                    self.within(What::Always, env, |this| {
                        this.take(elaborator, env, &operand, depth);
                    });
                    self.unless_apart(before, expr);
                }
            }
            ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Not) => {
                if let Some(operand) = prefix.operand() {
                    let before = self.found.len();
                    self.take_negated(elaborator, env, &operand, depth);
                    self.unless_apart(before, expr);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::And) => {
                for operand in binary.lhs().into_iter().chain(binary.rhs()) {
                    self.take(elaborator, env, &operand, depth);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Implies) => {
                if let (Some(given), Some(right)) = (binary.lhs(), binary.rhs()) {
                    let before = self.found.len();
                    self.within(What::Given(given), env, |this| {
                        this.take(elaborator, env, &right, depth);
                    });
                    self.whole_if_ambiguous(before, elaborator, env, expr);
                    self.unless_apart(before, expr);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Or) => {
                let operands = operands_of_or(expr);
                let mut is_apart =
                    |one: &ast::Expr| is_for_each_value(elaborator, env, one, DEEPEST);
                let apart = (0..operands.len()).filter(|at| is_apart(&operands[*at]));
                let apart: Vec<usize> = apart.collect();
                let Some(last) = apart.last() else {
                    self.part(elaborator, env, expr);
                    return;
                };
                let before = self.found.len();
                self.has_several |= apart.len() > 1;
                if self.with_all && apart.len() > 1 {
                    self.take_of_or(elaborator, env, &operands, &apart, depth);
                    if !std::mem::take(&mut self.is_ambiguous) {
                        self.unless_apart(before, expr);
                        return;
                    }
                    self.found.truncate(before);
                }
                self.take_of_or(elaborator, env, &operands, &[*last], depth);
                self.whole_if_ambiguous(before, elaborator, env, expr);
                self.unless_apart(before, expr);
            }
            ast::Expr::Binary(binary) if compared_with_truth(binary).is_some() => {
                if let Some((operand, is_true)) = compared_with_truth(binary) {
                    let before = self.found.len();
                    match is_true {
                        true => self.take(elaborator, env, &operand, depth),
                        false => self.take_negated(elaborator, env, &operand, depth),
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
                        .any(|side| is_for_each_value(elaborator, env, side, DEEPEST)) =>
            {
                let before = self.found.len();
                if let (Some(left), Some(right)) = (binary.lhs(), binary.rhs()) {
                    for (given, other) in [(&left, &right), (&right, &left)] {
                        self.within(What::Given(given.clone()), env, |this| {
                            this.take(elaborator, env, other, depth);
                        });
                    }
                }
                self.whole_if_ambiguous(before, elaborator, env, expr);
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
                        self.within(What::If(test, is_true), env, |this| {
                            this.take(elaborator, env, &value, depth);
                        });
                    }
                }
                self.whole_if_ambiguous(before, elaborator, env, expr);
                self.unless_apart(before, expr);
            }
            ast::Expr::Quantifier(quantifier)
                if quantifier.quantifier() != Some(ast::Quantifier::Exists) =>
            {
                self.each_value(
                    elaborator,
                    env,
                    quantifier,
                    &mut |apart, this, env, body| {
                        apart.take(this, env, body, depth);
                    },
                );
            }
            _ => match elaborator.opened_definition(env, expr) {
                Some(Opened {
                    env: inside,
                    body,
                    parameters,
                }) if !has_temporal_operator(&body) && !self.names_occur(&parameters, &body) => {
                    let (before, bound) = (self.found.len(), self.values.len());
                    let values = parameters.iter().filter_map(|name| shown(&inside, name));
                    self.values.extend(values);
                    self.take(elaborator, &inside, &body, depth);
                    self.values.truncate(bound);
                    self.unless_apart(before, expr);
                }
                _ => self.part(elaborator, env, expr),
            },
        }
    }

    /// The parts of a chain of `or`s, of which these are taken apart.
    fn take_of_or(
        &mut self,
        elaborator: &mut Elaborator,
        env: &Env,
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
        self.within(What::Or(chain), env, |this| {
            this.take(elaborator, env, &operands[*first], depth);
        });
    }

    /// Goes on with the next operand of the chain of `or`s that stands there around the part, which has become this.
    fn take_next(&mut self, elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr, at: usize) {
        self.is_ambiguous |= self.says_two_things(at + 1);
        let values = self.bound_since(at + 1, self.around[at].bound);
        let rest = self.around.split_off(at + 1);
        let taken = Taken {
            expr: expr.clone(),
            env: env.clone(),
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
            self.within(What::Or(chain), &outside, |this| {
                this.take(elaborator, &outside, &next, depth);
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
    fn take_negated(
        &mut self,
        elaborator: &mut Elaborator,
        env: &Env,
        expr: &ast::Expr,
        depth: u32,
    ) {
        if self.found.len() > MOST_PARTS || elaborator.work() > self.most {
            return;
        }
        match expr {
            _ if depth > DEEPEST => self.negated(elaborator, env, expr),
            ast::Expr::Paren(inner) => {
                if let Some(inner) = inner.inner() {
                    self.take_negated(elaborator, env, &inner, depth + 1);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Or) => {
                for operand in binary.lhs().into_iter().chain(binary.rhs()) {
                    self.take_negated(elaborator, env, &operand, depth + 1);
                }
            }
            ast::Expr::Quantifier(quantifier)
                if quantifier.quantifier() == Some(ast::Quantifier::Exists) =>
            {
                self.each_value(
                    elaborator,
                    env,
                    quantifier,
                    &mut |apart, this, env, body| {
                        apart.take_negated(this, env, body, depth + 1);
                    },
                );
            }
            _ => self.negated(elaborator, env, expr),
        }
    }

    fn negated(&mut self, elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr) {
        self.within(What::Not, env, |this| this.part(elaborator, env, expr));
    }

    /// Takes what is within this.
    fn within(&mut self, what: What, env: &Env, take: impl FnOnce(&mut Apart)) {
        self.around.push(Around {
            what,
            env: env.clone(),
            bound: self.values.len(),
        });
        take(self);
        self.around.pop();
    }

    /// Takes `expr` as one part, where the words of those that were found since then say two things by one name.
    fn whole_if_ambiguous(
        &mut self,
        before: usize,
        elaborator: &mut Elaborator,
        env: &Env,
        expr: &ast::Expr,
    ) {
        if std::mem::take(&mut self.is_ambiguous) {
            self.found.truncate(before);
            self.part(elaborator, env, expr);
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
        env: &Env,
        quantifier: &ast::QuantifierExpr,
        take: &mut dyn FnMut(&mut Apart, &mut Elaborator, &Env, &ast::Expr),
    ) {
        let Some(body) = quantifier.body() else {
            return;
        };
        let bindings: Vec<ast::Binding> = quantifier.bindings().collect();
        each(elaborator, env, &bindings, &mut |this, env| {
            let bound = self.values.len();
            self.values.extend(bindings.iter().filter_map(|one| {
                let name = ast::HasName::name(one)?.text();
                shown(env, &name)
            }));
            take(self, this, env, &body);
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

    fn part(&mut self, elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr) {
        let open = (self.around.iter())
            .rposition(|one| matches!(&one.what, What::Or(chain) if !chain.open.is_empty()));
        if let Some(at) = open {
            self.take_next(elaborator, env, expr, at);
            return;
        }
        self.is_ambiguous |= self.says_two_things(0);
        let mut propositions = Propositions::default();
        let whole = built_within(elaborator, env, expr, &self.around, &mut propositions);
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

/// The words of the text, on one line, with what of those around them belongs to it, and how they hold together.
fn line(expr: &ast::Expr, around: &[Around]) -> (String, Shape) {
    let mut line = on_one_line(expr);
    let mut shape = Shape::of(expr);
    for around in around.iter().rev() {
        let in_parentheses = match shape {
            Shape::One => line.clone(),
            _ => format!("({line})"),
        };
        (line, shape) = match &around.what {
            What::Always => (format!("always {in_parentheses}"), Shape::Joined),
            What::Not => (format!("not {in_parentheses}"), Shape::Joined),
            What::Given(given) => (
                format!("{} implies {line}", on_one_line(given)),
                Shape::ReachesFar,
            ),
            What::If(test, true) => (
                format!("if {} then {line}", on_one_line(test)),
                Shape::ReachesFar,
            ),
            What::If(test, false) => (
                format!("if not ({}) then {line}", on_one_line(test)),
                Shape::ReachesFar,
            ),
            What::Or(chain) => joined(chain, line, shape),
        };
    }
    (line, shape)
}

fn joined(chain: &Chain, line: String, shape: Shape) -> (String, Shape) {
    let closed = |line: String, shape| match shape {
        Shape::ReachesFar => format!("({line})"),
        Shape::One | Shape::Joined => line,
    };
    let mut line = Some(closed(line, shape));
    let operands = chain.operands.iter().enumerate();
    let all = operands.filter_map(|(at, one)| match one {
        _ if at == chain.at => line.take(),
        Operand::Text(text) => Some(on_one_line(text)),
        Operand::Taken(taken) => {
            let (line, shape) = self::line(&taken.expr, &taken.around);
            Some(closed(line, shape))
        }
    });
    let all: Vec<String> = all.collect();
    let last = chain.operands.len() - 1;
    let shape = match &chain.operands[last] {
        Operand::Text(text) if last != chain.at && Shape::of(text) == Shape::ReachesFar => {
            Shape::ReachesFar
        }
        _ => Shape::Joined,
    };
    (all.join(" or "), shape)
}

/// How the words of an expression hold together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Whatever stands around it.
    One,
    /// Joined by something that binds no looser than `or`.
    Joined,
    /// It would take in what stands behind it, or be taken apart beside an `or`.
    ReachesFar,
}

impl Shape {
    fn of(expr: &ast::Expr) -> Shape {
        let right = |operand: Option<ast::Expr>| match operand.as_ref().map(Shape::of) {
            Some(Shape::ReachesFar) => Shape::ReachesFar,
            _ => Shape::Joined,
        };
        match expr {
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Implies) => {
                Shape::ReachesFar
            }
            ast::Expr::Binary(binary) => right(binary.rhs()),
            ast::Expr::Prefix(prefix) => right(prefix.operand()),
            ast::Expr::If(_) | ast::Expr::Quantifier(_) => Shape::ReachesFar,
            // A call, say, though it were one.
            other if on_one_line(other).contains(' ') => Shape::Joined,
            _ => Shape::One,
        }
    }
}

/// The names of `k = 3` and so on.
fn names(values: &[String]) -> impl Iterator<Item = &str> {
    values.iter().map(|value| name_of_value(value))
}

fn name_of_value(value: &str) -> &str {
    value.split_once(" = ").map_or(value, |(name, _)| name)
}

/// What is bound, where one name is bound twice the inner value alone.
fn by_name(values: &[String]) -> Vec<&str> {
    let is_last = |at: usize| {
        let name = name_of_value(&values[at]);
        !names(&values[at + 1..]).any(|other| other == name)
    };
    let all = (0..values.len()).filter(|at| is_last(*at));
    all.map(|at| values[at].as_str()).collect()
}

/// Whether a word of the line is this name.
fn says(name: &str, line: &str) -> bool {
    let mut words = line.split(|one: char| !one.is_alphanumeric() && one != '_');
    words.any(|word| word == name)
}

/// Whether a word of the text is this name.
fn occurs(name: &str, expr: &ast::Expr) -> bool {
    let tokens = ast::AstNode::syntax(expr).descendants_with_tokens();
    tokens
        .filter_map(|one| one.into_token())
        .any(|token| token.text() == name)
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
fn is_for_each_value(
    elaborator: &mut Elaborator,
    env: &Env,
    expr: &ast::Expr,
    deepest: u32,
) -> bool {
    let Some(deepest) = deepest.checked_sub(1) else {
        return false;
    };
    match expr {
        ast::Expr::Paren(inner) => inner
            .inner()
            .is_some_and(|inner| is_for_each_value(elaborator, env, &inner, deepest)),
        ast::Expr::Quantifier(one) => one.quantifier() == Some(ast::Quantifier::Forall),
        ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Not) => {
            let mut operand = prefix.operand();
            while let Some(ast::Expr::Paren(inner)) = operand {
                operand = inner.inner();
            }
            matches!(operand, Some(ast::Expr::Quantifier(one))
                if one.quantifier() == Some(ast::Quantifier::Exists))
        }
        _ => match elaborator.opened_definition(env, expr) {
            Some(Opened {
                env: inside, body, ..
            }) => is_for_each_value(elaborator, &inside, &body, deepest),
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

fn on_one_line(expr: &ast::Expr) -> String {
    let text = ast::AstNode::syntax(expr).text().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
mod tests {
    use super::*;
    use crate::analyze;
    use crate::elaborate::Settings;
    use crate::program::{ParsedFile, Program};

    /// The parts of the formulas of a text.
    fn parts(text: &str) -> Vec<String> {
        let file = ParsedFile::new("m.stb", text);
        let program = Program::assemble(file.into(), &mut |_| None);
        let model = analyze(&program, &Settings::default()).model;
        let properties = model.expect("a meaning").properties;
        let parts = properties.iter().flat_map(|property| &property.parts);
        parts.map(|part| part.text.clone()).collect()
    }

    const MODEL: &str = "var x: 0..3\nprocess p { loop { x = (x + 1) % 4 } }\n";

    #[test]
    fn a_mistake_that_the_formula_has_no_part_in_leaves_it_its_parts() {
        let formula = "ltl f: always x < 2 and eventually x == 3\n";
        let alone = parts(&format!("{MODEL}{formula}"));
        assert_eq!(alone, ["`always x < 2`", "`eventually x == 3`"]);
        for wrong in [
            "invariant i: x and true\n",
            "def g(k in 0..3): always x != k\n",
        ] {
            assert_eq!(parts(&format!("{MODEL}{wrong}{formula}")), alone, "{wrong}");
            assert_eq!(parts(&format!("{MODEL}{formula}{wrong}")), alone, "{wrong}");
        }
    }

    #[test]
    fn what_is_asked_of_each_value_beside_an_or_is_a_part_for_each() {
        let formula = |formula: &str| {
            parts(&format!(
                "{MODEL}def all: forall k in 0..1: x != k\nltl f: {formula}\n"
            ))
        };
        for (text, expected) in [
            (
                "x == 3 or forall k in 0..1: x != k",
                [
                    "`x == 3 or x != k` for k = 0",
                    "`x == 3 or x != k` for k = 1",
                ],
            ),
            (
                "always (x == 3 or (forall k in 0..1: x == 1 implies x > k) or x == 2)",
                [
                    "`always (x == 3 or (x == 1 implies x > k) or x == 2)` for k = 0",
                    "`always (x == 3 or (x == 1 implies x > k) or x == 2)` for k = 1",
                ],
            ),
            (
                "x == 3 or not (exists k in 0..1: x == k)",
                [
                    "`x == 3 or not (x == k)` for k = 0",
                    "`x == 3 or not (x == k)` for k = 1",
                ],
            ),
            (
                "all or x == 3",
                [
                    "`x != k or x == 3` for k = 0",
                    "`x != k or x == 3` for k = 1",
                ],
            ),
        ] {
            assert_eq!(formula(text), expected, "{text}");
        }
        assert_eq!(
            formula("(forall k in 0..1: x != k) == (x == 3)"),
            [
                "`(forall k in 0..1: x != k) implies x == 3`",
                "`(x == 3) implies x != k` for k = 0",
                "`(x == 3) implies x != k` for k = 1",
            ]
        );
        assert_eq!(
            formula("x == 3 or x == 2 or exists k in 0..1: x == k").len(),
            0
        );
    }

    #[test]
    fn each_value_of_one_forall_beside_an_or_goes_with_each_of_another() {
        let of = |text: &str| {
            parts(&format!(
                "{MODEL}def all: forall k in 0..1: x != k\ndef within(a in 0..1): forall k in a..1: x > k\nltl f: {text}\n"
            ))
        };
        assert_eq!(
            of("(forall k in 0..1: x != k) or x == 3 or forall j in 2..3: x == 1 implies x < j"),
            [
                "`x != k or x == 3 or (x == 1 implies x < j)` for k = 0, j = 2",
                "`x != k or x == 3 or (x == 1 implies x < j)` for k = 0, j = 3",
                "`x != k or x == 3 or (x == 1 implies x < j)` for k = 1, j = 2",
                "`x != k or x == 3 or (x == 1 implies x < j)` for k = 1, j = 3",
            ]
        );
        assert_eq!(
            of("always (all or forall j in 2..3: not always x == j)")[1],
            "`always (x != k or not always x == j)` for k = 0, j = 3"
        );
        // One name for two things.
        assert_eq!(
            of("(forall k in 0..1: x != k) or not exists k in 2..3: x == k")[1],
            "`x != k or not (x == k)` for k = 0 in `x != k` and k = 3 in `not (x == k)`"
        );
        assert_eq!(
            of("forall i in 0..1: (within(1) or forall k in 0..1, l in 0..1: x == i + k)")[2],
            "`x > k or x == i + k` for i = 0, a = 1, k = 1 in `x > k` and k = 1, l = 0 in `x == i + k`"
        );
        assert_eq!(
            of("(forall a in 0..1: x != a) or (forall b in 0..1: x != b) or (forall c in 0..1: x == c)").len(),
            8
        );
        // What is too much together is taken apart by the last one.
        assert_eq!(
            of("(forall k in 0..8: x != k) or (forall j in 0..8: x + 1 != j)")[8],
            "`(forall k in 0..8: x != k) or x + 1 != j` for j = 8"
        );
    }

    #[test]
    fn a_name_that_means_two_things_leaves_the_or_whole() {
        let of = |text: &str| parts(&format!("{MODEL}{text}\n"));
        let none = "def none(a in 0..3): forall k in 0..a: x != k\n";
        assert_eq!(
            of(&format!("{none}ltl f(a in 0..0): none(2) or x == a")).len(),
            0
        );
        assert_eq!(
            of("const k = 2\nltl f: x == k or (forall k in 0..1: x != k)").len(),
            0
        );
        assert_eq!(
            of("const k = 2\nltl f: x == k implies forall k in 0..1: x != k").len(),
            0
        );
        assert_eq!(
            of("ltl f: x < 3 and (forall i in 0..0: x != i or forall i in 1..2: x == i)"),
            ["`x < 3`", "`x != i or forall i in 1..2: x == i` for i = 0"]
        );
    }

    #[test]
    fn the_words_of_a_part_say_what_it_is() {
        let of = |text: &str| parts(&format!("{MODEL}ltl f: {text}\n"))[0].clone();
        for (text, expected) in [
            (
                "always (x == 0 or forall k in 1..2: (x == k -> x == 3))",
                "`always (x == 0 or (x == k -> x == 3))` for k = 1",
            ),
            (
                "(forall k in 1..2: (x == k)implies(x == 3)) or x == 2",
                "`((x == k)implies(x == 3)) or x == 2` for k = 1",
            ),
            (
                "(forall k in 1..2: always exists j in 0..0: x == k + j) or x == 2",
                "`(always exists j in 0..0: x == k + j) or x == 2` for k = 1",
            ),
            (
                "(forall k in 0..1: x == if x == k then 1 else 2) or x == 3",
                "`(x == if x == k then 1 else 2) or x == 3` for k = 0",
            ),
            ("not((x==0&&x==1)||x==3)", "`not (x==0&&x==1)`"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn what_stands_before_a_part_keeps_it_from_being_evaluated() {
        let text = format!(
            "{MODEL}var a: array[0..2] of 0..3\n\
             invariant i: forall k in 0..2: k == 0 or forall j in 0..1: a[k - 1] == j\n"
        );
        let file = ParsedFile::new("m.stb", text);
        let program = Program::assemble(file.into(), &mut |_| None);
        let model = analyze(&program, &Settings::default()).model;
        let properties = model.expect("a meaning").properties;
        let parts: Vec<&FormulaPart> = properties.iter().flat_map(|one| &one.parts).collect();
        assert!(parts.iter().all(|part| part.ltl.propositions.len() <= 1));
        assert_eq!(parts.len(), 6);
    }

    #[test]
    fn parts_that_would_be_much_more_than_the_formula_are_not_made() {
        let formula = |parts: usize| {
            let parts: Vec<String> = (0..parts).map(|at| format!("x != {at}")).collect();
            format!(
                "{MODEL}ltl f: (exists a in 0..19, b in 0..29: x == a + b) implies ({})\n",
                parts.join(" and ")
            )
        };
        assert_eq!(parts(&formula(3)).len(), 3);
        assert_eq!(parts(&formula(40)).len(), 0);
    }

    #[test]
    fn a_formula_of_sixty_four_parts_is_taken_apart() {
        let formula =
            |count: usize| format!("{MODEL}ltl f: forall k in 1..{count}: always x < 3\n");
        let found = [63, 64, 65].map(|count| parts(&formula(count)).len());
        assert_eq!(found, [63, 64, 0]);
    }

    #[test]
    fn what_stands_a_hundred_deep_is_taken_apart() {
        let formula = |depth: usize| {
            let (open, close) = ("(".repeat(depth), ")".repeat(depth));
            format!("{MODEL}ltl f: {open}always x < 2 and eventually x == 3{close}\n")
        };
        let found = [99, 100, 101].map(|depth| parts(&formula(depth)).len());
        assert_eq!(found, [2, 2, 0]);
    }

    #[test]
    fn a_formula_that_is_large_when_it_is_written_out_is_not_taken_apart() {
        let file = ParsedFile::new("m.stb", &*format!("{MODEL}ltl f: always x < 2 and x < 3\n"));
        let program = Program::assemble(file.into(), &mut |_| None);
        let settings = Settings::default();
        let mut elaborator = Elaborator::new(&program, &settings);
        let items = elaborator.items();
        let mut items = items.iter();
        let (file, formula) = items
            .find_map(|item| match &item.ast {
                ast::Item::Ltl(formula) => Some((item.file, formula.clone())),
                _ => None,
            })
            .expect("a formula");
        let env = elaborator.file_env(file);
        let body = formula.formula().expect("what it says");
        let around = [LARGEST_WRITTEN - 1, LARGEST_WRITTEN, LARGEST_WRITTEN + 1];
        let found = around.map(|written| super::parts(&mut elaborator, &env, &body, written).len());
        assert_eq!(found, [2, 2, 0]);
    }
}
