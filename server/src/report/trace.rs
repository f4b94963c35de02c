//! Runs of a model, step by step, with names and places.

use stubborn_engine::{State, Trace, Walk};
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId, System};

use super::monitor::Beside;
use super::place::{Place, Texts};
use super::state::{NamedValues, changed_values, named_values};

/// A run that shows a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceReport {
    pub start: NamedValues,
    pub steps: Vec<StepReport>,
    /// Goes from where the steps end back to there; empty where the violation is not a cycle.
    pub cycle: Vec<StepReport>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// The instances that take it, in the order of the text and of their values; a monitor that takes
    /// part in it stands last, and alone in a step of its own.
    pub by: Vec<String>,
    /// `enter(1)`.
    pub action: Option<String>,
    /// The text of the step, of the first participant's if there are several.
    pub place: Place,
    /// The texts of the steps of all participants, in the order of `by`.
    pub places: Vec<Place>,
    /// The values that differ afterwards.
    pub changes: NamedValues,
    /// Where each of `by` was before.
    pub from: Vec<String>,
    /// Where each of `by` is then.
    pub to: Vec<String>,
    /// Why the step fails, where it does.
    pub fails: Option<String>,
}

/// Tells a run of `system` with names and places, and what the monitor beside it does.
pub fn trace(
    system: &System,
    map: &SourceMap,
    texts: &Texts,
    trace: &Trace,
    monitor: Option<&Beside<'_>>,
) -> TraceReport {
    let mut told = Vec::with_capacity(trace.len());
    let mut walk = trace.walk();
    while walk.next_step().is_some() {
        let at = walk.taken();
        let mut step = step(system, map, texts, &mut walk);
        if let Some(monitor) = monitor {
            monitor.join(at, texts, &mut step);
        }
        told.push(step);
    }
    let cycle = told.split_off(trace.steps().len());
    let mut start = named_values(system, map, trace.start());
    start.extend(monitor.map(Beside::start));
    TraceReport {
        start,
        steps: told,
        cycle,
    }
}

/// The next step of a run, which is then taken.
fn step(system: &System, map: &SourceMap, texts: &Texts, walk: &mut Walk<'_>) -> StepReport {
    let location = |state: &State, instance: InstanceId| {
        let at = state.instances[instance as usize].location;
        map.location(instance, at).to_owned()
    };
    let participants = walk.next_step().map_or(&[][..], |step| &step.participants);
    let by = participants.iter().map(|(instance, _)| *instance);
    let places: Vec<Place> = participants
        .iter()
        .map(|(instance, step)| texts.place(map.step(*instance, *step)))
        .collect();
    let from = by.clone().map(|instance| location(walk.state(), instance));
    let from = from.collect();
    let taken = walk.advance();
    let action = taken.and_then(|taken| taken.action.as_ref());
    let failing = taken.and_then(|taken| taken.failure.as_ref());
    StepReport {
        by: by
            .clone()
            .map(|instance| map.instance(instance).to_owned())
            .collect(),
        action: action.map(|(action, values)| map.action(*action, values)),
        place: places.first().cloned().unwrap_or_else(Place::nowhere),
        places,
        changes: taken.map_or_else(Vec::new, |taken| {
            changed_values(system, map, &taken.changes)
        }),
        from,
        to: by
            .map(|instance| location(walk.state(), instance))
            .collect(),
        fails: failing.map(failure),
    }
}

/// What an edge of the state space is called, its action or `tau`.
pub fn action_label(map: &SourceMap, action: Option<(ActionId, &[i64])>) -> String {
    match action {
        Some((action, values)) => map.action(action, values),
        None => "tau".to_owned(),
    }
}

/// What an edge of the state space is called by who takes it: `customer(1) line 12`, and with
/// several participants each of them.
pub fn step_label(map: &SourceMap, texts: &Texts, participants: &[(InstanceId, StepId)]) -> String {
    let told: Vec<String> = participants
        .iter()
        .map(|(instance, step)| {
            let line = texts.line(map.step(*instance, *step));
            format!("{} line {line}", map.instance(*instance))
        })
        .collect();
    told.join(", ")
}

/// Why an evaluation has no value, as the end of a sentence.
pub fn failure(failure: &Failure) -> String {
    match failure {
        Failure::OutsideType { value, lo, hi } => {
            format!("the value {value} is outside {lo}..{hi}")
        }
        Failure::OutsideArray { index, lo, hi } => {
            format!("the index {index} is outside the array's {lo}..{hi}")
        }
        Failure::NoSuchInstance { value } => {
            format!("there is no instance for the value {value}")
        }
        Failure::DivisionByZero => "a division by zero".to_owned(),
        Failure::Overflow => "a number that does not fit into 64 bits".to_owned(),
        Failure::ShiftOutside { by } => {
            format!("a shift by {by}, which is not in 0..63")
        }
        Failure::Assertion => "an assertion is false".to_owned(),
    }
}
