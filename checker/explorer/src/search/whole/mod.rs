//! Questions about all states that a search without numbers has found.
//!
//! The place of a state in the set of all states serves as its number ([`Whole`]), for which a few
//! bits are kept; its steps are computed again where a question needs them. So any number of
//! threads can visit the states in any order, and at most a few bytes a state are kept besides the
//! set. Results do not depend on the order of the threads: where they would, there is none, and the
//! states have to be searched with numbers.
//!
//! - [`reaching`]: from which states can a goal be reached?
//! - [`cycles`]: can a run take steps of some kind infinitely often?
//!
//! If a search has left steps out, some steps lead to states that it has not visited. They are
//! ignored: a question is about the states that were found and all steps between them.

mod bits;
mod counts;
pub mod cycles;
pub mod reaching;
mod sections;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use stubborn_space::verdict::Reason;

use super::layers::bounds::Bounds;
use super::meter::{Figures, Meter, Stop};
use crate::store::quotient::{Place, Quotient, Settled};

/// All states that a search has found of a model whose states are one word.
pub struct Whole {
    /// Whether every step leads to one of them.
    is_closed: bool,
    states: Settled,
}

/// Reports a step that leads out of a closed set: nothing may be concluded.
#[cold]
fn no_state() -> Stop {
    debug_assert!(false, "every step leads to one of the states");
    let defect = "a step leads to a state that a search of all states has not found";
    Stop::Limit(Reason::Internal(defect.to_owned()))
}

impl Whole {
    /// Takes the states of a search that has ended; it `is_closed` if every step of each was taken.
    pub fn of_all(set: Quotient, is_closed: bool) -> Whole {
        Whole {
            is_closed,
            states: Settled::new(set),
        }
    }

    /// Returns the number of states.
    pub fn states(&self) -> u64 {
        self.states.len()
    }

    /// Bound of the numbers of states, some of which no state has.
    pub fn numbers(&self) -> u64 {
        self.states.numbers()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.states.bytes()
    }

    /// Returns what a question begins with; `steps` is their number, for reports of progress.
    fn bounds(&self, steps: u64, meter: &Meter<'_>) -> Bounds {
        let found = Figures {
            states: self.states(),
            edges: steps,
            bytes: self.bytes(),
        };
        Bounds::new(meter, found)
    }

    /// Prefetches the place of a state.
    #[inline]
    pub fn seek(&self, state: u64) -> Place {
        self.states.place(state)
    }

    /// The number of the state at a place, if it is one of them.
    #[inline]
    pub fn number(&self, place: Place) -> Option<u64> {
        self.states.number(place)
    }

    /// The number of a state to which a step of one of them leads; `None` if the step is ignored.
    #[inline]
    fn number_behind(&self, place: Place) -> ControlFlow<Stop, Option<u64>> {
        match self.number(place) {
            None if self.is_closed => ControlFlow::Break(no_state()),
            number => ControlFlow::Continue(number),
        }
    }

    /// The state with a number.
    #[inline]
    pub fn state(&self, number: u64) -> Option<u64> {
        self.states.word(number)
    }
}
