//! Result of a layered search.

use std::ops::ControlFlow;

use stubborn_space::options::Reduction;

use crate::search::Ways;
use crate::search::meter::{Figures, Stop};
use crate::search::whole::Whole;
use crate::store::coding::Coding;

/// Numbers of component values that always pay.
const FEW_VALUES: u64 = 1 << 14;

/// Whether component numbers save more than they cost: there are fewer values than states.
pub fn pays(coding: &impl Coding, states: u64) -> bool {
    coding.values() <= states.max(FEW_VALUES)
}

/// Result of a layered search.
pub struct Layers {
    pub states: u64,
    /// Steps that were taken, failing ones too.
    pub edges: u64,
    /// Whether every step was taken in every state.
    pub full: bool,
    pub leaves_out: bool,
    /// The most memory that was in use, in bytes.
    pub bytes: u64,
    /// Whether the search was given up, because a word has too few bits for a state or its
    /// components have too many values; a search with numbers is possible.
    pub given_up: bool,
    /// Whether it was given up because a word has too few bits.
    pub is_too_narrow: bool,
    /// The parts with which another search may have enough.
    pub joined: Option<Vec<(u32, u64)>>,
    /// Whether several threads took part: a limit may then end another search at other states.
    pub several: bool,
    /// All reachable states, if each is one word.
    pub whole: Option<Whole>,
}

/// Figures only: states have no numbers, and there are no paths.
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
            joined: None,
            several: false,
            whole: None,
        }
    }
}
