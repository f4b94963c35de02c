//! The whole state space, state by state and edge by edge.

use stubborn_model::system::{ActionId, Failure, InstanceId, StepId, System};

use crate::check::CheckError;
use crate::interpreter::state::State;
use crate::options::{Options, Watch};
use crate::verdict::Reason;

/// Which step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// Who takes it, in the order of the instances, each with the step that it takes.
    pub participants: &'a [(InstanceId, StepId)],
    /// Of a joint step, with the action's values.
    pub action: Option<(ActionId, &'a [i64])>,
}

/// Takes what an exploration finds. States are numbered from 0, the initial one, in the order in
/// which they are found; a state comes before every edge from or to it.
pub trait Sink {
    /// Whether to make the states' values up for [`Sink::state`], which costs time.
    fn wants_states(&self) -> bool {
        false
    }
    /// Called where [`Sink::wants_states`].
    fn state(&mut self, _number: u32, _: &State) {}
    fn edge(&mut self, _from: u32, _: Label<'_>, _to: u32) {}
    /// A step that fails: an edge that leads nowhere.
    fn failing(&mut self, _at: u32, _: Label<'_>, _: &Failure) {}
}

/// What an exploration counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration {
    pub states: u64,
    /// Steps of reachable states, failing ones too.
    pub edges: u64,
    /// States without a step.
    pub terminal: u64,
    /// Failing steps.
    pub failing: u64,
    /// Every step was taken in every state; always so where it is complete.
    pub full: bool,
    pub complete: bool,
    /// Why it is not complete.
    pub stopped: Option<Reason>,
    /// Memory for each state, its index included.
    pub bytes_per_state: f64,
    pub seconds: f64,
}

/// Builds the state space and gives it to `sink`.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn explore(
    _system: &System,
    _options: &Options,
    _watch: &dyn Watch,
    _sink: &mut dyn Sink,
) -> Result<Exploration, CheckError> {
    Ok(Exploration {
        states: 0,
        edges: 0,
        terminal: 0,
        failing: 0,
        full: false,
        complete: false,
        stopped: Some(Reason::Cancelled),
        bytes_per_state: 0.0,
        seconds: 0.0,
    })
}
