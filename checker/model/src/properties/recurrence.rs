//! `recurrence NAME: infinitely A implies infinitely B`.

use std::sync::Arc;

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::Item;
use stubborn_system::property::{Form, Property};

use super::step_sets::step_set;
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
    for_each_value(elaborator, item, ast, span, &mut |this, env, shown| {
        let infinitely = step_set(this, env, assumption.as_ref());
        let implies = step_set(this, env, conclusion.as_ref());
        found.push(NamedProperty {
            name: shown(&base),
            base: base.clone(),
            property: Property::Recurrence {
                infinitely,
                implies,
            },
            form: Form::Recurrence,
            span,
            monitor: None,
            parts: Vec::new(),
            expected_violated: false,
            fairness: Arc::default(),
            premises: Vec::new(),
        });
    });
}
