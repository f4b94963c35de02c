//! A search to be made, and its news.

use std::sync::Arc;
use std::time::Duration;

use stubborn_engine::coverage::Coverage;
use stubborn_engine::{Options, Outcome, Progress};
use stubborn_report::once_more::EveryStep;
use stubborn_system::system::System;

use crate::jobs::fingerprint::Fingerprint;
use crate::jobs::kept::Kept;
use crate::jobs::properties::Sliced;
use crate::jobs::verdicts::Answer;

/// Which search of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// What a search says while it runs. The receiver must not block.
#[derive(Clone, Debug)]
pub enum News {
    Progress(Progress),
    /// What is left is searched from here on.
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

/// What a search is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Verdicts that somebody waits for, and what is seen on the way.
    Verdicts,
    /// Verdicts that nobody waits for: nothing is told of how far it is, nor of what it sees.
    Aside,
    /// What is seen alone, for which nobody waits either.
    Seeing(EveryStep),
}

impl Purpose {
    /// Whether nobody waits for it.
    pub fn is_aside(self) -> bool {
        self != Purpose::Verdicts
    }

    /// `options` are those of a check.
    pub(super) fn options(self, options: &Options) -> Options {
        match self {
            Purpose::Verdicts => Options {
                tells_seen: true,
                ..*options
            },
            Purpose::Aside => Options {
                tells_seen: false,
                ..*options
            },
            Purpose::Seeing(every_step) => every_step.options(options),
        }
    }
}

/// A search that is to be made.
#[derive(Clone, Debug)]
pub struct Search {
    pub system: Arc<System>,
    pub properties: Vec<Sliced>,
    /// The indices of those that were violated when they were last searched.
    pub likely: Vec<usize>,
    /// Those whose last full search took long, or left them open, with how many states it had.
    pub slow: Vec<(usize, u64)>,
    pub budget: Option<Duration>,
    pub purpose: Purpose,
    /// In bytes.
    pub max_memory: Option<u64>,
    /// What earlier sessions have decided, and where this one's verdicts go.
    pub kept: Option<Arc<Kept>>,
}
