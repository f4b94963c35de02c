//! Settings of a search.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use stubborn_engine::{Limits, Liveness, Order, Reduction, Search, Storage, Symmetry};

/// Settings of a search. No verdict depends on them, except that a limit, a storage that may miss
/// states or a chosen search algorithm for liveness may leave a property undecided. Explorations store
/// states exactly.
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
    /// Whether a plain search takes the place of a reduced one that costs more.
    pub weighs_plain: bool,
    /// Symmetry reduction: merges states that differ only by permuting identical processes.
    pub symmetry: Symmetry,
    /// Search order.
    pub search: Search,
    /// Order in which the steps of a state are taken.
    pub order: Order,
    /// Search algorithm for liveness properties.
    pub liveness: Liveness,
    /// Storage of visited states. All but [`Storage::Exact`] find violations and prove nothing.
    pub storage: Storage,
    /// Whether to keep states apart that differ only in variables whose value is never read again.
    pub keep_dead_variables: bool,
    /// Number of threads; 0 counts as 1. Small searches use one thread.
    pub threads: usize,
    /// Most states that a search may visit.
    pub max_states: Option<u64>,
    /// Most steps of the runs that a breadth-first search takes.
    pub max_depth: Option<u64>,
    /// Most bytes that a search may hold.
    pub max_memory: Option<u64>,
    /// Bytes that the program holds besides its searches and that count towards `max_memory`.
    pub own_memory: u64,
    /// Time at which searches end.
    pub deadline: Option<Instant>,
    /// Number that searches for deep violations draw from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            reduction: Reduction::default(),
            weighs_plain: true,
            symmetry: Symmetry::default(),
            search: Search::default(),
            order: Order::default(),
            liveness: Liveness::default(),
            storage: Storage::default(),
            keep_dead_variables: false,
            threads: 1,
            max_states: None,
            max_depth: None,
            max_memory: None,
            own_memory: 0,
            deadline: None,
            seed: 1,
        }
    }
}

impl Options {
    /// The same options with a deadline after this time from now. A time that no clock reaches is no
    /// limit.
    #[must_use]
    pub fn within(self, time: Duration) -> Options {
        let deadline = Instant::now().checked_add(time);
        Options { deadline, ..self }
    }

    /// Number of threads of a search that can use several: no more than 64.
    pub fn threads(&self) -> usize {
        self.for_engine().threads()
    }

    /// Settings of the engine.
    pub(crate) fn for_engine(&self) -> stubborn_engine::Options {
        stubborn_engine::Options {
            reduction: self.reduction,
            symmetry: self.symmetry,
            search: self.search,
            order: self.order,
            liveness: self.liveness,
            storage: self.storage,
            keep_dead_variables: self.keep_dead_variables,
            weighs_plain: self.weighs_plain,
            threads: NonZeroUsize::new(self.threads),
            seed: self.seed,
            limits: Limits {
                max_states: self.max_states,
                max_depth: self.max_depth,
                max_memory: self.max_memory,
                own_memory: self.own_memory,
                deadline: self.deadline,
                ..Limits::default()
            },
            ..stubborn_engine::Options::default()
        }
    }
}
