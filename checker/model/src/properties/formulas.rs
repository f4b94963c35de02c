//! Linear temporal logic.

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, AstNode};

use crate::elaborate::Elaborator;
use crate::expressions::typed::Typed;
use crate::problem::Code;
use crate::steps::each;
use stubborn_system::property::Formula;
use stubborn_system::system::{Expr, Value};

/// Whether the operator speaks of a run.
fn temporal_prefix(op: ast::PrefixOp) -> bool {
    matches!(
        op,
        ast::PrefixOp::Always | ast::PrefixOp::Eventually | ast::PrefixOp::Next
    )
}

fn temporal_binary(op: ast::BinaryOp) -> bool {
    matches!(
        op,
        ast::BinaryOp::Until | ast::BinaryOp::WeakUntil | ast::BinaryOp::Release
    )
}

/// The first temporal operator in an expression.
fn temporal_operator(expr: &ast::Expr) -> Option<stubborn_syntax::SyntaxToken> {
    expr.syntax()
        .descendants()
        .find_map(|node| match ast::Expr::cast(node)? {
            ast::Expr::Prefix(prefix) if prefix.op().is_some_and(temporal_prefix) => {
                prefix.op_token()
            }
            ast::Expr::Binary(binary) if binary.op().is_some_and(temporal_binary) => {
                binary.op_token()
            }
            _ => None,
        })
}

pub(super) fn has_temporal_operator(expr: &ast::Expr) -> bool {
    temporal_operator(expr).is_some()
}

/// The parts of a formula without temporal operators, each once.
#[derive(Default)]
pub(super) struct Propositions {
    pub list: Vec<Expr>,
    numbers: FxHashMap<Expr, u32>,
}

impl Propositions {
    pub(super) fn formula(&mut self, expr: Expr) -> Formula {
        if let Expr::Const(Value::Int(value)) = expr {
            return Formula::Constant(value != 0);
        }
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(expr.clone()).or_insert(next);
        if number == next {
            self.list.push(expr);
        }
        Formula::Proposition(number)
    }
}

/// Reads a formula. What has no temporal operator in it is one expression.
pub(super) fn formula(
    elaborator: &mut Elaborator,
    expr: &ast::Expr,
    propositions: &mut Propositions,
) -> Formula {
    let Some(operator) = temporal_operator(expr) else {
        let typed = elaborator.boolean(expr, "a formula");
        return propositions.formula(typed.expr);
    };
    let mut read = |elaborator: &mut Elaborator, operand: Option<ast::Expr>| match operand {
        Some(operand) => formula(elaborator, &operand, propositions),
        // There is an error about what is missing.
        None => Formula::Constant(true),
    };
    let not = |formula| Formula::Not(Box::new(formula));
    match expr {
        ast::Expr::Paren(inner) => read(elaborator, inner.inner()),
        ast::Expr::Prefix(prefix)
            if prefix
                .op()
                .is_some_and(|op| temporal_prefix(op) || op == ast::PrefixOp::Not) =>
        {
            let operand = read(elaborator, prefix.operand());
            match prefix.op() {
                Some(ast::PrefixOp::Not) => not(operand),
                Some(ast::PrefixOp::Eventually) => Formula::Eventually(Box::new(operand)),
                // There is an error about `next`.
                _ => Formula::Always(Box::new(operand)),
            }
        }
        ast::Expr::Binary(binary)
            if binary.op().is_some_and(|op| {
                temporal_binary(op)
                    || matches!(
                        op,
                        ast::BinaryOp::And | ast::BinaryOp::Or | ast::BinaryOp::Implies
                    )
            }) =>
        {
            let left = read(elaborator, binary.lhs());
            let right = read(elaborator, binary.rhs());
            let (l, r) = (Box::new(left.clone()), Box::new(right.clone()));
            match binary.op() {
                Some(ast::BinaryOp::And) => Formula::All(vec![left, right]),
                Some(ast::BinaryOp::Or) => Formula::Any(vec![left, right]),
                Some(ast::BinaryOp::Until) => Formula::Until(l, r),
                Some(ast::BinaryOp::WeakUntil) => Formula::WeakUntil(l, r),
                Some(ast::BinaryOp::Release) => Formula::Release(l, r),
                _ => Formula::Any(vec![not(left), right]),
            }
        }
        ast::Expr::Quantifier(quantifier) => {
            let bindings: Vec<ast::Binding> = quantifier.bindings().collect();
            let mut parts = Vec::new();
            if let Some(body) = quantifier.body() {
                let clause = quantifier.where_clause();
                let condition = clause.and_then(|it| it.condition());
                each(elaborator, &bindings, &mut |this| {
                    let kept = condition.as_ref().map(|it| this.boolean(it, "`where`"));
                    if kept.as_ref().and_then(Typed::scalar) == Some(0) {
                        return true;
                    }
                    let part = formula(this, &body, propositions);
                    let kept = kept.filter(|kept| kept.scalar().is_none());
                    parts.push(match (kept, quantifier.quantifier()) {
                        (None, _) => part,
                        (Some(kept), Some(ast::Quantifier::Exists)) => {
                            Formula::All(vec![propositions.formula(kept.expr), part])
                        }
                        (Some(kept), _) => {
                            Formula::Any(vec![not(propositions.formula(kept.expr)), part])
                        }
                    });
                    true
                });
            }
            match quantifier.quantifier() {
                Some(ast::Quantifier::Exists) => Formula::Any(parts),
                _ => Formula::All(parts),
            }
        }
        _ => {
            let quoted = elaborator.quoted(expr);
            let message = format!(
                "a temporal operator cannot stand inside {quoted}; only `not`, `and`, `or`, \
                     `implies`, quantifiers and other temporal operators hold formulas"
            );
            let span = crate::spans::token_span(elaborator.env.file, &operator);
            elaborator.error(Code::Misplaced, span, message);
            Formula::Constant(true)
        }
    }
}
