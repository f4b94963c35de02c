//! Deciding properties on slices: each group of properties on what it depends on.
//!
//! The searches below see a System like any other. Here the properties are put into groups, each group's
//! slice is searched, and what is found is told of the whole System: the trace of a violation is
//! taken there again, by the reference interpreter, and confirmed against the property as it was given.

mod groups;
mod prevailing;
mod shares;
mod shorter;
mod symmetric;
mod whole;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Slice};
use stubborn_system::system::System;

use groups::Group;
use prevailing::Prevailing;
use shares::Shares;
use shorter::length;
pub use whole::on_whole;
use whole::on_whole_within;

use super::{check_in_one_search, memory_alone};
use crate::caller::Caller;
use crate::error::CheckError;
use crate::monitored::decide;
use crate::observer::{Event, Observer};
use crate::options::{Limits, Options, Reduction, Symmetry};
use crate::plan::attempt::Finished;
use crate::plan::progress::Rising;
use crate::plan::stages::Stage;
use crate::runs::confirm::confirm;
use crate::runs::evidence::NoTrace;
use crate::runs::lifting::NotTaken;
use crate::runs::limits::{Limited, for_a_run};
use crate::search::{Meter, Stop};
use crate::verdict::{Outcome, Permuted, Reason, Verdict};

/// Decides the properties, and gives an outcome for each, in their order.
///
/// Properties that no monitor watches for share a search where they need nearly the same of the System;
/// each search leaves out what none of its properties depends on, unless the options ask for the plain
/// state space. A property that is decided early stays decided; a search ends when all of its
/// properties are. What a monitor watches for comes last, each by a search of its own ([`monitored`]).
/// Where there is a deadline the searches share the time that is left ([`shares`]). Costs time and memory
/// in proportion to the number of states and, for termination and progress, of edges.
///
/// # Errors
/// Where a state is too large to be searched of whatever any of the properties depends on; where one is
/// for some of them alone, these are undecided.
///
/// [`monitored`]: crate::monitored
pub fn check(
    system: &System,
    properties: &[Property],
    options: &Options,
    caller: Caller<'_>,
) -> Result<Vec<Outcome>, CheckError> {
    let caller = caller.with(options.limits);
    let rising = Rising::new(caller.observer, caller.budget);
    let told = Prevailing::new(&rising);
    let mut options = *options;
    if caller.resources.several.is_some() {
        // Several processes merge no states.
        options.symmetry = Symmetry::Off;
    }
    let options = &options;
    let mut check = Check {
        system,
        properties,
        options,
        caller: caller.observed_by(&told),
        told: &told,
        outcomes: vec![None; properties.len()],
        is_cancelled: false,
    };
    let units = check.units();
    let mut shares = Shares::new(caller.budget, units.len());
    let mut open: Vec<Open> = units.into_iter().map(Open::new).collect();
    loop {
        let mut later = Vec::new();
        let mut is_tried = false;
        let mut left = open.len();
        for mut one in open {
            if check.is_cancelled {
                check.leave(&one.unit.properties(), Stop::Limit(Reason::Cancelled), 0.0);
                continue;
            }
            let limits = shares.next(&mut one.had, left);
            left -= 1;
            match limits {
                Some(limits) => {
                    is_tried = true;
                    later.extend(check.search_further(one, limits));
                }
                None => later.push(one),
            }
        }
        open = later;
        if !is_tried {
            // Nobody's share would be worth a search: one after the other has all that is left.
            let least = (0..open.len()).min_by_key(|at| open[*at].had);
            let rest = least.and_then(|at| Some((at, shares.rest(&mut open[at].had)?)));
            let Some((at, limits)) = rest else { break };
            let one = open.remove(at);
            open.extend(check.search_further(one, limits));
        }
        if open.is_empty() {
            break;
        }
        shares.end_round();
    }
    told.prevails(&mut check.outcomes);
    check.finish()
}

/// What is searched by itself.
enum Unit {
    Group(Group),
    /// The number of a property that a monitor watches for.
    Monitored(usize),
}

impl Unit {
    fn properties(&self) -> Vec<usize> {
        match self {
            Unit::Group(group) => group.properties.clone(),
            Unit::Monitored(property) => vec![*property],
        }
    }
}

/// What is not decided yet.
struct Open {
    unit: Unit,
    /// How long it was searched for when it was last.
    had: Duration,
}

impl Open {
    fn new(unit: Unit) -> Open {
        let had = Duration::ZERO;
        Open { unit, had }
    }
}

struct Check<'a> {
    system: &'a System,
    properties: &'a [Property],
    options: &'a Options,
    caller: Caller<'a>,
    /// Which remembers what it is told.
    told: &'a Prevailing<'a>,
    outcomes: Vec<Option<Outcome>>,
    /// Nobody wanted more when a search was to begin.
    is_cancelled: bool,
}

impl Check<'_> {
    /// What is to be searched, in its order. Where a limit is reached while groups are found, their
    /// properties are undecided.
    fn units(&mut self) -> Vec<Unit> {
        let (monitored, ordinary): (Vec<usize>, Vec<usize>) =
            (0..self.properties.len()).partition(|at| self.properties[*at].is_monitored());
        let mut units = Vec::new();
        if self.options.is_plain() && !ordinary.is_empty() {
            units.push(Unit::Group(Group::whole(ordinary)));
        } else if !ordinary.is_empty() {
            let mut meter = Meter::new(self.caller);
            match groups::groups(self.system, self.properties, &ordinary, &mut meter) {
                ControlFlow::Continue(groups) => {
                    units.extend(groups.into_iter().map(Unit::Group));
                }
                ControlFlow::Break(stop) => self.leave(&ordinary, stop, meter.seconds()),
            }
        }
        units.extend(monitored.into_iter().map(Unit::Monitored));
        units
    }

    /// The same as [`Check::search`]. What no search decides is told as the one that came furthest left it.
    fn search_further(&mut self, open: Open, limits: Limits) -> Vec<Open> {
        let properties = open.unit.properties();
        // What is of a search before says nothing of this one.
        let before = properties.iter();
        let before = before.map(|property| (*property, self.outcomes[*property].take()));
        let before: Vec<(usize, Option<Outcome>)> = before.collect();
        let again = self.search(open, limits).unwrap_or_else(|error| {
            let CheckError::StateTooLarge { bits } = error;
            self.leave_undecided(&properties, &Reason::StateTooLarge(bits), 0.0);
            Vec::new()
        });
        for (property, was) in before {
            if let Some(now) = &mut self.outcomes[property] {
                now.keep_furthest(was.as_ref());
            }
        }
        again
    }

    /// Searches, and gives what is to be searched once more: what had too little time, and what has a
    /// run that is too long in the whole.
    fn search(&mut self, open: Open, limits: Limits) -> Result<Vec<Open>, CheckError> {
        let options = Options {
            limits,
            ..*self.options
        };
        let had = open.had;
        Ok(match open.unit {
            Unit::Monitored(property) => {
                let asked = &self.properties[property];
                // The search knows this property alone, as number 0.
                let observer = |event: Event<'_>| match event {
                    Event::Attempted(_, finished) => {
                        let open = finished.open.iter().map(|_| property).collect();
                        self.tell(Event::Attempted(
                            &[property],
                            &Finished {
                                open,
                                ..finished.clone()
                            },
                        ));
                    }
                    event => self.tell(event),
                };
                let caller = self.caller.observed_by(&observer);
                let mut outcome = decide(self.system, asked, &options, caller)?;
                if let Verdict::Undecided(reason) = &mut outcome.verdict {
                    *reason = memory_alone(self.caller.resources, reason);
                }
                if !is_out_of_time(&outcome.verdict) {
                    self.tell(Event::Decided(property, &outcome));
                }
                self.tell(Event::Searched(outcome.states));
                self.outcomes[property] = Some(outcome);
                let unit = Unit::Monitored(property);
                let again = self.is_out_of_time(property);
                again.then_some(Open { unit, had }).into_iter().collect()
            }
            Unit::Group(group) => self.search_group(group, had, &options)?,
        })
    }

    /// The same for a group, with these options.
    fn search_group(
        &mut self,
        group: Group,
        had: Duration,
        options: &Options,
    ) -> Result<Vec<Open>, CheckError> {
        let limits = options.limits;
        let mut slice = None;
        if let Some(cone) = &group.cone {
            let mut meter = Meter::new(self.caller.with(limits));
            if let ControlFlow::Break(stop) = meter.prepare(0) {
                self.leave(&group.properties, stop, meter.seconds());
                return Ok(self.again(group, had));
            }
            slice = group.slice(self.system, self.properties, cone, options, &mut meter);
        }
        let searched = slice.as_ref().map_or(self.system, |slice| &slice.system);
        let begins = || Stage::of(searched, options);
        let stage = group.stage.unwrap_or_else(begins);
        let relay = Relay {
            system: self.system,
            properties: self.properties,
            group: &group.properties,
            slice: slice.as_ref(),
            cone: group.cone.as_ref(),
            caller: self.caller.with(limits),
            told_before: self.told,
            begun: self.caller.budget.now(),
            told: Mutex::default(),
        };
        if group.stage.is_none() && stage == Stage::Turned {
            let mut meter = Meter::new(self.caller.with(limits));
            let parts = symmetric::split(&group.properties, &group, &relay, options, &mut meter);
            return self.search_parts(parts, had, options);
        }
        let left = relay.search(options, stage, &mut self.outcomes)?;
        let Left {
            too_long,
            open,
            furthest,
        } = left;
        debug_assert!(
            slice.is_some() || too_long.is_empty(),
            "a run of the whole is as long as it is"
        );
        let mut again = Vec::new();
        if !too_long.is_empty() {
            again.push(Open::new(Unit::Group(Group::whole(too_long))));
        }
        let parts = match stage.next(options) {
            _ if open.is_empty() => Vec::new(),
            Some(next) if stage != Stage::First => vec![Group {
                properties: open.clone(),
                cone: group.cone.clone(),
                is_whole: group.is_whole,
                stage: Some(next),
            }],
            _ => {
                let mut meter = Meter::new(self.caller.with(limits));
                symmetric::split(&open, &group, &relay, options, &mut meter)
            }
        };
        let searched = group.properties.iter().copied();
        let searched = searched.filter(|property| !open.contains(property));
        let properties: Vec<usize> = searched.collect();
        again.extend(self.again(
            Group {
                properties,
                ..group
            },
            had,
        ));
        again.extend(self.search_parts(parts, had, options)?);
        for property in open {
            if let Some(outcome) = &mut self.outcomes[property] {
                outcome.keep_furthest(furthest.as_ref());
            }
        }
        Ok(again)
    }

    fn search_parts(
        &mut self,
        parts: Vec<Group>,
        had: Duration,
        options: &Options,
    ) -> Result<Vec<Open>, CheckError> {
        let mut again = Vec::new();
        for part in parts {
            again.extend(self.search_group(part, had, options)?);
        }
        Ok(again)
    }

    /// What of a group had too little time.
    fn again(&self, group: Group, had: Duration) -> Vec<Open> {
        let properties = group.properties.into_iter();
        let properties: Vec<usize> = properties.filter(|one| self.is_out_of_time(*one)).collect();
        if properties.is_empty() {
            return Vec::new();
        }
        let unit = Unit::Group(Group {
            properties,
            ..group
        });
        vec![Open { unit, had }]
    }

    fn tell(&self, event: Event<'_>) {
        self.caller.observer.event(event);
    }

    fn is_out_of_time(&self, property: usize) -> bool {
        let outcome = self.outcomes[property].as_ref();
        outcome.is_some_and(|outcome| is_out_of_time(&outcome.verdict))
    }

    /// Leaves properties undecided that no search was begun for.
    fn leave(&mut self, properties: &[usize], stop: Stop, seconds: f64) {
        let reason = NoTrace::from(stop).reason();
        self.is_cancelled |= reason == Reason::Cancelled;
        self.leave_undecided(properties, &reason, seconds);
    }

    fn leave_undecided(&mut self, properties: &[usize], reason: &Reason, seconds: f64) {
        for property in properties {
            let undecided = Outcome {
                verdict: Verdict::Undecided(reason.clone()),
                states: 0,
                edges: 0,
                full: false,
                reduction: Reduction::needed(false),
                round: None,
                symmetry: Permuted::No,
                sharing: None,
                seconds,
            };
            if !is_out_of_time(&undecided.verdict) {
                self.tell(Event::Decided(*property, &undecided));
            }
            self.outcomes[*property] = Some(undecided);
        }
    }

    /// The outcomes of all properties. What has had too little time to the end is told now.
    fn finish(self) -> Result<Vec<Outcome>, CheckError> {
        let outcomes: Vec<Outcome> = self.outcomes.into_iter().flatten().collect();
        debug_assert_eq!(
            outcomes.len(),
            self.properties.len(),
            "every property has an outcome"
        );
        for (property, outcome) in outcomes.iter().enumerate() {
            if is_out_of_time(&outcome.verdict) {
                let event = Event::Decided(property, outcome);
                self.caller.observer.event(event);
            }
        }
        let too_large = outcomes.iter().map(|outcome| match outcome.verdict {
            Verdict::Undecided(Reason::StateTooLarge(bits)) => Some(bits),
            _ => None,
        });
        match too_large.min().flatten() {
            Some(bits) => Err(CheckError::StateTooLarge { bits }),
            None => Ok(outcomes),
        }
    }
}

/// What a search leaves to others.
struct Left {
    /// Whose runs would be too long in the whole.
    too_long: Vec<usize>,
    /// What the first stage leaves to the next.
    open: Vec<usize>,
    /// The figures of the search that came furthest.
    furthest: Option<Outcome>,
}

/// Whether more time may change it.
fn is_out_of_time(verdict: &Verdict) -> bool {
    *verdict == Verdict::Undecided(Reason::Time)
}

/// Between the search of a slice and those who asked about the whole System.
struct Relay<'a> {
    system: &'a System,
    properties: &'a [Property],
    /// Which of the properties the search decides.
    group: &'a [usize],
    /// `None` where the whole System is searched.
    slice: Option<&'a Slice>,
    /// What the slice was made of.
    cone: Option<&'a Cone>,
    caller: Caller<'a>,
    /// In whatever stage.
    told_before: &'a Prevailing<'a>,
    /// When the search of the group began.
    begun: Instant,
    told: Mutex<Told>,
}

/// What was told of the properties of a group.
#[derive(Default)]
struct Told {
    /// Of each the verdicts on the slice, each with that on the whole.
    verdicts: HashMap<usize, Vec<(Verdict, Verdict)>>,
    /// Memory that their runs take, counted as they come: there may be thousands of them.
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
    /// Searches for the properties of the group, and gives their outcomes, about the whole System,
    /// a place; with the numbers of those that have none yet.
    fn search(
        &self,
        options: &Options,
        stage: Stage,
        outcomes: &mut [Option<Outcome>],
    ) -> Result<Left, CheckError> {
        let asked = self.group.iter().map(|number| &self.properties[*number]);
        let asked: Vec<Property> = asked.map(|property| self.sliced(property)).collect();
        let searched = self.slice.map_or(self.system, |slice| &slice.system);
        let caller = self.caller.observed_by(self);
        let (found, furthest) = check_in_one_search(searched, &asked, options, stage, caller)?;
        let states = found.iter().flatten().map(|outcome| outcome.states).max();
        self.tell(Event::Searched(states.unwrap_or(0)));
        let (mut too_long, mut open) = (Vec::new(), Vec::new());
        let mut long = Vec::new();
        for (within, outcome) in found.into_iter().enumerate() {
            let property = self.group[within];
            let Some(outcome) = outcome else {
                open.push(property);
                continue;
            };
            match self.whole(within, &outcome.verdict) {
                Some(verdict) => {
                    if length(&verdict) > length(&outcome.verdict) {
                        long.push(property);
                    }
                    // A run that was made shorter may meet a limit, and so may another stage; the one before was told.
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
        let grown = match self.cone {
            Some(cone) if self.has_merged() => self.shorten(&long, cone, options, outcomes),
            Some(_) => long,
            None => Vec::new(),
        };
        self.close_sooner(&grown, options, outcomes);
        Ok(Left {
            too_long,
            open,
            furthest,
        })
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

    fn sliced(&self, property: &Property) -> Property {
        self.slice
            .map_or_else(|| property.clone(), |slice| slice.property(property))
    }

    /// Memory that the runs take which were told before, in bytes.
    fn told_bytes(&self) -> u64 {
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
        let Verdict::Violated { finding, trace } = verdict else {
            return Some(verdict.clone());
        };
        let property = &self.properties[self.group[within]];
        let budget = for_a_run(self.caller.budget, self.begun);
        let limited = Limited::new(budget, self.told_bytes());
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

impl Observer for Relay<'_> {
    fn event(&self, event: Event<'_>) {
        let of_all = |within: &[usize]| within.iter().map(|one| self.group[*one]).collect();
        match event {
            Event::Decided(property, outcome) => self.decided(property, outcome),
            Event::Attempted(properties, finished) => {
                let properties: Vec<usize> = of_all(properties);
                let finished = &Finished {
                    open: of_all(&finished.open),
                    ..finished.clone()
                };
                self.tell(Event::Attempted(&properties, finished));
            }
            Event::Saw(properties, coverage) => {
                let properties: &[usize] = &of_all(properties);
                let lifted = self.slice.map(|slice| coverage.lifted(self.system, slice));
                let coverage = lifted.as_ref().unwrap_or(coverage);
                self.tell(Event::Saw(properties, coverage));
            }
            event => self.tell(event),
        }
    }
}
