//! Deciding properties on slices: each group of properties on what it depends on.
//!
//! The searches below see a System like any other. The planner puts the properties into
//! [groups](crate::plan::groups) that have [turns](crate::plan::turns); here these are carried out.
//! The trace of a violation is taken again in the whole System by the reference interpreter, and
//! confirmed against the property as it was given.

mod groups;
mod prevailing;
mod relay;
mod shorter;
mod whole;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use stubborn_system::property::Property;
use stubborn_system::slice::with_bounds_as_guards;
use stubborn_system::system::System;

use groups::Group;
use prevailing::Prevailing;
use relay::{Left, Relay, is_out_of_time};
pub use whole::on_whole;

use super::memory_alone;
use crate::caller::Caller;
use crate::error::CheckError;
use crate::monitored::decide;
use crate::observer::{Event, Phase};
use crate::options::{Options, Reduction, Search, Symmetry};
use crate::plan::progress::Rising;
use crate::plan::stages::Stage;
use crate::plan::turns::{Turn, Turns};
use crate::runs::no_trace::NoTrace;
use crate::search::{Meter, Stop};
use crate::verdict::{Outcome, Reason, Verdict};

/// Decides the properties; returns an outcome for each, in their order.
///
/// Properties without a monitor share a search if they need nearly the same of the System; each
/// search leaves out what none of its properties depends on, unless the options ask for the plain
/// state space. A property that is decided early stays decided; a search ends when all of its
/// properties are. Properties with a monitor come last, each with searches of its own
/// ([`monitored`]). If there is a deadline, searches have [turns](crate::plan::turns). Costs time
/// and memory in proportion to the number of states and, for termination and progress, of edges.
///
/// # Errors
/// If a state is too large to be searched of whatever any of the properties depends on; if one is
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
    let _phase = Phase::Preparation.begin(caller.observer);
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
    let mut caller = caller;
    if !system.bounds.is_empty() {
        // Other processes do not tell which bounds have cut off states.
        caller.resources.several = None;
    }
    let is_reduced = !system.bounds.is_empty() && options.reduction.leaves_out();
    let guarded = is_reduced.then(|| with_bounds_as_guards(system)).flatten();
    if is_reduced && guarded.is_none() {
        options.reduction = Reduction::None;
    }
    let system = guarded.as_ref().unwrap_or(system);
    let mut check = Check {
        system,
        properties,
        options: &options,
        caller: caller.observed_by(&told),
        told: &told,
        outcomes: vec![None; properties.len()],
        turns: Turns::within(caller.budget.limits),
        is_cancelled: false,
    };
    let units = check.units();
    check.turns.begin(units, caller.budget.now());
    while let Some(turn) = check.turns.next(caller.budget.now()) {
        check.search_further(turn);
        if check.is_cancelled {
            for unit in check.turns.drain() {
                check.leave(&unit.properties(), Stop::Limit(Reason::Cancelled), 0.0);
            }
        }
    }
    told.prevails(&mut check.outcomes);
    check.finish()
}

/// Properties with searches of their own.
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

struct Check<'a> {
    system: &'a System,
    properties: &'a [Property],
    options: &'a Options,
    caller: Caller<'a>,
    /// The observer, which remembers violations.
    told: &'a Prevailing<'a>,
    outcomes: Vec<Option<Outcome>>,
    turns: Turns<Unit>,
    /// Whether the check was cancelled when a search was to begin.
    is_cancelled: bool,
}

impl Check<'_> {
    /// Returns what is to be searched, in its order. If a limit is reached while groups are found,
    /// their properties are undecided.
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

    /// Searches for a turn. A property that is undecided has the figures of the search that came
    /// furthest.
    fn search_further(&mut self, turn: Turn<Unit>) {
        let properties = turn.search.properties();
        // Outcomes of an earlier turn say nothing of this one.
        let before = properties.iter();
        let before = before.map(|property| (*property, self.outcomes[*property].take()));
        let before: Vec<(usize, Option<Outcome>)> = before.collect();
        let options = Options {
            limits: turn.limits,
            ..*self.options
        };
        let searched = match turn.search {
            Unit::Monitored(property) => self.search_beside_monitor(property, turn.time, &options),
            Unit::Group(group) => self.search_group(group, turn.time, &options),
        };
        if let Err(CheckError::StateTooLarge { bits }) = searched {
            self.leave_undecided(&properties, &Reason::StateTooLarge(bits), 0.0);
        }
        for (property, was) in before {
            if let Some(now) = &mut self.outcomes[property] {
                now.keep_furthest(was.as_ref());
            }
        }
    }

    fn search_beside_monitor(
        &mut self,
        property: usize,
        time: Duration,
        options: &Options,
    ) -> Result<(), CheckError> {
        let asked = &self.properties[property];
        // The theorem on monitors preserves that there is a violation, not of which kind: the end of a run
        // that a bound cuts off would stand for one.
        let mut options = *options;
        if !self.system.bounds.is_empty() {
            options.reduction = Reduction::None;
        }
        // The search knows this property alone, as number 0.
        let observer = |event: Event<'_>| match event {
            Event::Attempted(_, finished) => {
                let finished = finished.renumbered(|_| property);
                self.tell(Event::Attempted(&[property], &finished));
            }
            event => self.tell(event),
        };
        let caller = self.caller.observed_by(&observer);
        let mut outcome = decide(self.system, asked, &options, caller)?;
        if let Verdict::Undecided(reason) = &mut outcome.verdict {
            *reason = memory_alone(self.caller.resources, reason);
        }
        let is_out_of_time = is_out_of_time(&outcome.verdict);
        if !is_out_of_time {
            self.tell(Event::Decided(property, &outcome));
        }
        self.tell(Event::Searched(outcome.states));
        self.outcomes[property] = Some(outcome);
        if is_out_of_time {
            self.turns.add(Unit::Monitored(property), time);
        }
        Ok(())
    }

    /// Searches for a group from its stage on. Properties that ran out of time, or whose run is too
    /// long in the whole System, have another turn.
    fn search_group(
        &mut self,
        group: Group,
        time: Duration,
        options: &Options,
    ) -> Result<(), CheckError> {
        let caller = self.caller.with(options.limits);
        let mut slice = None;
        if let Some(cone) = &group.cone {
            let mut meter = Meter::new(caller);
            if let ControlFlow::Break(stop) = meter.prepare(0) {
                self.leave(&group.properties, stop, meter.seconds());
                self.search_later(&group, &group.properties, time);
                return Ok(());
            }
            slice = group.slice(self.system, self.properties, cone, options, &mut meter);
        }
        let relay = Relay {
            system: self.system,
            properties: self.properties,
            group: &group.properties,
            slice: slice.as_ref(),
            cone: group.cone.as_ref(),
            caller,
            told_before: self.told,
            begun: self.caller.budget.now(),
            told: Mutex::default(),
        };
        let begins = || Stage::of(relay.searched(), options);
        let stage = group.stage.unwrap_or_else(begins);
        if group.stage.is_none() && stage == Stage::Turned {
            let meter = &mut Meter::new(caller);
            for part in group.by_symmetry(&group.properties, &relay, options, meter) {
                self.search_group(part, time, options)?;
            }
            return Ok(());
        }
        let Left {
            too_long,
            open,
            furthest,
            is_unprofitable,
        } = relay.search(options, stage, &mut self.outcomes)?;
        debug_assert!(
            slice.is_some() || too_long.is_empty(),
            "a run of the whole is as long as it is"
        );
        if !too_long.is_empty() {
            let whole = Unit::Group(Group::whole(too_long));
            self.turns.add(whole, Duration::ZERO);
        }
        // Without the reduction permutations have no trials.
        let mut options = *options;
        if is_unprofitable {
            options.reduction = Reduction::None;
        }
        let options = &options;
        let parts = match stage.next(options) {
            _ if open.is_empty() => Vec::new(),
            Some(next) if stage != Stage::First => vec![group.of(open.clone(), Some(next))],
            _ => group.by_symmetry(&open, &relay, options, &mut Meter::new(caller)),
        };
        let searched = group.properties.iter().copied();
        let searched = searched.filter(|property| !open.contains(property));
        let searched: Vec<usize> = searched.collect();
        self.search_later(&group, &searched, time);
        for part in parts {
            self.search_group(part, time, options)?;
        }
        for property in open {
            if let Some(outcome) = &mut self.outcomes[property] {
                outcome.keep_furthest(furthest.as_ref());
            }
        }
        Ok(())
    }

    /// Adds a turn for those of the group's properties that ran out of time.
    fn search_later(&mut self, group: &Group, properties: &[usize], time: Duration) {
        let is_out_of_time = |property: &usize| {
            let outcome = self.outcomes[*property].as_ref();
            outcome.is_some_and(|outcome| is_out_of_time(&outcome.verdict))
        };
        let late: Vec<usize> = properties.iter().copied().filter(is_out_of_time).collect();
        if !late.is_empty() {
            let group = group.of(late, group.stage);
            self.turns.add(Unit::Group(group), time);
        }
    }

    fn tell(&self, event: Event<'_>) {
        self.caller.observer.event(event);
    }

    /// Leaves properties undecided without a search.
    fn leave(&mut self, properties: &[usize], stop: Stop, seconds: f64) {
        let reason = NoTrace::from(stop).reason();
        self.is_cancelled |= reason == Reason::Cancelled;
        self.leave_undecided(properties, &reason, seconds);
    }

    fn leave_undecided(&mut self, properties: &[usize], reason: &Reason, seconds: f64) {
        for property in properties {
            let undecided = Outcome {
                seconds,
                ..Outcome::without_search(Verdict::Undecided(reason.clone()))
            };
            if !is_out_of_time(&undecided.verdict) {
                self.tell(Event::Decided(*property, &undecided));
            }
            self.outcomes[*property] = Some(undecided);
        }
    }

    /// Returns the outcomes of all properties, and reports those that ran out of time.
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
