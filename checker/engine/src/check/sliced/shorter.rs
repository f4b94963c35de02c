//! Shorter runs of violations that were found where steps are merged, or whose cycles close late.
//!
//! Merged steps have different numbers of parts, so that a run with the least of them may have more of the
//! whole System's steps than another one. A run that is as long there as in the slice is a shortest one in
//! both: each run of the whole is one of the slice without its inner steps.
//!
//! What a slice leaves out may be another after one round of a cycle than it was before: then the whole goes round once
//! more before its cycle closes, where another one may close at once.

use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Slice};

use super::Relay;
use super::whole::on_whole_within;
use crate::check::shorten::{Budget, nearest};
use crate::options::Options;
use crate::runs::confirm::confirm;
use crate::runs::limits::{Limited, for_a_run};
use crate::verdict::{Outcome, Reason, Verdict};

impl Relay<'_> {
    pub(super) fn has_merged(&self) -> bool {
        self.slice.is_some_and(|slice| !slice.merged.is_empty())
    }

    /// Gives these properties the shortest runs that a search without merged steps finds within the budget
    /// for that, where they are not longer than those that they have. Those whose runs become longer in the whole.
    pub(super) fn shorten(
        &self,
        long: &[usize],
        cone: &Cone,
        options: &Options,
        outcomes: &mut [Option<Outcome>],
    ) -> Vec<usize> {
        if long.is_empty() {
            return Vec::new();
        }
        let slice = Slice::new(self.system, cone);
        let asked = long.iter().map(|number| &self.properties[*number]);
        let asked: Vec<Property> = asked.map(|property| slice.property(property)).collect();
        let slice = slice.without_dead(&asked);
        let budget = self.budget(long, options, outcomes);
        // Where a state is too large without merging runs stay as they are.
        let Ok(nearest) = nearest(&slice.system, &asked, &budget) else {
            return Vec::new();
        };
        let mut grown = Vec::new();
        let budget = for_a_run(self.caller.budget, self.begun);
        for (number, verdict) in long.iter().zip(nearest) {
            let (Some(verdict), Some(outcome)) = (verdict, &mut outcomes[*number]) else {
                continue;
            };
            let limited = Limited::new(budget, self.told_bytes());
            let poll = &mut |bytes| limited.poll(bytes);
            let property = &self.properties[*number];
            match on_whole_within(self.system, &slice, property, &verdict, poll) {
                // A limit is no reason to have no run at all.
                Ok(Verdict::Undecided(reason)) if !matches!(reason, Reason::Internal(_)) => {}
                Ok(whole) if length(&whole) <= length(&outcome.verdict) => outcome.verdict = whole,
                Ok(_) | Err(_) => {}
            }
            if length(&outcome.verdict) > length(&verdict) {
                grown.push(*number);
            }
        }
        grown
    }

    /// Of these properties, gives those whose runs have a cycle shorter ones that a search of the whole System finds
    /// within the same budget.
    pub(super) fn close_sooner(
        &self,
        grown: &[usize],
        options: &Options,
        outcomes: &mut [Option<Outcome>],
    ) {
        let has_cycle = |number: &&usize| {
            let verdict = outcomes[**number].as_ref().map(|outcome| &outcome.verdict);
            matches!(verdict, Some(Verdict::Violated { trace, .. }) if !trace.cycle().is_empty())
        };
        let grown: Vec<usize> = grown.iter().filter(has_cycle).copied().collect();
        if grown.is_empty() {
            return;
        }
        let asked = grown.iter().map(|number| self.properties[*number].clone());
        let asked: Vec<Property> = asked.collect();
        let budget = self.budget(&grown, options, outcomes);
        let Ok(nearest) = nearest(self.system, &asked, &budget) else {
            return;
        };
        let budget = for_a_run(self.caller.budget, self.begun);
        for (number, verdict) in grown.iter().zip(nearest) {
            let (Some(verdict), Some(outcome)) = (verdict, &mut outcomes[*number]) else {
                continue;
            };
            let Verdict::Violated { finding, trace } = &verdict else {
                continue;
            };
            let limited = Limited::new(budget, self.told_bytes());
            let poll = &mut |bytes| limited.poll(bytes);
            let property = &self.properties[*number];
            if length(&verdict) < length(&outcome.verdict)
                && confirm(self.system, property, finding, trace, poll).is_ok()
            {
                outcome.verdict = verdict;
            }
        }
    }

    fn budget<'b>(
        &'b self,
        long: &[usize],
        options: &'b Options,
        outcomes: &[Option<Outcome>],
    ) -> Budget<'b> {
        let states = long.iter().flat_map(|number| &outcomes[*number]);
        Budget {
            generated: states.map(|outcome| outcome.states).max().unwrap_or(0),
            held: self.told_bytes(),
            options,
            caller: self.caller,
        }
    }
}

/// How many steps its run has, if it has one.
pub fn length(verdict: &Verdict) -> usize {
    match verdict {
        Verdict::Violated { trace, .. } => trace.len(),
        Verdict::Holds | Verdict::Undecided(_) => 0,
    }
}
