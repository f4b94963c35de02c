//! Searches for properties of runs: beside monitors, and of fair runs.

use std::time::Duration;

use super::theorems::decides;
use crate::options::{Limits, Liveness, Options, Storage, Use};
use crate::plan::attempt::{Attempt, Ended, Numbers, Proof, StatesIn, Strategy};
use crate::plan::stages::Stage;
use crate::search::Marks;
use crate::search::violations::Algorithm;
use crate::verdict::Reason;

/// Time that a search for a violation has before a proof begins beside it: most are over by then.
pub const HEAD_START: Duration = Duration::from_millis(50);
/// Fraction of a memory limit that a proof may use beside a search: it needs less for a state.
const PART_OF_PROOF: u64 = 4;

/// The kinds of states that a monitor has.
#[derive(Clone, Copy, Debug)]
pub struct MonitorStates {
    pub infinite: bool,
    pub livelock: bool,
    /// Whether all of its states are livelock monitor states.
    pub all_livelock: bool,
}

impl MonitorStates {
    pub fn of(marks: &[Marks]) -> MonitorStates {
        MonitorStates {
            infinite: marks.iter().any(|marks| marks.infinite),
            livelock: marks.iter().any(|marks| marks.livelock),
            all_livelock: marks.iter().all(|marks| marks.livelock || marks.reject),
        }
    }
}

/// A search beside a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorSearch {
    pub algorithm: Algorithm,
    /// Whether a search that finds no violation proves that there is none.
    pub decides: bool,
    /// The steps that are taken: all, those of stubborn sets, or those of rounds.
    pub strategy: Strategy,
}

impl MonitorSearch {
    /// The search that is asked for, or the cheapest that decides (`docs/livelock_searches.md`).
    /// Stubborn sets may be used if the monitor is insensitive to stuttering.
    pub fn new(states: MonitorStates, is_insensitive: bool, options: &Options) -> MonitorSearch {
        let nested = |error_last| Algorithm::Nested { error_last };
        let algorithm = match (options.liveness, states.infinite, states.livelock) {
            (Liveness::OnePass, ..) | (Liveness::Auto, false, _) => Algorithm::OnePass,
            (Liveness::Nested, ..) | (Liveness::Auto, true, false) => nested(false),
            (Liveness::NestedErrorLast, ..) => nested(true),
            (Liveness::Auto, true, true) if states.all_livelock => Algorithm::TwoVisit,
            (Liveness::FourPass | Liveness::Auto, ..) => Algorithm::FourPass,
        };
        let strategy = match is_insensitive && options.reduction.leaves_out() {
            false => Strategy::Plain,
            true if options.sees_to_cycles() => Strategy::CycleRounds,
            true if options.goes_in_rounds() => Strategy::SensitiveRounds,
            true => Strategy::StubbornSets,
        };
        MonitorSearch {
            algorithm,
            decides: decides(algorithm, states.livelock, states.infinite),
            strategy,
        }
    }

    /// Whether a testing automaton is worth this search before that of the Büchi automaton: four
    /// visits to a state pay if stubborn sets leave fewer states.
    pub fn is_worth_testing(&self, options: &Options) -> bool {
        let is_dear = self.algorithm == Algorithm::FourPass && options.liveness == Liveness::Auto;
        self.strategy != Strategy::Plain || !is_dear
    }
}

/// Whether the options allow a testing automaton.
pub fn may_test(options: &Options) -> bool {
    use Liveness::{Nested, NestedErrorLast};
    !matches!(options.liveness, Nested | NestedErrorLast)
}

/// Returns the next search for a property that several monitors decide, one after the other.
///
/// Each monitor is tried beside a slice first. Data that the property does not depend on may keep a
/// cycle of the whole system from closing for long; then these are searched too. An automaton may
/// accept by a kind of acceptance that is its own, so that the run which it finds violates nothing:
/// the next monitor decides then.
pub fn next_beside_monitor(
    options: &Options,
    monitors: usize,
    last: Option<(Strategy, &Ended)>,
) -> Option<Attempt> {
    let first = |monitor: usize| (monitor, !options.is_plain());
    let ((monitor, sliced), why) = match last {
        None => (
            first(0),
            "the property is about runs that a monitor watches",
        ),
        Some((
            Strategy::BesideMonitor {
                monitor,
                sliced: true,
                ..
            },
            Ended::CycleTooLong,
        )) => (
            (monitor, false),
            "the cycle that was found is too long in the whole system",
        ),
        Some((
            Strategy::BesideMonitor { monitor, .. },
            Ended::CycleTooLong | Ended::NotConfirmed,
        )) => (
            first(monitor + 1),
            "the run that was found does not violate the property itself",
        ),
        Some(_) => return None,
    };
    (monitor < monitors).then(|| Attempt {
        why,
        ..beside_monitor(options, monitor, sliced)
    })
}

/// The same attempt by a worker, to which the first process has sent its monitor and slice.
pub fn beside_monitor(options: &Options, monitor: usize, sliced: bool) -> Attempt {
    let strategy = Strategy::BesideMonitor {
        monitor,
        sliced,
        proof: Proof::None,
    };
    of_runs(options, strategy, "the first process has asked for it")
}

/// Returns how a product is searched next, after an attempt that ended so, or at first: by one
/// thread that looks for a violation, whose run depends on its order; with a proof on the other
/// threads beside it; or by a proof alone. `has_proof` says whether all steps are taken, no states
/// are merged, and a state fits into one word. If the search and the proof run out of memory
/// together, the search alone has more.
///
/// With stubborn sets one thread searches alone: all threads would choose the sets of the same
/// states, which takes most of the time (docs/dev/benchmarks.md, "a formula that holds").
pub fn next_in_product(
    options: &Options,
    has_proof: bool,
    last: &Attempt,
    ended: Option<&Ended>,
) -> Option<Attempt> {
    let Strategy::BesideMonitor {
        monitor, sliced, ..
    } = last.strategy
    else {
        return None;
    };
    let has_proof = has_proof && options.storage == Storage::Exact && options.quick.is_none();
    let first = || match options.unnumbered {
        Use::Always if has_proof => Proof::Alone,
        Use::WhereItPays if has_proof && options.threads() > 1 => Proof::Beside,
        _ => Proof::None,
    };
    let (proof, why) = match (ended, last.proof()) {
        (None, _) => (first(), last.why),
        (Some(Ended::NotProved), Proof::Alone) => (
            Proof::None,
            "all states did not show that there is no violation",
        ),
        (Some(Ended::Limit(Reason::Memory(_))), Proof::Beside) => {
            options.limits.max_memory?;
            (
                Proof::None,
                "without a proof beside it the search has more memory",
            )
        }
        (Some(_), _) => return None,
    };
    let strategy = Strategy::BesideMonitor {
        monitor,
        sliced,
        proof,
    };
    Some(Attempt {
        strategy,
        why,
        ..last.clone()
    })
}

/// Returns the limits of a search and of a proof beside it, which share the memory.
pub fn beside_each_other(limits: Limits) -> (Limits, Limits) {
    let without = |parts: u64| Limits {
        own_memory: limits.own_memory
            + (limits.max_memory).map_or(0, |most| most / PART_OF_PROOF * parts),
        ..limits
    };
    (without(1), without(PART_OF_PROOF - 1))
}

/// Whether a property of fair runs is first searched for in all runs: if they have it, fair runs do,
/// and a run that violates it may be fair. Such a search may use stubborn sets.
pub fn tries_all_runs(options: &Options, is_monitored: bool) -> bool {
    is_monitored && options.storage == Storage::Exact
}

/// Returns the next search for a property of fair runs that a search of all runs does not decide. A
/// cycle that is too long in the whole system is searched for there, as [beside a
/// monitor](next_beside_monitor).
pub fn next_for_fair_runs(options: &Options, last: Option<(Strategy, &Ended)>) -> Option<Attempt> {
    let (sliced, why) = match last {
        None => (
            !options.is_plain(),
            "fair runs alone decide it, in the plain state space",
        ),
        Some((Strategy::FairRuns { sliced: true }, Ended::CycleTooLong)) => (
            false,
            "the cycle that was found is too long in the whole system",
        ),
        Some(_) => return None,
    };
    Some(of_runs(options, Strategy::FairRuns { sliced }, why))
}

fn of_runs(options: &Options, strategy: Strategy, why: &'static str) -> Attempt {
    Attempt {
        strategy,
        stage: Stage::Plain,
        numbers: Numbers::All,
        order: options.search,
        states_in: match options.storage {
            Storage::Exact => StatesIn::Memory,
            Storage::Bitstate { .. } | Storage::Compact { .. } => StatesIn::Hashes,
        },
        max_states: options.limits.max_states,
        why,
    }
}

#[cfg(test)]
mod tests;
