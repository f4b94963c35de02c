//! What a file says of its model: properties, settings, testers, automata, specifications
//! (`language.md` §6 and §7).

mod alone;
mod automata;
mod bounds;
mod expected;
mod expressions;
mod fairness;
mod formulas;
mod named;
mod observed;
mod parts;
mod premises;
mod recurrence;
mod settings;
mod specifications;
mod states;
mod step_sets;
mod testers;
mod values;
mod words;

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::memory::readings::Meaning;
use crate::names::Item;
use crate::problem::Code;
use crate::spans::first_token;
use stubborn_system::property::{Form, Property};

pub(crate) use bounds::{Bound, bounds, is_lost};
pub(crate) use expected::{Expected, expected};
pub(crate) use fairness::{Fairness, fairness};
pub(crate) use settings::{Settled, settings};

pub(crate) use named::WithItem;
pub use named::{FormulaPart, NamedProperty, Premise, PremiseKind};

/// The properties that the text declares, in its order; the built-in ones are no part of them.
pub(crate) fn properties(elaborator: &mut Elaborator) -> Vec<WithItem> {
    let specifications = specifications::read_all(elaborator);
    let mut properties = Vec::new();
    for item in elaborator.items().iter() {
        check_place(elaborator, item);
        let found = match &item.ast {
            ast::Item::Invariant(_)
            | ast::Item::Progress(_)
            | ast::Item::Reachable(_)
            | ast::Item::Ltl(_) => without_monitor(elaborator, item),
            _ => elaborator.owned_by(item.id, |this| match &item.ast {
                ast::Item::Recurrence(ast) => recurrence::read(this, ast),
                ast::Item::Tester(ast) => testers::read(this, ast),
                ast::Item::Refines(ast) => {
                    let found = specifications::refines(this, item, ast, &specifications);
                    unless_there_already(this, &properties, found)
                }
                ast::Item::Buchi(one) => automata::read(this, one, one.body(), Form::Buchi),
                ast::Item::Testing(one) => automata::read(this, one, one.body(), Form::Testing),
                _ => Vec::new(),
            }),
        };
        properties.extend(found.into_iter().map(|named| WithItem {
            named,
            item: Some(item.id),
        }));
    }
    properties
}

/// Properties that are said by expressions alone, read or recalled.
fn without_monitor(elaborator: &mut Elaborator, item: &Item) -> Vec<NamedProperty> {
    use expressions::condition;
    if let Some(Meaning::Properties(found)) = elaborator.recalled(item.id) {
        return found;
    }
    let read = |this: &mut Elaborator| match &item.ast {
        ast::Item::Invariant(one) => condition(this, one, one.condition(), Property::Invariant),
        ast::Item::Progress(one) => {
            let property = match one.mode() {
                Some(ast::ProgressMode::Must) => Property::MustProgress,
                Some(ast::ProgressMode::May) | None => Property::MayProgress,
            };
            condition(this, one, one.condition(), property)
        }
        ast::Item::Reachable(one) => condition(this, one, one.condition(), Property::Reachable),
        ast::Item::Ltl(ast) => expressions::ltl(this, ast),
        _ => Vec::new(),
    };
    elaborator.remembered(
        item.id,
        |this| this.owned_by(item.id, read),
        |found| Some(Meaning::Properties(found.clone())),
    )
}

/// A refinement has no name but what it says, and is there once like any other property.
fn unless_there_already(
    elaborator: &mut Elaborator,
    earlier: &[WithItem],
    found: Vec<NamedProperty>,
) -> Vec<NamedProperty> {
    let Some(new) = found.first() else {
        return found;
    };
    let same = |declared: &&WithItem| declared.named.base == new.base;
    let Some(first) = earlier.iter().find(same) else {
        return found;
    };
    let message = format!("there is already `{}`; leave one of them out", new.base);
    elaborator.duplicate(new.span, first.named.span, message);
    Vec::new()
}

/// What may not stand in a tester file.
fn check_place(elaborator: &mut Elaborator, item: &Item) {
    if !elaborator.program.file(item.file).is_tester() {
        return;
    }
    let what = match &item.ast {
        ast::Item::Param(_) => "a `param`",
        ast::Item::Var(_) => "a variable",
        ast::Item::Channel(_) => "a channel",
        ast::Item::Action(_) => "an action",
        ast::Item::Macro(_) => "a macro",
        ast::Item::Process(_) => "a process",
        _ => return,
    };
    let span = first_token(item.file, &item.ast);
    elaborator.owned_by(item.id, |this| {
        let message =
            format!("{what} belongs to a model, not to a tester file; move it to the model's file");
        this.error(Code::Misplaced, span, message);
    });
}
