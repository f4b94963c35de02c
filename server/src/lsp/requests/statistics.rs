//! `stubborn/statistics`: what the searches of the session have cost, and what was spared.

use serde::{Deserialize, Serialize};

use crate::lsp::owner::Owner;

pub const METHOD: &str = "stubborn/statistics";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatisticsAnswer {
    /// States explored by all searches of the session that somebody waited for.
    pub states: u64,
    /// Searches that were started.
    pub searches: u64,
    /// Verdicts that were wanted and known already.
    pub reused: u64,
    /// Verdicts that an earlier session has found.
    pub found_before: u64,
    /// Searches that an edit made stale.
    pub cancelled: u64,
    /// Searches that were started for which nobody waited; nothing else here counts these.
    pub asides: u64,
}

pub fn answer(owner: &Owner) -> StatisticsAnswer {
    let found = owner.statistics();
    StatisticsAnswer {
        states: found.states,
        searches: found.searches,
        reused: found.reused,
        found_before: found.found_before,
        cancelled: found.cancelled,
        asides: found.asides,
    }
}
