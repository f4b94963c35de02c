//! Whether a run goes round for ever in fewer steps than it takes to come to an end without what it must come to.
//!
//! A breadth-first search meets the end of a run before it knows of any cycle, and that decides `must`. A shorter run that
//! goes round has all of its states nearer than that end, and all of their steps were taken by then: it is looked for among
//! these, where they are few.

use std::ops::ControlFlow;

use super::Verdicts;
use crate::graph::lasso::{self, Lasso};
use crate::properties::{Conclusion, Goals};
use crate::search::Ways;
use crate::verdict::Finding;

/// Among more states it is not looked for: to the search itself they would have been a matter of some tens of milliseconds.
const MOST_STATES: u64 = 1 << 17;

impl Verdicts<'_> {
    /// A lasso of fewer steps than the way to a state in which a run ends without a goal.
    pub(super) fn goes_round_sooner(
        &self,
        property: usize,
        end: u32,
        ways: &dyn Ways,
    ) -> Option<(Finding, Lasso)> {
        let Conclusion::Avoiding(finding) = self.kinds[property].conclusion() else {
            return None;
        };
        let steps_to_end = ways.path(end).len() - 1;
        let states = ways.figures().states;
        // A cycle of canonical forms may be a longer one of states.
        // And none has fewer than one.
        if !self.shows_shortest || self.orbits.is_some() || states > MOST_STATES || steps_to_end < 2
        {
            return None;
        }
        let mut edges = self.edges.clone()?;
        while u64::from(edges.states()) < states {
            edges.end_state();
        }
        let goals = self.goals(property, Goals::Expression);
        let go_on = &mut || ControlFlow::<()>::Continue(());
        let found = lasso::avoiding(&edges, goals, &self.terminal, go_on);
        let lasso = found.continue_value().flatten()?;
        let steps = lasso.path.len() + lasso.cycle.len() - 2;
        (steps < steps_to_end).then_some((finding, lasso))
    }
}
