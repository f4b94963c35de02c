//! Deciding properties on slices: each group of properties on what it depends on.
//!
//! The searches below see a System like any other. Here the properties are put into groups, each group's
//! slice is searched, and what is found is told of the whole System: the trace of a violation is
//! taken there again, by the reference interpreter, and confirmed against the property as it was given.

mod groups;
mod prevailing;
mod relay;
mod shares;
mod shorter;
mod symmetric;
mod whole;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use stubborn_system::property::Property;
use stubborn_system::system::System;

use groups::Group;
use prevailing::Prevailing;
use relay::{Left, Relay, is_out_of_time};
use shares::Shares;
pub use whole::on_whole;

use super::memory_alone;
use crate::caller::Caller;
use crate::error::CheckError;
use crate::monitored::decide;
use crate::observer::Event;
use crate::options::{Limits, Options, Reduction, Search, Symmetry};
use crate::plan::attempt::Finished;
use crate::plan::progress::Rising;
use crate::plan::stages::Stage;
use crate::runs::no_trace::NoTrace;
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
    if let Search::Random(_) = options.search {
        // Random runs take all steps.
        (options.symmetry, options.reduction) = (Symmetry::Off, Reduction::None);
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
