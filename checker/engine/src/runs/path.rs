//! A run by the steps that it takes alone: what is kept of it where it is not to be believed.
//!
//! A [`Trace`] says what each step changes, and so it says what somebody has written into it. A path
//! says nothing of the kind: the reference interpreter takes its steps again, and what comes of that
//! is a run of the system whatever the path was. Of a path that has been damaged there is another run
//! or none.

use std::ops::ControlFlow;

use stubborn_system::system::{ActionId, Failure, InstanceId, StepId, System};

use crate::interpreter::{visit_one, way};
use crate::state::State;
use crate::successors::Label;
use crate::trace::{Recorder, Trace};

/// The steps of a run, from the initial state on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub steps: Vec<Taken>,
    /// The number of the step with which the cycle begins, where there is one.
    pub cycle: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// As in [`TraceStep`](crate::TraceStep).
    pub participants: Vec<(InstanceId, StepId)>,
    pub action: Option<(ActionId, Vec<i64>)>,
    /// Of the ways in which these can take these steps, in the order of the reference interpreter,
    /// which one: a message of a bag and the values of `any` make several.
    pub way: u32,
}

/// The path of a run of the system, without its monitor; `None` where it is no run of the system, or
/// `goes_on` does not. Costs what replaying costs.
pub fn path(system: &System, trace: &Trace, goes_on: &dyn Fn() -> bool) -> Option<Path> {
    if *trace.start() != State::initial(system) {
        return None;
    }
    let (mut before, mut after) = (trace.walk(), trace.walk());
    let mut steps = Vec::with_capacity(trace.len());
    while let Some(step) = after.advance() {
        if !goes_on() {
            return None;
        }
        let way = way(system, before.state(), step, after.state(), goes_on)?;
        steps.push(Taken {
            participants: step.participants.clone(),
            action: step.action.clone(),
            way,
        });
        before.advance();
    }
    let cycle = (!trace.cycle().is_empty()).then_some(trace.steps().len());
    Some(Path { steps, cycle })
}

/// The run of the system that takes this path, if there is one, and `goes_on` does. The path may come
/// from anywhere.
pub fn taken(system: &System, path: &Path, goes_on: &dyn Fn() -> bool) -> Option<Trace> {
    let mut run = Recorder::new(State::initial(system));
    let mut cycle = None;
    for (number, step) in path.steps.iter().enumerate() {
        if !goes_on() || !is_of(system, step) {
            return None;
        }
        if path.cycle == Some(number) {
            cycle = Some(run.now().clone());
        }
        let action = step.action.as_ref().map(|(a, values)| (*a, &values[..]));
        let label = Label {
            participants: &step.participants,
            action,
        };
        match nth_way(system, run.now(), label, step.way, goes_on)? {
            Ok(after) => run.step(label, after),
            Err(failure) => {
                let is_last = number + 1 == path.steps.len() && path.cycle.is_none();
                run.failing(label, failure);
                return is_last.then(|| run.finish(None));
            }
        }
    }
    // A cycle closes exactly, or it is none.
    if path.cycle.is_some() && cycle.as_ref() != Some(run.now()) {
        return None;
    }
    Some(run.finish(path.cycle))
}

/// Whether the system has whoever takes the step, and what they do.
fn is_of(system: &System, step: &Taken) -> bool {
    let has = |(instance, step): &(InstanceId, StepId)| {
        let instance = system.instances.get(*instance as usize);
        instance.is_some_and(|instance| (*step as usize) < instance.steps.len())
    };
    let has_action = |(action, values): &(ActionId, Vec<i64>)| {
        let action = system.actions.get(*action as usize);
        action.is_some_and(|action| action.arguments.len() == values.len())
    };
    step.participants.iter().all(has) && step.action.as_ref().is_none_or(has_action)
}

fn nth_way(
    system: &System,
    state: &State,
    label: Label<'_>,
    way: u32,
    goes_on: &dyn Fn() -> bool,
) -> Option<Result<State, Failure>> {
    let (mut left, mut outcome) = (way, None);
    let _ = visit_one(
        system,
        state,
        label.participants,
        label.action,
        &mut |occurrence| {
            if left == 0 {
                outcome = Some(occurrence.outcome);
            }
            if left == 0 || !goes_on() {
                return ControlFlow::Break(());
            }
            left -= 1;
            ControlFlow::Continue(())
        },
    );
    outcome
}
