//! Guards and tests that literals and constants alone decide, whose steps then lead nowhere
//! (`language.md` §6): `while true` is not left.

use rustc_hash::FxHashSet;
use stubborn_syntax::ast::{self, AstNode};

use crate::elaborate::Elaborator;
use crate::names::{Binding, DeclarationId, DeclarationKind, Env};

use super::Builder;

impl Builder<'_, '_> {
    /// The value of a truth value that literals and constants alone decide: no `param`, no
    /// parameter of the process, no state.
    pub(super) fn decided(&mut self, env: &Env, expr: &ast::Expr) -> Option<bool> {
        self.elaborator.in_scope(env, |this| decided(this, expr))
    }
}

fn decided(elaborator: &mut Elaborator, expr: &ast::Expr) -> Option<bool> {
    match expr {
        ast::Expr::Paren(inner) => decided(elaborator, &inner.inner()?),
        ast::Expr::Literal(literal) => match literal.value()? {
            ast::LiteralValue::Bool(value) => Some(value),
            ast::LiteralValue::Int(_) => None,
        },
        ast::Expr::Prefix(prefix) if prefix.op() == Some(ast::PrefixOp::Not) => {
            Some(!decided(elaborator, &prefix.operand()?)?)
        }
        ast::Expr::Binary(binary)
            if matches!(
                binary.op(),
                Some(ast::BinaryOp::And | ast::BinaryOp::Or | ast::BinaryOp::Implies)
            ) =>
        {
            let lhs = decided(elaborator, &binary.lhs()?);
            let rhs = decided(elaborator, &binary.rhs()?);
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
            if !is_fixed(elaborator, expr) {
                return None;
            }
            // What fails in it is told where it is read.
            let value = elaborator.not_evaluated(|this| this.expr(expr, None));
            value
                .scalar()
                .filter(|_| value.ty == crate::types::Ty::Bool)
                .map(|value| value != 0)
        }
    }
}

/// Whether every name in it stands for a literal or a constant in the end, however far from here. An
/// argument of a macro is followed once, however often it is used by the arguments of others.
fn is_fixed(elaborator: &mut Elaborator, expr: &ast::Expr) -> bool {
    let mut followed: FxHashSet<*const Binding> = FxHashSet::default();
    let mut open = vec![(expr.clone(), elaborator.env.clone())];
    while let Some((expr, env)) = open.pop() {
        let Some(names) = names(&expr) else {
            return false;
        };
        for (name, is_function) in names {
            match env.lookup(&name) {
                Some((binding @ Binding::Argument { expr, env, .. }, _)) => {
                    if followed.insert(std::ptr::from_ref(binding)) {
                        open.push((expr.clone(), env.clone()));
                    }
                }
                Some(_) => return false,
                None => match elaborator.declared_name(env.file, &name) {
                    Some(id) if is_declared_fixed(elaborator, id) => {}
                    None if is_function => {}
                    _ => return false,
                },
            }
        }
    }
    true
}

/// As [`is_fixed`], of what is declared, which is found out once. What uses itself is told elsewhere.
fn is_declared_fixed(elaborator: &mut Elaborator, id: DeclarationId) -> bool {
    // Each with what it uses and is still to be looked at.
    let mut around: Vec<(DeclarationId, Vec<DeclarationId>)> = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next {
        let used = match elaborator.fixed.get(&id) {
            Some(true) => Some(Vec::new()),
            Some(false) => None,
            None => used_by(elaborator, id),
        };
        elaborator.fixed.insert(id, used.is_some());
        let Some(used) = used else {
            let around = around.into_iter().map(|(id, _)| (id, false));
            elaborator.fixed.extend(around);
            return false;
        };
        around.push((id, used));
        next = None;
        while let Some((_, used)) = around.last_mut() {
            next = used.pop();
            if next.is_some() {
                break;
            }
            around.pop();
        }
    }
    true
}

/// What a declaration uses; `None` where it is no constant, or something in it is none.
fn used_by(elaborator: &Elaborator, id: DeclarationId) -> Option<Vec<DeclarationId>> {
    let declaration = elaborator.declaration(id);
    let body = match &declaration.kind {
        DeclarationKind::EnumerationValue(..) => None,
        DeclarationKind::Constant(constant) => constant.value(),
        DeclarationKind::Definition(definition)
            if ast::HasParams::params(definition).is_empty() =>
        {
            definition.body()
        }
        _ => return None,
    };
    let names = body.map_or(Some(Vec::new()), |body| names(&body))?;
    let file = declaration.span.file;
    let used = names.into_iter().filter_map(|(name, is_function)| {
        let id = elaborator.declared_name(file, &name);
        (id.is_some() || !is_function).then_some(id)
    });
    used.collect()
}

/// The names in an expression, each with whether it is the one of a built-in function if nothing else
/// has it; `None` where something is there that is no constant.
fn names(expr: &ast::Expr) -> Option<Vec<(String, bool)>> {
    let mut names = Vec::new();
    for node in expr.syntax().descendants() {
        let Some(expr) = ast::Expr::cast(node) else {
            continue;
        };
        let name = match &expr {
            // What these bind is neither literal nor constant, but the test rarely needs them.
            ast::Expr::Quantifier(_) | ast::Expr::Aggregate(_) | ast::Expr::Comprehension(_) => {
                return None;
            }
            ast::Expr::At(_) => return None,
            ast::Expr::Name(name) => name.name_ref(),
            ast::Expr::Call(call) => call.name_ref(),
            _ => continue,
        };
        let name = name?.text();
        let is_function = matches!(expr, ast::Expr::Call(_)) && is_function(&name);
        names.push((name, is_function));
    }
    Some(names)
}

/// Built-in functions of numbers; `len`, `empty` and `full` are of the state.
fn is_function(name: &str) -> bool {
    matches!(name, "min" | "max") || name.starts_with("bit_") || name.starts_with("shift_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elaborate::Settings;
    use crate::tests::program;
    use crate::types::Domain;
    use stubborn_system::source::{FileId, Span};

    #[test]
    fn an_argument_is_followed_once_however_often_others_use_it() {
        let program = program("invariant i: v and v\n");
        let settings = Settings::default();
        let mut elaborator = Elaborator::new(&program, &settings);
        let body = elaborator.items().iter().find_map(|item| match &item.ast {
            ast::Item::Invariant(invariant) => invariant.condition(),
            _ => None,
        });
        let body = body.expect("a condition");
        let span = Span::new(FileId(0), 0, 0);
        let argument = |env: &Env| Binding::Argument {
            expr: body.clone(),
            env: env.clone(),
            domain: Domain::unknown(),
            expansion: None,
        };
        // The last one hands on what nobody declares, two to the hundredth times.
        let nothing = Env::of_file(FileId(0));
        let env = (0..100).fold(nothing, |env, _| env.with("v", span, argument(&env)));
        assert!(!elaborator.in_scope(&env, |this| is_fixed(this, &body)));
    }
}
