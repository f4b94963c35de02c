//! Invariants and progress.

use stubborn_syntax::ast::{self, HasParams};

use crate::claim::Claim;
use crate::elaborate::Elaborator;
use crate::names::Item;
use crate::system::Expr;

use super::{Property, for_each_value, name_of};

pub(super) fn invariant(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::InvariantDecl,
    found: &mut Vec<Property>,
) {
    condition(
        elaborator,
        item,
        ast,
        ast.condition(),
        Claim::Invariant,
        found,
    );
}

pub(super) fn progress(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::ProgressDecl,
    found: &mut Vec<Property>,
) {
    let claim = match ast.mode() {
        Some(ast::ProgressMode::Must) => Claim::MustProgress,
        _ => Claim::MayProgress,
    };
    condition(elaborator, item, ast, ast.condition(), claim, found);
}

fn condition(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &(impl HasParams + ast::HasName),
    condition: Option<ast::Expr>,
    claim: fn(Expr) -> Claim,
    found: &mut Vec<Property>,
) {
    let Some((base, span)) = name_of(item, ast) else {
        return;
    };
    let Some(condition) = condition else { return };
    for_each_value(
        elaborator,
        item,
        &ast.params(),
        span,
        &mut |this, env, shown| {
            let claim = claim(this.boolean(env, &condition, "a property").expr);
            found.push(Property {
                name: shown(&base),
                base: base.clone(),
                form: claim.form(),
                claim,
                span,
                monitor: None,
            });
        },
    );
}
