//! State that the workers of a process share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use stubborn_engine::Clock;

/// State of a process that its workers poll.
#[derive(Debug, Default)]
pub struct Board {
    /// Number of the last search that is over, as all before it.
    pub stopped: AtomicU64,
    /// Whether the remaining steps of the present layer are not needed.
    pub leave_steps: AtomicBool,
    /// Whether a process is lost, so that nothing can be completed.
    pub is_broken: AtomicBool,
    /// Memory of all workers together, in bytes.
    pub account: AtomicU64,
}

/// Clock of a part of a search, which ends with the search.
pub struct Looking<'b> {
    pub board: &'b Board,
    pub search: u64,
}

impl Clock for Looking<'_> {
    fn is_cancelled(&self) -> bool {
        self.board.stopped.load(Relaxed) >= self.search || self.board.is_broken.load(Relaxed)
    }
}
