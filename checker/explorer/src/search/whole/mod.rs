//! Questions about a state space that was found whole, without numbers for its states and without its edges.
//!
//! Each state has a place in the set of all states, and so a number ([`Whole`]), by which a few bits are kept
//! for it; its steps are taken again wherever a question needs them. So any number of threads can go through
//! the states, in any order, and what is kept besides the set is at most a few bytes a state. What is shown
//! here does not depend on what happens first: where it would have to, nothing is shown, and the states have
//! to be searched with numbers.
//!
//! - [`reaching`]: from which states can a goal be reached?
//! - [`cycles`]: can a run take steps of some kind again and again?
//!
//! There are no paths: [`shortest`](super::path::shortest) finds one to the nearest state that a
//! question names.
//!
//! Where a search has left steps out, some of the steps that are taken again lead to states that it has not
//! found. These steps are passed over: a question is then about the states that were
//! found and all steps between them, those that were taken and others.

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
use crate::store::numbers::{Numbers, Sought};
use crate::store::quotient::{Quotient, Settled};

/// All states that a search has found of a model in which each is one word.
pub struct Whole {
    /// Every step leads to one of them; else those that do not are none that a question is about.
    is_closed: bool,
    states: Numbers,
}

/// A step leads out of a set that no step leads out of: nothing may be made of that.
#[cold]
fn no_state() -> Stop {
    debug_assert!(false, "every step leads to one of the states");
    let defect = "a step leads to a state that a search of all states has not found";
    Stop::Limit(Reason::Internal(defect.to_owned()))
}

impl Whole {
    /// Of a search that has ended, which has taken every step of each state if it `is_closed`.
    pub fn of_all(set: Quotient, is_closed: bool) -> Whole {
        Whole {
            is_closed,
            states: Numbers::of_one(Settled::new(set)),
        }
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.states.len()
    }

    /// Every state's number is below this; there are numbers that none has.
    pub fn numbers(&self) -> u64 {
        self.states.end()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.states.bytes()
    }

    /// What a question about it begins with. `steps` is how many steps there are, for who is told of progress.
    fn bounds(&self, steps: u64, meter: &Meter<'_>) -> Bounds {
        let found = Figures {
            states: self.states(),
            edges: steps,
            bytes: self.bytes(),
        };
        Bounds::new(meter, found)
    }

    /// Begins to look for a state.
    #[inline]
    pub fn seek(&self, state: u64) -> Option<Sought> {
        self.states.seek(state)
    }

    /// The number of a state, if it is one of them.
    #[inline]
    pub fn number(&self, sought: Option<Sought>) -> Option<u64> {
        self.states.number(sought?)
    }

    /// The number of a state that a step of one of them leads to; `None` where the step is passed over.
    #[inline]
    fn number_behind(&self, sought: Option<Sought>) -> ControlFlow<Stop, Option<u64>> {
        match self.number(sought) {
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
