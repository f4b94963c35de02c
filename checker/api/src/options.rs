//! Settings of a search.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use stubborn_engine::{Limits, Reduction, Search, Symmetry};

/// Settings of a search. No verdict depends on them, except that a limit may leave a property
/// undecided.
///
/// The default searches breadth first, so that counterexamples are short, with partial-order and
/// symmetry reduction, on one thread and without limits.
///
/// ```
/// use stubborn_checker::{Model, Options, Reduction};
///
/// let model = Model::parse("process p(i in 1..3) { loop { a: skip; b: skip; c: skip; stop } }")?;
/// let reduced = model.explore(&Options::default())?;
/// let full = model.explore(&Options {
///     reduction: Reduction::None,
///     ..Options::default()
/// })?;
/// assert!(reduced.states < full.states);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Partial-order reduction.
    pub reduction: Reduction,
    /// Symmetry reduction: merges states that differ only by permuting identical processes.
    pub symmetry: Symmetry,
    /// Search order.
    pub search: Search,
    /// Number of threads; 0 counts as 1. Small searches use one thread.
    pub threads: usize,
    /// Most states that a search may visit.
    pub max_states: Option<u64>,
    /// Most bytes that a search may hold.
    pub max_memory: Option<u64>,
    /// Most time from the start of a check or an exploration.
    pub timeout: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            reduction: Reduction::default(),
            symmetry: Symmetry::default(),
            search: Search::default(),
            threads: 1,
            max_states: None,
            max_memory: None,
            timeout: None,
        }
    }
}

impl Options {
    /// Settings of the engine, for a search that begins now.
    pub(crate) fn for_engine(&self) -> stubborn_engine::Options {
        stubborn_engine::Options {
            reduction: self.reduction,
            symmetry: self.symmetry,
            search: self.search,
            threads: NonZeroUsize::new(self.threads),
            limits: Limits {
                max_states: self.max_states,
                max_memory: self.max_memory,
                // A time that no clock reaches is no limit.
                deadline: self
                    .timeout
                    .and_then(|timeout| Instant::now().checked_add(timeout)),
                ..Limits::default()
            },
            ..stubborn_engine::Options::default()
        }
    }
}
