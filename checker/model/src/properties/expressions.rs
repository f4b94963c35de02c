//! Invariants and progress.

use stubborn_syntax::ast::{self, HasParams};

use crate::elaborate::Elaborator;
use stubborn_system::property::Property;
use stubborn_system::system::Expr;

use super::parts::parts;
use super::premises::premises;
use super::words::words;
use super::{NamedProperty, each_named};

/// What one condition says of states.
pub(super) fn condition(
    elaborator: &mut Elaborator,
    ast: &(impl HasParams + ast::HasName),
    condition: Option<ast::Expr>,
    property: fn(Expr) -> Property,
) -> Vec<NamedProperty> {
    let Some(condition) = condition else {
        return Vec::new();
    };
    each_named(elaborator, ast, &mut |this, naming| {
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
        NamedProperty {
            parts,
            premises,
            words,
            ..naming.property(property)
        }
    })
}
