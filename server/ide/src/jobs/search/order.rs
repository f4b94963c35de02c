//! A search to be made, and its news.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use stubborn_engine::coverage::Coverage;
use stubborn_engine::{Options, Outcome, Progress};
use stubborn_report::once_more::EveryStep;
use stubborn_system::system::System;

use crate::jobs::fingerprint::Fingerprint;
use crate::jobs::kept::Kept;
use crate::jobs::properties::{Key, Sliced};
use crate::jobs::verdicts::Answer;

/// Which search of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// Message of a running search. The receiver must not block.
#[derive(Clone, Debug)]
pub enum News {
    Progress(Progress),
    /// The stored results have been read; the search begins.
    Searching,
    /// The property with this index has its verdict, the trace being a run of its slice.
    Decided {
        property: usize,
        outcome: Box<Outcome>,
        /// In an earlier session.
        found_before: bool,
    },
    /// Coverage of slices, by their fingerprints and in their terms.
    Saw(Vec<(Fingerprint, Arc<Coverage>)>),
    /// The search is over: an answer for each property that had none, as in [`News::Decided`], and how
    /// many states it explored.
    Finished {
        answers: Vec<Option<Answer>>,
        states: u64,
    },
}

/// Purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Verdicts that a user waits for, and coverage.
    Verdicts,
    /// Verdicts that no user waits for: without progress and coverage.
    Aside,
    /// Coverage alone, for which no user waits.
    Seeing(EveryStep),
}

impl Purpose {
    /// Whether no user waits for it.
    pub fn is_aside(self) -> bool {
        self != Purpose::Verdicts
    }

    /// `options` are those of a check.
    pub(super) fn options(self, options: &Options) -> Options {
        match self {
            Purpose::Seeing(every_step) => every_step.options(options),
            Purpose::Verdicts | Purpose::Aside => Options {
                tells_seen: self == Purpose::Verdicts,
                ..*options
            },
        }
    }
}

/// Properties about a System whose verdicts are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Name of their file that users see.
    pub name: Arc<str>,
    pub fingerprint: Fingerprint,
    pub system: Arc<System>,
    pub properties: Vec<Sliced>,
    /// Properties that were violated when they were last searched.
    pub likely: HashSet<Key>,
    /// Properties whose last full search was slow or undecided, with its number of states.
    pub slow: HashMap<Key, u64>,
    pub purpose: Purpose,
}

/// A search that is to be made.
#[derive(Clone, Debug)]
pub struct Search {
    pub wanted: Wanted,
    pub budget: Option<Duration>,
    /// In bytes.
    pub max_memory: Option<u64>,
    /// Store of verdicts between sessions.
    pub kept: Option<Arc<Kept>>,
}
