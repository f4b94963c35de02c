//! The parts of a formula: what it joins by `and`, each in the words of the text.
//!
//! A formula holds of a run if and only if all of its parts do, so that where it does not hold some
//! part says why. `always (f and g)` is `always f` and `always g`, `h implies (f and g)` is
//! `h implies f` and `h implies g`, `forall` is one conjunct for each value, and a definition is what it
//! stands for; all else is one part.

use stubborn_syntax::ast;

use super::formulas::{Propositions, formula, has_temporal_operator};
use crate::elaborate::{Elaborator, span_of};
use crate::names::Env;
use crate::names::env::Binding;
use crate::steps::each;
use stubborn_system::property::{Formula, Ltl};
use stubborn_system::source::Span;

/// A formula with more parts than this is not taken apart,
const MOST_PARTS: usize = 64;
/// nor is one that is larger, written out, so that its parts cost little beside it,
const LARGEST_WRITTEN: u64 = 10_000;
/// and nothing is that stands deeper within it.
const DEEPEST: u32 = 100;
/// So many characters are quoted.
const LONGEST: usize = 80;

/// One of the parts of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaPart {
    /// In the words of the text, with the values of what `forall` binds: `` `always (x != k)` for k = 3 ``.
    pub text: String,
    /// Where these words stand.
    pub span: Span,
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
        };
        apart.take(this, env, body, 0);
        apart.found
    });
    let found = found.unwrap_or_default();
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
}

struct Apart {
    found: Vec<FormulaPart>,
    /// From the outside in.
    around: Vec<Around>,
    /// What `forall` has bound: `k = 3`.
    values: Vec<String>,
}

impl Apart {
    fn take(&mut self, elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr, depth: u32) {
        if self.found.len() > MOST_PARTS {
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
                    self.unless_apart(before, env, expr);
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
                    self.unless_apart(before, env, expr);
                }
            }
            ast::Expr::Quantifier(quantifier)
                if quantifier.quantifier() != Some(ast::Quantifier::Exists) =>
            {
                let Some(body) = quantifier.body() else {
                    return;
                };
                let bindings: Vec<ast::Binding> = quantifier.bindings().collect();
                each(elaborator, env, &bindings, &mut |this, env| {
                    let bound = self.values.len();
                    self.values
                        .extend(bindings.iter().filter_map(|one| shown(env, one)));
                    self.take(this, env, &body, depth);
                    self.values.truncate(bound);
                    self.found.len() <= MOST_PARTS
                });
            }
            _ => match elaborator.opened_definition(env, expr) {
                Some((inside, body)) if !has_temporal_operator(&body) => {
                    let before = self.found.len();
                    self.take(elaborator, &inside, &body, depth);
                    self.unless_apart(before, env, expr);
                }
                _ => self.part(elaborator, env, expr),
            },
        }
    }

    /// What was found since then is known by the words of `expr`, where it is one part alone.
    fn unless_apart(&mut self, before: usize, env: &Env, expr: &ast::Expr) {
        let words = self.words(expr);
        if let [part] = &mut self.found[before..] {
            part.text = words;
            part.span = span_of(env.file, expr);
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
            };
        }
        let quoted = match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("`{}…`", &line[..end]),
            None => format!("`{line}`"),
        };
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
            };
        }
        self.found.push(FormulaPart {
            text: self.words(expr),
            span: span_of(env.file, expr),
            ltl: Ltl {
                propositions: propositions.list,
                formula: whole,
            },
        });
    }
}

fn on_one_line(expr: &ast::Expr) -> String {
    let text = ast::AstNode::syntax(expr).text().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `k = 3`, for what a `forall` binds.
fn shown(env: &Env, binding: &ast::Binding) -> Option<String> {
    let name = ast::HasName::name(binding)?.text();
    match env.lookup(&name)?.0 {
        Binding::Constant { value, domain, .. } => {
            Some(format!("{name} = {}", domain.shape.scalar(*value)))
        }
        _ => None,
    }
}
