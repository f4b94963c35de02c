//! Shorter runs of violations that were found where steps are merged, or whose cycles close late.
//!
//! Merged steps have different numbers of parts, so that a run with the least of them may have more
//! of the whole System's steps than another one. A run that is as long there as in the slice is a
//! shortest one in both: each run of the whole is one of the slice without its inner steps.
//!
//! Variables outside the slice may differ after one round of a cycle. The cycle of the whole System
//! then has several rounds, and another cycle may be shorter.

use stubborn_system::slice::Slice;

use super::relay::Relay;
use super::whole::on_whole_within;
use crate::check::shorten::{Budget, nearest};
use crate::options::Options;
use crate::runs::limits::{Limited, for_a_run};
use crate::verdict::{Outcome, Reason, Verdict};

impl Relay<'_> {
    /// Gives the properties whose runs have become longer in the whole System the shortest runs
    /// that plain searches find within the budget for that, where they are not longer than those
    /// that they have: a search without merged steps, and then, if it is a cycle that makes them
    /// longer, one of the whole System.
    pub(super) fn shorten(
        &self,
        mut long: Vec<usize>,
        options: &Options,
        outcomes: &mut [Option<Outcome>],
    ) {
        let Some(cone) = self.cone else {
            return;
        };
        if self.slice.is_some_and(|slice| !slice.merged.is_empty()) {
            let slice = Slice::new(self.system, cone);
            let asked = self.within(Some(&slice), &long);
            let slice = slice.without_dead(&asked);
            long = self.shorten_by(Some(&slice), &long, options, outcomes);
        }
        long.retain(|number| {
            let verdict = outcomes[*number].as_ref().map(|outcome| &outcome.verdict);
            matches!(verdict, Some(Verdict::Violated { trace, .. }) if !trace.cycle().is_empty())
        });
        self.shorten_by(None, &long, options, outcomes);
    }

    /// Does so by a search of a slice, or of the whole System. Returns the properties whose runs
    /// are longer in the whole than in what was searched.
    fn shorten_by(
        &self,
        slice: Option<&Slice>,
        long: &[usize],
        options: &Options,
        outcomes: &mut [Option<Outcome>],
    ) -> Vec<usize> {
        if long.is_empty() {
            return Vec::new();
        }
        let asked = self.within(slice, long);
        let of_long = long.iter().flat_map(|number| &outcomes[*number]);
        let budget = Budget {
            generated: of_long.map(|outcome| outcome.states).max().unwrap_or(0),
            held: self.told_bytes(),
            options,
            caller: self.caller,
        };
        let searched = slice.map_or(self.system, |slice| &slice.system);
        // Where a state is too large without merging runs stay as they are.
        let Ok(nearest) = nearest(searched, &asked, &budget) else {
            return Vec::new();
        };
        let budget = for_a_run(self.caller.budget, self.begun);
        let mut longer = Vec::new();
        for (number, verdict) in long.iter().zip(nearest) {
            let (Some(verdict), Some(outcome)) = (verdict, &mut outcomes[*number]) else {
                continue;
            };
            let limited = Limited::new(budget, self.told_bytes());
            let poll = &mut |bytes| limited.poll(bytes);
            let property = &self.properties[*number];
            // Without merged steps a run is easier to follow than one of the same length with them.
            let most = outcome.verdict.steps() - usize::from(slice.is_none());
            match on_whole_within(self.system, slice, property, &verdict, poll) {
                // A limit is no reason to have no run at all.
                Ok(Verdict::Undecided(reason)) if !matches!(reason, Reason::Internal(_)) => {}
                Ok(whole) if whole.steps() <= most => outcome.verdict = whole,
                Ok(_) | Err(_) => {}
            }
            if outcome.verdict.steps() > verdict.steps() {
                longer.push(*number);
            }
        }
        longer
    }
}
