//! Invariants and progress.

use stubborn_syntax::ast::{self, HasParams};

use crate::elaborate::Elaborator;
use crate::names::Item;
use stubborn_system::property::Property;
use stubborn_system::system::Expr;

use super::{NamedProperty, for_each_value, name_of};

pub(super) fn invariant(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::InvariantDecl,
    found: &mut Vec<NamedProperty>,
) {
    condition(
        elaborator,
        item,
        ast,
        ast.condition(),
        Property::Invariant,
        found,
    );
}

pub(super) fn progress(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::ProgressDecl,
    found: &mut Vec<NamedProperty>,
) {
    let property = match ast.mode() {
        Some(ast::ProgressMode::Must) => Property::MustProgress,
        _ => Property::MayProgress,
    };
    condition(elaborator, item, ast, ast.condition(), property, found);
}

pub(super) fn reachable(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::ReachableDecl,
    found: &mut Vec<NamedProperty>,
) {
    condition(
        elaborator,
        item,
        ast,
        ast.condition(),
        Property::Reachable,
        found,
    );
}

fn condition(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &(impl HasParams + ast::HasName),
    condition: Option<ast::Expr>,
    property: fn(Expr) -> Property,
    found: &mut Vec<NamedProperty>,
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
            let property = property(this.boolean(env, &condition, "a property").expr);
            found.push(NamedProperty {
                name: shown(&base),
                base: base.clone(),
                form: property.form(),
                property,
                span,
                monitor: None,
                parts: Vec::new(),
                expected_violated: false,
            });
        },
    );
}
