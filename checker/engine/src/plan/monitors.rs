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

const TOO_LONG: &str = "the cycle that was found is too long in the whole system";

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
    /// The search that is asked for, or the cheapest that decides (`docs/livelock_searches.md`), by
    /// the marks of the monitor's states. Stubborn sets may be used if it is insensitive to
    /// stuttering.
    pub fn new(marks: &[Marks], is_insensitive: bool, options: &Options) -> MonitorSearch {
        let infinite = marks.iter().any(|marks| marks.infinite);
        let livelock = marks.iter().any(|marks| marks.livelock);
        let is_all_livelock = marks.iter().all(|marks| marks.livelock || marks.reject);
        let nested = |error_last| Algorithm::Nested { error_last };
        let algorithm = match (options.liveness, infinite, livelock) {
            (Liveness::OnePass, ..) | (Liveness::Auto, false, _) => Algorithm::OnePass,
            (Liveness::Nested, ..) | (Liveness::Auto, true, false) => nested(false),
            (Liveness::NestedErrorLast, ..) => nested(true),
            (Liveness::Auto, true, true) if is_all_livelock => Algorithm::TwoVisit,
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
            decides: decides(algorithm, livelock, infinite),
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
    last: Option<(usize, bool, &Ended)>,
) -> Option<Attempt> {
    let slices = !options.is_plain();
    let (monitor, sliced, why) = match last {
        None => (
            0,
            slices,
            "the property is about runs that a monitor watches",
        ),
        Some((monitor, true, Ended::CycleTooLong)) => (monitor, false, TOO_LONG),
        Some((monitor, _, Ended::CycleTooLong | Ended::NotConfirmed)) => {
            let why = "the run that was found does not violate the property itself";
            (monitor + 1, slices, why)
        }
        Some(_) => return None,
    };
    (monitor < monitors).then(|| Attempt {
        why,
        ..beside_monitor(options, monitor, sliced)
    })
}

/// The same attempt by a worker, to which the first process has sent its monitor and slice.
pub fn beside_monitor(options: &Options, monitor: usize, sliced: bool) -> Attempt {
    let strategy = Strategy::BesideMonitor { monitor, sliced };
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
    let has_proof = has_proof && options.storage == Storage::Exact && options.quick.is_none();
    let first = || match options.unnumbered {
        Use::Always if has_proof => Proof::Alone,
        Use::WhereItPays if has_proof && options.threads() > 1 => Proof::Beside,
        _ => Proof::None,
    };
    let (proof, why) = match (ended, last.proof) {
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
    Some(Attempt {
        proof,
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

/// States of the first search of all runs for a property of fair ones, and of fair runs.
const ALL_RUNS_FIRST: u64 = 1 << 12;
const FAIR_RUNS_FIRST: u64 = 1 << 18;

/// Runs that a search for a property of fair runs takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    All,
    Fair,
}

/// Returns the searches for a property of fair runs, in their order, each with its most states.
///
/// If all runs have the property, fair runs have it, and a run that violates it may be fair; such a
/// search may use stubborn sets. But where fairness is assumed it is mostly needed, so few states
/// are searched for all runs, then those of a larger model for fair runs, and all states after that.
/// `tests/benchmarks/realistic.sh`: `write_skew`
/// costs 0.6 of what it costs with all runs first, `rate_limiter` 0.7, `seqlock` 0.6.
pub fn searches_for_fair_runs(options: &Options, is_monitored: bool) -> Vec<(Runs, Option<u64>)> {
    let all = options.limits.max_states;
    let mut searches = Vec::new();
    if is_monitored && options.storage == Storage::Exact {
        for (runs, most) in [(Runs::All, ALL_RUNS_FIRST), (Runs::Fair, FAIR_RUNS_FIRST)] {
            if all.is_none_or(|all| all > most) {
                searches.push((runs, Some(most)));
            }
        }
        searches.push((Runs::All, all));
    }
    searches.push((Runs::Fair, all));
    searches
}

/// Returns the next search for a property of fair runs that a search of all runs does not decide. A
/// cycle that is too long in the whole system is searched for there, as [beside a
/// monitor](next_beside_monitor).
pub fn next_for_fair_runs(options: &Options, last: Option<(bool, &Ended)>) -> Option<Attempt> {
    let (sliced, why) = match last {
        None => {
            let why = "fair runs alone decide it, in the plain state space";
            (!options.is_plain(), why)
        }
        Some((true, Ended::CycleTooLong)) => (false, TOO_LONG),
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
        proof: Proof::None,
        max_states: options.limits.max_states,
        max_edges: None,
        why,
    }
}

#[cfg(test)]
mod tests;
