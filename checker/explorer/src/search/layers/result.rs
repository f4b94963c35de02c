//! Result of a layered search.

use std::ops::ControlFlow;

use stubborn_space::options::Reduction;

use crate::search::Ways;
use crate::search::meter::{Figures, Stop};
use crate::search::whole::Whole;
use crate::store::coding::Coding;

/// Whether they pay is not asked of so few values of components.
const FEW_VALUES: u64 = 1 << 14;

/// Where components have as many values as there are states, their numbers cost more than they save.
pub fn pays(coding: &impl Coding, states: u64) -> bool {
    coding.values() <= states.max(FEW_VALUES)
}

/// Result of a layered search.
pub struct Layers {
    pub states: u64,
    /// Steps that were taken, failing ones too.
    pub edges: u64,
    /// Every step was taken in every state.
    pub full: bool,
    pub leaves_out: bool,
    /// The most memory that was in use, in bytes.
    pub bytes: u64,
    /// It was given up, because a word tells too few of the states, or tells them at too high a price: with
    /// numbers they can be searched.
    pub given_up: bool,
    /// And that because a word has not bits enough for the numbers.
    pub is_too_narrow: bool,
    /// Not every layer was gone through by one thread: if a limit has ended the search, another one may end
    /// among other states.
    pub several: bool,
    /// All states that there are to find, where each is one word.
    pub whole: Option<Whole>,
}

/// The figures alone: there is a way to none of its states.
impl Ways for Layers {
    fn path(&self, _: u32) -> Vec<u32> {
        unreachable!("no state has a number")
    }

    fn copy(&self, _: u32, _: &mut [u64]) {
        unreachable!("no state has a number")
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.states,
            edges: self.edges,
            bytes: self.bytes,
        }
    }

    fn reduction(&self) -> Reduction {
        Reduction::needed(self.leaves_out)
    }

    fn is_full(&self) -> bool {
        self.full
    }
}

/// Result of a layered search, with its observers.
pub type Searched<L> = (ControlFlow<Stop>, Layers, Vec<L>);

impl Layers {
    /// Result of a search that has not begun.
    pub fn given_up() -> Layers {
        Layers {
            states: 0,
            edges: 0,
            full: false,
            leaves_out: false,
            bytes: 0,
            given_up: true,
            is_too_narrow: false,
            several: false,
            whole: None,
        }
    }
}
