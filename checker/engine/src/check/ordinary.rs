//! Deciding properties by searches that they share.

mod ending;
mod rounds;
mod shared;
mod small;
pub mod spilled;
mod together;
mod unnumbered;

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::conclude::{by_graph_so_far, conclude};
use super::conclude_reduced::{conclude_cycles, conclude_reduced};
use super::probabilistic;
use super::shorten::{Budget, shorten};
use super::state_checks::state_checks;
use super::verdicts::{Next, Verdicts, nothing_decided};
use crate::caller::Caller;
use crate::error::CheckError;
use crate::observer::Event;
use crate::options::{Options, Search, Storage};
use crate::packed::{Expression, Packed};
use crate::plan::attempt::{Attempt, Ended, Finished, Numbers, StatesIn, Strategy};
use crate::plan::numbers::wide_layer;
use crate::plan::planner::{Facts, Request, next_attempt};
use crate::plan::stages::Stage;
use crate::properties::kind_of;
use crate::recurring::Recurring;
use crate::reduction::Stubborn;
use crate::related::{Recurrences, Related, StateCheck};
use crate::search::{
    Alone, Listener, Meter, Monitored, Run, Space, Stop, Ways, breadth_first, depth_first,
};
use crate::seen::{Extent, Seen};
use crate::store::exact::Exact;
use crate::successors::{AnyModel, Erased, Model, Successors as _};
use crate::symmetry::permutations::orbits;
use crate::symmetry::{Orbits, Symmetric};
use crate::verdict::{Outcome, Reason, Verdict};
use unnumbered::seems_to_need_no_numbers;

/// Decides the properties by the attempts that are [planned](next_attempt); returns an outcome for each, in
/// their order, whose trace is not confirmed yet. `None` for a property that is left to the next
/// [`Stage`]. The other outcome has the figures of the search that came furthest.
///
/// A property that is decided early stays decided; a search ends when all are. Costs time and memory
/// in proportion to the number of states and, for termination, progress and every reduced search,
/// of edges.
///
/// # Errors
/// If a state of the system is too large to be searched.
pub fn check(
    system: &System,
    properties: &[Property],
    options: &Options,
    stage: Stage,
    caller: Caller<'_>,
) -> Result<(Vec<Option<Outcome>>, Option<Outcome>), CheckError> {
    debug_assert!(
        !properties.iter().any(Property::is_monitored),
        "monitors have searches of their own"
    );
    let caller = caller.with(options.limits);
    let mut meter = Meter::new(caller);
    let packed = Packed::new(system)?;
    let orbits = match stage.turns() {
        true => {
            let goes_on = &mut || meter.prepare(0).is_continue();
            // A property that the storage refuses is not searched for and costs no permutation.
            let suits = |one: &&Property| {
                options.storage == Storage::Exact || kind_of(one).suits_bitstate()
            };
            let searched: Vec<Property> = properties.iter().filter(suits).cloned().collect();
            orbits(&packed, &searched, options, goes_on)
        }
        false => None,
    };
    let stage = match stage {
        // There is nothing to try.
        Stage::Trial(_) if orbits.is_none() => Stage::Plain,
        stage => stage,
    };
    meter = meter.with(stage.limits(options));
    let mut checking = Checking::new(&packed, properties, options, (meter, caller));
    checking.stage = stage;
    checking.orbits = orbits.as_ref();
    checking.found.turn(checking.orbits);
    checking.refuse_over_several();
    let all: Vec<usize> = (0..properties.len()).collect();
    let mut history: Vec<Finished> = Vec::new();
    while let Some(attempt) = next_attempt(&checking.request(), &history) {
        let finished = checking.carry_out(attempt);
        caller.observer.event(Event::Attempted(&all, &finished));
        history.push(finished);
    }
    if options.quick.is_some() {
        checking.leave_what_rounds_leave();
    }
    if let Some(seen) = &checking.seen {
        caller.observer.event(Event::Saw(&all, seen));
    }
    debug_assert!(
        checking.outcomes.iter().all(Option::is_some)
            || (history.last().and_then(Finished::limit))
                .is_some_and(|reason| stage.is_over(reason, options)),
        "every property has an outcome"
    );
    let (mut outcomes, furthest) = (checking.outcomes, checking.furthest);
    for outcome in outcomes.iter_mut().flatten() {
        outcome.keep_furthest(furthest.as_ref());
    }
    Ok((outcomes, furthest))
}

/// The search in the order that the options ask for.
pub fn search<M: Monitored, L: Listener>(
    run: &mut Run<'_, '_, M, Exact, L>,
    order: Search,
) -> ControlFlow<Stop> {
    match order {
        Search::Breadth => breadth_first::search(run),
        Search::Depth => depth_first::search(run),
    }
}

/// What is left of a search that was stopped: where no other one follows, and there is time, all is told that it has
/// come to.
fn so_far<M: Monitored>(
    run: &mut Run<'_, '_, M, Exact, &mut Verdicts<'_>>,
    stopped: ControlFlow<Stop>,
    (stage, options): (Stage, &Options),
) -> ControlFlow<Stop> {
    if let ControlFlow::Break(Stop::Limit(reason @ Reason::States(_))) = &stopped
        && !stage.is_over(reason, options)
    {
        // Another limit that is reached meanwhile changes nothing: the first one is told.
        let _ = by_graph_so_far(run);
    }
    stopped
}

struct Checking<'a> {
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    options: &'a Options,
    caller: Caller<'a>,
    meter: Meter<'a>,
    found: Verdicts<'a>,
    /// Outcomes of the properties decided so far.
    outcomes: Vec<Option<Outcome>>,
    /// Findings of the search that has visited most.
    seen: Option<Seen>,
    /// The permutations of which states are taken for one.
    orbits: Option<&'a Orbits>,
    stage: Stage,
    facts: Vec<Facts>,
    /// Stubborn sets that an attempt has left to the next one.
    stubborn: Option<Stubborn<Related<'a>>>,
    /// States and edges that the present attempt has generated.
    generated: (u64, u64),
    /// The figures of the search that came furthest.
    furthest: Option<Outcome>,
}

impl<'a> Checking<'a> {
    fn new(
        packed: &'a Packed<'a>,
        properties: &'a [Property],
        options: &'a Options,
        (meter, caller): (Meter<'a>, Caller<'a>),
    ) -> Checking<'a> {
        let next = Next {
            search: options.search,
            reduced: false,
            numbered: true,
        };
        let found = Verdicts::new(packed, properties, options, caller, next);
        let all = 0..properties.len();
        Checking {
            facts: all
                .map(|property| Facts::of(found.kind(property)))
                .collect(),
            packed,
            properties,
            options,
            caller,
            meter,
            found,
            outcomes: vec![None; properties.len()],
            seen: None,
            orbits: None,
            stage: Stage::Plain,
            stubborn: None,
            generated: (0, 0),
            furthest: None,
        }
    }

    fn request(&self) -> Request<'_> {
        Request {
            options: self.options,
            stage: self.stage,
            properties: &self.facts,
            has_disk: self.caller.resources.disk.is_some(),
            has_others: self.caller.resources.several.is_some(),
            permutes: self.orbits.is_some(),
            words: self.packed.words(),
        }
    }

    /// The facts about what is open.
    fn open_facts(&self) -> impl Iterator<Item = &Facts> {
        self.found.undecided().map(|property| &self.facts[property])
    }

    fn carry_out(&mut self, attempt: Attempt) -> Finished {
        let began = self.meter.seconds();
        self.generated = (0, 0);
        let ended = match (attempt.strategy, attempt.states_in) {
            (Strategy::SmallPlain, _) => self.small(attempt.max_states),
            (Strategy::StubbornSets, StatesIn::OtherProcesses) => self.shared(true),
            (Strategy::StubbornSets, _) => self.reduced(attempt.numbers),
            (Strategy::SensitiveRounds, _) => self.in_rounds(),
            (Strategy::CycleProviso, _) => ended(self.cyclic()),
            (Strategy::CycleRounds, _) => ended(self.cyclic_in_rounds()),
            (Strategy::Plain, StatesIn::OtherProcesses) => self.shared(false),
            (Strategy::Plain, StatesIn::Disk) => self.spilled(None),
            (Strategy::Plain, _) => self.plain(attempt.numbers),
            (Strategy::Hashed, _) => self.hashed(),
            (Strategy::BesideMonitor { .. }, _) => {
                unreachable!("monitors have searches of their own")
            }
        };
        if self.stubborn.is_none() {
            self.found.set_round(None);
        }
        let (states, edges) = self.generated;
        let open = self.outcomes.iter().enumerate();
        Finished {
            attempt,
            ended,
            states,
            edges,
            seconds: self.meter.seconds() - began,
            open: (open.filter(|(_, outcome)| outcome.is_none()))
                .map(|(property, _)| property)
                .collect(),
        }
    }

    /// A search is over: what it has decided has its outcome.
    fn note(&mut self, ways: &dyn Ways) {
        let seconds = self.meter.seconds();
        self.found.note(&mut self.outcomes, ways, seconds);
        let figures = ways.figures();
        self.generated.0 += figures.states;
        self.generated.1 += figures.edges;
        let furthest = self.furthest.as_ref().map(|outcome| outcome.states);
        if !self.found.is_in_round() && furthest.is_none_or(|states| states < figures.states) {
            let verdict = Verdict::Undecided(nothing_decided());
            self.furthest = Some(self.found.outcome(0, verdict, ways));
        }
    }

    /// Searches in storage that may take one state for another.
    fn hashed(&mut self) -> Ended {
        let by = (self.stage, self.orbits);
        let searched =
            probabilistic::check(self.packed, self.properties, self.options, by, self.caller);
        self.generated = searched.generated;
        self.outcomes = searched.outcomes;
        // A `reachable` holds with a shortest run in any storage. States are kept whole for it,
        // where memory may have no room for twice as many as were found.
        let budget = Budget {
            generated: 0,
            held: 0,
            options: &Options {
                storage: Storage::Exact,
                ..*self.options
            },
            caller: self.caller,
        };
        let may_be_longer =
            |property: usize| matches!(self.properties[property], Property::Reachable(_));
        shorten(
            self.packed,
            self.properties,
            &mut self.outcomes,
            may_be_longer,
            &budget,
        );
        searched.limit.map_or(Ended::Complete, Ended::Limit)
    }

    fn next(&self, reduced: bool) -> Next {
        Next {
            search: self.options.search,
            reduced,
            numbered: true,
        }
    }

    /// The packed model with the relations between its processes. Breaks where a limit was reached
    /// before all were found out.
    fn related(&mut self, checks: &[(&Expression, StateCheck)]) -> ControlFlow<Stop, Related<'a>> {
        self.related_while(checks, &mut |checking, bytes| checking.meter.prepare(bytes))
    }

    fn related_while(
        &mut self,
        checks: &[(&Expression, StateCheck)],
        goes_on: &mut dyn FnMut(&mut Self, u64) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop, Related<'a>> {
        let related = Related::new(self.packed, checks, &mut |bytes| goes_on(self, bytes));
        if let ControlFlow::Break(stop @ Stop::Limit(_)) = &related {
            let initial = [self.packed.initial().into()];
            let space = Space::new(self.packed.words(), &initial);
            self.end(ControlFlow::Break(stop.clone()), &space);
        }
        related.map_continue(|related| match self.orbits {
            None => related,
            Some(_) => related.turned(),
        })
    }

    fn open_recurrences(&self) -> Vec<Recurring> {
        let system = self.packed.system();
        let open = self.found.undecided();
        let recurring = open.filter_map(|property| self.found.kind(property).recurring(system));
        recurring.collect()
    }

    /// Decides recurrences in a model that is not AG EF terminating. Breaks where a limit was
    /// reached.
    fn cyclic(&mut self) -> ControlFlow<Stop> {
        let open: Vec<usize> = self.found.undecided().collect();
        let seen = Recurrences {
            questions: self.open_recurrences(),
            besides: Default::default(),
        };
        self.found.begin(self.next(true));
        let stubborn = Stubborn::beside(self.related(&[])?, seen);
        match self.orbits {
            None => self.cyclic_on(&Erased(&stubborn), &open),
            Some(orbits) => {
                let symmetric = Symmetric::new(&stubborn, orbits);
                self.cyclic_on(&Erased(&symmetric), &open)
            }
        }
    }

    fn cyclic_on(&mut self, model: &AnyModel<'_>, open: &[usize]) -> ControlFlow<Stop> {
        let model = Alone::new(model);
        let space = Space::new(model.words(), model.initials());
        let order = self.options.order;
        let mut run = Run::new(&model, order, &mut self.meter, space, &mut self.found);
        let flow = match search(&mut run, self.options.search) {
            ControlFlow::Continue(()) => conclude_cycles(&mut run),
            stopped => stopped,
        };
        let space = run.space;
        self.end(flow.clone(), &space);
        self.look_back(&space, Extent::Part);
        self.shorten(open, &space);
        flow
    }

    fn plain(&mut self, numbers: Numbers) -> Ended {
        match self.orbits {
            None => self.plainly(Model::with_footprints(&Erased(self.packed)), numbers),
            Some(orbits) => {
                let symmetric = Symmetric::new(self.packed, orbits);
                self.plainly(Model::of(&Erased(&symmetric)), numbers)
            }
        }
    }

    fn plainly(&mut self, model: Model<'_>, numbers: Numbers) -> Ended {
        match numbers {
            Numbers::None => self.without_numbers(model),
            Numbers::All | Numbers::UntilWide => self.plain_on(&model),
        }
    }

    fn plain_on(&mut self, model: &Model<'_>) -> Ended {
        let open: Vec<usize> = self.found.undecided().collect();
        self.found.begin(self.next(false));
        let model = Alone::new(model);
        let space = Space::new(model.words(), model.initials());
        let order = self.options.order;
        let mut run = Run::new(&model, order, &mut self.meter, space, &mut self.found);
        let mut extent = Extent::Part;
        let flow = match search(&mut run, self.options.search) {
            ControlFlow::Continue(()) => {
                extent = Extent::Whole;
                conclude(&mut run)
            }
            stopped => so_far(&mut run, stopped, (self.stage, self.options)),
        };
        let space = run.space;
        self.end(flow.clone(), &space);
        self.look_back(&space, extent);
        self.shorten(&open, &space);
        ended(flow)
    }

    /// The same for what is open.
    fn related_to_open(&mut self) -> ControlFlow<Stop, Related<'a>> {
        self.related_to_open_while(&mut |checking, bytes| checking.meter.prepare(bytes))
    }

    fn related_to_open_while(
        &mut self,
        goes_on: &mut dyn FnMut(&mut Self, u64) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop, Related<'a>> {
        let of_open = self.found.undecided();
        let of_open = of_open.map(|property| self.found.property(property));
        let checks = state_checks(self.packed, of_open);
        let checks: Vec<(&Expression, StateCheck)> =
            checks.iter().map(|(e, how)| (e, *how)).collect();
        self.related_while(&checks, goes_on)
    }

    /// Searches with stubborn sets, which an attempt before may have prepared.
    fn reduced(&mut self, numbers: Numbers) -> Ended {
        self.found.begin(self.next(true));
        let stubborn = match self.stubborn.take() {
            Some(prepared) => prepared,
            None => match self.related_unless_small() {
                ControlFlow::Continue(related) => self.stubborn_sets(related),
                stopped => return ended(stopped.map_continue(drop)),
            },
        };
        let ended = match self.orbits {
            None => self.reduced_on(&Erased(&stubborn), &stubborn, numbers),
            Some(orbits) => {
                let symmetric = Symmetric::new(&stubborn, orbits);
                self.reduced_on(&Erased(&symmetric), &stubborn, numbers)
            }
        };
        if let Ended::SeemsToNeedNoNumbers | Ended::NeedsNumbers = ended {
            self.stubborn = Some(stubborn);
        }
        ended
    }

    fn stubborn_sets(&self, related: Related<'a>) -> Stubborn<Related<'a>> {
        Stubborn::new(related).foreseeing(self.options.foresight)
    }

    /// `model` takes the steps of `stubborn`.
    fn reduced_on(
        &mut self,
        model: &AnyModel<'_>,
        stubborn: &Stubborn<Related<'a>>,
        numbers: Numbers,
    ) -> Ended {
        let may_pause = match numbers {
            Numbers::None => return self.reduced_without_numbers(model),
            Numbers::UntilWide => self.may_need_no_numbers(),
            Numbers::All => false,
        };
        let open: Vec<usize> = self.found.undecided().collect();
        let mut extent = Extent::Part;
        let alone = Alone::new(model);
        let space = Space::new(alone.words(), alone.initials());
        let order = self.options.order;
        let mut run = Run::new(&alone, order, &mut self.meter, space, &mut self.found);
        let flow = match may_pause {
            true => breadth_first::begin(&mut run, wide_layer(self.options)),
            false => search(&mut run, self.options.search).map_continue(|()| None),
        };
        let flow = match flow {
            ControlFlow::Continue(Some(first)) => {
                if seems_to_need_no_numbers(&run, &open, (&self.facts, self.options)) {
                    self.generated.0 += run.space.states();
                    self.generated.1 += run.space.edges;
                    return Ended::SeemsToNeedNoNumbers;
                }
                breadth_first::go_on(&mut run, first)
            }
            flow => flow.map_continue(drop),
        };
        let flow = match flow {
            ControlFlow::Continue(()) => {
                let concluded = conclude_reduced(&mut run, stubborn);
                concluded.map_continue(|of| extent = of)
            }
            stopped => so_far(&mut run, stopped, (self.stage, self.options)),
        };
        let space = run.space;
        self.end(flow.clone(), &space);
        self.look_back(&space, extent);
        self.shorten(&open, &space);
        ended(flow)
    }
}

/// How an attempt has ended whose search has ended so. A search in which everything was decided is complete.
fn ended(flow: ControlFlow<Stop>) -> Ended {
    match flow {
        ControlFlow::Break(Stop::Limit(reason)) => Ended::Limit(reason),
        ControlFlow::Continue(()) | ControlFlow::Break(Stop::Decided) => Ended::Complete,
    }
}
