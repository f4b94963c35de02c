//! The end of a search: what it has decided, what it covers, and runs that may be shorter.

use std::ops::ControlFlow;

use stubborn_system::property::Property;

use super::{Checking, leaves_to_the_next_stage};
use crate::check::shorten::{Budget, shorten};
use crate::check::verdicts::nothing_decided;
use crate::coverage::{self, Extent};
use crate::options::Search;
use crate::runs::limits::{Limited, for_a_run};
use crate::search::{Space, Stop};
use crate::verdict::Verdict;

impl Checking<'_> {
    /// Ends a search: properties that it has decided get their outcomes; so do all others if it
    /// was broken off and no search follows, except those that continue on the disk.
    pub(super) fn end(&mut self, flow: ControlFlow<Stop>, space: &Space) {
        if let ControlFlow::Break(stop) = flow
            && !leaves_to_the_next_stage(self.stage, self.options, &stop)
        {
            for property in self.found.undecided() {
                let reason = match &stop {
                    Stop::Limit(reason) => reason.clone(),
                    Stop::Decided => nothing_decided(),
                };
                if let Some(reason) = self.left_for(property, &reason) {
                    let verdict = Verdict::Undecided(reason);
                    self.decide(property, verdict, space);
                }
            }
        }
        self.note(space);
    }

    /// Notes the coverage of a search that is over, unless another says more. Verdicts are told
    /// before, so that it may overrun a limit on time as a run may.
    pub(super) fn look_back(&mut self, space: &Space, extent: Extent) {
        if !self.options.tells_seen {
            return;
        }
        let budget = for_a_run(self.caller.budget, self.meter.begun());
        let limited = Limited::from_the_beginning(budget, space.bytes());
        let searched = (self.packed, self.orbits);
        let found = coverage::of_search(searched, space, extent, &limited).continue_value();
        if let Some(found) = found
            && (self.coverage.as_ref()).is_none_or(|known| found.is_better_than(known))
        {
            self.coverage = Some(found);
        }
    }

    /// Shortens the traces that a search has found for some of the properties: all if it has left
    /// steps out; unless it went breadth first, those of a `reachable`, which holds with a shortest
    /// run in any search order.
    pub(super) fn shorten(&mut self, of: &[usize], space: &Space) {
        let leaves_out = space.has_left_out();
        let in_depth = self.options.search != Search::Breadth;
        let may_be_longer = |property: usize| {
            let is_sought = matches!(self.properties[property], Property::Reachable(_));
            of.contains(&property) && (leaves_out || in_depth && is_sought)
        };
        let budget = Budget {
            generated: space.states(),
            held: space.bytes(),
            options: self.options,
            caller: self.caller,
        };
        shorten(
            self.packed,
            self.properties,
            &mut self.outcomes,
            may_be_longer,
            &budget,
        );
    }
}
