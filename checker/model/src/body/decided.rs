//! Guards and tests that literals and constants alone decide, whose steps then lead nowhere
//! (`language.md` §6): `while true` is not left.

use rustc_hash::FxHashSet;
use stubborn_syntax::ast::{self, AstNode};

use crate::elaborate::Elaborator;
use crate::names::{Binding, DeclarationKind, Env};
use stubborn_system::source::Span;

use super::Builder;

impl Builder<'_, '_> {
    /// The value of a truth value that literals and constants alone decide: no `param`, no
    /// parameter of the process, no state.
    pub(super) fn decided(&mut self, env: &Env, expr: &ast::Expr) -> Option<bool> {
        decided(self.elaborator, env, expr, 0)
    }
}

/// How deep definitions and arguments are followed.
const DEEPEST: u32 = 50;

fn decided(elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr, depth: u32) -> Option<bool> {
    if depth > DEEPEST {
        return None;
    }
    match expr {
        ast::Expr::Paren(inner) => decided(elaborator, env, &inner.inner()?, depth),
        ast::Expr::Literal(literal) => match literal.value()? {
            ast::LiteralValue::Bool(value) => Some(value),
            ast::LiteralValue::Int(_) => None,
        },
        ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Not) => {
            Some(!decided(elaborator, env, &prefix.operand()?, depth)?)
        }
        ast::Expr::Binary(binary)
            if matches!(
                binary.op(),
                Some(ast::BinaryOp::And | ast::BinaryOp::Or | ast::BinaryOp::Implies)
            ) =>
        {
            let lhs = decided(elaborator, env, &binary.lhs()?, depth);
            let rhs = decided(elaborator, env, &binary.rhs()?, depth);
            match binary.op()? {
                ast::BinaryOp::And if lhs == Some(false) || rhs == Some(false) => Some(false),
                ast::BinaryOp::Or if lhs == Some(true) || rhs == Some(true) => Some(true),
                ast::BinaryOp::Implies if lhs == Some(false) || rhs == Some(true) => Some(true),
                ast::BinaryOp::And => Some(lhs? && rhs?),
                ast::BinaryOp::Or => Some(lhs? || rhs?),
                _ => Some(!lhs? || rhs?),
            }
        }
        _ => {
            let mut visited = FxHashSet::default();
            if !is_fixed(elaborator, env, expr.syntax(), &mut visited, depth) {
                return None;
            }
            // What fails in it is told where it is read.
            let value = elaborator.not_evaluated(|this| this.expr(env, expr, None));
            value
                .scalar()
                .filter(|_| value.ty == crate::types::Ty::Bool)
                .map(|value| value != 0)
        }
    }
}

/// Whether every name below the node stands for a literal or a constant in the end.
fn is_fixed(
    elaborator: &Elaborator,
    env: &Env,
    node: &stubborn_syntax::SyntaxNode,
    visited: &mut FxHashSet<Span>,
    depth: u32,
) -> bool {
    if depth > DEEPEST {
        return false;
    }
    for node in node.descendants() {
        let Some(expr) = ast::Expr::cast(node) else {
            continue;
        };
        let name = match &expr {
            // What these bind is neither literal nor constant, but the test rarely needs them.
            ast::Expr::Quantifier(_) | ast::Expr::Aggregate(_) | ast::Expr::Comprehension(_) => {
                return false;
            }
            ast::Expr::At(_) => return false,
            ast::Expr::Name(name) => name.name_ref(),
            ast::Expr::Call(call) => call.name_ref(),
            _ => continue,
        };
        let Some(name) = name else { return false };
        let name = name.text();
        if let Some((binding, _)) = env.lookup(&name) {
            let Binding::Argument { expr, env, .. } = binding else {
                return false;
            };
            if !is_fixed(elaborator, env, expr.syntax(), visited, depth + 1) {
                return false;
            }
            continue;
        }
        let Some(id) = elaborator.declared_name(env.file, &name) else {
            // A built-in function of fixed arguments, or a name that does not exist.
            if matches!(expr, ast::Expr::Call(_)) && is_function(&name) {
                continue;
            }
            return false;
        };
        let declaration = elaborator.declaration(id);
        let inner = match &declaration.kind {
            DeclarationKind::EnumerationValue(..) => None,
            DeclarationKind::Constant(constant) => constant.value(),
            DeclarationKind::Definition(definition)
                if ast::HasParams::params(definition).is_empty() =>
            {
                definition.body()
            }
            _ => return false,
        };
        if let Some(inner) = inner
            && visited.insert(declaration.span)
        {
            let env = Env::of_file(declaration.span.file);
            if !is_fixed(elaborator, &env, inner.syntax(), visited, depth + 1) {
                return false;
            }
        }
    }
    true
}

/// Built-in functions of numbers; `len`, `empty` and `full` are of the state.
fn is_function(name: &str) -> bool {
    matches!(name, "min" | "max") || name.starts_with("bit_") || name.starts_with("shift_")
}
