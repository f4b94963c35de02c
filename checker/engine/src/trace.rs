//! From the states that a search went through to a trace that the reference interpreter confirms.

use std::ops::ControlFlow;

use stubborn_system::property::{Property, StepPattern, StepSet};
use stubborn_system::system::{Failure, System, Value};

use crate::graph::recurrence::Question;
use crate::interpreter::{evaluate, holds, is_terminal, replay, state::State};
use crate::packed::{Packed, Scratch};
use crate::search::Space;
use crate::search::expansion::OwnedLabel;
use crate::successors::{Label, Successors, Visit};
use crate::verdict::{Finding, Trace, TraceStep};

/// What a search has to show for a violation.
#[derive(Clone)]
pub struct Evidence {
    /// From the initial state on, each a step from the one before.
    pub path: Vec<u32>,
    /// From the last state of the path back to it; empty where there is no cycle.
    pub cycle: Vec<u32>,
    /// The step that fails in the last state.
    pub failing: Option<(OwnedLabel, Failure)>,
}

impl Evidence {
    pub fn path(path: Vec<u32>) -> Evidence {
        Evidence {
            path,
            cycle: Vec::new(),
            failing: None,
        }
    }
}

/// Whether a step of the state can be the step with this number, from 0.
type IsMeant<'a> = &'a dyn Fn(usize, &[u64], Label<'_>) -> bool;

/// The run that the evidence stands for, confirmed to violate the property.
///
/// # Errors
/// Where the reference interpreter does not agree, in the words of a bug report.
pub fn confirmed(
    packed: &Packed<'_>,
    space: &Space,
    property: &Property,
    finding: &Finding,
    evidence: Evidence,
) -> Result<Trace, String> {
    let start = packed.unpack(space.store.get(evidence.path[0]));
    let mut steps = steps_along(packed, space, &evidence.path)?;
    let cycle = match property {
        Property::Recurrence {
            infinitely,
            implies,
        } => {
            // Of several steps between two states it is one of these that the cycle goes by.
            let question = Question::new(packed.system(), infinitely, implies);
            run_along(packed, space, &evidence.cycle, &|nth, from, label| {
                let at = |instance| packed.location(from, instance);
                match nth {
                    0 => question.wants(label, &at),
                    _ => question.allows(label, &at),
                }
            })?
        }
        _ => steps_along(packed, space, &evidence.cycle)?,
    };
    if let Some((label, failure)) = evidence.failing {
        let after = steps.last().map_or(&start, |step: &TraceStep| &step.after);
        let after = after.clone();
        steps.push(trace_step(label.label(), Some(failure), after));
    }
    let trace = Trace {
        start,
        steps,
        cycle,
        monitor: None,
    };
    replayed(packed.system(), property, finding, trace)
}

/// A run through these states, each a step from the one before.
///
/// # Errors
/// Where there is no such step.
pub fn steps_along(
    packed: &Packed<'_>,
    space: &Space,
    states: &[u32],
) -> Result<Vec<TraceStep>, String> {
    run_along(packed, space, states, &|_, _, _| true)
}

/// A run through these states by steps that are meant.
fn run_along(
    packed: &Packed<'_>,
    space: &Space,
    states: &[u32],
    is_meant: IsMeant<'_>,
) -> Result<Vec<TraceStep>, String> {
    let mut scratch = packed.scratch();
    let pairs = states.windows(2).enumerate().map(|(nth, pair)| {
        let (from, to) = (space.store.get(pair[0]), space.store.get(pair[1]));
        let is_meant = |label: Label<'_>| is_meant(nth, from, label);
        step_between(packed, &mut scratch, from, to, &is_meant)
    });
    pairs.collect()
}

/// The trace, if the reference interpreter can take its steps and sees the finding at its end.
///
/// # Errors
/// Where it does not, in the words of a bug report.
pub fn replayed(
    system: &System,
    property: &Property,
    finding: &Finding,
    trace: Trace,
) -> Result<Trace, String> {
    replay(system, &trace).map_err(|mismatch| {
        format!("the reference interpreter does not replay a trace: {mismatch}")
    })?;
    if shows(system, property, finding, &trace) {
        Ok(trace)
    } else {
        Err(format!(
            "the reference interpreter does not find {finding:?} at the end of a trace"
        ))
    }
}

fn trace_step(label: Label<'_>, failure: Option<Failure>, after: State) -> TraceStep {
    TraceStep {
        participants: label.participants.to_vec(),
        action: label
            .action
            .map(|(action, values)| (action, values.to_vec())),
        failure,
        after,
    }
}

/// The first step that is meant and leads from one state to the other.
pub fn step_between(
    packed: &Packed<'_>,
    scratch: &mut Scratch,
    from: &[u64],
    to: &[u64],
    is_meant: &dyn Fn(Label<'_>) -> bool,
) -> Result<TraceStep, String> {
    let mut finder = Finder {
        to,
        is_meant,
        found: None,
    };
    let _ = packed.visit(from, scratch, &mut finder);
    match finder.found {
        Some(label) => Ok(trace_step(label.label(), None, packed.unpack(to))),
        None => Err("a step that a search has taken is not found again".to_owned()),
    }
}

struct Finder<'a> {
    to: &'a [u64],
    is_meant: &'a dyn Fn(Label<'_>) -> bool,
    found: Option<OwnedLabel>,
}

impl Visit for Finder<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if outcome == Ok(self.to) && (self.is_meant)(label) {
            self.found = Some(OwnedLabel::of(label));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Whether the trace shows the finding, as far as a trace can.
fn shows(system: &System, property: &Property, finding: &Finding, trace: &Trace) -> bool {
    let last = trace.last();
    let without_goal = |state: &State| match property {
        Property::MayProgress(goal) | Property::MustProgress(goal) => {
            holds(system, state, goal) == Ok(false)
        }
        _ => false,
    };
    match (finding, property) {
        (Finding::StepFails(failure), Property::Errors) => {
            let last = trace.steps.last();
            last.is_some_and(|step| step.failure.as_ref() == Some(failure))
        }
        (Finding::Deadlock, Property::Deadlock { allowed }) => {
            is_deadlock(system, last)
                && allowed
                    .as_ref()
                    .is_none_or(|e| holds(system, last, e) == Ok(false))
        }
        (Finding::ExpressionFails(failure), Property::Deadlock { allowed }) => {
            is_deadlock(system, last)
                && allowed
                    .as_ref()
                    .is_some_and(|e| fails(system, last, e, failure))
        }
        (Finding::NoTerminalReachable, Property::Termination) => !is_terminal(system, last),
        (Finding::InvariantFalse, Property::Invariant(e)) => holds(system, last, e) == Ok(false),
        (
            Finding::ExpressionFails(failure),
            Property::Invariant(e) | Property::MayProgress(e) | Property::MustProgress(e),
        ) => fails(system, last, e, failure),
        (Finding::GoalOutOfReach, Property::MayProgress(_)) => without_goal(last),
        (Finding::GoalAvoidedByEnd, Property::MustProgress(_)) => {
            is_terminal(system, last) && without_goal(last)
        }
        (Finding::GoalAvoidedByCycle, Property::MustProgress(_)) => {
            !trace.cycle.is_empty() && trace.cycle.iter().all(|step| without_goal(&step.after))
        }
        (
            Finding::RecurrenceViolated,
            Property::Recurrence {
                infinitely,
                implies,
            },
        ) => {
            let before = [last]
                .into_iter()
                .chain(trace.cycle.iter().map(|s| &s.after));
            let mut steps = before.zip(&trace.cycle);
            let takes =
                |set: &StepSet, (before, step): (&State, &TraceStep)| is_of(before, step, set);
            steps.clone().any(|step| takes(infinitely, step))
                && !steps.any(|step| takes(implies, step))
        }
        _ => false,
    }
}

/// Whether a step that is taken in the state `before` is one of the set.
fn is_of(before: &State, step: &TraceStep, set: &StepSet) -> bool {
    set.patterns.iter().any(|pattern| match pattern {
        StepPattern::Action(pattern) => step.action.as_ref().is_some_and(|(action, values)| {
            let is_wanted = |at: usize| pattern.arguments[at].is_none_or(|v| v == values[at]);
            pattern.action == *action && (0..values.len()).all(is_wanted)
        }),
        StepPattern::At(instance, locations) => step.participants.iter().any(|(who, _)| {
            who == instance && locations.contains(&before.instances[*who as usize].location)
        }),
    })
}

fn is_deadlock(system: &System, state: &State) -> bool {
    let mut instances = system.instances.iter().zip(&state.instances);
    let all_final = instances.all(|(instance, now)| {
        let location = &instance.locations[now.location as usize];
        location.is_final
    });
    is_terminal(system, state) && !all_final
}

fn fails(
    system: &System,
    state: &State,
    expr: &stubborn_system::system::Expr,
    failure: &Failure,
) -> bool {
    let result: Result<Value, Failure> = evaluate(system, state, expr);
    result.as_ref() == Err(failure)
}
