//! What stands around a part of a formula, and the formula that it makes with it.

use std::rc::Rc;

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::Env;
use crate::properties::formulas::{Propositions, formula, has_temporal_operator};
use stubborn_system::property::Formula;
use stubborn_system::system::{Expr, Unary};

/// What is around a part.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) what: What,
    pub(super) env: Env,
    /// How many values were bound there.
    pub(super) bound: usize,
}

#[derive(Clone)]
pub(super) enum What {
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
pub(super) struct Chain {
    pub(super) operands: Vec<Operand>,
    /// Which it is.
    pub(super) at: usize,
    /// Those behind it of which each value is taken with each of this one, and how deep they stand.
    pub(super) open: Vec<usize>,
    pub(super) depth: u32,
}

#[derive(Clone)]
pub(super) enum Operand {
    Text(ast::Expr),
    /// What has become of one for some values.
    Taken(Rc<Taken>),
}

pub(super) struct Taken {
    pub(super) expr: ast::Expr,
    pub(super) env: Env,
    pub(super) around: Vec<Around>,
    pub(super) values: Vec<String>,
}

impl Chain {
    fn beside(&self) -> impl Iterator<Item = &Operand> {
        let (left, right) = (&self.operands[..self.at], &self.operands[self.at + 1..]);
        left.iter().chain(right)
    }

    pub(super) fn taken(&self) -> impl Iterator<Item = &Rc<Taken>> {
        self.operands.iter().filter_map(|one| match one {
            Operand::Taken(taken) => Some(taken),
            Operand::Text(_) => None,
        })
    }
}

impl What {
    /// What stands beside the part as it stands in the text.
    pub(super) fn operands(&self) -> Vec<&ast::Expr> {
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

    pub(super) fn taken(&self) -> impl Iterator<Item = &Rc<Taken>> {
        let chain = match self {
            What::Or(chain) => Some(chain),
            _ => None,
        };
        chain.into_iter().flat_map(Chain::taken)
    }
}

/// A part with some of what is around it. Without temporal operators it is one expression, in which what stands first keeps
/// what stands behind it from being evaluated, as in the text.
pub(super) enum Built {
    Plain(Expr),
    Formula(Formula),
}

impl Built {
    pub(super) fn formula(self, propositions: &mut Propositions) -> Formula {
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

fn built(elaborator: &mut Elaborator, expr: &ast::Expr, propositions: &mut Propositions) -> Built {
    match has_temporal_operator(expr) {
        true => Built::Formula(formula(elaborator, expr, propositions)),
        false => Built::Plain(elaborator.boolean(expr, "a formula").expr),
    }
}

/// The formula, or the part of one, with what is around it.
pub(super) fn built_within(
    elaborator: &mut Elaborator,
    expr: &ast::Expr,
    around: &[Around],
    propositions: &mut Propositions,
) -> Built {
    let mut whole = built(elaborator, expr, propositions);
    for around in around.iter().rev() {
        let beside = |elaborator: &mut Elaborator, one, propositions: &mut Propositions| {
            elaborator.in_scope(&around.env, |this| built(this, one, propositions))
        };
        whole = match &around.what {
            What::Always => Built::Formula(Formula::Always(Box::new(whole.formula(propositions)))),
            What::Not => whole.not(),
            What::Given(given) => {
                let given = beside(elaborator, given, propositions).not();
                Built::any(vec![given, whole], propositions)
            }
            What::If(test, is_true) => {
                let test = beside(elaborator, test, propositions);
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
                        Operand::Text(text) => Some(beside(elaborator, text, propositions)),
                        Operand::Taken(taken) => {
                            let Taken {
                                env, expr, around, ..
                            } = &**taken;
                            Some(elaborator.in_scope(env, |this| {
                                built_within(this, expr, around, propositions)
                            }))
                        }
                    });
                }
                Built::any(any, propositions)
            }
        };
    }
    whole
}
