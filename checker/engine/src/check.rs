//! Deciding claims.

use std::fmt;

use stubborn_model::claim::Claim;
use stubborn_model::system::System;

use crate::options::{Options, Watch};
use crate::verdict::{Outcome, Reason, Verdict};

/// Why there is no answer at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// One state takes this many bits, more than can be searched.
    StateTooLarge { bits: u64 },
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::StateTooLarge { bits } => write!(
                f,
                "one state of this model takes {bits} bits, more than can be searched; smaller \
                 types, channels or numbers of instances would mend it"
            ),
        }
    }
}

impl std::error::Error for CheckError {}

/// Decides the claims in one search, and gives an outcome for each, in their order.
///
/// A claim that is decided early stays decided; the search ends when all are. Costs time and
/// memory in proportion to the number of states and of edges.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn check(
    _system: &System,
    claims: &[Claim],
    _options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    let outcomes: Vec<Outcome> = claims
        .iter()
        .map(|claim| Outcome {
            verdict: Verdict::Undecided(Reason::NotBuilt(claim.form())),
            states: 0,
            edges: 0,
            full: false,
            seconds: 0.0,
        })
        .collect();
    for (claim, outcome) in outcomes.iter().enumerate() {
        watch.decided(claim, outcome);
    }
    Ok(outcomes)
}
