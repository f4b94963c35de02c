//! The parts of a formula: what it joins by `and`, each in the words of the text. An invariant is a formula without
//! temporal operators.
//!
//! A formula holds of a run if and only if all of its parts do, so that where it does not hold some
//! part says why. `always (f and g)` is `always f` and `always g`, `h implies (f and g)` is
//! `h implies f` and `h implies g`, `h or forall k in T: f` is `h or f` for each value, and `if h then f else g` are `h implies f` and `not h implies g`; `forall` is one
//! conjunct for each value, `not exists` and `not (f or g)` are what they come to, `f == true` is `f`, and a definition is
//! what it stands for; all else is one part.

use stubborn_syntax::ast;

use super::formulas::{Propositions, formula, has_temporal_operator};
use super::words::quoted;
use crate::declarations::Opened;
use crate::elaborate::Elaborator;
use crate::names::Env;
use crate::names::env::Binding;
use crate::steps::each;
use stubborn_system::property::{Formula, Ltl};

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
    let found = elaborator.quietly(|this| {
        let mut apart = Apart {
            found: Vec::new(),
            around: Vec::new(),
            values: Vec::new(),
            most: this.work() + MORE * written + LEAST,
        };
        apart.take(this, env, body, 0);
        (this.work() <= apart.most).then_some(apart.found)
    });
    let found = found.flatten().unwrap_or_default();
    match found.len() {
        2..=MOST_PARTS => found,
        _ => Vec::new(),
    }
}

/// What is around a part.
#[derive(Clone)]
enum Around {
    Always,
    /// The left side of an `implies`.
    Given(ast::Expr, Env),
    /// The test of an `if`, and whether it is true where the part counts.
    If(ast::Expr, Env, bool),
    Not,
    /// What stands before it and behind it in a chain of `or`s.
    Or(Vec<ast::Expr>, Vec<ast::Expr>, Env),
}

struct Apart {
    found: Vec<FormulaPart>,
    /// From the outside in.
    around: Vec<Around>,
    /// What `forall` and arguments have bound: `k = 3`.
    values: Vec<String>,
    /// How many parts the elaborator may have written out.
    most: u64,
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
                    self.around.push(Around::Always);
                    self.take(elaborator, env, &operand, depth);
                    self.around.pop();
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
                    self.around.push(Around::Given(given, env.clone()));
                    self.take(elaborator, env, &right, depth);
                    self.around.pop();
                    self.unless_apart(before, expr);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Or) => {
                let operands = operands_of_or(expr);
                let mut is_apart =
                    |one: &ast::Expr| is_for_each_value(elaborator, env, one, DEEPEST);
                match operands.iter().rposition(&mut is_apart) {
                    Some(at) => {
                        let before = self.found.len();
                        let (left, right) = (operands[..at].to_vec(), operands[at + 1..].to_vec());
                        self.around.push(Around::Or(left, right, env.clone()));
                        self.take(elaborator, env, &operands[at], depth);
                        self.around.pop();
                        self.unless_apart(before, expr);
                    }
                    None => self.part(elaborator, env, expr),
                }
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
            ast::Expr::If(choice) => {
                let before = self.found.len();
                let values = [(choice.then_value(), true), (choice.else_value(), false)];
                for (value, is_true) in values {
                    if let (Some(test), Some(value)) = (choice.condition(), value)
                        && !matches!(&value, ast::Expr::Literal(literal)
                            if literal.value() == Some(ast::LiteralValue::Bool(true)))
                    {
                        self.around.push(Around::If(test, env.clone(), is_true));
                        self.take(elaborator, env, &value, depth);
                        self.around.pop();
                    }
                }
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
                }) if !has_temporal_operator(&body) => {
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
        self.around.push(Around::Not);
        self.part(elaborator, env, expr);
        self.around.pop();
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
        let mut line = on_one_line(expr);
        for around in self.around.iter().rev() {
            line = match around {
                Around::Always if line.contains(' ') => format!("always ({line})"),
                Around::Always => format!("always {line}"),
                Around::Given(given, _) => format!("{} implies {line}", on_one_line(given)),
                Around::If(test, _, true) => format!("if {} then {line}", on_one_line(test)),
                Around::If(test, _, false) => format!("if not ({}) then {line}", on_one_line(test)),
                Around::Or(left, right, _) => {
                    let line = match reaches_far(&line) {
                        true => format!("({line})"),
                        false => line,
                    };
                    let [left, right] = [left, right].map(|them| them.iter().map(on_one_line));
                    let all: Vec<String> = left.chain([line]).chain(right).collect();
                    all.join(" or ")
                }
                Around::Not if line.contains(' ') => format!("not ({line})"),
                Around::Not => format!("not {line}"),
            };
        }
        let quoted = quoted(&line);
        match self.values.is_empty() {
            true => quoted,
            false => format!("{quoted} for {}", self.values.join(", ")),
        }
    }

    fn part(&mut self, elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr) {
        let mut propositions = Propositions::default();
        let mut whole = formula(elaborator, env, expr, &mut propositions);
        for around in self.around.iter().rev() {
            whole = match around {
                Around::Always => Formula::Always(Box::new(whole)),
                Around::Given(given, env) => {
                    let given = formula(elaborator, env, given, &mut propositions);
                    Formula::Any(vec![Formula::Not(Box::new(given)), whole])
                }
                Around::If(test, env, is_true) => {
                    let test = formula(elaborator, env, test, &mut propositions);
                    let excludes = match is_true {
                        true => Formula::Not(Box::new(test)),
                        false => test,
                    };
                    Formula::Any(vec![excludes, whole])
                }
                Around::Or(left, right, env) => {
                    let mut any = Vec::new();
                    for one in left {
                        any.push(formula(elaborator, env, one, &mut propositions));
                    }
                    any.push(whole);
                    for one in right {
                        any.push(formula(elaborator, env, one, &mut propositions));
                    }
                    Formula::Any(any)
                }
                Around::Not => Formula::Not(Box::new(whole)),
            };
        }
        self.found.push(FormulaPart {
            text: self.words(expr),
            ltl: Ltl {
                propositions: propositions.list,
                formula: whole,
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

/// Whether it would take in what stands behind it, or be taken apart beside an `or`.
fn reaches_far(line: &str) -> bool {
    line.contains(" implies ")
        || ["if ", "forall ", "exists "]
            .iter()
            .any(|word| line.starts_with(word))
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
            formula("x == 3 or x == 2 or exists k in 0..1: x == k").len(),
            0
        );
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
