//! What follows for properties from a search by several that has come to its end, and met nothing that shows a violation.
//!
//! In the plain state space what is about single states and steps holds then, and the rest is asked of all states
//! together: from where a goal can be reached, and on which cycles a run may stay ([`Asked`]).
//!
//! Where steps were left out it is what follows from a reduced search
//! ([`conclude_reduced`](crate::check::conclude_reduced)), by A. Valmari, "Stop It, and Be Stubborn!" (ACSD 2015): that there
//! is no deadlock (Theorem 1); whether the model is AG EF terminating (Theorem 3); and where it is, errors and invariants
//! (Theorem 4), `may` (Theorem 5) and recurrence (Theorem 6). In any other model one process asks whether a step is ignored
//! for ever, which is a matter of terminal components, and takes more steps there. Several do not find these cheaply. Where
//! the reduced search has shown that its states are few the first process makes it once more, alone; else, or where its
//! memory does not suffice, all search the plain state space, which decides everything.
//!
//! The steps that a question goes back along are all steps between states that were found, those that were left out
//! too. For cycles that is right since each of them is one of the model, and those of the reduced search are among them.
//! For the reach of ends, since from a state of a reduced search an end can be reached in it if one can at all (Theorem 1,
//! with this state as the initial one): so by all steps, if and only if by those that were taken.

use super::Checking;
use super::shared::{Way, or_reason};
use crate::properties::{Conclusion, Goals, Preserved};
use crate::runs::evidence::Evidence;
use crate::runs::limits::{Limited, for_a_run};
use crate::search::Figures;
use crate::search::share::round::{Round, Which, round};
use crate::search::whole::cycles::Step;
use crate::several::{Asked, Count, Event, Shared};
use crate::successors::{Label, Successors};
use crate::symmetry::Symmetric;
use crate::verdict::{Finding, Reason, Verdict};

impl Checking<'_> {
    /// Decides what can be, of what is open of these. How the search ends.
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

    /// The open properties of these, with their places.
    fn still_open(&self, of: &[usize]) -> Vec<(usize, usize)> {
        let open = of.iter().copied().enumerate();
        let open = open.filter(|(_, property)| self.found.verdicts[*property].is_none());
        open.collect()
    }

    fn holds(&mut self, search: &dyn Shared, property: usize) {
        let mut way = Way::of(search);
        way.is_full = !search.count().leaves_out;
        self.found.decide(property, Verdict::Holds, &way);
    }

    /// Whether it is about what a run can go round on.
    pub(super) fn asks_about_cycles(&self, property: usize) -> bool {
        matches!(
            self.found.kind(property).conclusion(),
            Conclusion::Avoiding(_) | Conclusion::Recurring(_)
        )
    }

    /// What was found until now may show that a run can go round: then it is over for the property.
    pub(super) fn conclude_so_far(
        &mut self,
        search: &mut dyn Shared,
        of: &[usize],
    ) -> Result<(), Reason> {
        for (place, property) in self.still_open(of) {
            if self.asks_about_cycles(property) {
                self.conclude_one(search, (place, property), false)?;
            }
        }
        Ok(())
    }

    fn conclude_of_all(&mut self, search: &mut dyn Shared, of: &[usize]) -> Result<(), Reason> {
        for (place, property) in self.still_open(of) {
            self.conclude_one(search, (place, property), true)?;
        }
        Ok(())
    }

    /// Asks about all states, if it is to be; that what is asked for is not there proves the property if it `decides`.
    fn conclude_one(
        &mut self,
        search: &mut dyn Shared,
        (place, property): (usize, usize),
        decides: bool,
    ) -> Result<(), Reason> {
        let (asked, finding) = match self.found.kind(property).conclusion() {
            Conclusion::Holds if decides => {
                self.holds(search, property);
                return Ok(());
            }
            Conclusion::Holds | Conclusion::Apart => return Ok(()),
            Conclusion::Reaching(Goals::Terminal, finding) => (Asked::Ends, finding),
            Conclusion::Reaching(Goals::Expression, finding) => (Asked::Goal(place), finding),
            Conclusion::Avoiding(finding) => (Asked::Avoiding(place), finding),
            Conclusion::Recurring(finding) => (Asked::Recurring(place), finding),
        };
        match self.ask_all(search, asked)? {
            0 if decides => self.holds(search, property),
            0 => {}
            _ => self.violated_by_all(search, (property, asked), finding)?,
        }
        Ok(())
    }

    fn ask_all(&mut self, search: &mut dyn Shared, asked: Asked) -> Result<u64, Reason> {
        let meter = &mut self.meter;
        search.ask(asked, &mut |count| {
            or_reason(meter.poll(Figures {
                states: count.states,
                edges: count.edges,
                bytes: count.bytes,
            }))
        })
    }

    /// The same where steps were left out.
    fn conclude_of_part(&mut self, search: &mut dyn Shared, of: &[usize]) -> Result<(), Reason> {
        for (_, property) in self.still_open(of) {
            let found = &self.found;
            if found.preserved(property) == Preserved::Always
                && found.kind(property).conclusion() == Conclusion::Holds
            {
                self.holds(search, property);
            }
        }
        if self.still_open(of).is_empty() {
            return Ok(());
        }
        let is_terminating = self.ask_all(search, Asked::Ends)? == 0;
        // What was asked last is asked no more once another question takes its place: recurrences come last.
        for (_, property) in self.still_open(of) {
            let conclusion = self.found.kind(property).conclusion();
            match (self.found.preserved(property), conclusion) {
                (_, Conclusion::Recurring(_)) | (Preserved::Never, _) => {}
                (_, Conclusion::Reaching(Goals::Terminal, finding)) if !is_terminating => {
                    self.violated_by_all(search, (property, Asked::Ends), finding)?;
                }
                _ if is_terminating => self.holds(search, property),
                _ => {}
            }
        }
        for (place, property) in self.still_open(of) {
            let conclusion = self.found.kind(property).conclusion();
            if let Conclusion::Recurring(_) = conclusion {
                // Such an execution is one of the model in any case.
                self.conclude_one(search, (place, property), is_terminating)?;
            }
        }
        Ok(())
    }

    /// A property is violated by what was asked about last.
    fn violated_by_all(
        &mut self,
        search: &mut dyn Shared,
        (property, asked): (usize, Asked),
        finding: Finding,
    ) -> Result<(), Reason> {
        let mut way = Way::of(search);
        let found = self.run_to_answer(search, (property, asked), &mut way);
        match found {
            Ok(evidence) => self.found.violate(property, finding, &evidence, &way),
            Err(reason) => {
                let verdict = Verdict::Undecided(reason);
                self.found.decide(property, verdict, &way);
            }
        }
        Ok(())
    }

    /// The run to the nearest state of the answer, and on round a cycle where cycles were asked for.
    fn run_to_answer(
        &self,
        search: &mut dyn Shared,
        (property, asked): (usize, Asked),
        way: &mut Way,
    ) -> Result<Evidence, Reason> {
        let budget = for_a_run(self.caller.budget, self.meter.begun());
        let limited = Limited::from_the_beginning(budget, 0);
        // Each process sees to its own memory.
        let poll = &mut |_: &Count| or_reason(limited.poll(0));
        let defect = |what: &str| Reason::Internal(what.to_owned());
        let nearest = search.nearest(poll)?;
        let nearest = nearest.ok_or_else(|| defect("nobody has a state of an answer"))?;
        if nearest.state.len() != self.packed.words() {
            return Err(defect("a worker has told of a state that is none"));
        }
        way.states = search.way(&nearest, poll)?;
        let last = way.states.len() as u32 - 1;
        if asked.is_about_reaching() {
            return Ok(Evidence::path((0..=last).collect()));
        }
        let which = &mut |states: &[Vec<u64>]| search.which(states, poll);
        let (to_cycle, cycle) = match self.orbits {
            None => self.goes_round(self.packed, property, &nearest.state, which)?,
            Some(orbits) => {
                let model = Symmetric::new(self.packed, orbits);
                self.goes_round(&model, property, &nearest.state, which)?
            }
        };
        let begin = last + to_cycle.len() as u32;
        let end = begin + cycle.len() as u32;
        way.states.extend(to_cycle);
        way.states.extend(cycle);
        Ok(Evidence {
            cycle: (begin + 1..=end).collect(),
            ..Evidence::path((0..=begin).collect())
        })
    }

    fn goes_round<S: Successors>(
        &self,
        model: &S,
        property: usize,
        from: &[u64],
        which: Which<'_>,
    ) -> Result<Round, Reason> {
        let recurring = self.found.kind(property).recurring(self.packed.system());
        let mut kinds = |from: &[u64], label: Label<'_>, _: &[u64]| {
            let Some(recurring) = &recurring else {
                return Step::Wanted;
            };
            let at = |instance| self.packed.location(from, instance);
            match (recurring.allows(label, &at), recurring.wants(label, &at)) {
                (false, _) => Step::Forbidden,
                (true, false) => Step::Allowed,
                (true, true) => Step::Wanted,
            }
        };
        round(model, from, &mut kinds, which)
    }
}
