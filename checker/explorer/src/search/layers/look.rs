//! Observer of a layered search, and the interface between its parts.

use std::ops::ControlFlow;

use stubborn_space::successors::{Label, Visit};
use stubborn_system::system::Failure;

use crate::search::meter::Stop;
use crate::store::coding::Coding;

/// Observer of the states and steps of a search.
pub trait Look {
    /// How many looks at each new state there are.
    fn looks(&self) -> usize {
        1
    }

    /// Sets all bits of a state that a look is a function of; false where it is not known which they are. The
    /// look may then be left out if a state with the same bits has passed it.
    fn footprint(&self, _look: usize, _into: &mut [u64]) -> bool {
        false
    }

    /// A look at a new state.
    fn found(&mut self, look: usize, state: &[u64]) -> ControlFlow<Stop>;

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop>;

    /// A state without a step.
    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop>;
}

/// Observer that ignores everything.
pub struct Nobody;

impl Look for Nobody {
    fn looks(&self) -> usize {
        0
    }

    fn found(&mut self, _: usize, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

/// The search that asks for steps.
pub trait Takes: Visit {
    type Coding: Coding;
    type Look: Look + ?Sized;

    fn coding(&mut self) -> &mut Self::Coding;

    fn look(&mut self) -> &mut Self::Look;

    /// A step of the present state leads to the state with this word.
    fn leads_to(&mut self, word: u64) -> ControlFlow<()>;

    /// The word of a state that a step of the present one leads to; `None` if it has none yet, and is taken care
    /// of.
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>>;

    /// How often all words have changed.
    fn changes(&self) -> u64;

    /// Holds more bytes for a cache if there is memory for them.
    fn holds(&mut self, bytes: u64) -> bool;

    /// Gives back bytes of a cache.
    fn lets_go(&mut self, bytes: u64);
}
