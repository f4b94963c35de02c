//! Searching a model with a monitor beside it for what the monitor watches for.
//!
//! Each search goes through the states once or a few times, and finds some of the four kinds of
//! violation (Valmari 1993, Thm 3.3, C1 to C4).

use std::ops::ControlFlow;

use stubborn_space::monitor::AnyMonitored;
use stubborn_space::options::{Options, Storage};
use stubborn_space::verdict::Reason;

use super::found::Searched;
use super::four_pass::{self, Copies};
use super::listener::Silent;
use super::meter::{Meter, Stop};
use super::{Run, Space, nested, one_pass, two_visit};

use crate::store::Store;
use crate::store::bits::BitTable;
use crate::store::exact::Exact;
use crate::store::filter::Filter;
use crate::store::fingerprints::Fingerprints;
use crate::store::supertrace::Supertrace;

/// How to search for violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Finds reject, deadlock and livelock, each state visited once. The only one that can go
    /// breadth first.
    OnePass,
    /// Finds reject, deadlock and infinite, each state visited at most twice. Steps to states that
    /// are marked `infinite` are taken first, or last.
    Nested { error_last: bool },
    /// Finds all kinds, each state visited at most four times.
    FourPass,
    /// Finds a violation if there is one of any kind, each state visited at most twice. Every state
    /// must be marked `livelock`.
    TwoVisit,
}

/// Looks for violations, until one is found or a limit is reached.
///
/// `options` says in which order, and how states are kept; [`Options::search`] matters to
/// [`Algorithm::OnePass`] alone. Costs time in proportion to the steps that are taken, and in exact storage a
/// state's words and a byte for each state, besides the stacks and the states that wait.
pub fn search(
    model: &AnyMonitored<'_>,
    how: Algorithm,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Searched {
    if options.storage == Storage::Exact {
        return search_with(model, how, options, meter, Exact::new(model.words()));
    }
    match supertrace(model.words(), options.storage, meter) {
        Ok(store) => search_with(model, how, options, meter, store),
        Err(reason) => Searched::stopped(Stop::Limit(reason)),
    }
}

/// Returns an empty storage for states of so many words, in which some may be taken for others.
///
/// # Errors
/// Where it takes more memory than is allowed, or than there is.
pub fn supertrace(words: usize, storage: Storage, meter: &Meter<'_>) -> Result<Supertrace, Reason> {
    debug_assert!(storage != Storage::Exact, "no state is taken for another");
    let filter = match storage {
        Storage::Bitstate { bits } => {
            let bytes = BitTable::bytes_of(bits);
            if let Some(reason) = meter.forbids(bytes) {
                return Err(reason);
            }
            Filter::Bits(BitTable::new(bits).ok_or(Reason::Memory(bytes))?)
        }
        Storage::Compact { bits } => Filter::Fingerprints(Fingerprints::new(bits)),
        Storage::Exact => Filter::Fingerprints(Fingerprints::new(u64::BITS)),
    };
    Ok(Supertrace::new(words, filter))
}

fn search_with<S: Store>(
    model: &AnyMonitored<'_>,
    how: Algorithm,
    options: &Options,
    meter: &mut Meter<'_>,
    store: S,
) -> Searched {
    let mut run = Run::new(&model, options.order, meter, Space::empty(store), Silent);
    if options.sees_to_cycles() {
        run.close_cycles();
    }
    let flow = match how {
        Algorithm::OnePass => one_pass::search(&mut run, options.search),
        Algorithm::Nested { error_last } => nested::search(&mut run, error_last),
        Algorithm::FourPass => four_pass::search(&mut run, Copies::Two),
        Algorithm::TwoVisit => two_visit::search(&mut run),
    };
    let is_over = flow.is_continue();
    let stop = match flow {
        ControlFlow::Break(Stop::Limit(reason)) => Some(reason),
        ControlFlow::Break(Stop::Decided) | ControlFlow::Continue(()) => None,
    };
    let is_exact = run.space.store.is_exact();
    Searched {
        full: is_over && !run.leaves_out && is_exact,
        omissions: (!is_exact).then(|| run.space.omissions(options.storage, run.meter.deepest)),
        found: run.found.take(),
        states: run.space.states(),
        edges: run.space.edges,
        visits: run.visits,
        leaves_out: run.leaves_out,
        runs: None,
        depth: None,
        stop,
    }
}
