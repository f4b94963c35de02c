//! Sets of steps: actions, places of processes, and where fairness is assumed whole instances.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use stubborn_syntax::ast;

use crate::declarations::Kept;
use crate::elaborate::Elaborator;
use crate::names::DeclarationKind;
use crate::problem::{Code, Words};
use crate::processes::infos::ProcessInfo;
use crate::steps::alphabet::{STAR, constant_argument, mention};
use crate::types::Domain;
use stubborn_system::property::{StepPattern, StepSet};
use stubborn_system::system::{Instance, InstanceId, LocationId, StepId};

/// What a set stands for; a mistake in it is told, and takes the property away.
pub(super) fn step_set(elaborator: &mut Elaborator, set: Option<&ast::EventSet>) -> StepSet {
    set_of(elaborator, set, &|this, event| {
        let name = event.name_ref()?;
        let Some(DeclarationKind::Process(_)) = kind_of(this, &name) else {
            return None;
        };
        let is_action = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Action(..));
        let mend =
            "the steps of a process are named by where they begin, `p@label` or `p(i)@label`";
        this.declared_as(&name, is_action, "an action", mend);
        Some(Vec::new())
    })
}

/// As [`step_set`], with instances too: `p(i)` for every step in which it takes part, `p(*)` and `p` for those of any.
pub(super) fn step_set_of_instances(
    elaborator: &mut Elaborator,
    set: Option<&ast::EventSet>,
    instances: &[Instance],
) -> StepSet {
    set_of(elaborator, set, &|this, event| {
        let name = event.name_ref()?;
        match kind_of(this, &name) {
            Some(DeclarationKind::Action(..)) => None,
            Some(DeclarationKind::Process(_)) => {
                Some(whole(this, event, instances).unwrap_or_default())
            }
            _ => {
                let is_either = |kind: &DeclarationKind| {
                    matches!(
                        kind,
                        DeclarationKind::Action(..) | DeclarationKind::Process(_)
                    )
                };
                let mend = "`action NAME` or `process NAME` declares one";
                this.declared_as(&name, is_either, "an action or a process", mend);
                Some(Vec::new())
            }
        }
    })
}

/// What is declared by this name, which nothing binds here.
fn kind_of<'e>(elaborator: &'e Elaborator, name: &ast::NameRef) -> Option<&'e DeclarationKind> {
    let declared = elaborator.declared_name(elaborator.env.file, &name.text());
    let declared = declared.filter(|_| elaborator.env.lookup(&name.text()).is_none());
    declared.map(|id| &elaborator.declaration(id).kind)
}

/// What an event without a place stands for, where it is no action.
type NoAction<'s> = &'s dyn Fn(&mut Elaborator, &ast::Event) -> Option<Vec<StepPattern>>;

fn set_of(
    elaborator: &mut Elaborator,
    set: Option<&ast::EventSet>,
    no_action: NoAction<'_>,
) -> StepSet {
    let events: Vec<ast::Event> = set.into_iter().flat_map(ast::EventSet::events).collect();
    let mut patterns = Vec::new();
    // What one event stands for is there once.
    let mut known = FxHashSet::default();
    for event in &events {
        let of_event = elaborator.apart(|this| {
            if event.at_token().is_some() {
                place(this, event).unwrap_or_default()
            } else if let Some(found) = no_action(this, event) {
                found
            } else {
                let pattern = mention(this, event).map(StepPattern::Action);
                pattern.into_iter().collect()
            }
        });
        let is_new = |pattern: &StepPattern| events.len() == 1 || known.insert(pattern.clone());
        patterns.extend(of_event.into_iter().filter(is_new));
    }
    StepSet { patterns }
}

/// Every step that the instance takes, wherever it is.
pub(super) fn of_instance(id: InstanceId, instances: &[Instance]) -> Option<StepPattern> {
    let instance = instances.get(id as usize)?;
    let locations = 0..instance.locations.len() as LocationId;
    Some(StepPattern::At(id, locations.collect()))
}

/// `p(i)`: every step in which it takes part; `p`, `p(*)`: any of its instances'.
fn whole(
    elaborator: &mut Elaborator,
    event: &ast::Event,
    instances: &[Instance],
) -> Option<Vec<StepPattern>> {
    let (process, meant) = meant(elaborator, event)?;
    let first = instances.get(process.first as usize)?;
    let parts = meant.len().saturating_mul(first.locations.len());
    if !elaborator.spend(parts as u64, elaborator.span(event)) {
        return None;
    }
    let patterns = meant
        .into_iter()
        .filter_map(|nth| of_instance(process.first + nth as InstanceId, instances));
    Some(patterns.collect())
}

/// The process of an event, and the numbers of the instances that are meant. Without a list those of a whole process
/// are.
fn meant(
    elaborator: &mut Elaborator,
    event: &ast::Event,
) -> Option<(Arc<ProcessInfo>, Vec<usize>)> {
    let name = event.name_ref()?;
    let is_process = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Process(_));
    let mend = "`process NAME` declares one";
    let id = elaborator.declared_as(&name, is_process, "a process", mend)?;
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
    if event.arg_list().is_none() && event.at_token().is_none() {
        let all: Vec<usize> = (0..process.instances.len()).collect();
        return can_be_written_out(elaborator, event, &all).then_some((process, all));
    }
    if !elaborator.right_number(&name, process.parameters.len()) {
        return None;
    }
    let mut wanted: Vec<Option<i64>> = Vec::new();
    for (argument, (parameter, domain)) in given.iter().zip(&process.parameters) {
        let what = format!("`{parameter}` of `{}`", process.name);
        wanted.push(match argument {
            ast::Argument::Expr(expr) => {
                // What is mistaken has its message, and what comes after it is still read.
                constant_argument(elaborator, expr, domain, (&what, STAR)).flatten()
            }
            ast::Argument::Wild(_) => None,
            ast::Argument::Bind(bind) => {
                let message = "nothing is received here; say which instance is meant";
                elaborator.error(Code::Misplaced, elaborator.span(bind), message);
                None
            }
        });
    }
    let all = match &process.kept {
        Kept::These(places) => places.all(),
        _ => process.instances.len(),
    };
    let places = numbers(&process.parameters, &wanted, all);
    let meant: Vec<usize> = (places.iter())
        .filter_map(|place| process.kept.number(*place))
        .collect();
    if meant.is_empty() && !places.is_empty() && matches!(process.kept, Kept::These(_)) {
        let quoted = elaborator.quoted(event);
        let message = format!(
            "{quoted} means no instance here: the `where` of `{}` leaves it out",
            process.name
        );
        elaborator.error(Code::ConstantFails, elaborator.span(event), message);
        return None;
    }
    can_be_written_out(elaborator, event, &meant).then_some((process, meant))
}

/// Counts the instances of an event among what is written out.
fn can_be_written_out(elaborator: &mut Elaborator, event: &ast::Event, meant: &[usize]) -> bool {
    /// About as much memory as so many parts of an expression.
    const PARTS: u64 = 4;
    let parts = (meant.len() as u64).saturating_mul(PARTS);
    elaborator.spend(parts, elaborator.span(event))
}

/// `p(i)@label`: every step that `p(i)` takes while it is there; `p(*)@label`: of every instance.
fn place(elaborator: &mut Elaborator, event: &ast::Event) -> Option<Vec<StepPattern>> {
    let (process, meant) = meant(elaborator, event)?;
    let (mut labels, mut steps) = (Vec::new(), Vec::new());
    for location in event.locations() {
        let text = location.text();
        let span = elaborator.span(&location);
        let known = process
            .instances
            .iter()
            .any(|instance| instance.places.locations.contains_key(&text));
        let places = || process.instances.iter().map(|instance| &instance.places);
        let named = places()
            .find_map(|places| places.steps.get(&text))
            .filter(|_| !known);
        let declared = places()
            .find_map(|places| places.spans.get(&text))
            .or(named);
        if let Some(declared) = declared {
            elaborator.symbols.refer(span, *declared);
        }
        if named.is_some() {
            steps.push(text);
            continue;
        }
        if !known && !text.is_empty() {
            let names = places().flat_map(|it| it.locations.keys().chain(it.steps.keys()));
            let mut names: Vec<&str> = names.map(String::as_str).collect();
            names.sort_unstable();
            let near = elaborator.nearest(&text, names);
            let mend = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => String::from("write a state, a label or a named step of it"),
            };
            let message = format!(
                "`{}` has no state, label or step `{text}`; {mend}",
                process.name
            );
            elaborator.error(Code::UnknownState, span, Words::instead(message, near));
        }
        labels.push(text);
    }
    let patterns = meant.into_iter().flat_map(|nth| {
        let instance = &process.instances[nth];
        let of_labels = labels
            .iter()
            .filter_map(|l| instance.places.locations.get(l));
        let mut locations: Vec<LocationId> = of_labels.flatten().copied().collect();
        locations.sort_unstable();
        locations.dedup();
        let id = process.first + nth as InstanceId;
        let named = elaborator
            .named_steps
            .get(id as usize)
            .into_iter()
            .flatten();
        let named = named.filter(|(name, _)| steps.iter().any(|step| **step == **name));
        let mut taken: Vec<StepId> = named.map(|(_, step)| *step).collect();
        taken.sort_unstable();
        let at = (!locations.is_empty()).then_some(StepPattern::At(id, locations));
        let taken = (!taken.is_empty()).then_some(StepPattern::Taken(id, taken));
        at.into_iter().chain(taken)
    });
    Some(patterns.collect())
}

/// The places of the combinations of values, of so many, that have the wanted ones, of which the first varies
/// slowest. Takes time in proportion to those.
fn numbers(parameters: &[(String, Domain)], wanted: &[Option<i64>], count: usize) -> Vec<usize> {
    let mut numbers = vec![0_usize];
    for ((_, domain), wanted) in parameters.iter().zip(wanted) {
        let size = usize::try_from(domain.range.size())
            .unwrap_or(usize::MAX)
            .max(1);
        let at = |value: i64| {
            let at = i128::from(value) - i128::from(domain.range.lo);
            usize::try_from(at).ok().filter(|at| *at < size)
        };
        let values = match wanted {
            None => 0..size,
            Some(value) => at(*value).map_or(0..0, |at| at..at + 1),
        };
        let longer = |before: usize| {
            let values = values.clone();
            values.map_while(move |value| before.checked_mul(size)?.checked_add(value))
        };
        numbers = numbers.into_iter().flat_map(longer).take(count).collect();
    }
    numbers.retain(|nth| *nth < count);
    numbers
}
