//! Conclusions from a complete distributed search without a violation.
//!
//! In the plain state space, properties of single states and steps hold, and a question about all
//! states decides AG EF: from where is a goal reachable ([`Asked`])?
//!
//! A reduced search proves what [`conclude_reduced`](crate::check::conclude_reduced) says, by A.
//! Valmari, "Stop It, and Be Stubborn!" (ACSD 2015): that there is no deadlock (Theorem 1), whether
//! the model is AG EF terminating (Theorem 3), and if it is, errors and invariants (Theorem 4) and
//! `may` (Theorem 5). In any other model one process looks for ignored steps in terminal
//! components. Several processes search the plain state space instead.
//!
//! A question goes backwards along all steps between states that were found, also those that were
//! left out. This is right for terminal states: in a reduced search one is reachable from a state
//! if one is at all (Theorem 1, with this state as the initial one).

use super::Checking;
use super::shared::{or_reason, way_of};
use crate::properties::{Conclusion, Goals};
use crate::runs::limits::{Limited, for_a_run};
use crate::search::Figures;
use crate::several::{Asked, Event, Shared, Shown};
use crate::successors::Successors as _;
use crate::verdict::{Finding, Reason, Verdict};

impl Checking<'_> {
    /// Decides those of the properties that are open and decidable. Returns how the search ends.
    pub(super) fn conclude_together(&mut self, search: &mut dyn Shared, of: &[usize]) -> Event {
        let concluded = match search.count().leaves_out {
            true => self.conclude_of_part(search, of),
            false => self.conclude_of_all(search, of),
        };
        match concluded {
            Ok(()) => Event::Over,
            Err(reason) => Event::Stopped(reason),
        }
    }

    /// Returns those of the properties that are open, with their positions.
    pub(super) fn still_open(&self, of: &[usize]) -> Vec<(usize, usize)> {
        let open = of.iter().copied().enumerate();
        open.filter(|(_, one)| self.found.is_undecided(*one))
            .collect()
    }

    fn holds(&mut self, search: &dyn Shared, property: usize) {
        let mut way = way_of(search);
        way.is_over = true;
        self.decide(property, Verdict::Holds, &way);
    }

    fn conclude_of_all(&mut self, search: &mut dyn Shared, of: &[usize]) -> Result<(), Reason> {
        for (place, property) in self.still_open(of) {
            let (asked, finding) = match self.found.conclusion(property) {
                Conclusion::Holds => {
                    self.holds(search, property);
                    continue;
                }
                Conclusion::Reaching(Goals::Terminal, finding) => (Asked::Ends, finding),
                Conclusion::Reaching(Goals::Expression, finding) => (Asked::Goal(place), finding),
                Conclusion::Apart | Conclusion::Avoiding(_) | Conclusion::Recurring(_) => continue,
            };
            match self.ask_all(search, asked)? {
                Some(nearest) => self.violated_at(search, property, &nearest, finding),
                None => self.holds(search, property),
            }
        }
        Ok(())
    }

    /// The same for a reduced search.
    fn conclude_of_part(&mut self, search: &mut dyn Shared, of: &[usize]) -> Result<(), Reason> {
        for (_, property) in self.still_open(of) {
            if self.found.is_always_decided_in_passing(property) {
                self.holds(search, property);
            }
        }
        let mut open = self.still_open(of);
        open.retain(|(_, property)| self.found.is_reducible(*property));
        if open.is_empty() {
            return Ok(());
        }
        let nearest = self.ask_all(search, Asked::Ends)?;
        for (_, property) in open {
            match (&nearest, self.found.conclusion(property)) {
                (None, _) => self.holds(search, property),
                (Some(nearest), Conclusion::Reaching(Goals::Terminal, finding)) => {
                    self.violated_at(search, property, nearest, finding);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Asks for the nearest state from which no goal is reachable.
    fn ask_all(&mut self, search: &mut dyn Shared, asked: Asked) -> Result<Option<Shown>, Reason> {
        let meter = &mut self.meter;
        search.ask(asked, &mut |count| {
            or_reason(meter.poll(Figures::from(count)))
        })
    }

    /// Decides a property that is violated by a path to a state.
    fn violated_at(
        &mut self,
        search: &mut dyn Shared,
        property: usize,
        nearest: &Shown,
        finding: Finding,
    ) {
        let budget = for_a_run(self.caller.budget, self.meter.begun());
        let limited = Limited::from_the_beginning(budget, 0);
        let mut way = way_of(search);
        let states = match nearest.state.len() == self.packed.words() {
            // Each process checks its own memory.
            true => search.way(nearest, &mut |_| or_reason(limited.poll(0))),
            false => Err(Reason::Internal("a worker has sent no state".to_owned())),
        };
        match states {
            Ok(states) => {
                way.states = states;
                self.violate(property, finding, &way.evidence(), &way);
            }
            Err(reason) => {
                let verdict = Verdict::Undecided(reason);
                self.decide(property, verdict, &way);
            }
        }
    }
}
