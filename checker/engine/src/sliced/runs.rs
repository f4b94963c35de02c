//! Runs of a slice as runs of the whole System, and the other way round.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::slice::Slice;
use stubborn_system::system::System;

use crate::interpreter::state::{InstanceState, State};
use crate::interpreter::visit_one;
use crate::monitored::confirmed_again;
use crate::trace::replayed;
use crate::verdict::{Reason, Trace, TraceStep, Verdict};

/// A cycle of a slice is gone round until all the rest repeats too, but not for more steps than
/// this.
const MOST_STEPS: usize = 1 << 14;

/// Why there is no run of the whole System for a trace of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotTaken {
    /// The cycle closes only after more steps than are worth showing.
    TooLong,
    /// The step with this number, from 0 and counted on through the cycle, cannot be taken there,
    /// or leads somewhere else: the trace is none of a slice of this System.
    Step(usize),
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTaken::TooLong => write!(
                f,
                "a cycle closes only after more than {MOST_STEPS} steps, since data that do not \
                 matter to it change all the way"
            ),
            NotTaken::Step(at) => write!(
                f,
                "the reference interpreter does not take step {} of a slice's trace",
                at + 1
            ),
        }
    }
}

impl std::error::Error for NotTaken {}

/// The verdict on a property about the whole System, from that on the slice: the trace is a run of the
/// whole, confirmed against the property.
///
/// # Errors
/// Where there is no such run, or its cycle is too long.
pub fn on_whole(
    system: &System,
    slice: &Slice,
    property: &Property,
    verdict: &Verdict,
) -> Result<Verdict, NotTaken> {
    let Verdict::Violated { finding, trace } = verdict else {
        return Ok(verdict.clone());
    };
    let trace = lifted(system, slice, trace)?;
    if property.is_monitored() {
        return Ok(confirmed_again(system, property, finding, trace));
    }
    Ok(match replayed(system, property, finding, trace) {
        Ok(trace) => Verdict::Violated {
            finding: finding.clone(),
            trace,
        },
        Err(mismatch) => Verdict::Undecided(Reason::Internal(mismatch)),
    })
}

/// The run of the whole System that takes the steps of a run of its slice.
///
/// Everybody outside stands still. Where several steps of the whole are the same in the slice the
/// first is taken, so that data outside the slice, which are finite, repeat some time: a cycle is
/// gone round until a round ends where one has begun before, and the rounds before that one belong
/// to the way there.
///
/// # Errors
/// Where there is no such run, or its cycle is too long.
pub fn lifted(system: &System, slice: &Slice, trace: &Trace) -> Result<Trace, NotTaken> {
    let start = State::initial(system);
    if projected_state(slice, &start) != trace.start {
        return Err(NotTaken::Step(0));
    }
    let mut state = start.clone();
    let mut steps = Vec::with_capacity(trace.steps.len());
    for (at, step) in trace.steps.iter().enumerate() {
        let step = lifted_step(system, slice, &state, step).ok_or(NotTaken::Step(at))?;
        state = step.after.clone();
        steps.push(step);
    }
    let mut cycle = Vec::new();
    if !trace.cycle.is_empty() {
        // Where each round has begun.
        let mut rounds: HashMap<State, usize> = HashMap::new();
        let first = loop {
            if let Some(first) = rounds.insert(state.clone(), cycle.len()) {
                break first;
            }
            if cycle.len() >= MOST_STEPS.max(trace.cycle.len()) {
                return Err(NotTaken::TooLong);
            }
            for (at, step) in trace.cycle.iter().enumerate() {
                let at = trace.steps.len() + at;
                let step = lifted_step(system, slice, &state, step).ok_or(NotTaken::Step(at))?;
                state = step.after.clone();
                cycle.push(step);
            }
        };
        let closing = cycle.split_off(first);
        steps.append(&mut cycle);
        cycle = closing;
    }
    Ok(Trace {
        start,
        steps,
        cycle,
        monitor: None,
    })
}

/// The first step of the whole that is this one in the slice.
fn lifted_step(
    system: &System,
    slice: &Slice,
    state: &State,
    step: &TraceStep,
) -> Option<TraceStep> {
    let participants = step.participants.iter().map(|(instance, step)| {
        let instance = slice.instances.get(*instance as usize)?;
        let has_step = (*step as usize) < system.instances.get(*instance as usize)?.steps.len();
        has_step.then_some((*instance, *step))
    });
    let participants: Vec<_> = participants.collect::<Option<_>>()?;
    let action = match &step.action {
        None => None,
        Some((action, values)) => {
            let action = slice.actions.get(*action as usize)?;
            Some((*action, values.clone()))
        }
    };
    let asked = action.as_ref().map(|(action, v)| (*action, v.as_slice()));
    let mut after = None;
    let _ = visit_one(system, state, &participants, asked, &mut |occurrence| {
        let is_it = match (&occurrence.outcome, &step.failure) {
            (Ok(next), None) => projected_state(slice, next) == step.after,
            (Err(failure), Some(expected)) => failure == expected,
            _ => false,
        };
        if !is_it {
            return ControlFlow::Continue(());
        }
        after = Some(occurrence.outcome.unwrap_or_else(|_| state.clone()));
        ControlFlow::Break(())
    });
    Some(TraceStep {
        participants,
        action,
        failure: step.failure.clone(),
        after: after?,
    })
}

/// What the slice sees of a run of the whole System. A step has all of its participants in the
/// slice or none; the latter are left out, and so are the steps of a monitor alone.
pub fn projected(slice: &Slice, trace: &Trace) -> Trace {
    let step = |step: &TraceStep| {
        if step.participants.is_empty() {
            return None;
        }
        let participant = |(instance, step)| {
            let instance = number_of(&slice.instances, instance)?;
            Some((instance, step))
        };
        let participants = step.participants.iter().copied().map(participant);
        let action = match &step.action {
            None => None,
            Some((action, values)) => Some((number_of(&slice.actions, *action)?, values.clone())),
        };
        Some(TraceStep {
            participants: participants.collect::<Option<_>>()?,
            action,
            failure: step.failure.clone(),
            after: projected_state(slice, &step.after),
        })
    };
    Trace {
        start: projected_state(slice, &trace.start),
        steps: trace.steps.iter().filter_map(step).collect(),
        cycle: trace.cycle.iter().filter_map(step).collect(),
        monitor: None,
    }
}

fn number_of(kept: &[u32], whole: u32) -> Option<u32> {
    kept.binary_search(&whole).ok().map(|number| number as u32)
}

/// What the slice sees of a state of the whole System.
fn projected_state(slice: &Slice, state: &State) -> State {
    let instance = |(number, locals): (&u32, &Vec<u32>)| {
        let whole = &state.instances[*number as usize];
        InstanceState {
            location: whole.location,
            locals: locals
                .iter()
                .map(|v| whole.locals[*v as usize].clone())
                .collect(),
        }
    };
    State {
        shared: slice
            .variables
            .iter()
            .map(|v| state.shared[*v as usize].clone())
            .collect(),
        channels: slice
            .channels
            .iter()
            .map(|c| state.channels[*c as usize].clone())
            .collect(),
        instances: slice
            .instances
            .iter()
            .zip(&slice.locals)
            .map(instance)
            .collect(),
    }
}
