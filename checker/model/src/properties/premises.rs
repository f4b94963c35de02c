//! What has to happen for a property to say anything: the left side of an `implies` is true some time, a name that an
//! automaton observes changes.
//!
//! `always (p implies f)`, `forall i in Id: p(i) implies q(i)` and conjunctions of such hold wherever `p` is
//! never true, whatever stands behind: I. Beer, S. Ben-David, C. Eisner and Y. Rodeh, "Efficient Detection of
//! Vacuity in Temporal Model Checking" (FMSD 18, 2001). Only what is always asked counts: what stands
//! below `exists`, `or`, `not`, `eventually` and `until` may well be there for what does not happen. On the right of an
//! `implies` another one is asked where both left sides are true. What stands outside of every `always` of a formula is asked
//! of the initial state alone.

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;

use super::formulas::has_temporal_operator;
use super::named::{Premise, PremiseKind};
use super::parts::{DEEPEST, LARGEST_WRITTEN};
use crate::declarations::Opened;
use crate::elaborate::Elaborator;
use crate::steps::each;
use stubborn_system::source::Span;
use stubborn_system::system::Expr;

/// A property with more of them is not asked about them.
const MOST_PREMISES: usize = 32;

/// The premises of a formula that has no mistakes, or of a condition, which is asked `always`, in the order of the text.
pub(super) fn premises(
    elaborator: &mut Elaborator,
    body: &ast::Expr,
    always: bool,
) -> Vec<Premise> {
    if !has_implication(body) {
        return Vec::new();
    }
    let found = elaborator.quietly(|this| {
        let mut looking = Looking {
            order: Vec::new(),
            cases: FxHashMap::default(),
            always,
            around: Vec::new(),
            most: this.work + LARGEST_WRITTEN,
        };
        looking.take(this, body, 0);
        (this.work <= looking.most).then_some(looking)
    });
    let Some(Some(mut looking)) = found else {
        return Vec::new();
    };
    if looking.order.len() > MOST_PREMISES {
        return Vec::new();
    }
    let premises = looking
        .order
        .iter()
        .filter_map(|at @ (span, always, is_within)| {
            let mut cases = looking.cases.remove(at)?;
            let condition = match cases.len() {
                // The text alone decides it.
                0 => return None,
                1 => cases.pop()?,
                _ => Expr::Any(cases),
            };
            Some(Premise {
                span: *span,
                kind: match (always, is_within) {
                    (true, false) => PremiseKind::Given,
                    (_, true) => PremiseKind::GivenWithin,
                    (false, false) => PremiseKind::GivenAtStart,
                },
                condition,
            })
        });
    premises.collect()
}

/// Whether it is worth looking: an `implies`, or a definition that may have one.
fn has_implication(body: &ast::Expr) -> bool {
    use ast::AstNode;
    let mut nodes = body.syntax().descendants();
    nodes.any(|node| match ast::Expr::cast(node) {
        Some(ast::Expr::Binary(binary)) => binary.op() == Some(ast::BinaryOp::Implies),
        Some(ast::Expr::Name(_) | ast::Expr::Call(_)) => true,
        _ => false,
    })
}

struct Looking {
    /// Where they stand, whether they are always asked, and whether to the right of another.
    order: Vec<(Span, bool, bool)>,
    cases: FxHashMap<(Span, bool, bool), Vec<Expr>>,
    /// What is looked at is asked in every state, and not in the initial one alone.
    always: bool,
    /// The left sides to whose right it stands.
    around: Vec<Expr>,
    /// How many parts the elaborator may have written out.
    most: u64,
}

impl Looking {
    fn take(&mut self, elaborator: &mut Elaborator, expr: &ast::Expr, depth: u32) {
        if depth > DEEPEST || elaborator.work > self.most {
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
                    let around = std::mem::replace(&mut self.always, true);
                    self.take(elaborator, &operand, depth);
                    self.always = around;
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::And) => {
                for operand in binary.lhs().into_iter().chain(binary.rhs()) {
                    self.take(elaborator, &operand, depth);
                }
            }
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Implies) => {
                let is_now = |side: &ast::Expr| !has_temporal_operator(side);
                if let Some(given) = binary.lhs().filter(is_now) {
                    let given = self.add(elaborator, &given);
                    // What is asked later is asked of another state, and what is asked of the initial state alone may be
                    // true there where what stands before it is not.
                    if let Some(implied) = binary.rhs().filter(is_now).filter(|_| self.always) {
                        self.around.push(given);
                        self.take(elaborator, &implied, depth);
                        self.around.pop();
                    }
                }
            }
            ast::Expr::Quantifier(quantifier)
                if quantifier.quantifier() == Some(ast::Quantifier::Forall)
                    && elaborator.goes_through_types(quantifier) =>
            {
                let Some(body) = quantifier.body() else {
                    return;
                };
                let bindings: Vec<ast::Binding> = quantifier.bindings().collect();
                each(elaborator, &bindings, &mut |this| {
                    self.take(this, &body, depth);
                    this.work <= self.most
                });
            }
            _ => {
                if let Some(Opened { env, body, .. }) = elaborator.opened_definition(expr) {
                    elaborator.in_scope(&env, |this| self.take(this, &body, depth));
                }
            }
        }
    }

    /// Adds a left side, and gives what it means.
    fn add(&mut self, elaborator: &mut Elaborator, given: &ast::Expr) -> Expr {
        let span = elaborator.span(given);
        let given = elaborator.boolean(given, "a condition");
        let at = (span, self.always, !self.around.is_empty());
        let cases = self.cases.entry(at).or_insert_with(|| {
            self.order.push(at);
            Vec::new()
        });
        // What is constant, and false for these values, leaves it to others. A location to which nothing leads has
        // `false` in its place as well, and that is no constant of the text: it has to be told.
        if given.known.is_none() || given.expr != Expr::int(0) {
            cases.push(match &self.around[..] {
                [] => given.expr.clone(),
                around => Expr::All(around.iter().chain([&given.expr]).cloned().collect()),
            });
        }
        given.expr
    }
}
