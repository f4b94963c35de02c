//! `recurrence NAME: infinitely A implies infinitely B`.

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use stubborn_system::property::Property;
use stubborn_system::system::Expr;

use super::named::{NamedProperty, Premise, PremiseKind};
use super::step_sets::step_set;
use super::values::each_named;
use super::words::words;

pub(super) fn read(elaborator: &mut Elaborator, ast: &ast::RecurrenceDecl) -> Vec<NamedProperty> {
    let (assumption, conclusion) = (ast.assumption(), ast.conclusion());
    each_named(elaborator, ast, &mut |this, naming| {
        let infinitely = step_set(this, assumption.as_ref());
        let implies = step_set(this, conclusion.as_ref());
        let premise = assumption.as_ref().map(|steps| Premise {
            span: this.span(steps),
            kind: PremiseKind::Recurs,
            condition: Expr::int(1),
        });
        let sides = assumption.iter().chain(&conclusion);
        NamedProperty {
            words: sides.map(|side| words(&this.env, side)).collect(),
            premises: premise.into_iter().collect(),
            ..naming.property(Property::Recurrence(infinitely, implies))
        }
    })
}
