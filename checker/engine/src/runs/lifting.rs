//! Runs of a slice as runs of the whole System, and the other way round.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stubborn_system::slice::Slice;
use stubborn_system::system::{InstanceId, StepId, System, VariableRef};

use super::no_trace::{NoTrace, Poll, polled};
use crate::interpreter::visit_one;
use crate::state::{InstanceState, State};
use crate::successors::Label;
use crate::trace::{Change, Recorder, Trace, TraceStep, Walk};

/// A cycle of a slice is gone round until all the rest repeats too, but not for more steps than
/// this.
const MOST_STEPS: usize = 1 << 14;

/// The trace is none of a slice of the System: this step of it, counted from 0 and on through the
/// cycle, cannot be taken there, or leads somewhere else.
fn not_taken(at: usize) -> NoTrace {
    NoTrace::Defect(format!(
        "the reference interpreter does not take step {} of a slice's trace",
        at + 1
    ))
}

/// The run of the whole System that takes the steps of a run of its slice.
///
/// Everybody outside stands still. Where several steps of the whole are the same in the slice the
/// first is taken, so that data outside the slice, which are finite, repeat some time: a cycle is
/// gone round until a round ends where one has begun before, and the rounds before that one belong
/// to the way there.
///
/// # Errors
/// Where there is no such run, its cycle is too long, or a limit is reached.
pub fn lifted(
    system: &System,
    slice: &Slice,
    trace: &Trace,
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let start = State::initial(system);
    if projected_state(slice, &start) != *trace.start() {
        return Err(not_taken(0));
    }
    // Both runs are there until this one is done.
    let held = trace.bytes();
    let mut run = Recorder::new(start);
    let mut walk = trace.walk();
    let mut take = |run: &mut Recorder, walk: &mut Walk<'_>| -> Result<(), NoTrace> {
        polled(poll, held + run.bytes())?;
        let at = walk.taken();
        let Some(step) = walk.advance() else {
            return Ok(());
        };
        let taken = take_lifted(system, slice, run, step, walk.state());
        taken.ok_or_else(|| not_taken(at))
    };
    while walk.taken() < trace.steps().len() {
        take(&mut run, &mut walk)?;
    }
    if trace.cycle().is_empty() {
        return Ok(run.finish(None));
    }
    let begin = run.len();
    // Where each round has begun.
    let mut rounds: HashMap<State, usize> = HashMap::new();
    loop {
        if let Some(first) = rounds.insert(run.now().clone(), run.len()) {
            return Ok(run.finish(Some(first)));
        }
        if run.len() - begin >= MOST_STEPS.max(trace.cycle().len()) {
            return Err(NoTrace::CycleTooLong(MOST_STEPS));
        }
        let mut round = walk.clone();
        while round.next_step().is_some() {
            take(&mut run, &mut round)?;
        }
    }
}

/// Takes the first step of the whole that is this one in the slice, where it leads to `after`; and of a
/// merged step all parts, the inner ones behind the first.
fn take_lifted(
    system: &System,
    slice: &Slice,
    run: &mut Recorder,
    step: &TraceStep,
    after: &State,
) -> Option<()> {
    let participants = step.participants.iter().map(|(instance, step)| {
        let first = slice.merged.parts(*instance, *step).first();
        let instance = slice.instances.get(*instance as usize)?;
        let has_step = (first as usize) < system.instances.get(*instance as usize)?.steps.len();
        has_step.then_some((*instance, first))
    });
    let participants: Vec<_> = participants.collect::<Option<_>>()?;
    let inner = step.participants.iter().flat_map(|(instance, step)| {
        let parts = slice.merged.parts(*instance, *step);
        let whole = slice.instances[*instance as usize];
        let rest = parts.rest().to_vec();
        rest.into_iter().map(move |step| (whole, step))
    });
    let inner: Vec<(InstanceId, StepId)> = inner.collect();
    let action = match &step.action {
        None => None,
        Some((action, values)) => {
            let action = slice.actions.get(*action as usize)?;
            Some((*action, values.as_slice()))
        }
    };
    let mut outcome = None;
    let _ = visit_one(
        system,
        run.now(),
        &participants,
        action,
        &mut |occurrence| {
            let is_it = match (occurrence.outcome, &step.failure) {
                (Ok(next), None) => {
                    let states = behind(system, next, &inner);
                    let last = states.as_ref().and_then(|states| states.last());
                    match last.is_some_and(|last| is_seen_as(slice, last, after)) {
                        true => states.map(Ok),
                        false => None,
                    }
                }
                (Err(failure), Some(expected)) => (failure == *expected).then_some(Err(failure)),
                _ => None,
            };
            if is_it.is_none() {
                return ControlFlow::Continue(());
            }
            outcome = is_it;
            ControlFlow::Break(())
        },
    );
    let label = Label {
        participants: &participants,
        action,
    };
    match outcome? {
        Ok(states) => {
            let mut states = states.into_iter();
            run.step(label, states.next()?);
            for (step, after) in inner.iter().zip(states) {
                run.step(inner_label(std::slice::from_ref(step)), after);
            }
        }
        Err(failure) => run.failing(label, failure),
    }
    Some(())
}

fn inner_label(participants: &[(InstanceId, StepId)]) -> Label<'_> {
    Label {
        participants,
        action: None,
    }
}

/// A state, and those after each of these steps, where they can be taken one after the other.
fn behind(system: &System, first: State, inner: &[(InstanceId, StepId)]) -> Option<Vec<State>> {
    let mut states = vec![first];
    for step in inner {
        let mut next = None;
        let now = states.last()?;
        let step = std::slice::from_ref(step);
        let _ = visit_one(system, now, step, None, &mut |occurrence| {
            next = occurrence.outcome.ok();
            ControlFlow::Break(())
        });
        states.push(next?);
    }
    Some(states)
}

/// What a slice without merged steps sees of a run of the whole System. A step has all of its participants in the
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
            changes: step
                .changes
                .iter()
                .filter_map(|change| projected_change(slice, change))
                .collect(),
        })
    };
    Trace::new(
        projected_state(slice, trace.start()),
        trace.steps().iter().filter_map(step).collect(),
        trace.cycle().iter().filter_map(step).collect(),
    )
}

/// What the slice sees of a change.
fn projected_change(slice: &Slice, change: &Change) -> Option<Change> {
    Some(match change {
        Change::Scalar {
            variable,
            path,
            value,
        } => Change::Scalar {
            variable: match *variable {
                VariableRef::Shared(variable) => {
                    VariableRef::Shared(number_of(&slice.variables, variable)?)
                }
                VariableRef::Local(instance, local) => {
                    let instance = number_of(&slice.instances, instance)?;
                    let local = number_of(&slice.locals[instance as usize], local)?;
                    VariableRef::Local(instance, local)
                }
            },
            path: path.clone(),
            value: *value,
        },
        Change::Channel { channel, messages } => Change::Channel {
            channel: number_of(&slice.channels, *channel)?,
            messages: messages.clone(),
        },
        Change::Location { instance, location } => Change::Location {
            instance: number_of(&slice.instances, *instance)?,
            location: *location,
        },
    })
}

fn number_of(kept: &[u32], whole: u32) -> Option<u32> {
    kept.binary_search(&whole).ok().map(|number| number as u32)
}

/// Whether what the slice sees of a state of the whole System is this, but for values that nobody reads
/// again ([`Slice::without_dead`]).
fn is_seen_as(slice: &Slice, whole: &State, state: &State) -> bool {
    let mut seen = projected_state(slice, whole);
    for (number, (seen, instance)) in seen.instances.iter_mut().zip(&state.instances).enumerate() {
        if seen.location == instance.location {
            for variable in slice.dead.at(number as u32, seen.location) {
                let variable = *variable as usize;
                seen.locals[variable].clone_from(&instance.locals[variable]);
            }
        }
    }
    seen == *state
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
