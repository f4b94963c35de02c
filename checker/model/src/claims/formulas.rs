//! Linear temporal logic.

use stubborn_syntax::ast::{self, AstNode, HasParams};

use crate::claim::{Claim, Form};
use crate::elaborate::Elaborator;
use crate::names::{Env, Item};
use crate::problem::Code;
use crate::steps::each;

use super::{Property, for_each_value, name_of};

pub(super) fn ltl(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::LtlDecl,
    found: &mut Vec<Property>,
) {
    let Some((base, span)) = name_of(item, ast) else {
        return;
    };
    let Some(body) = ast.formula() else { return };
    for_each_value(
        elaborator,
        item,
        &ast.params(),
        span,
        &mut |this, env, shown| {
            formula(this, env, &body);
            found.push(Property {
                name: shown(&base),
                base: base.clone(),
                claim: Claim::NotBuilt(Form::Ltl),
                form: Form::Ltl,
                span,
                monitor: None,
            });
        },
    );
}

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

/// Checks a formula. What has no temporal operator in it is one expression.
fn formula(elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr) {
    let Some(operator) = temporal_operator(expr) else {
        elaborator.boolean(env, expr, "a formula");
        return;
    };
    match expr {
        ast::Expr::Paren(inner) => {
            if let Some(inner) = inner.inner() {
                formula(elaborator, env, &inner);
            }
        }
        ast::Expr::Prefix(prefix)
            if prefix
                .op()
                .is_some_and(|op| temporal_prefix(op) || op == ast::PrefixOp::Not) =>
        {
            if let Some(operand) = prefix.operand() {
                formula(elaborator, env, &operand);
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
            for operand in [binary.lhs(), binary.rhs()].into_iter().flatten() {
                formula(elaborator, env, &operand);
            }
        }
        ast::Expr::Quantifier(quantifier) => {
            let bindings: Vec<ast::Binding> = quantifier.bindings().collect();
            let Some(body) = quantifier.body() else {
                return;
            };
            each(elaborator, env, &bindings, &mut |this, env| {
                formula(this, env, &body);
                true
            });
        }
        _ => {
            let quoted = elaborator.quoted(expr);
            elaborator.error(
                Code::Misplaced,
                crate::body::token_span(env.file, &operator),
                format!(
                    "a temporal operator cannot stand inside {quoted}; only `not`, `and`, `or`, \
                     `implies`, quantifiers and other temporal operators hold formulas"
                ),
            );
        }
    }
}
