//! `recurrence NAME: infinitely A implies infinitely B`.

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::Item;
use stubborn_system::property::Property;
use stubborn_system::system::Expr;

use super::premises::{Premise, PremiseKind};
use super::step_sets::step_set;
use super::words::words;
use super::{NamedProperty, for_each_value, name_of};

pub(super) fn read(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::RecurrenceDecl,
    found: &mut Vec<NamedProperty>,
) {
    let Some((base, span)) = name_of(item, ast) else {
        return;
    };
    let (assumption, conclusion) = (ast.assumption(), ast.conclusion());
    for_each_value(elaborator, item, ast, span, &mut |this, shown| {
        let infinitely = step_set(this, assumption.as_ref());
        let implies = step_set(this, conclusion.as_ref());
        let property = Property::Recurrence {
            infinitely,
            implies,
        };
        let premise = assumption.as_ref().map(|steps| Premise {
            span: this.span(steps),
            kind: PremiseKind::Recurs,
            condition: Expr::int(1),
        });
        let sides = assumption.iter().chain(&conclusion);
        found.push(NamedProperty {
            words: sides.map(|side| words(&this.env, side)).collect(),
            premises: premise.into_iter().collect(),
            ..NamedProperty::new(shown(&base), &base, property, span)
        });
    });
}
