//! Deciding properties with stubborn sets and without numbers for the states.
//!
//! The theorems are those of [`conclude_reduced`](crate::check::conclude_reduced). Of the states
//! that the search has found, which are *there* from now on, is asked what its edges would be asked
//! otherwise; but the steps that are taken again are all those of the system between states that
//! are there, whether or not the search has taken them, so that no set is chosen twice:
//!
//! - A terminal state can be reached from a state that is there in the whole system if and only if
//!   it can be by such steps. These are steps of the system. On the other hand every state that is
//!   there begins a reduced space of its own, of the sets that are chosen in it and in what they
//!   lead to: all of that is there, since in each state the search has taken the steps of that set,
//!   or all. By Theorem 1 this space leads to every terminal state that the system leads to from
//!   there.
//! - So it can be reached from all that is there if and only if the model is AG EF terminating: the
//!   states that are there are states of the system; and those to which the sets lead from the
//!   initial state are there, so that Theorem 3 has it.
//! - In such a model there is a cycle that a recurrence asks for if and only if there is one of
//!   such steps: it is one of the system, and by Theorem 6 there is one already of steps of the
//!   sets.
//!
//! A model without a layer that is worth several threads is searched with numbers, and so is one
//! that is not AG EF terminating, or shows a violation; on one thread any is that is asked for more
//! than deadlocks.

use std::ops::ControlFlow;

use super::Checking;
use crate::plan::numbers::{Price, needs_termination, suits};
use crate::plan::theorems::{Condition, Shown, is_reducible, shown};
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
        // About canonical forms together nothing can be asked.
        if self.orbits.is_some() && (needs_termination || !self.is_decided_in_passing()) {
            return false;
        }
        let words = self.packed.words();
        suits(self.options)
            && Price::reduced(self.open_facts()).is_paid(words, self.options)
            && (!needs_termination || words == 1)
    }

    /// Nothing that the search has met shows a violation. Whether all is decided that a reduced
    /// search decides; where it has to be found out and is not that the model is AG EF terminating,
    /// nothing is.
    pub(in crate::check::ordinary) fn conclude_without_numbers(
        &mut self,
        whole: Option<Whole>,
        layers: &Layers,
    ) -> ControlFlow<Stop, bool> {
        if layers.full {
            return self.conclude_plainly(whole, layers);
        }
        let open = self.found.undecided();
        let open: Vec<usize> = open
            .filter(|property| is_reducible(self.found.preserved(*property)))
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
            let is_proved = match shown(Condition::Terminating, self.found.preserved(property)) {
                Some(Shown::ByAbsence) => true,
                Some(Shown::ByCycles) => match &whole {
                    Some(whole) => self.never_recurs(property, whole, layers)?,
                    None => false,
                },
                None => false,
            };
            match is_proved {
                true => self.found.decide(property, Verdict::Holds, layers),
                // If there is a violating run, it is not known which.
                false => is_over = false,
            }
        }
        ControlFlow::Continue(is_over)
    }

    /// Nothing was left out: the states are those of the plain space.
    fn conclude_plainly(
        &mut self,
        whole: Option<Whole>,
        layers: &Layers,
    ) -> ControlFlow<Stop, bool> {
        let price = Price::of(self.open_facts());
        if !price.is_paid(self.packed.words(), self.options) {
            return ControlFlow::Continue(false);
        }
        self.conclude_in_passing(layers);
        if let Some(whole) = &whole {
            self.ask(whole, layers)?;
        }
        ControlFlow::Continue(self.found.undecided().next().is_none())
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
