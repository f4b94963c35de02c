//! One search of the job table, and the answers that it gives.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use stubborn_engine::{Outcome, Progress, Reason, Verdict};

use super::gate::Gate;
use super::properties::{Key, Sliced};
use super::search::Wanted;
use super::shares::Kind;
use super::verdicts::{Answer, Known, Verdicts};

/// A search that runs or waits.
pub struct Job {
    pub wanted: Wanted,
    /// Keys of the properties that it decides.
    pub keys: HashSet<Key>,
    pub budget: Option<Duration>,
    pub gate: Arc<Gate>,
    /// Number of the last request for it, in the order of all requests.
    pub asked: u64,
    /// Memory limit, in bytes.
    pub memory: Option<u64>,
    /// Whether a user has stopped it, and wants to see how far it came.
    pub stopped: bool,
    pub progress: Progress,
}

impl Job {
    pub fn is_aside(&self) -> bool {
        self.wanted.purpose.is_aside()
    }

    pub fn kind(&self) -> Kind {
        Kind::of(self.wanted.purpose, self.budget)
    }

    pub fn is_live(&self) -> bool {
        !self.gate.is_cancelled()
    }

    pub fn decides(&self, property: Key) -> bool {
        self.keys.contains(&property)
    }

    /// Whether it could prove no more about a property than is known.
    pub fn is_answered(&self, known: Option<&Arc<Known>>) -> bool {
        known.is_some_and(|known| known.answers(self.budget, self.memory))
    }

    /// Whether a search with this budget would prove no more.
    pub fn covers(&self, budget: Option<Duration>) -> bool {
        match (self.budget, budget) {
            (None, _) => true,
            (Some(has), Some(wanted)) => wanted <= has,
            (Some(_), None) => false,
        }
    }
}

/// Records an answer, unless more is known. Returns whether it was recorded.
pub fn record(
    verdicts: &mut Arc<Verdicts>,
    job: &Job,
    property: usize,
    answer: Answer,
    found_before: bool,
) -> bool {
    let Some(Sliced { key, .. }) = job.wanted.properties.get(property) else {
        return false;
    };
    // It was cancelled for an edit: the property counts as never searched.
    let is_given_up = |outcome: &Outcome| {
        outcome.verdict == Verdict::Undecided(Reason::Cancelled) && !job.stopped
    };
    if matches!(&answer, Answer::Outcome(outcome) if is_given_up(outcome)) {
        return false;
    }
    let known = Known {
        answer,
        budget: job.budget,
        found_before,
    };
    let before = verdicts.get(*key);
    if !known.is_proof() && before.is_some_and(|before| before.is_proof()) {
        return false;
    }
    if before.is_some_and(|before| **before == known) {
        return false;
    }
    Arc::make_mut(verdicts).insert(*key, known);
    true
}
