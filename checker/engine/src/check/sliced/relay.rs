//! The observer between the search of a slice and the caller that asked about the whole System.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Slice};
use stubborn_system::system::System;

use super::prevailing::Prevailing;
use super::whole::on_whole_within;
use crate::caller::Caller;
use crate::check::check_in_one_search;
use crate::error::CheckError;
use crate::observer::{Event, Observer};
use crate::options::Options;
use crate::plan::stages::Stage;
use crate::runs::limits::{Limited, for_a_run};
use crate::runs::no_trace::NoTrace;
use crate::verdict::{Outcome, Reason, Verdict};

/// Properties that a search has not decided.
pub struct Left {
    /// Properties whose runs would be too long in the whole System.
    pub too_long: Vec<usize>,
    /// Properties that the first stage leaves to the next.
    pub open: Vec<usize>,
    /// Figures of the search that came furthest.
    pub furthest: Option<Outcome>,
    /// Whether stubborn sets cost more than they leave out.
    pub is_unprofitable: bool,
}

/// Observer of the search of a slice, which lifts what it is given to the whole System.
pub struct Relay<'a> {
    pub system: &'a System,
    pub properties: &'a [Property],
    /// The properties that the search decides.
    pub group: &'a [usize],
    /// `None` if the whole System is searched.
    pub slice: Option<&'a Slice>,
    /// The cone of the slice.
    pub cone: Option<&'a Cone>,
    pub caller: Caller<'a>,
    /// Verdicts of all stages so far.
    pub told_before: &'a Prevailing<'a>,
    /// When the search of the group began.
    pub begun: Instant,
    pub told: Mutex<Told>,
}

/// Verdicts on the properties of a group.
#[derive(Default)]
pub struct Told {
    /// For each property its verdicts on the slice, each with the one on the whole System.
    verdicts: HashMap<usize, Vec<(Verdict, Verdict)>>,
    /// Memory of their runs, counted as they come: there may be thousands of them.
    bytes: u64,
}

impl Told {
    fn add(&mut self, within: usize, on_slice: Verdict, on_whole: Verdict) {
        if let Verdict::Violated { trace, .. } = &on_whole {
            self.bytes += trace.bytes();
        }
        let of_it = self.verdicts.entry(within).or_default();
        of_it.push((on_slice, on_whole));
    }

    fn of(&self, within: usize) -> impl Iterator<Item = &(Verdict, Verdict)> {
        self.verdicts.get(&within).into_iter().flatten()
    }
}

impl Relay<'_> {
    /// Searches for the properties of the group and writes their outcomes, about the whole System.
    /// Returns the numbers of those that have none yet.
    pub fn search(
        &self,
        options: &Options,
        stage: Stage,
        outcomes: &mut [Option<Outcome>],
    ) -> Result<Left, CheckError> {
        let asked = self.within(self.slice, self.group);
        let caller = self.caller.observed_by(self);
        let found = check_in_one_search(self.searched(), &asked, options, stage, caller)?;
        let states = found
            .outcomes
            .iter()
            .flatten()
            .map(|outcome| outcome.states)
            .max();
        self.tell(Event::Searched(states.unwrap_or(0)));
        let (mut too_long, mut open) = (Vec::new(), Vec::new());
        let mut long = Vec::new();
        for (within, outcome) in found.outcomes.into_iter().enumerate() {
            let property = self.group[within];
            let Some(outcome) = outcome else {
                open.push(property);
                continue;
            };
            match self.whole(within, &outcome.verdict) {
                Some(verdict) => {
                    if verdict.steps() > outcome.verdict.steps() {
                        long.push(property);
                    }
                    // A shorter run or another stage may reach a limit; the violation before
                    // was reported.
                    let verdict = match verdict {
                        Verdict::Undecided(_) => {
                            self.told_before.verdict(property).unwrap_or(verdict)
                        }
                        verdict => verdict,
                    };
                    outcomes[property] = Some(Outcome { verdict, ..outcome });
                }
                None => too_long.push(property),
            }
        }
        self.shorten(long, options, outcomes);
        Ok(Left {
            too_long,
            open,
            furthest: found.furthest,
            is_unprofitable: found.is_unprofitable,
        })
    }

    /// Returns the properties with these numbers, about a slice or the whole System.
    pub fn within(&self, slice: Option<&Slice>, asked: &[usize]) -> Vec<Property> {
        let asked = asked.iter().map(|number| &self.properties[*number]);
        let within = asked.map(|property| match slice {
            Some(slice) => slice.property(property),
            None => property.clone(),
        });
        within.collect()
    }

    fn tell(&self, event: Event<'_>) {
        self.caller.observer.event(event);
    }

    fn decided(&self, within: usize, outcome: &Outcome) {
        let Some(verdict) = self.whole(within, &outcome.verdict) else {
            return;
        };
        if let Ok(mut told) = self.told.lock() {
            told.add(within, outcome.verdict.clone(), verdict.clone());
        }
        let whole = Outcome {
            verdict,
            ..outcome.clone()
        };
        // Perhaps there will be more time.
        if !is_out_of_time(&whole.verdict) {
            self.tell(Event::Decided(self.group[within], &whole));
        }
    }

    /// The System that is searched.
    pub fn searched(&self) -> &System {
        self.slice.map_or(self.system, |slice| &slice.system)
    }

    /// Memory of the runs of earlier verdicts, in bytes.
    pub fn told_bytes(&self) -> u64 {
        self.told.lock().map_or(0, |told| told.bytes)
    }

    /// The verdict on the whole System: the reference interpreter takes the run there, once, and
    /// looks for what it is said to show. `None` where the run would be too long.
    fn whole(&self, within: usize, verdict: &Verdict) -> Option<Verdict> {
        if let Ok(told) = self.told.lock()
            && let Some((_, whole)) = told.of(within).find(|(of, _)| is_same(of, verdict))
        {
            return Some(whole.clone());
        }
        let property = &self.properties[self.group[within]];
        let budget = for_a_run(self.caller.budget, self.begun);
        let limited = Limited::new(budget, self.told_bytes());
        let poll = &mut |bytes| limited.poll(bytes);
        match on_whole_within(self.system, self.slice, property, verdict, poll) {
            Ok(whole) => Some(whole),
            Err(NoTrace::CycleTooLong(_)) => None,
            Err(none) => Some(Verdict::Undecided(none.reason())),
        }
    }
}

impl Observer for Relay<'_> {
    fn event(&self, event: Event<'_>) {
        let of_all = |within: &usize| self.group[*within];
        match event {
            Event::Decided(property, outcome) => self.decided(property, outcome),
            Event::Attempted(properties, finished) => {
                let properties: Vec<usize> = properties.iter().map(of_all).collect();
                let finished = finished.renumbered(of_all);
                self.tell(Event::Attempted(&properties, &finished));
            }
            Event::Saw(properties, coverage) => {
                let properties: Vec<usize> = properties.iter().map(of_all).collect();
                let lifted = self.slice.map(|slice| coverage.lifted(self.system, slice));
                let coverage = lifted.as_ref().unwrap_or(coverage);
                self.tell(Event::Saw(&properties, coverage));
            }
            event => self.tell(event),
        }
    }
}

/// Whether more time may change a verdict.
pub fn is_out_of_time(verdict: &Verdict) -> bool {
    *verdict == Verdict::Undecided(Reason::Time)
}

/// Whether it is the very same run, or no run.
fn is_same(one: &Verdict, other: &Verdict) -> bool {
    match (one, other) {
        (Verdict::Violated { trace: a, .. }, Verdict::Violated { trace: b, .. }) => {
            Arc::ptr_eq(a, b)
        }
        (one, other) => one == other,
    }
}
