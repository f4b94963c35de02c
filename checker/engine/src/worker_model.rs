//! The model and the observer of one worker in a distributed search.

use crate::options::Use;
use crate::search::Meter;
use crate::search::layers::Look;
use crate::search::whole::cycles::Step;
use crate::several::{Asked, FailingStep, Shown};
use crate::successors::{Label, Model};

/// Observer of the states and steps of one worker.
pub trait Gathers: Look {
    /// Returns what was found since the last call.
    fn shown(&mut self) -> Vec<Shown>;

    /// Restricts the observer to the properties that are still open.
    fn go_on(&mut self, open: &[usize]);

    /// Whether a question is about a state: a goal, or a state that a cycle may contain. `ends`
    /// says that it has no step.
    fn is_asked(&mut self, _: Asked, _state: &[u64], _ends: bool) -> bool {
        false
    }

    /// Classifies a step for a question about cycles.
    fn step(&mut self, _: Asked, _from: &[u64], _: Label<'_>, _to: &[u64]) -> Step {
        Step::Forbidden
    }

    /// Failing steps to be reported.
    fn told(&self) -> Vec<FailingStep> {
        Vec::new()
    }
}

/// The model that a worker explores its share of, and its observer.
pub struct Local<'a> {
    pub model: Model<'a>,
    /// The initial states, one after the other.
    pub initials: Vec<u64>,
    /// Words of a state and bits of them; every bit that may ever be set is in one.
    pub parts: Vec<(u32, u64)>,
    /// Whether steps are cached.
    pub remembered: Use,
    pub observer: &'a mut dyn Gathers,
    pub meter: Meter<'a>,
}

/// Exploration of a worker's share.
pub type Work<'w> = &'w mut dyn FnMut(Local<'_>);
