//! Deciding properties on slices: each group of properties on what it depends on.
//!
//! The searches below see a System like any other. Here the properties are put into groups, each group's
//! slice is searched, and what is found is told of the whole System: the trace of a violation is
//! taken there again, by the reference interpreter, and confirmed against the property as it was given.

mod groups;
mod whole;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use stubborn_system::property::Property;
use stubborn_system::slice::Slice;
use stubborn_system::system::System;

use groups::Group;
pub use whole::on_whole;
use whole::on_whole_within;

use super::check_in_one_search;
use crate::error::CheckError;
use crate::monitored::decide;
use crate::options::{Limits, Options, Progress, Reduction};
use crate::runs::confirm::confirm;
use crate::runs::evidence::NoTrace;
use crate::runs::lifting::NotTaken;
use crate::runs::limits::{Limited, for_a_run};
use crate::search::{Meter, Stop};
use crate::seen::Seen;
use crate::verdict::{Outcome, Verdict};
use crate::watch::Watch;

/// Decides the properties, and gives an outcome for each, in their order.
///
/// What a monitor watches for comes last, each by a search of its own ([`monitored`]).
///
/// # Errors
/// Where a state of the system is too large to be searched.
///
/// [`monitored`]: crate::monitored
pub fn check(
    system: &System,
    properties: &[Property],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    let (monitored, ordinary): (Vec<usize>, Vec<usize>) =
        (0..properties.len()).partition(|property| properties[*property].is_monitored());
    let mut outcomes: Vec<Option<Outcome>> = vec![None; properties.len()];
    if !ordinary.is_empty() {
        let together: Vec<Property> = ordinary.iter().map(|c| properties[*c].clone()).collect();
        let renumbered = Renumbered {
            watch,
            properties: &ordinary,
        };
        let found = check_ordinary(system, &together, options, &renumbered)?;
        for (property, outcome) in ordinary.iter().zip(found) {
            outcomes[*property] = Some(outcome);
        }
    }
    for property in monitored {
        let outcome = decide(system, &properties[property], options, watch)?;
        watch.decided(property, &outcome);
        watch.searched(outcome.states);
        outcomes[property] = Some(outcome);
    }
    let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    debug_assert_eq!(
        outcomes.len(),
        properties.len(),
        "every property has an outcome"
    );
    Ok(outcomes)
}

/// Between those who asked about all properties and the search of some of them.
struct Renumbered<'a> {
    watch: &'a dyn Watch,
    properties: &'a [usize],
}

impl Watch for Renumbered<'_> {
    fn progress(&self, progress: &Progress) {
        self.watch.progress(progress);
    }

    fn decided(&self, within: usize, outcome: &Outcome) {
        self.watch.decided(self.properties[within], outcome);
    }

    fn searched(&self, states: u64) {
        self.watch.searched(states);
    }

    fn saw(&self, within: &[usize], seen: &Seen) {
        let properties: Vec<usize> = within.iter().map(|p| self.properties[*p]).collect();
        self.watch.saw(&properties, seen);
    }

    fn is_cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }

    fn now(&self) -> Instant {
        self.watch.now()
    }
}

/// Decides properties that no monitor watches for, and gives an outcome for each, in their order.
///
/// Properties share a search where they need nearly the same of the System; each search leaves out what
/// none of its properties depends on, unless the options ask for the plain state space. A property that is
/// decided early stays decided; a search ends when all of its properties are. Costs time and memory in
/// proportion to the number of states and, for termination and progress, of edges.
///
/// # Errors
/// Where a state of the system is too large to be searched.
fn check_ordinary(
    system: &System,
    properties: &[Property],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    let mut meter = Meter::new(options.limits, watch);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; properties.len()];
    let flow = search_in_groups(
        system,
        properties,
        options,
        &mut meter,
        watch,
        &mut outcomes,
    )?;
    if let ControlFlow::Break(stop) = flow {
        let reason = NoTrace::from(stop).reason();
        let open = outcomes.iter_mut().enumerate();
        for (property, outcome) in open.filter(|(_, outcome)| outcome.is_none()) {
            let undecided = Outcome {
                verdict: Verdict::Undecided(reason.clone()),
                states: 0,
                edges: 0,
                full: false,
                reduction: Reduction::needed(false),
                seconds: meter.seconds(),
            };
            watch.decided(property, &undecided);
            *outcome = Some(undecided);
        }
    }
    let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
    debug_assert_eq!(
        outcomes.len(),
        properties.len(),
        "every property is in a group"
    );
    Ok(outcomes)
}

/// Gives an outcome to each property. Breaks where a limit is reached while the groups or their slices
/// are made; a search that reaches one says so in its outcomes.
fn search_in_groups(
    system: &System,
    properties: &[Property],
    options: &Options,
    meter: &mut Meter<'_>,
    watch: &dyn Watch,
    outcomes: &mut [Option<Outcome>],
) -> Result<ControlFlow<Stop>, CheckError> {
    let groups = if options.is_plain() {
        vec![Group {
            properties: (0..properties.len()).collect(),
            cone: None,
        }]
    } else {
        match groups::groups(system, properties, meter) {
            ControlFlow::Continue(groups) => groups,
            ControlFlow::Break(stop) => return Ok(ControlFlow::Break(stop)),
        }
    };
    let mut search = |group: &[usize], slice: Option<&Slice>| {
        let relay = Relay {
            system,
            properties,
            group,
            slice,
            watch,
            limits: options.limits,
            begun: watch.now(),
            told: Mutex::default(),
        };
        relay.search(options, outcomes)
    };
    let mut again = Vec::new();
    for group in &groups {
        let mut slice = None;
        if let Some(cone) = &group.cone {
            if let ControlFlow::Break(stop) = meter.prepare(0) {
                return Ok(ControlFlow::Break(stop));
            }
            slice = Some(Slice::new(system, cone));
        }
        again.extend(search(&group.properties, slice.as_ref())?);
    }
    if !again.is_empty() {
        let too_long = search(&again, None)?;
        debug_assert!(
            too_long.is_empty(),
            "a run of the whole is as long as it is"
        );
    }
    Ok(ControlFlow::Continue(()))
}

fn tell_of_search(watch: &dyn Watch, outcomes: &[Outcome]) {
    let states = outcomes.iter().map(|outcome| outcome.states).max();
    watch.searched(states.unwrap_or(0));
}

/// Between the search of a slice and those who asked about the whole System.
struct Relay<'a> {
    system: &'a System,
    properties: &'a [Property],
    /// Which of the properties the search decides.
    group: &'a [usize],
    /// `None` where the whole System is searched.
    slice: Option<&'a Slice>,
    watch: &'a dyn Watch,
    limits: Limits,
    /// When the search of the group began.
    begun: Instant,
    /// What was told of properties of the group: the verdict on the slice, and that on the whole.
    told: Mutex<Vec<(usize, Verdict, Verdict)>>,
}

impl Relay<'_> {
    /// Searches for the properties of the group, and gives their outcomes, about the whole System,
    /// a place; with the numbers of those whose runs would be too long there.
    fn search(
        &self,
        options: &Options,
        outcomes: &mut [Option<Outcome>],
    ) -> Result<Vec<usize>, CheckError> {
        let asked = self.group.iter().map(|number| &self.properties[*number]);
        let asked: Vec<Property> = asked.map(|property| self.sliced(property)).collect();
        let searched = self.slice.map_or(self.system, |slice| &slice.system);
        let found = check_in_one_search(searched, &asked, options, self)?;
        tell_of_search(self.watch, &found);
        let mut too_long = Vec::new();
        for (within, outcome) in found.into_iter().enumerate() {
            let property = self.group[within];
            match self.whole(within, &outcome.verdict) {
                Some(verdict) => {
                    // A run that was made shorter may meet a limit; the one before was told.
                    let verdict = match verdict {
                        Verdict::Undecided(_) => self.told_violated(within).unwrap_or(verdict),
                        verdict => verdict,
                    };
                    outcomes[property] = Some(Outcome { verdict, ..outcome });
                }
                None => too_long.push(property),
            }
        }
        Ok(too_long)
    }

    fn sliced(&self, property: &Property) -> Property {
        self.slice
            .map_or_else(|| property.clone(), |slice| slice.property(property))
    }

    /// The violation of a property of the group that was told.
    fn told_violated(&self, within: usize) -> Option<Verdict> {
        let told = self.told.lock().ok()?;
        let mut of_it = told.iter().filter(|(w, ..)| *w == within);
        let (.., whole) = of_it.find(|(.., whole)| whole.is_violated())?;
        Some(whole.clone())
    }

    /// Memory that the runs take which were told before, in bytes.
    fn told_bytes(&self) -> u64 {
        let bytes = |verdict: &Verdict| match verdict {
            Verdict::Violated { trace, .. } => trace.bytes(),
            Verdict::Holds | Verdict::Undecided(_) => 0,
        };
        let told = self.told.lock();
        told.map_or(0, |told| {
            told.iter().map(|(_, _, whole)| bytes(whole)).sum()
        })
    }

    /// The verdict on the whole System: the reference interpreter takes the run there, once, and
    /// looks for what it is said to show. `None` where the run would be too long.
    fn whole(&self, within: usize, verdict: &Verdict) -> Option<Verdict> {
        if let Ok(told) = self.told.lock()
            && let Some((.., whole)) = told
                .iter()
                .find(|(w, v, _)| *w == within && is_same(v, verdict))
        {
            return Some(whole.clone());
        }
        let Verdict::Violated { finding, trace } = verdict else {
            return Some(verdict.clone());
        };
        let property = &self.properties[self.group[within]];
        let limits = for_a_run(self.limits, self.begun);
        let limited = Limited::new(limits, self.watch, self.told_bytes());
        let poll = &mut |bytes| limited.poll(bytes);
        let Some(slice) = self.slice else {
            let confirmed = confirm(self.system, property, finding, trace, poll);
            return Some(match confirmed {
                Ok(()) => verdict.clone(),
                Err(none) => Verdict::Undecided(none.reason()),
            });
        };
        match on_whole_within(self.system, slice, property, verdict, poll) {
            Ok(whole) => Some(whole),
            Err(NotTaken::TooLong) => None,
            Err(not_taken) => Some(Verdict::Undecided(NoTrace::from(not_taken).reason())),
        }
    }
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

impl Watch for Relay<'_> {
    fn progress(&self, progress: &Progress) {
        self.watch.progress(progress);
    }

    fn decided(&self, within: usize, outcome: &Outcome) {
        let Some(verdict) = self.whole(within, &outcome.verdict) else {
            return;
        };
        if let Ok(mut told) = self.told.lock() {
            told.push((within, outcome.verdict.clone(), verdict.clone()));
        }
        let whole = Outcome {
            verdict,
            ..outcome.clone()
        };
        self.watch.decided(self.group[within], &whole);
    }

    fn saw(&self, within: &[usize], seen: &Seen) {
        let properties: Vec<usize> = within.iter().map(|p| self.group[*p]).collect();
        match self.slice {
            Some(slice) => {
                let seen = seen.lifted(self.system, slice);
                self.watch.saw(&properties, &seen);
            }
            None => self.watch.saw(&properties, seen),
        }
    }

    fn is_cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }

    fn now(&self) -> Instant {
        self.watch.now()
    }
}
