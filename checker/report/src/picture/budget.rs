//! Limits of a search for a graph.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use stubborn_engine::{Clock, Limits, Options, Reduction};

/// End of a search for a graph.
pub(super) struct Until<'a> {
    /// The drawing is no longer wanted.
    is_cancelled: &'a AtomicBool,
    /// There are known to be more states than are drawn.
    is_enough: AtomicBool,
}

impl<'a> Until<'a> {
    pub(super) fn new(is_cancelled: &'a AtomicBool) -> Until<'a> {
        Until {
            is_cancelled,
            is_enough: AtomicBool::new(false),
        }
    }

    pub(super) fn is_enough(&self) {
        self.is_enough.store(true, Ordering::Relaxed);
    }
}

impl Clock for Until<'_> {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || self.is_enough.load(Ordering::Relaxed)
    }
}

/// Memory of a search for a graph, in bytes, beside that of the checks.
const MOST_BYTES: u64 = 512 << 20;

/// Options of a search for a graph: nothing is reduced, so that a run is a path in it.
pub(super) fn plain(most: u64, deadline: Instant) -> Options {
    Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(most),
            max_memory: Some(MOST_BYTES),
            deadline: Some(deadline),
            ..Limits::default()
        },
        ..Options::default()
    }
}
