//! A run by its states, with the figures of the search without numbers that has found it.

use crate::options::Reduction;
use crate::runs::evidence::Evidence;
use crate::search::{Figures, Ways};
use crate::several::Count;
use crate::verdict::RunsMade;

/// States have their positions for numbers.
#[derive(Default)]
pub(super) struct Way {
    pub(super) states: Vec<Box<[u64]>>,
    pub(super) figures: Figures,
    pub(super) leaves_out: bool,
    /// Whether all states were visited.
    pub(super) is_over: bool,
    pub(super) runs: Option<RunsMade>,
}

impl Way {
    /// Returns the figures of a search that holds `bytes`, without a run.
    pub(super) fn of(count: &Count, bytes: u64) -> Way {
        Way {
            figures: Figures {
                bytes,
                ..Figures::from(count)
            },
            leaves_out: count.leaves_out,
            ..Way::default()
        }
    }

    /// Returns the run as evidence.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence::path((0..self.states.len() as u32).collect())
    }
}

impl Ways for Way {
    fn path(&self, to: u32) -> Vec<u32> {
        (0..=to).collect()
    }

    fn copy(&self, state: u32, buffer: &mut [u64]) {
        buffer.copy_from_slice(&self.states[state as usize]);
    }

    fn figures(&self) -> Figures {
        self.figures
    }

    fn reduction(&self) -> Reduction {
        Reduction::needed(self.leaves_out)
    }

    fn is_full(&self) -> bool {
        self.is_over && !self.leaves_out
    }

    fn runs(&self) -> Option<RunsMade> {
        self.runs
    }
}
