//! A lasso with fewer steps than the path to a terminal state that violates `must`.
//!
//! A breadth-first search finds that state before it knows of any cycle. All states of a shorter
//! lasso are nearer, and all of their steps have been taken, so it is sought among these.

use std::ops::ControlFlow;

use super::Observations;
use crate::graph::lasso;
use crate::properties::{Conclusion, Goals};
use crate::runs::evidence::Evidence;
use crate::search::Ways;
use crate::verdict::Finding;

/// Most states among which a lasso is sought; it takes some tens of milliseconds.
const MOST_STATES: u64 = 1 << 17;

impl Observations<'_, '_> {
    /// Returns a lasso that violates the property in fewer steps than the path to `end`.
    pub(super) fn shorter_lasso(
        &self,
        property: usize,
        end: u32,
        ways: &dyn Ways,
    ) -> Option<(Finding, Evidence)> {
        let Conclusion::Avoiding(finding) = self.verdicts.conclusion(property) else {
            return None;
        };
        let steps_to_end = ways.path(end).len() - 1;
        let states = ways.figures().states;
        let is_worth_it = steps_to_end > 1 && states <= MOST_STATES;
        // A cycle of canonical states may stand for a longer one.
        if !self.shows_shortest() || self.verdicts.orbits().is_some() || !is_worth_it {
            return None;
        }
        let mut edges = self.edges.clone()?;
        edges.end_states(states as u32);
        let goals = self.goals(property, Goals::Expression);
        let go_on = &mut || ControlFlow::<()>::Continue(());
        let found = lasso::avoiding(&edges, goals, &self.terminal, go_on);
        let lasso = found.continue_value().flatten()?;
        let steps = lasso.path.len() + lasso.cycle.len() - 2;
        (steps < steps_to_end).then(|| (finding, lasso.into()))
    }
}
