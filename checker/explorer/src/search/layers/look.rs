//! Observer of the states and steps of a search without numbers.

use std::ops::ControlFlow;

use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use crate::search::meter::Stop;

/// Observer of the states and steps of a search.
pub trait Look {
    /// Called in a search on the disk or in several processes before a step of this state fails or
    /// the state is terminal, and at the latest with the layer's first state. New states that
    /// follow are of the next layer.
    fn begins(&mut self, _layer: u64, _state: &[u64]) {}

    /// Number of looks at each new state.
    fn looks(&self) -> usize {
        1
    }

    /// Sets all bits of a state that a look is a function of; false if they are not known. The look
    /// may then be left out if a state with the same bits has passed it.
    fn footprint(&self, _look: usize, _into: &mut [u64]) -> bool {
        false
    }

    /// A look at a new state.
    fn found(&mut self, look: usize, state: &[u64]) -> ControlFlow<Stop>;

    /// All looks at a new state.
    fn found_by_all(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        (0..self.looks()).try_for_each(|look| self.found(look, state))
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop>;

    /// A state without a step.
    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop>;
}
