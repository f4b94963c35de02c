//! Table of searches: the first row that applies is next. A strategy may have several rows.
//!
//! Nothing here searches, reads a clock or does input and output, so that a plan is the same on
//! every machine and in every run.

use super::facts::Facts;
use super::numbers::{self, Price};
use super::theorems::is_reducible;
use crate::options::{Options, Reduction, Search, Storage, Symmetry};
use crate::plan::attempt::{Attempt, Ended, Finished, Numbers, Proof, StatesIn, Strategy};
use crate::plan::stages::{Stage, first_states};
use crate::properties::{Conclusion, Preserved};

/// Units of preparation of the relations between steps before the first plain search is tried.
/// Below it the reduction always runs, so that its effect can be seen on small models.
const PREPARED_BEFORE_A_TRY: u64 = 1 << 11;
/// Factor by which preparation grows from one try to the next, so that all tries together cost a
/// small part of it.
const PREPARED_BETWEEN_TRIES: u64 = 4;
/// Edges of the plain state space that are compared with the reduced one: a few milliseconds.
const EDGES_COMPARED: u64 = 1 << 14;
/// Edges of the plain state space that are tried: before symmetry, where the sets leave out less than
/// half, and where the plain state space alone decides a property. Some tens and some hundreds of
/// milliseconds.
const EDGES_OF_TRY: u64 = 1 << 18;
const EDGES_OF_LONG_TRY: u64 = 1 << 20;
const EDGES_OF_TRY_FOR_ALL: u64 = 1 << 21;
/// Plain states for a hundred reduced ones below which the reduction does not pay, and below which
/// it may not. Of the designs of `realistic.sh`, those with fewer than 130 cost less in the plain
/// state space, and so do most of those with fewer than 200.
const HARDLY_MORE: u64 = 130;
pub const TWICE: u64 = 200;
/// Most edges for each state of a small model: where many edges lead to few states, a model is
/// small but searching it is not cheap.
const EDGES_OF_STATE: u64 = 64;

/// Everything but earlier attempts that decides which searches are made for some properties.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub options: &'a Options,
    pub stage: Stage,
    pub properties: &'a [Facts],
    pub has_disk: bool,
    /// Whether there are other processes to search with.
    pub has_others: bool,
    /// Whether states are merged by permutations.
    pub permutes: bool,
    /// The words of a state.
    pub words: usize,
    /// Whether the states are asked for, and no property.
    pub explores: bool,
    /// Whether no other stage has come before.
    pub is_first: bool,
}

impl Request<'_> {
    /// Whether the plain search replaces the reduced one if it costs less. An explicit reduction, a
    /// limit on states and the option to keep dead variables ask for the counts of the reduction.
    pub fn weighs_plain(&self) -> bool {
        let options = self.options;
        self.is_first
            && !self.explores
            && options.weighs_plain
            && options.reduction == Reduction::Stubborn
            && options.search == Search::Breadth
            && options.quick.is_none()
            && !options.keep_dead_variables
            && options.limits.max_states.is_none()
            && tries_plain_searches(options)
    }
}

/// The request, and what has become of it.
struct Situation<'a> {
    request: &'a Request<'a>,
    history: &'a [Finished],
    open: Vec<&'a Facts>,
}

/// A strategy: when it is used, and as which attempt.
struct Row {
    applies: fn(&Situation<'_>) -> bool,
    strategy: Strategy,
    numbers: Numbers,
    why: &'static str,
    /// The rest of the attempt.
    refine: fn(&Situation<'_>, &mut Attempt),
}

/// An attempt in memory, in the order of the options and within the limits of the stage.
const IN_MEMORY: fn(&Situation<'_>, &mut Attempt) = |_, _| {};

/// The rows; the first that applies is the next attempt.
const ROWS: &[Row] = &[
    RANDOM_RUNS,
    HASHED,
    SMALL_PLAIN,
    COMPARE,
    TRY_PLAIN,
    TOGETHER_REDUCED,
    SENSITIVE_ROUNDS,
    STUBBORN_SETS,
    STUBBORN_SETS_UNNUMBERED,
    STUBBORN_SETS_AGAIN,
    CYCLE_ROUNDS,
    CYCLE_PROVISO,
    TOGETHER_PLAIN,
    PLAIN_UNNUMBERED,
    PLAIN,
    DISK,
];

/// Returns the next search for what is open, if one follows within the stage of the request.
///
/// Nothing follows a few quick rounds ([`Options::quick`]).
pub fn next_attempt(request: &Request<'_>, history: &[Finished]) -> Option<Attempt> {
    let open: Vec<&Facts> = match history.last() {
        None => request.properties.iter().collect(),
        Some(last) => (last.open.iter())
            .map(|property| &request.properties[*property])
            .collect(),
    };
    let situation = Situation {
        request,
        history,
        open,
    };
    if situation.open.is_empty() {
        return None;
    }
    let is_left = situation.is_left_to_the_next_stage();
    let row = match (is_left, request.options.limits.max_depth) {
        (true, Some(_)) => None,
        (true, None) => [&COMPARE, &TRY_PLAIN]
            .into_iter()
            .find(|row| (row.applies)(&situation)),
        (false, Some(_)) => Some(&TO_DEPTH).filter(|row| (row.applies)(&situation)),
        (false, None) => ROWS.iter().find(|row| (row.applies)(&situation)),
    }?;
    let mut attempt = Attempt {
        strategy: row.strategy,
        stage: request.stage,
        numbers: row.numbers,
        order: request.options.search,
        states_in: StatesIn::Memory,
        proof: Proof::None,
        max_states: request.stage.limits(request.options).max_states,
        max_edges: None,
        why: row.why,
    };
    (row.refine)(&situation, &mut attempt);
    Some(attempt)
}

/// Random runs, where they are asked for: they find violations that are too deep for a search of all
/// states, and leave undecided what they do not find.
const RANDOM_RUNS: Row = Row {
    applies: |now| {
        let is_random = matches!(now.options().search, Search::Random(_));
        is_random && now.history.is_empty()
    },
    strategy: Strategy::RandomRuns,
    numbers: Numbers::None,
    why: "random runs are asked for, which look for violations",
    refine: IN_MEMORY,
};

/// States up to the depth limit: in numbered layers, of which each is complete before the next one
/// begins. The plain state space decides what a complete reduced search has left open.
const TO_DEPTH: Row = Row {
    applies: |now| match now.last_strategy() {
        None => true,
        Some(last) => last == Strategy::StubbornSets && now.last_ended(&Ended::Complete),
    },
    strategy: Strategy::Plain,
    numbers: Numbers::All,
    why: "a depth limit is asked for",
    refine: |now, attempt| {
        if now.history.is_empty() && now.may_reduce() {
            attempt.strategy = Strategy::StubbornSets;
        }
    },
};

/// Bits or fingerprints instead of states, where they are asked for: a state space that is too
/// large for memory may fit into them (`tests/benchmarks/memory_limit.sh`). Violations are found,
/// and nothing is proved.
///
/// The plain state space follows the reduced one if steps were left out of it and the reduction
/// preserves no more than terminal states of some property that is open.
const HASHED: Row = Row {
    applies: |now| {
        let follows = match now.last_strategy() {
            None => true,
            Some(last) => last == Strategy::StubbornSets && now.last_ended(&Ended::Complete),
        };
        !now.has_exact_storage() && follows
    },
    strategy: Strategy::Plain,
    numbers: Numbers::None,
    why: "the storage asked for may take one state for another; violations are looked for",
    refine: |now, attempt| {
        attempt.states_in = StatesIn::Hashes;
        if now.history.is_empty() && now.options().reduction.leaves_out() {
            attempt.strategy = Strategy::StubbornSets;
        }
    },
};

/// A few states of the plain state space, where the caller waits for verdicts alone. Preparing a
/// reduction takes longer than searching a small model: examples of up to 844 states are decided
/// within 2 ms (`server/examples/text_to_verdicts.rs`). [`Tries`] limit what preparation may cost
/// (`tests/benchmarks/reduction_overhead.sh`: at most 1.3 times a search without a reduction).
const SMALL_PLAIN: Row = Row {
    applies: |now| {
        let options = now.options();
        now.is_alone()
            && now.history.is_empty()
            && now.request.is_first
            && options.plain_first.is_some()
            && options.reduction == Reduction::Stubborn
            && tries_plain_searches(options)
    },
    strategy: Strategy::SmallPlain,
    numbers: Numbers::All,
    why: "a small model takes less time to search than a reduction takes to prepare",
    refine: |now, attempt| {
        attempt.max_states = now.options().plain_first.map(|states| states.get().into());
        attempt.max_edges = attempt.max_states.map(edges_of_small);
    },
};

/// A reduced search by all processes, for what stubborn sets preserve. Several processes have the
/// memory of several (`tests/benchmarks/cluster.sh`).
const TOGETHER_REDUCED: Row = Row {
    applies: |now| now.is_shared() && now.history.is_empty() && now.may_reduce(),
    strategy: Strategy::StubbornSets,
    numbers: Numbers::None,
    why: "stubborn sets leave fewer states to share among the processes",
    refine: |_, attempt| attempt.states_in = StatesIn::OtherProcesses,
};

/// Few states of the plain state space, once a reduced search has more than a few: where it has
/// hardly more of them to the same depth, the reduction costs more than it saves, since a state
/// costs a reduced search five to ten times as much (`tests/benchmarks/realistic.sh`).
const COMPARE: Row = Row {
    applies: |now| now.compares() && now.tries() == 0,
    strategy: Strategy::SmallPlain,
    numbers: Numbers::All,
    why: "a few states show how many the stubborn sets leave out",
    refine: |_, attempt| {
        attempt.max_states = None;
        attempt.max_edges = Some(EDGES_COMPARED);
    },
};

/// The plain state space up to a number of edges, where it has not twice as many states to the same
/// depth, or is needed anyway. `tests/benchmarks/realistic.sh`: the default
/// costs 1.87 times the best alternative in the geometric mean without the two rows, 1.3 with them.
const TRY_PLAIN: Row = Row {
    applies: |now| {
        let is_plain_next = now.does_not_pay() && !now.is_left_to_the_next_stage();
        now.compares() && now.tries() == 1 && !is_plain_next && now.edges_of_try().is_some()
    },
    strategy: Strategy::SmallPlain,
    numbers: Numbers::All,
    why: "a step of a plain search takes less time than a stubborn set",
    refine: |now, attempt| {
        attempt.max_states = None;
        attempt.max_edges = now.edges_of_try();
    },
};

/// Stubborn sets that respect only some of the steps that the properties see, and ever more of
/// them, until the result is exact, where that is asked for. `tests/benchmarks/sensitivity.sh`:
/// 0.92 of the states that the full reduction takes to a violation, breadth first.
const SENSITIVE_ROUNDS: Row = Row {
    applies: |now| {
        now.is_alone()
            && now.options().goes_in_rounds()
            && now.has_not_reduced()
            && now.may_reduce()
            && !now.has_reached_a_limit()
    },
    strategy: Strategy::SensitiveRounds,
    numbers: Numbers::All,
    why: "rounds with few sensitive steps may find a violation in fewer states",
    refine: IN_MEMORY,
};

/// Stubborn sets, for what they preserve ([`theorems`](super::theorems)). Their state space is the
/// smaller, the more independent the processes are. `tests/benchmarks/reduced_state_spaces.sh`:
/// 4,631,501 states of Peterson's algorithm instead of 26,209,918.
const STUBBORN_SETS: Row = Row {
    applies: |now| {
        let follows = match now.history.last() {
            Some(last) if last.ended == Ended::LastRoundIsNext => return true,
            _ => now.has_not_reduced() && !now.options().goes_in_rounds() && !now.does_not_pay(),
        };
        now.is_alone() && follows && now.may_reduce() && !now.has_reached_a_limit()
    },
    strategy: Strategy::StubbornSets,
    numbers: Numbers::UntilWide,
    why: "stubborn sets leave states out and preserve the verdicts",
    refine: |now, attempt| {
        if now.last_ended(&Ended::LastRoundIsNext) {
            attempt.why = "in the last round all visible steps are sensitive";
        } else if now.request.weighs_plain() && now.count_of(Strategy::StubbornSets) == 0 {
            attempt.max_states = Some(first_states(now.options()));
        }
    },
};

/// The same without numbers for states, once a layer is wide: on several threads, and with less
/// memory for each state. `checker/engine/examples/peterson_states.rs`: 1.5 to 1.8 times as fast on
/// two threads.
const STUBBORN_SETS_UNNUMBERED: Row = Row {
    applies: |now| now.last_ended(&Ended::SeemsToNeedNoNumbers),
    strategy: Strategy::StubbornSets,
    numbers: Numbers::None,
    why: "layers are wide, and nothing that was visited needs a number",
    refine: IN_MEMORY,
};

/// The same with numbers, where a search without was not enough: for the run to a violation, or for
/// the steps that are ignored.
const STUBBORN_SETS_AGAIN: Row = Row {
    applies: |now| {
        now.last_strategy() == Some(Strategy::StubbornSets) && now.last_ended(&Ended::NeedsNumbers)
    },
    strategy: Strategy::StubbornSets,
    numbers: Numbers::All,
    why: "what is left needs states with numbers",
    refine: IN_MEMORY,
};

/// Algorithm B, where it is asked for: what is on insensitive cycles of processes becomes
/// sensitive. It leaves more out than the cycle proviso does. `tests/benchmarks/sensitivity.sh`:
/// 0.88 of the states that the full reduction takes to a violation, breadth first.
const CYCLE_ROUNDS: Row = Row {
    applies: |now| now.wants_cycles() && now.options().sees_to_cycles(),
    strategy: Strategy::CycleRounds,
    numbers: Numbers::All,
    why: "recurrences alone are left, and rounds see to cycles",
    refine: |_, attempt| attempt.order = Search::Depth,
};

/// Stubborn sets with a cycle proviso, for recurrences in a model that is not AG EF terminating,
/// where nothing else is left: the plain state space decides recurrences as well.
const CYCLE_PROVISO: Row = Row {
    applies: |now| now.wants_cycles() && !now.options().sees_to_cycles(),
    strategy: Strategy::CycleProviso,
    numbers: Numbers::All,
    why: "recurrences alone are left, and a cycle proviso decides them",
    refine: IN_MEMORY,
};

/// The plain state space by all processes, which decides everything.
const TOGETHER_PLAIN: Row = Row {
    applies: |now| {
        // What stubborn sets do not preserve is open, however a reduced search has ended.
        now.is_shared() && now.last_strategy() != Some(Strategy::Plain)
    },
    strategy: Strategy::Plain,
    numbers: Numbers::None,
    why: "what is left is decided in the plain state space",
    refine: |now, attempt| {
        attempt.states_in = StatesIn::OtherProcesses;
        if now.history.is_empty() {
            attempt.why = "all processes share the plain state space";
        }
    },
};

const NOT_ALL_DECIDED: &str = "the reduced search did not decide everything";

/// The plain state space without numbers for states, where that costs no more for the questions
/// that are open ([`Price`]): on several threads, and with less memory for each state.
/// `tests/benchmarks/scaling.sh` shows both; `checker/engine/examples/peterson_states.rs`: 8 bytes
/// for a state instead of 22, and two threads are 1.64 times as fast.
const PLAIN_UNNUMBERED: Row = Row {
    applies: |now| {
        let in_passing = now.open.iter().all(|one| one.is_decided_in_passing());
        now.is_alone()
            && now.options().quick.is_none()
            && !now.has_reached_a_limit()
            && now.last_strategy() != Some(Strategy::Plain)
            && numbers::suits(now.options())
            // About canonical states together nothing can be asked.
            && (in_passing || !now.request.permutes)
            && Price::of(now.open.iter().copied()).is_paid(now.request.words, now.options())
    },
    strategy: Strategy::Plain,
    numbers: Numbers::None,
    why: NOT_ALL_DECIDED,
    refine: |now, attempt| now.say_why_plain(attempt),
};

/// The plain state space, which decides everything.
const PLAIN: Row = Row {
    applies: |now| {
        now.is_alone()
            && now.options().quick.is_none()
            && match now.last_strategy() {
                Some(Strategy::Plain) => now.last_ended(&Ended::NeedsNumbers),
                _ => !now.has_reached_a_limit(),
            }
    },
    strategy: Strategy::Plain,
    numbers: Numbers::All,
    why: NOT_ALL_DECIDED,
    refine: |now, attempt| now.say_why_plain(attempt),
};

/// The plain state space on the disk, once memory has run out, for what states and steps show
/// (`tests/benchmarks/memory_limit.sh`). An exploration keeps its reduction.
const DISK: Row = Row {
    applies: |now| {
        let is_last = |last: &Finished| last.attempt.states_in == StatesIn::Disk;
        now.is_alone()
            && now.options().quick.is_none()
            && now.request.has_disk
            && !now.history.last().is_some_and(is_last)
    },
    strategy: Strategy::Plain,
    numbers: Numbers::None,
    why: "memory has run out, and the disk has room",
    refine: |now, attempt| {
        attempt.states_in = StatesIn::Disk;
        attempt.order = Search::Breadth;
        // No other stage follows.
        attempt.max_states = now.options().limits.max_states;
        if let Some(last) = now.last_strategy().filter(|_| now.request.explores) {
            attempt.strategy = last;
        }
    },
};

impl<'a> Situation<'a> {
    fn options(&self) -> &'a Options {
        self.request.options
    }

    fn say_why_plain(&self, attempt: &mut Attempt) {
        if self.last_strategy() == Some(Strategy::Plain) {
            attempt.why = "what is left needs states with numbers";
        } else if !self.options().reduction.leaves_out() {
            attempt.why = "no reduction is asked for";
        } else if self.history.is_empty() {
            attempt.why = "no reduction preserves the properties";
        } else if self.does_not_pay() {
            attempt.why = "stubborn sets cost more than they leave out";
        }
    }

    fn has_exact_storage(&self) -> bool {
        self.options().storage == Storage::Exact
    }

    /// Whether all processes search together.
    fn is_shared(&self) -> bool {
        self.has_exact_storage() && self.request.has_others
    }

    /// Whether this process searches alone.
    fn is_alone(&self) -> bool {
        self.has_exact_storage() && !self.request.has_others
    }

    fn last_strategy(&self) -> Option<Strategy> {
        self.history.last().map(|last| last.attempt.strategy)
    }

    fn last_ended(&self, ended: &Ended) -> bool {
        self.history.last().is_some_and(|last| last.ended == *ended)
    }

    fn has_reached_a_limit(&self) -> bool {
        self.history
            .last()
            .is_some_and(|last| last.limit().is_some())
    }

    fn is_left_to_the_next_stage(&self) -> bool {
        let mut limits = self.history.iter().filter_map(Finished::limit);
        limits.any(|reason| self.request.stage.is_over(reason, self.options()))
    }

    /// Whether the reduced search so far is to be compared with the plain one.
    fn compares(&self) -> bool {
        self.is_alone()
            && self.request.weighs_plain()
            && self.count_of(Strategy::StubbornSets) == 1
            && (self.last_ended(&Ended::NotSmall)
                || self.last_ended_compared().is_some()
                || self.is_left_to_the_next_stage())
    }

    /// Edges of the plain state space that are worth a try after the comparison, if any are.
    fn edges_of_try(&self) -> Option<u64> {
        let is_plain_alone = |one: &&Facts| one.preserved == Preserved::Never;
        if self.open.iter().any(is_plain_alone) {
            return Some(EDGES_OF_TRY_FOR_ALL);
        }
        match self.last_ended_compared()? {
            ..HARDLY_MORE => Some(EDGES_OF_TRY),
            HARDLY_MORE..TWICE => Some(EDGES_OF_LONG_TRY),
            TWICE.. => None,
        }
    }

    /// Number of plain searches since the reduced one.
    fn tries(&self) -> usize {
        let since = self.history.iter().rev();
        let plain = |one: &&Finished| one.attempt.strategy == Strategy::SmallPlain;
        since.take_while(plain).count()
    }

    fn last_ended_compared(&self) -> Option<u64> {
        match self.history.last()?.ended {
            Ended::Compared(states) => Some(states),
            _ => None,
        }
    }

    fn does_not_pay(&self) -> bool {
        self.history.iter().any(shows_no_profit)
    }

    fn count_of(&self, strategy: Strategy) -> usize {
        let of_it = |one: &&Finished| one.attempt.strategy == strategy;
        self.history.iter().filter(of_it).count()
    }

    /// Whether a reduction is asked for that may decide something.
    fn may_reduce(&self) -> bool {
        self.options().reduction.leaves_out()
            && self.open.iter().any(|one| is_reducible(one.preserved))
    }

    fn has_not_reduced(&self) -> bool {
        matches!(self.last_strategy(), None | Some(Strategy::SmallPlain))
    }

    /// Whether recurrences alone are left, after a reduced search by this process.
    fn wants_cycles(&self) -> bool {
        let is_recurrence = |one: &&Facts| matches!(one.conclusion, Conclusion::Recurring(_));
        let has_reduced = self.history.last().is_some_and(|last| {
            let strategy = last.attempt.strategy;
            matches!(strategy, Strategy::StubbornSets | Strategy::SensitiveRounds)
                && last.attempt.states_in == StatesIn::Memory
                && !self.does_not_pay()
        });
        has_reduced
            && !self.has_reached_a_limit()
            && self.options().quick.is_none()
            && self.open.iter().all(is_recurrence)
    }
}

/// Whether an attempt shows that stubborn sets cost more than they leave out.
pub fn shows_no_profit(finished: &Finished) -> bool {
    match finished.ended {
        Ended::Compared(states) => states < HARDLY_MORE,
        Ended::Unprofitable => true,
        _ => false,
    }
}

/// Whether plain searches are tried before and while a reduction is prepared. Symmetry that is
/// forced is to be seen together with the reduction.
pub fn tries_plain_searches(options: &Options) -> bool {
    options.symmetry != Symmetry::Always && options.storage == Storage::Exact
}

/// Limit on the edges of a plain search with a limit on states.
fn edges_of_small(states: u64) -> u64 {
    states.saturating_mul(EDGES_OF_STATE)
}

/// When plain searches are tried while a reduction is prepared, by the units of preparation so far.
///
/// Which relations there are between steps is found out before there is a state, and may cost more
/// than the whole plain search: processes that alone have thousands of local states have few beside
/// each other. So the plain state space is tried with as many edges as preparation has cost,
/// whenever that has grown by a factor.
pub struct Tries {
    spent: u64,
    next: u64,
}

impl Default for Tries {
    fn default() -> Tries {
        Tries {
            spent: 0,
            next: PREPARED_BEFORE_A_TRY,
        }
    }
}

impl Tries {
    /// Adds units of preparation; returns the most edges of a try, if one is due.
    pub fn spend(&mut self, units: u64) -> Option<u64> {
        self.spent += units;
        if self.spent < self.next {
            return None;
        }
        self.next *= PREPARED_BETWEEN_TRIES;
        Some(self.spent)
    }
}

#[cfg(test)]
mod tests;
