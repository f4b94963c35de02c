//! One step of a state, as the interpreter gives it.

use std::ops::ControlFlow;

use stubborn_system::system::{ActionId, Failure, InstanceId, StepId};

use crate::state::State;
use crate::trace::{TraceStep, changes};

/// One step of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Who takes it, in the order of the instances, each with the step that it takes.
    pub participants: Vec<(InstanceId, StepId)>,
    /// Of a joint step, with the action's values.
    pub action: Option<(ActionId, Vec<i64>)>,
    /// The state that it leads to, or why it fails.
    pub outcome: Result<State, Failure>,
}

pub(super) type Visit<'a> = dyn FnMut(Occurrence) -> ControlFlow<()> + 'a;

impl Occurrence {
    /// It as a step of a run that takes it in `before`, the state that it is a step of.
    pub fn taken(&self, before: &State) -> TraceStep {
        let (changes, failure) = match &self.outcome {
            Ok(after) => (changes(before, after), None),
            Err(failure) => (Vec::new(), Some(failure.clone())),
        };
        TraceStep {
            participants: self.participants.clone(),
            action: self.action.clone(),
            failure,
            changes,
        }
    }
}
