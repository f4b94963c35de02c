//! Invariants and progress.

use stubborn_syntax::ast::{self, HasParams};

use crate::elaborate::Elaborator;
use crate::names::Item;
use stubborn_system::property::Property;
use stubborn_system::system::Expr;

use super::parts::parts;
use super::premises::premises;
use super::words::words;
use super::{NamedProperty, for_each_value, name_of};

/// What one condition says of states.
pub(super) fn condition(
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
    for_each_value(elaborator, item, ast, span, &mut |this, shown| {
        let before = this.work();
        let property = property(this.boolean(&condition, "a property").expr);
        let (parts, premises, words) = match property {
            Property::Invariant(_) => (
                parts(this, &condition, this.work() - before),
                premises(this, &condition, true),
                Vec::new(),
            ),
            Property::MustProgress(_) => (
                parts(this, &condition, this.work() - before),
                Vec::new(),
                vec![words(&this.env, &condition)],
            ),
            // What is to be reached some time may be so because nothing happens.
            _ => (Vec::new(), Vec::new(), vec![words(&this.env, &condition)]),
        };
        found.push(NamedProperty {
            parts,
            premises,
            words,
            ..NamedProperty::new(shown(&base), &base, property, span)
        });
    });
}
