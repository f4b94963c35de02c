//! Deciding claims on slices: each group of claims on what it depends on.
//!
//! The searches below see a System like any other. Here the claims are put into groups, each group's
//! slice is searched, and what is found is told of the whole System: the trace of a violation is
//! taken there again, by the reference interpreter, and confirmed against the claim as it was given.

mod groups;
mod runs;

use std::sync::Mutex;

use stubborn_model::claim::Claim;
use stubborn_model::slice::{Dependencies, Slice};
use stubborn_model::system::System;

pub use runs::{NotTaken, lifted, on_whole, projected};

use crate::check::{CheckError, check as check_in_one_search};
use crate::monitored::decide;
use crate::options::{Options, Progress, Reduction, Watch};
use crate::verdict::{Outcome, Reason, Verdict};

/// Decides the claims, and gives an outcome for each, in their order.
///
/// What a monitor watches for comes last, each by a search of its own ([`monitored`]).
///
/// # Errors
/// Where a state of the system is too large to be searched.
///
/// [`monitored`]: crate::monitored
pub fn check(
    system: &System,
    claims: &[Claim],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    let (monitored, ordinary): (Vec<usize>, Vec<usize>) =
        (0..claims.len()).partition(|claim| claims[*claim].is_monitored());
    let mut outcomes: Vec<Option<Outcome>> = vec![None; claims.len()];
    if !ordinary.is_empty() {
        let together: Vec<Claim> = ordinary.iter().map(|c| claims[*c].clone()).collect();
        let renumbered = Renumbered {
            watch,
            claims: &ordinary,
        };
        let found = check_ordinary(system, &together, options, &renumbered)?;
        for (claim, outcome) in ordinary.iter().zip(found) {
            outcomes[*claim] = Some(outcome);
        }
    }
    for claim in monitored {
        let outcome = decide(system, &claims[claim], options, watch)?;
        watch.decided(claim, &outcome);
        watch.searched(outcome.states);
        outcomes[claim] = Some(outcome);
    }
    let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    debug_assert_eq!(outcomes.len(), claims.len(), "every claim has an outcome");
    Ok(outcomes)
}

/// Between those who asked about all claims and the search of some of them.
struct Renumbered<'a> {
    watch: &'a dyn Watch,
    claims: &'a [usize],
}

impl Watch for Renumbered<'_> {
    fn progress(&self, progress: &Progress) {
        self.watch.progress(progress);
    }

    fn decided(&self, within: usize, outcome: &Outcome) {
        self.watch.decided(self.claims[within], outcome);
    }

    fn searched(&self, states: u64) {
        self.watch.searched(states);
    }

    fn is_cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }
}

/// Decides claims that no monitor watches for, and gives an outcome for each, in their order.
///
/// Claims share a search where they need nearly the same of the System; each search leaves out what
/// none of its claims depends on, unless the options ask for the plain state space. A claim that is
/// decided early stays decided; a search ends when all of its claims are. Costs time and memory in
/// proportion to the number of states and, for termination and progress, of edges.
///
/// # Errors
/// Where a state of the system is too large to be searched.
fn check_ordinary(
    system: &System,
    claims: &[Claim],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    if is_plain(options) {
        let outcomes = check_in_one_search(system, claims, options, watch)?;
        tell_of_search(watch, &outcomes);
        return Ok(outcomes);
    }
    let dependencies = Dependencies::new(system);
    let groups = groups::groups(&dependencies, claims);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; claims.len()];
    let mut again = Vec::new();
    for group in &groups {
        let slice = group.cone.as_ref().map(|cone| Slice::new(system, cone));
        let relay = Relay {
            system,
            claims,
            group: &group.claims,
            slice: slice.as_ref(),
            watch,
            told: Mutex::default(),
        };
        let sliced: Vec<Claim> = group
            .claims
            .iter()
            .map(|claim| relay.sliced(&claims[*claim]))
            .collect();
        let searched = slice.as_ref().map_or(system, |slice| &slice.system);
        let found = check_in_one_search(searched, &sliced, options, &relay)?;
        tell_of_search(watch, &found);
        for (within, outcome) in found.into_iter().enumerate() {
            let claim = group.claims[within];
            match relay.whole(within, &outcome.verdict) {
                Some(verdict) => outcomes[claim] = Some(Outcome { verdict, ..outcome }),
                None => again.push(claim),
            }
        }
    }
    if !again.is_empty() {
        let relay = Relay {
            system,
            claims,
            group: &again,
            slice: None,
            watch,
            told: Mutex::default(),
        };
        let repeated: Vec<Claim> = again.iter().map(|claim| claims[*claim].clone()).collect();
        let found = check_in_one_search(system, &repeated, options, &relay)?;
        tell_of_search(watch, &found);
        for (claim, outcome) in again.iter().zip(found) {
            outcomes[*claim] = Some(outcome);
        }
    }
    let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    debug_assert_eq!(outcomes.len(), claims.len(), "every claim is in a group");
    Ok(outcomes)
}

/// Whether nothing is to be left out or merged.
pub fn is_plain(options: &Options) -> bool {
    options.reduction == Reduction::None && options.keep_dead_variables
}

fn tell_of_search(watch: &dyn Watch, outcomes: &[Outcome]) {
    let states = outcomes.iter().map(|outcome| outcome.states).max();
    watch.searched(states.unwrap_or(0));
}

/// Between the search of a slice and those who asked about the whole System.
struct Relay<'a> {
    system: &'a System,
    claims: &'a [Claim],
    /// Which of the claims the search decides.
    group: &'a [usize],
    /// `None` where the whole System is searched.
    slice: Option<&'a Slice>,
    watch: &'a dyn Watch,
    /// What was told of claims of the group: the verdict on the slice, and that on the whole.
    told: Mutex<Vec<(usize, Verdict, Verdict)>>,
}

impl Relay<'_> {
    fn sliced(&self, claim: &Claim) -> Claim {
        self.slice
            .map_or_else(|| claim.clone(), |slice| slice.claim(claim))
    }

    /// The verdict on the whole System; `None` where the trace of the slice would be too long there.
    fn whole(&self, within: usize, verdict: &Verdict) -> Option<Verdict> {
        let Some(slice) = self.slice else {
            return Some(verdict.clone());
        };
        if let Ok(told) = self.told.lock()
            && let Some((.., whole)) = told.iter().find(|(w, v, _)| *w == within && v == verdict)
        {
            return Some(whole.clone());
        }
        let claim = &self.claims[self.group[within]];
        match on_whole(self.system, slice, claim, verdict) {
            Ok(whole) => Some(whole),
            Err(NotTaken::TooLong) => None,
            Err(mismatch) => Some(Verdict::Undecided(Reason::Internal(mismatch.to_string()))),
        }
    }
}

impl Watch for Relay<'_> {
    fn progress(&self, progress: &Progress) {
        self.watch.progress(progress);
    }

    fn decided(&self, within: usize, outcome: &Outcome) {
        let Some(verdict) = self.whole(within, &outcome.verdict) else {
            return;
        };
        if let Ok(mut told) = self.told.lock() {
            told.push((within, outcome.verdict.clone(), verdict.clone()));
        }
        let whole = Outcome {
            verdict,
            ..outcome.clone()
        };
        self.watch.decided(self.group[within], &whole);
    }

    fn is_cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }
}
