//! Going through a trace step by step.

use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;

use stubborn_system::system::{ActionId, Communication, InstanceId, StepId, System};

use super::occurrence::Visit;
use super::steps::is_inside;
use super::{joint, local};
use crate::state::State;
use crate::trace::{Trace, TraceStep};

/// Where a trace is no run of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// It does not begin in the initial state.
    Start,
    /// Its step with this number, from 0 and counted on through the cycle, cannot be taken, or
    /// leads somewhere else.
    Step(usize),
    /// The step with this number fails, and others come after it.
    AfterFailure(usize),
    /// The cycle does not lead back to where it begins.
    Cycle,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Start => write!(f, "the trace does not begin in the initial state"),
            Mismatch::Step(at) => write!(f, "step {} of the trace cannot be taken", at + 1),
            Mismatch::AfterFailure(at) => {
                write!(
                    f,
                    "the trace goes on after its step {}, which fails",
                    at + 1
                )
            }
            Mismatch::Cycle => write!(f, "the cycle of the trace does not close"),
        }
    }
}

impl std::error::Error for Mismatch {}

/// Takes every step of a trace, and compares what it leads to.
///
/// # Errors
/// At the first place where the trace is not a run of the system.
pub fn replay(system: &System, trace: &Trace) -> Result<(), Mismatch> {
    match replay_while(system, trace, &mut || Ok::<(), Infallible>(())) {
        Ok(replayed) => replayed,
        Err(never) => match never {},
    }
}

/// As [`replay`], as long as nothing stops it, which is asked before each step.
///
/// # Errors
/// What has stopped it.
pub fn replay_while<E>(
    system: &System,
    trace: &Trace,
    go_on: &mut dyn FnMut() -> Result<(), E>,
) -> Result<Result<(), Mismatch>, E> {
    if *trace.start() != State::initial(system) {
        return Ok(Err(Mismatch::Start));
    }
    let mut before = trace.walk();
    let mut after = trace.walk();
    while let Some(step) = after.advance() {
        go_on()?;
        let at = before.taken();
        if way(system, before.state(), step, after.state(), &|| true).is_none() {
            return Ok(Err(Mismatch::Step(at)));
        }
        if step.failure.is_some() && at + 1 < trace.len() {
            return Ok(Err(Mismatch::AfterFailure(at)));
        }
        before.advance();
    }
    if !trace.cycle().is_empty() && before.state() != trace.last() {
        return Ok(Err(Mismatch::Cycle));
    }
    Ok(Ok(()))
}

/// The number of the first way in which the step can be taken in `state` and does what it says;
/// `None` where there is none, or `goes_on`, which is asked before each, is false.
pub fn way(
    system: &System,
    state: &State,
    step: &TraceStep,
    after: &State,
    goes_on: &dyn Fn() -> bool,
) -> Option<u32> {
    let mut way = 0;
    let mut found = false;
    let action = step.action.as_ref().map(|(a, v)| (*a, v.as_slice()));
    let _ = visit_one(
        system,
        state,
        &step.participants,
        action,
        &mut |occurrence| {
            found = match (&occurrence.outcome, &step.failure) {
                (Ok(next), None) => next == after,
                (Err(failure), Some(expected)) => failure == expected && state == after,
                _ => false,
            };
            if found || !goes_on() {
                return ControlFlow::Break(());
            }
            way += 1;
            ControlFlow::Continue(())
        },
    );
    found.then_some(way)
}

/// The steps of exactly these participants, for this action.
pub fn visit_one(
    system: &System,
    state: &State,
    participants: &[(InstanceId, StepId)],
    action: Option<(ActionId, &[i64])>,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let listed = participants.iter().all(|&(instance, step)| {
        let body = &system.instances[instance as usize];
        let location = state.instances[instance as usize].location as usize;
        body.locations[location].steps.contains(&step)
            && action.is_some()
                == matches!(
                    body.steps[step as usize].communication,
                    Some(Communication::On { .. })
                )
    });
    if !listed || !is_inside(system, state) {
        return ControlFlow::Continue(());
    }
    match (participants, action) {
        (participants, Some(action)) => {
            joint::visit_one(system, state, participants, action, visit)
        }
        ([(instance, step)], None) => local::visit(system, state, *instance, *step, visit),
        _ => ControlFlow::Continue(()),
    }
}
