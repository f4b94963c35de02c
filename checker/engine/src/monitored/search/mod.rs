//! Searching a system with a monitor beside it for what the monitor watches for.
//!
//! Each search goes through the states once or a few times, and finds some of the four kinds of
//! violation (Valmari 1993, Thm 3.3, C1 to C4). It knows its states through [`Watched`] alone, and
//! keeps them in a [`Storage`](storage::Storage), which may be exact or not.
//!
//! The searches rely on what holds of every monitor: a step that it does not see leaves its state
//! as it is, so that the marks before and after are the same.

pub(super) mod explorer;
mod four_pass;
mod nested;
mod one_pass;
pub(crate) mod storage;
pub(crate) mod tree;
mod two_visit;

use std::ops::ControlFlow;

use crate::monitored::watched::Watched;
use crate::options::{Options, Storage as Kept};
use crate::search::{Meter, Stop};
use crate::store::bitstate::BitTable;
use crate::verdict::{Reason, Violation};
use explorer::Explorer;
use four_pass::{After, Copies};
use storage::{Bitstate, Exact, Storage};

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

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// What was found, if anything: then the search went no further.
    pub found: Option<Found>,
    /// The different states that were generated; in bitstate storage those not taken for others.
    pub states: u64,
    /// Their steps that were taken, each once, failing ones too.
    pub edges: u64,
    /// How often the search has entered a state.
    pub visits: u64,
    /// Every step of every state was taken.
    pub full: bool,
    /// A reduction has left steps out.
    pub leaves_out: bool,
    /// Why the search gave up. Where this and `found` are `None` it has come to its end: in exact
    /// storage nothing is there that the algorithm finds.
    pub stop: Option<Reason>,
}

/// A violation, by states each of which is a step from the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub violation: Violation,
    /// From an initial state to the violating state, or to where the cycle begins.
    pub path: Vec<Box<[u64]>>,
    /// The states after each step of the cycle; the last is the path's last. Empty if the violation
    /// is no cycle.
    pub cycle: Vec<Box<[u64]>>,
}

impl Searched {
    /// A limit was reached before there was a state.
    pub(super) fn stopped(stop: Stop) -> Searched {
        Searched {
            found: None,
            states: 0,
            edges: 0,
            visits: 0,
            full: false,
            leaves_out: false,
            stop: Some(match stop {
                Stop::Limit(reason) => reason,
                Stop::Decided => Reason::Internal("the search ended too early".to_owned()),
            }),
        }
    }
}

impl Found {
    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.path.len().saturating_sub(1) + self.cycle.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Looks for violations, until one is found or a limit is reached.
///
/// `options` says in which order, and how states are kept; [`Options::search`] matters to
/// [`Algorithm::OnePass`] alone. Costs time in proportion to the steps that are taken, and in exact
/// storage a state's words and a byte for each state, besides the stacks and the states that wait.
pub fn search_watched<W: Watched>(
    watched: &W,
    how: Algorithm,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Searched {
    match options.storage {
        Kept::Exact => run(watched, how, options, meter, Exact::new(watched.words())),
        Kept::Bitstate { bits } => {
            let forbidden = meter.forbids(BitTable::bytes_of(bits));
            let table = match forbidden {
                Some(reason) => Err(reason),
                None => BitTable::new(bits).ok_or(Reason::Memory(BitTable::bytes_of(bits))),
            };
            match table {
                Ok(table) => {
                    let storage = Bitstate::new(watched.words(), table);
                    run(watched, how, options, meter, storage)
                }
                Err(reason) => Searched::stopped(Stop::Limit(reason)),
            }
        }
    }
}

fn run<W: Watched, S: Storage>(
    watched: &W,
    how: Algorithm,
    options: &Options,
    meter: &mut Meter<'_>,
    storage: S,
) -> Searched {
    let mut explorer = Explorer::new(watched, options.order, meter, storage);
    let (flow, found) = match how {
        Algorithm::OnePass => one_pass::search(&mut explorer, options.search),
        Algorithm::Nested { error_last } => nested::search(&mut explorer, error_last),
        Algorithm::FourPass => {
            let (flow, found) = four_pass::search(&mut explorer, Copies::Two, After::Stop);
            (flow, found.into_iter().next())
        }
        Algorithm::TwoVisit => two_visit::search(&mut explorer),
    };
    let is_over = flow.is_continue();
    let stop = match flow {
        ControlFlow::Break(Stop::Limit(reason)) => Some(reason),
        ControlFlow::Break(Stop::Decided) | ControlFlow::Continue(()) => None,
    };
    Searched {
        full: is_over && !explorer.leaves_out && explorer.storage.is_exact(),
        found,
        states: explorer.storage.states(),
        edges: explorer.edges,
        visits: explorer.visits,
        leaves_out: explorer.leaves_out,
        stop,
    }
}

#[cfg(test)]
pub(super) mod tests;
