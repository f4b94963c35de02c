//! `recurrence NAME: infinitely A implies infinitely B`.

use stubborn_syntax::ast::{self, HasParams};

use crate::elaborate::{Elaborator, span_of};
use crate::names::{DeclarationKind, Env, Item};
use crate::problem::{Code, Words};
use crate::steps::alphabet::{constant_argument, mention};
use crate::types::Domain;
use stubborn_system::property::{Form, Property, StepPattern, StepSet};
use stubborn_system::system::{InstanceId, LocationId};

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
    for_each_value(
        elaborator,
        item,
        &ast.params(),
        span,
        &mut |this, env, shown| {
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
            });
        },
    );
}

/// What a set stands for; a mistake in it is told, and takes the property away.
fn step_set(elaborator: &mut Elaborator, env: &Env, set: Option<&ast::EventSet>) -> StepSet {
    let mut patterns = Vec::new();
    for event in set.into_iter().flat_map(ast::EventSet::events) {
        let of_event = if event.at_token().is_some() {
            place(elaborator, env, &event).unwrap_or_default()
        } else {
            let pattern = mention(elaborator, env, &event).map(StepPattern::Action);
            pattern.into_iter().collect()
        };
        for pattern in of_event {
            if !patterns.contains(&pattern) {
                patterns.push(pattern);
            }
        }
    }
    StepSet { patterns }
}

/// `p(i)@label`: every step that `p(i)` takes while it is there; `p(*)@label`: of every instance.
fn place(elaborator: &mut Elaborator, env: &Env, event: &ast::Event) -> Option<Vec<StepPattern>> {
    let name = event.name_ref()?;
    let is_process = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Process(_));
    let mend = "`process NAME` declares one";
    let id = elaborator.declared_as(env, &name, is_process, "a process", mend)?;
    let declared = elaborator.declaration(id).span;
    let process = elaborator
        .processes
        .iter()
        .find(|process| process.span == declared)
        .cloned()?;
    let given: Vec<ast::Argument> = event
        .arg_list()
        .map(|list| list.arguments().collect())
        .unwrap_or_default();
    if !elaborator.right_number(env, &name, process.parameters.len()) {
        return None;
    }
    let mut wanted: Vec<Option<i64>> = Vec::new();
    for (argument, (parameter, domain)) in given.iter().zip(&process.parameters) {
        let what = format!("`{parameter}` of `{}`", process.name);
        wanted.push(match argument {
            ast::Argument::Expr(expr) => {
                // What is mistaken has its message, and what comes after it is still read.
                constant_argument(elaborator, env, expr, domain, &what).flatten()
            }
            ast::Argument::Wild(_) => None,
            ast::Argument::Bind(bind) => {
                elaborator.error(
                    Code::Misplaced,
                    span_of(env.file, bind),
                    "nothing is received here; say which instance is meant",
                );
                None
            }
        });
    }
    let mut labels = Vec::new();
    for location in event.locations() {
        let text = location.text();
        let span = span_of(env.file, &location);
        let known = process
            .instances
            .iter()
            .any(|instance| instance.places.locations.contains_key(&text));
        let declared = process
            .instances
            .iter()
            .find_map(|instance| instance.places.spans.get(&text));
        if let Some(declared) = declared {
            elaborator.symbols.refer(span, *declared);
        }
        if !known && !text.is_empty() {
            let mut names: Vec<&str> = process
                .instances
                .iter()
                .flat_map(|instance| instance.places.locations.keys().map(String::as_str))
                .collect();
            names.sort_unstable();
            let near = elaborator.nearest(&text, names);
            let mend = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => String::from("a state or a label of it can stand here"),
            };
            let message = format!("`{}` has no state or label `{text}`; {mend}", process.name);
            elaborator.error(Code::UnknownState, span, Words::instead(message, near));
        }
        labels.push(text);
    }
    let instances = process.instances.iter().enumerate();
    let meant = instances.filter(|(nth, _)| is_meant(*nth, &process.parameters, &wanted));
    let patterns = meant.filter_map(|(nth, instance)| {
        let of_labels = labels
            .iter()
            .filter_map(|l| instance.places.locations.get(l));
        let mut locations: Vec<LocationId> = of_labels.flatten().copied().collect();
        locations.sort_unstable();
        locations.dedup();
        let id = process.first + nth as InstanceId;
        (!locations.is_empty()).then_some(StepPattern::At(id, locations))
    });
    Some(patterns.collect())
}

/// Whether the process's instance number `nth` has the wanted values of the parameters, of which
/// the first varies slowest.
fn is_meant(nth: usize, parameters: &[(String, Domain)], wanted: &[Option<i64>]) -> bool {
    let mut rest = nth as u64;
    parameters
        .iter()
        .zip(wanted)
        .rev()
        .all(|((_, domain), wanted)| {
            let size = domain.range.size().max(1);
            let at = rest % size;
            rest /= size;
            wanted.is_none_or(|value| {
                i128::from(value) - i128::from(domain.range.lo) == i128::from(at)
            })
        })
}
