//! Conclusions from stubborn sets without numbers for states.
//!
//! The theorems are those of [`conclude_reduced`](crate::check::conclude_reduced). A question about
//! the graph takes all steps of the system between *visited* states, including those that the search
//! left out, so that no set is chosen twice:
//!
//! - The system leads from a visited state to a terminal one if and only if such steps do. They are
//!   steps of the system. Conversely, the sets that are chosen from a visited state on span a
//!   reduced space, all of which is visited, since the search has taken the steps of each set. By
//!   Theorem 1 it has every terminal state to which the system leads from there.
//! - So a terminal state can be reached from every visited state if and only if the model is AG EF
//!   terminating: visited states are states of the system, and Theorem 3 holds for those to which
//!   the sets lead from the initial state.
//! - In such a model a violating cycle of a recurrence exists if and only if one of such steps
//!   does: they are steps of the system, and by Theorem 6 steps of the sets suffice.
//!
//! Numbers are used for a model that has no layer worth several threads, is not AG EF terminating or
//! shows a violation; on one thread for every question but deadlocks.

use std::ops::ControlFlow;

use super::Checking;
use crate::plan::numbers::{Price, needs_termination, suits};
use crate::plan::theorems::{Condition, Shown};
use crate::properties::Goals;
use crate::search::Stop;
use crate::search::layers::Layers;
use crate::search::whole::Whole;
use crate::search::whole::reaching::{Reaching, reaching};
use crate::successors::Successors;
use crate::verdict::Verdict;

impl Checking<'_> {
    /// Whether a reduced search may turn out to need no numbers.
    pub(in crate::check::ordinary) fn may_need_no_numbers(&self) -> bool {
        let needs_termination = needs_termination(self.open_facts());
        // Canonical states answer no question about all states together.
        if self.orbits.is_some() && (needs_termination || !self.is_decided_in_passing()) {
            return false;
        }
        let words = self.packed.words();
        suits(self.options)
            && Price::reduced(self.open_facts()).is_paid(words, self.options)
            && (!needs_termination || words == 1)
    }

    /// Concludes after a search that has visited no violation. Returns whether every property is
    /// decided that a reduced search decides; none is if that depends on AG EF termination and the
    /// model does not terminate.
    pub(in crate::check::ordinary) fn conclude_without_numbers(
        &mut self,
        whole: Option<Whole>,
        layers: &Layers,
    ) -> ControlFlow<Stop, bool> {
        if layers.full {
            let price = Price::of(self.open_facts());
            return match price.is_paid(self.packed.words(), self.options) {
                true => self.conclude_plainly(whole, layers),
                false => ControlFlow::Continue(false),
            };
        }
        let open = self.found.undecided();
        let open: Vec<usize> = open
            .filter(|property| self.found.is_reducible(*property))
            .collect();
        if needs_termination(self.open_facts()) {
            let Some(whole) = &whole else {
                return ControlFlow::Continue(false);
            };
            if !self.is_terminating(whole, layers, &open)? {
                return ControlFlow::Continue(false);
            }
        }
        let mut is_over = true;
        for property in open {
            let is_proved = match self.found.shown(Condition::Terminating, property) {
                Some(Shown::ByAbsence) => true,
                Some(Shown::ByCycles) => match &whole {
                    Some(whole) => self.never_recurs(property, whole, layers)?,
                    None => false,
                },
                None => false,
            };
            match is_proved {
                true => self.decide(property, Verdict::Holds, layers),
                // A violating run exists otherwise, but none is known.
                false => is_over = false,
            }
        }
        ControlFlow::Continue(is_over)
    }

    fn is_terminating(
        &mut self,
        whole: &Whole,
        layers: &Layers,
        open: &[usize],
    ) -> ControlFlow<Stop, bool> {
        let Some(any) = open.first() else {
            return ControlFlow::Continue(false);
        };
        let threads = self.team_for(whole).threads;
        let goal = || self.found.goal(*any, Goals::Terminal);
        let all = (whole, layers.edges);
        let answer = reaching(self.packed, all, &mut self.meter, threads, goal)?;
        ControlFlow::Continue(matches!(answer, Reaching::FromAll))
    }
}
