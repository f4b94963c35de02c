//! What a search beside a monitor came to.

use stubborn_space::omissions::Omissions;
use stubborn_space::verdict::{Reason, RunsMade, Violation};

use super::meter::Stop;

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    /// In a storage that is not exact, how much was searched of what there is.
    pub omissions: Option<Omissions>,
    /// Random runs that were made, if they were asked for.
    pub runs: Option<RunsMade>,
    /// Depth up to which all steps of all states were taken, where a depth limit has ended the search.
    pub depth: Option<u64>,
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
    pub fn stopped(stop: Stop) -> Searched {
        Searched {
            stop: Some(match stop {
                Stop::Limit(reason) => reason,
                Stop::Decided => Reason::Internal("the search ended too early".to_owned()),
            }),
            ..Searched::default()
        }
    }
}

impl Found {
    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let states = self.path.iter().chain(&self.cycle);
        states.map(|state| size_of_val(&**state) as u64 + 16).sum()
    }

    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.path.len().saturating_sub(1) + self.cycle.len()
    }
}
