//! What a caller may ask of a search.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::time::Instant;

use serde::{Deserialize, Serialize};

/// Each thread has working memory of its own.
const MOST_THREADS: usize = 64;

/// How to search. The default takes a state's steps forward, breadth first, without a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub order: Order,
    pub search: Search,
    pub reduction: Reduction,
    /// Where there are rounds: to leave it at a few of them.
    pub quick: Option<Quick>,
    /// Whether stubborn sets are made smaller by what other processes can still do from the present
    /// state while a whole set stands still. What is preserved is the same.
    pub foresight: Use,
    /// Whether searches do without numbers for states, and share layers among threads, where they
    /// can.
    pub unnumbered: Use,
    /// Whether such a search looks steps up that were worked out before.
    pub remembered: Use,
    pub liveness: Liveness,
    pub storage: Storage,
    /// Not to merge states that differ only in data that decide nothing any more. Without a
    /// reduction nothing at all is left out then: no data, no process, no step.
    pub keep_dead_variables: bool,
    /// Not to work out what variables come to that always have one value.
    pub keep_constants: bool,
    /// Not to take away steps that are never taken.
    pub keep_unreachable: bool,
    /// Whether to keep steps that could be merged with the next one because no other process observes
    /// or disturbs the state between. [`keep_dead_variables`](Options::keep_dead_variables) implies
    /// this: merged steps hide values of variables.
    pub keep_steps: bool,
    pub symmetry: Symmetry,
    /// States of the first search, without permutations; later limits are proportional to it. By
    /// default 1,000 for [`Symmetry::Auto`] and none for [`Symmetry::Always`].
    pub first_states: Option<NonZeroU32>,
    /// States of a plain search before [`Reduction::Stubborn`] is prepared, which takes longer than a
    /// search of a small model. Properties that it decides have the figures of the plain state space.
    /// `None` shows the reduction on small models too.
    pub plain_first: Option<NonZeroU32>,
    /// Whether a plain search takes the place of a reduced one that costs more. Properties that it
    /// decides have the figures of the plain state space.
    pub weighs_plain: bool,
    /// Whether the observer receives the coverage of the searches
    /// ([`Event::Saw`](crate::observer::Event::Saw)).
    pub tells_seen: bool,
    /// How many threads a search may use that can use several; one where it is not said. Verdicts,
    /// the lengths of the shortest traces and the counts of what holds do not depend on it, as long
    /// as no limit on memory or time is reached: several threads need less of the one at times, and
    /// come sooner to an end.
    pub threads: Option<NonZeroUsize>,
    /// Number that searches for deep violations draw from.
    pub seed: u64,
    pub limits: Limits,
}

/// A model of so many states is gone through in less time than it takes to prepare a reduction.
pub const SMALL: Option<NonZeroU32> = NonZeroU32::new(1000);

impl Options {
    /// How many threads a search uses that can use several.
    pub fn threads(&self) -> usize {
        self.threads.map_or(1, NonZeroUsize::get).min(MOST_THREADS)
    }

    /// Whether nothing is to be left out or merged.
    pub fn is_plain(&self) -> bool {
        self.reduction == Reduction::None && self.keep_dead_variables
    }

    /// Whether there are rounds: where no state is taken for another.
    pub fn goes_in_rounds(&self) -> bool {
        self.reduction.is_in_rounds() && self.storage == Storage::Exact
    }

    /// Whether searches that go depth first see to cycles themselves, and others need no condition
    /// on them.
    pub fn sees_to_cycles(&self) -> bool {
        self.reduction == Reduction::SensitiveCycles && self.storage == Storage::Exact
    }

    /// Whether states may be taken for others that permutations make of them.
    pub fn permutes(&self) -> bool {
        self.symmetry != Symmetry::Off && self.obstacle().is_none()
    }

    /// What of the options keeps a search from that whoever asks for it.
    pub fn obstacle(&self) -> Option<Obstacle> {
        if self.goes_in_rounds() || self.quick.is_some() {
            Some(Obstacle::Rounds)
        } else if self.is_plain() {
            Some(Obstacle::EveryState)
        } else {
            None
        }
    }

    /// Whether constants are worked out, and what never happens is taken away.
    pub fn simplifies(&self) -> (bool, bool) {
        (!self.keep_constants, !self.keep_unreachable)
    }

    /// Whether runs of steps that nobody else can observe or disturb may be taken as one.
    pub fn merges_steps(&self) -> bool {
        !self.keep_steps && !self.keep_dead_variables
    }
}

/// Partial-order reduction with stubborn sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reduction {
    /// Leaves out the steps outside a stubborn set, where a theorem says that no verdict changes.
    #[default]
    Stubborn,
    /// Takes every step.
    None,
    /// Leaves out more in the first of several rounds: the steps that only matter through visible
    /// ones which are not *sensitive* yet. More are sensitive in each round, and the last round is
    /// exact.
    Sensitive,
    /// As `Sensitive`, with a weaker condition on cycles: steps on cycles of processes become
    /// sensitive too.
    SensitiveCycles,
}

/// To look for violations only as far as a few rounds of [`Reduction::Sensitive`] show them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quick {
    /// So many rounds at most.
    pub rounds: u32,
    /// Each gives up when it finds one more state than this.
    pub states: u64,
}

impl Reduction {
    /// The name of the reduction in options and results.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Stubborn => "stubborn",
            Reduction::None => "none",
            Reduction::Sensitive => "sensitive",
            Reduction::SensitiveCycles => "sensitive-cycles",
        }
    }

    /// Whether steps may be left out at all.
    pub fn leaves_out(self) -> bool {
        self != Reduction::None
    }

    /// Whether there are rounds in which fewer steps are sensitive than the property sees.
    pub fn is_in_rounds(self) -> bool {
        matches!(self, Reduction::Sensitive | Reduction::SensitiveCycles)
    }

    /// The reduction that a search has needed which has left steps out, or none.
    pub fn needed(leaves_out: bool) -> Reduction {
        match leaves_out {
            true => Reduction::Stubborn,
            false => Reduction::None,
        }
    }
}

/// Symmetry reduction: merges states that differ only by a permutation of identical process
/// instances, of the values that name them and of the array cells that these index.
///
/// It is used only where the steps and the property show that no verdict changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// Used where counts show that it saves more than it costs; never for a model with few
    /// states.
    #[default]
    Auto,
    /// Used wherever it preserves the verdict.
    Always,
    /// Never used.
    Off,
}

/// Why a search takes no states for one that permutations make of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// No theorem is used for fair runs, in which it matters which process moves.
    FairRuns,
    /// A round ([`Reduction::Sensitive`]) says which of the model's own steps are sensitive, and
    /// permutations move these.
    Rounds,
    /// Nothing was to be left out or merged.
    EveryState,
}

/// When a means is used that decides what a search costs, and no verdict. Tests ask for one or the
/// other where a model is too small for it to pay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Use {
    /// Where counts show that it leaves out, or saves, enough for what it costs.
    #[default]
    WhereItPays,
    Always,
    Never,
}

/// How violations are looked for that only an infinite run shows to a monitor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Liveness {
    /// The cheapest search that decides.
    #[default]
    Auto,
    /// Valmari 1993, Alg. 3.4: livelocks alone.
    OnePass,
    /// Nested depth-first search (Courcoubetis et al. 1992), steps to `infinite` states first.
    Nested,
    /// The same, such steps last: for the comparison of Hansen, Penczek and Valmari 2002, and not
    /// offered to users.
    NestedErrorLast,
    /// Latvala and Tauriainen 2004, Fig. 1: all of them.
    FourPass,
}

/// How the states that were found are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Whole.
    #[default]
    Exact,
    /// As bits in a table of `2^bits` bits, by their hashes (Holzmann's Supertrace): some states
    /// may be taken for others, and then nothing is proved.
    Bitstate { bits: u32 },
    /// Fingerprints of this many bits (hash compaction): far fewer states are confused than in
    /// bitstate storage, for more memory. Nothing is proved.
    Compact { bits: u32 },
}

impl Storage {
    /// The name of the storage in options and results.
    pub fn name(self) -> &'static str {
        match self {
            Storage::Exact => "exact",
            Storage::Bitstate { .. } => "bitstate",
            Storage::Compact { .. } => "compact",
        }
    }
}

/// The order in which the steps of a state are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    /// Instances by text and value, then steps by text, then values; a joint step stands at its
    /// first participant.
    #[default]
    Forward,
    /// Exactly backwards.
    Reverse,
}

/// Search order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Search {
    /// Nearest states first; the traces are the shortest.
    #[default]
    Breadth,
    /// Deepest states first.
    Depth,
    /// Random runs, which find violations and prove nothing.
    Random(RandomRuns),
}

/// Runs that each take one step of a state, chosen at random.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RandomRuns {
    /// Number of runs; without it they go on until a limit or until nothing is open.
    pub runs: Option<NonZeroU64>,
    /// Most steps of a run; without it runs have several lengths in turn.
    pub depth: Option<NonZeroU64>,
    pub seed: u64,
}

impl RandomRuns {
    /// Runs of all lengths, without a number.
    pub const ENDLESS: RandomRuns = RandomRuns {
        runs: None,
        depth: None,
        seed: 0,
    };
}

impl Search {
    /// The name of the search in options and results.
    pub fn name(self) -> &'static str {
        match self {
            Search::Breadth => "bfs",
            Search::Depth => "dfs",
            Search::Random(_) => "random",
        }
    }
}

/// When to give up. What is then not decided is
/// [`Verdict::Undecided`](crate::Verdict::Undecided).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Reached when one more state than this is found.
    pub max_states: Option<u64>,
    /// Most steps from an initial state to one that a breadth-first search generates.
    pub max_depth: Option<u64>,
    /// In bytes: states, their index, the parents and the edges that are kept; and
    /// [`own_memory`](Limits::own_memory).
    pub max_memory: Option<u64>,
    /// In bytes: what the process holds besides its searches, and counts with them.
    pub own_memory: u64,
    pub deadline: Option<Instant>,
    /// Time until which a known violation may be shortened, if it is later than the deadline.
    pub shortening: Option<Instant>,
}

impl Limits {
    /// Why a search may not hold so many bytes, if it may not.
    #[inline]
    pub fn forbid(self, bytes: u64) -> Option<u64> {
        let is_too_much = |most: &u64| bytes.saturating_add(self.own_memory) > *most;
        self.max_memory.filter(is_too_much)
    }

    /// Those of what makes a violation shorter.
    pub fn of_shortening(self) -> Limits {
        Limits {
            deadline: self.shortening.or(self.deadline),
            ..self
        }
    }
}

/// Figures of a search that is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    pub states: u64,
    pub edges: u64,
    /// Breadth first: how far from the initial state; depth first: the length of the path.
    pub depth: u64,
    /// Memory that the search holds.
    pub bytes: u64,
    pub seconds: f64,
}
