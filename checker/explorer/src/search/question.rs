//! Questions about the runs that go on for ever.

use stubborn_space::packed::Packed;
use stubborn_space::recurring::{Recurring, Step};
use stubborn_space::successors::Label;

/// Question whether there is a run of some kind. Each thread has one.
pub trait Question {
    /// Whether every step is wanted.
    const ALL_ARE_WANTED: bool = false;

    /// Whether a state alone is an answer, however a run continues. Only searches for fair runs
    /// ask.
    fn shows(&mut self, _state: &[u64]) -> bool {
        false
    }

    /// Whether a run that ends in a state is an answer. Only searches for fair runs ask.
    fn ends(&mut self, _state: &[u64]) -> bool {
        false
    }

    /// Whether the run may stay in a state.
    fn stays(&mut self, _state: &[u64]) -> bool {
        true
    }

    /// Whether the run may take a step infinitely often, and whether it has to take one like it.
    fn step(&mut self, from: &[u64], label: Label<'_>, to: &[u64]) -> Step;
}

/// Whether a recurrence is violated, in packed states.
pub struct Recurrence<'a> {
    pub packed: &'a Packed<'a>,
    pub recurring: Recurring,
}

impl Question for Recurrence<'_> {
    fn step(&mut self, from: &[u64], label: Label<'_>, _: &[u64]) -> Step {
        let at = |instance| self.packed.location(from, instance);
        self.recurring.step(label, &at)
    }
}
