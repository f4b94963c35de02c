//! Properties that expressions alone state: invariants, progress and formulas.

use stubborn_syntax::ast::{self, HasParams};

use crate::elaborate::Elaborator;
use stubborn_system::property::{Ltl, Property};
use stubborn_system::system::Expr;

use super::formulas::{Propositions, formula};
use super::named::NamedProperty;
use super::parts::parts;
use super::premises::premises;
use super::values::each_named;
use super::words::words;

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
        let before = this.work;
        let property = property(this.boolean(&condition, "a property").expr);
        let (parts, premises, words) = match property {
            Property::Invariant(_) => (
                parts(this, &condition, this.work - before),
                premises(this, &condition, true),
                Vec::new(),
            ),
            Property::MustProgress(_) => (
                parts(this, &condition, this.work - before),
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

/// A formula of linear temporal logic.
pub(super) fn ltl(elaborator: &mut Elaborator, ast: &ast::LtlDecl) -> Vec<NamedProperty> {
    let Some(body) = ast.formula() else {
        return Vec::new();
    };
    each_named(elaborator, ast, &mut |this, naming| {
        let mut propositions = Propositions::default();
        let before = this.work;
        let formula = formula(this, &body, &mut propositions);
        let parts = parts(this, &body, this.work - before);
        let premises = premises(this, &body, false);
        let property = Property::Ltl(Ltl {
            propositions: propositions.list,
            formula,
        });
        NamedProperty {
            parts,
            premises,
            ..naming.property(property)
        }
    })
}
