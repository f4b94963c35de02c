//! The end of a search: what it has decided, what it covers, and runs that may be shorter.

use std::ops::ControlFlow;

use stubborn_system::property::Property;

use super::Checking;
use super::shared::or_reason;
use super::way::Way;
use crate::check::shorten::{Budget, shorten};
use crate::coverage::{self, Extent};
use crate::options::{Options, Search};
use crate::runs::limits::{Limited, for_a_run};
use crate::search::{Figures, Space, Stop, Ways};
use crate::verdict::{Reason, Verdict};

impl Checking<'_> {
    /// Ends a search, which may have been broken off. Returns the properties that it has decided.
    pub(super) fn end(&mut self, flow: ControlFlow<Stop>, space: &Space) -> Vec<usize> {
        if let ControlFlow::Break(reason) = or_reason(flow) {
            self.leave_undecided(&reason, space);
        }
        self.note(space)
    }

    /// Leaves properties undecided after a search that was broken off, unless another stage or the
    /// disk continues.
    pub(super) fn leave_undecided(&mut self, reason: &Reason, ways: &dyn Ways) {
        if self.stage.is_over(reason, self.options) {
            return;
        }
        for property in self.found.undecided() {
            if let Some(reason) = self.left_for(property, reason) {
                self.decide(property, Verdict::Undecided(reason), ways);
            }
        }
    }

    /// Gives the properties that a limit has left undecided the figures of the search that came
    /// furthest, and the depth to which they were searched, unless a violation was visited.
    pub(super) fn keep_furthest(&mut self) {
        if let Some(furthest) = &mut self.furthest {
            furthest.depth = self.complete_depth;
        }
        let outcomes = self.found.outcomes.iter_mut().enumerate();
        let outcomes =
            outcomes.filter_map(|(property, outcome)| Some((property, outcome.as_mut()?)));
        for (property, outcome) in outcomes {
            outcome.keep_furthest(self.furthest.as_ref());
            if self.found.without_run.contains(&property) {
                outcome.depth = None;
            } else if outcome.is_left_by_a_limit() {
                outcome.depth = self.complete_depth;
            }
        }
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

    /// Whether the property is a `reachable`, which holds with a shortest run in any search order.
    pub(super) fn is_sought(&self, property: usize) -> bool {
        matches!(self.properties[property], Property::Reachable(_))
    }

    /// Shortens the traces of properties that a search has decided: all if it has left steps out,
    /// those of a `reachable` if it was depth first.
    pub(super) fn shorten_after(&mut self, mut decided: Vec<usize>, space: &Space) {
        let in_depth = self.options.search != Search::Breadth;
        decided.retain(|one| space.has_left_out() || in_depth && self.is_sought(*one));
        self.shorten(&decided, self.options, (space.states(), space.bytes()));
    }

    /// Shortens the traces of some properties, after a search that has `generated` states and holds
    /// memory.
    pub(super) fn shorten(
        &mut self,
        longer: &[usize],
        options: &Options,
        (generated, held): (u64, u64),
    ) {
        let budget = Budget {
            generated,
            held,
            options,
            caller: self.caller,
        };
        let may_be_longer = |property| longer.contains(&property);
        let outcomes = &mut self.found.outcomes;
        shorten(
            self.packed,
            self.properties,
            outcomes,
            may_be_longer,
            &budget,
        );
    }

    /// Decides the properties that the search for deep violations has shown to be violated.
    pub(super) fn take_deep(&mut self, figures: Figures) {
        let Some(deep) = self.deep else {
            return;
        };
        let way = Way {
            figures,
            ..Way::default()
        };
        for (property, verdict) in deep.take() {
            if self.found.is_undecided(property) {
                self.decide(property, verdict, &way);
            }
        }
    }
}
