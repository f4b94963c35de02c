//! Counts of a state space.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::search::{Figures, Stop};
use crate::several::Sharing;
use crate::verdict::Reason;

/// Counts of an exploration.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration {
    /// Reachable states.
    pub states: u64,
    /// Steps of reachable states, including failing ones.
    pub edges: u64,
    /// States without a step.
    pub terminal: u64,
    /// Failing steps.
    pub failing: u64,
    /// Whether every step of every state was taken: true of a complete search without a reduction.
    pub full: bool,
    /// Whether every state that the search leads to was visited.
    pub complete: bool,
    /// Limit that ended the search.
    pub stopped: Option<Reason>,
    /// Number of permutations under which states were merged, if any were.
    pub symmetry: Option<u64>,
    /// Processes of a distributed search.
    pub sharing: Option<Arc<Sharing>>,
    /// The bounds that have cut off states, a bit for each.
    pub within: u64,
    /// Memory of a state and its index, on average.
    pub bytes_per_state: f64,
    pub seconds: f64,
}

impl Exploration {
    /// States, edges and seconds.
    pub(super) fn figures(&self) -> (u64, u64, f64) {
        (self.states, self.edges, self.seconds)
    }

    /// Counts of a search by one process.
    pub(super) fn new(
        flow: ControlFlow<Stop>,
        (figures, full): (Figures, bool),
        (terminal, failing): (u64, u64),
        symmetry: Option<u64>,
        seconds: f64,
    ) -> Exploration {
        let complete = flow.is_continue();
        let stopped = match flow {
            ControlFlow::Break(Stop::Limit(reason)) => Some(reason),
            ControlFlow::Continue(()) | ControlFlow::Break(Stop::Decided) => None,
        };
        Exploration {
            states: figures.states,
            edges: figures.edges,
            terminal,
            failing,
            full,
            complete,
            stopped,
            symmetry,
            sharing: None,
            within: 0,
            bytes_per_state: figures.bytes as f64 / figures.states as f64,
            seconds,
        }
    }
}
