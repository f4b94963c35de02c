//! Deciding properties by searches that they share.

mod ending;
mod rounds;
mod shared;
mod small;
pub mod spilled;
mod together;
mod unnumbered;

use std::cell::Cell;
use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::conclude::{by_graph_so_far, conclude};
use super::conclude_reduced::{Reach, conclude_cycles, conclude_reduced};
use super::probabilistic;
use super::shorten::shorten_witnesses;
use super::state_checks::state_checks;
use super::verdicts::{Next, Verdicts};
use crate::error::CheckError;
use crate::options::{Options, Search, Storage};
use crate::packed::{Expression, Packed};
use crate::properties::{Preserved, kind_of};
use crate::recurring::Recurring;
use crate::reduction::Stubborn;
use crate::related::{Recurrences, Related, StateCheck};
use crate::search::{
    Alone, Listener, Meter, Monitored, Run, Space, Stop, breadth_first, depth_first,
};
use crate::seen::{Extent, Seen};
use crate::store::exact::Exact;
use crate::successors::{AnyModel, Erased, Model, Successors as _};
use crate::symmetry::stages::{Stage, orbits};
use crate::symmetry::{Orbits, Symmetric};
use crate::verdict::{Outcome, Reason};
use crate::watch::Watch;
use unnumbered::{seems_to_need_no_numbers, wide_layer};

/// Decides the properties, and gives an outcome for each, in their order; a violation's trace is a run
/// of the system that nobody has confirmed yet. `None` for what the first stage leaves to the next ([`Stage`]).
///
/// With a reduction there is one search with stubborn sets, and then, for what that cannot decide,
/// one of the plain state space: must-progress always, and may-progress where the model is not AG EF
/// terminating. Recurrence is there decided by a search with a cycle proviso, if nothing else is
/// left. Without a reduction there is the plain search alone.
///
/// Where there are others to search with ([`Watch::several`]), all search together ([`shared`]).
///
/// Where memory runs out, and there is a disk ([`Watch::disk`]), what single states and steps show is looked for
/// once more in the plain state space, there.
///
/// In storage that is not exact violations are looked for, and nothing is proved ([`probabilistic`]).
///
/// A property that is decided early stays decided; a search ends when all are. Costs time and memory
/// in proportion to the number of states and, for termination, progress and every reduced search,
/// of edges.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn check(
    system: &System,
    properties: &[Property],
    options: &Options,
    stage: Stage,
    watch: &dyn Watch,
) -> Result<Vec<Option<Outcome>>, CheckError> {
    debug_assert!(
        !properties.iter().any(Property::is_monitored),
        "monitors have searches of their own"
    );
    let mut meter = Meter::new(options.limits, watch);
    let packed = Packed::new(system)?;
    let orbits = match stage.turns() {
        true => {
            let goes_on = &mut || meter.prepare(0).is_continue();
            // What the storage refuses is not searched for, and costs nobody a permutation.
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
    if options.storage != Storage::Exact {
        let by = (stage, orbits.as_ref());
        let mut outcomes = probabilistic::check(&packed, properties, options, by, watch);
        shorten_witnesses(&packed, properties, options, watch, &mut outcomes);
        return Ok(outcomes);
    }
    meter = meter.with(stage.limits(options));
    let mut checking = Checking::new(&packed, properties, options, (meter, watch));
    checking.stage = stage;
    checking.orbits = orbits.as_ref();
    checking.found.turn(checking.orbits);
    if let Some(several) = checking.others() {
        checking.all_shared(several);
        return Ok(checking.outcomes);
    }
    let mut flow = checking.tried_plainly();
    if flow.is_continue() && options.reduction.leaves_out() && checking.has_reducible() {
        flow = match options.goes_in_rounds() {
            true => checking.in_rounds(),
            false => checking.reduced(),
        };
        if flow.is_continue() && checking.has_recurrences_alone() && options.quick.is_none() {
            flow = match options.sees_to_cycles() {
                true => checking.cyclic_in_rounds(),
                false => checking.cyclic(),
            };
        }
    }
    checking.found.set_round(None);
    if options.quick.is_some() {
        checking.leave_what_rounds_leave();
    }
    if flow.is_continue() && checking.found.undecided().next().is_some() {
        checking.plain();
    }
    if let Some(disk) = watch.disk()
        && !checking.is_left.get()
        && checking.found.undecided().next().is_some()
    {
        // As much as anybody allows: no other stage follows.
        checking.meter = checking.meter.with(options.limits);
        checking.spilled(disk, None);
    }
    if let Some(seen) = &checking.seen {
        let all: Vec<usize> = (0..properties.len()).collect();
        watch.saw(&all, seen);
    }
    debug_assert!(
        checking.is_left.get() || checking.outcomes.iter().all(Option::is_some),
        "every property has an outcome"
    );
    Ok(checking.outcomes)
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
    watch: &'a dyn Watch,
    meter: Meter<'a>,
    found: Verdicts<'a>,
    /// Of the properties that the searches so far have decided.
    outcomes: Vec<Option<Outcome>>,
    /// What the search has seen that looked at most.
    seen: Option<Seen>,
    /// The permutations of which states are taken for one.
    orbits: Option<&'a Orbits>,
    stage: Stage,
    /// Whether the first stage has come to its end, and what is open is left to the next.
    is_left: Cell<bool>,
}

impl<'a> Checking<'a> {
    fn new(
        packed: &'a Packed<'a>,
        properties: &'a [Property],
        options: &'a Options,
        (meter, watch): (Meter<'a>, &'a dyn Watch),
    ) -> Checking<'a> {
        let next = Next {
            search: options.search,
            reduced: false,
            numbered: true,
        };
        Checking {
            packed,
            properties,
            options,
            watch,
            meter,
            found: Verdicts::new(packed, properties, options, watch, next),
            outcomes: vec![None; properties.len()],
            seen: None,
            orbits: None,
            stage: Stage::Plain,
            is_left: Cell::new(false),
        }
    }

    fn has_reducible(&self) -> bool {
        let mut open = self.found.undecided();
        open.any(|property| self.found.preserved(property) != Preserved::Never)
    }

    /// Where the plain state space is needed in any case, it decides recurrences as well.
    fn has_recurrences_alone(&self) -> bool {
        let mut open = self.found.undecided().peekable();
        open.peek().is_some() && open.all(|property| self.found.needs_labels(property))
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
        self.shorten(open, &space, &Reach::default());
        flow
    }

    fn plain(&mut self) {
        match self.orbits {
            None => self.plainly(Model::with_footprints(&Erased(self.packed))),
            Some(orbits) => self.plainly(Model::of(&Erased(&Symmetric::new(self.packed, orbits)))),
        }
    }

    fn plainly(&mut self, model: Model<'_>) {
        if !self.decided_without_numbers(model) {
            self.plain_on(&model);
        }
    }

    fn plain_on(&mut self, model: &Model<'_>) {
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
        self.end(flow, &space);
        self.look_back(&space, extent);
        self.shorten(&open, &space, &Reach::default());
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

    /// Breaks where a limit was reached.
    fn reduced(&mut self) -> ControlFlow<Stop> {
        let next = self.next(true);
        self.found.begin(next);
        match self.related_unless_small() {
            ControlFlow::Continue(related) => self.reduced_by(related),
            ControlFlow::Break(Stop::Decided) => ControlFlow::Continue(()),
            ControlFlow::Break(stop) => ControlFlow::Break(stop),
        }
    }

    /// The same, after [`Verdicts::begin`].
    fn reduced_by(&mut self, related: Related<'a>) -> ControlFlow<Stop> {
        let open: Vec<usize> = self.found.undecided().collect();
        let stubborn = Stubborn::new(related);
        let stubborn = stubborn.foreseeing(self.options.foresight);
        match self.orbits {
            None => self.reduced_on(&Erased(&stubborn), &stubborn, &open),
            Some(orbits) => {
                let symmetric = Symmetric::new(&stubborn, orbits);
                self.reduced_on(&Erased(&symmetric), &stubborn, &open)
            }
        }
    }

    /// `model` takes the steps of `stubborn`.
    fn reduced_on(
        &mut self,
        model: &AnyModel<'_>,
        stubborn: &Stubborn<Related<'a>>,
        open: &[usize],
    ) -> ControlFlow<Stop> {
        let mut reach = Reach::default();
        let mut extent = Extent::Part;
        let alone = Alone::new(model);
        let order = self.options.order;
        let mut may_go_without = self.may_need_no_numbers();
        let (flow, space) = loop {
            let space = Space::new(alone.words(), alone.initials());
            let mut run = Run::new(&alone, order, &mut self.meter, space, &mut self.found);
            let flow = match may_go_without {
                true => breadth_first::begin(&mut run, wide_layer(self.options)),
                false => search(&mut run, self.options.search).map_continue(|()| None),
            };
            let flow = match flow {
                ControlFlow::Continue(Some(_))
                    if seems_to_need_no_numbers(&run, open, self.options) =>
                {
                    if let Some(flow) = self.reduced_without_numbers(model) {
                        return flow;
                    }
                    self.found.begin(self.next(true));
                    may_go_without = false;
                    continue;
                }
                ControlFlow::Continue(Some(first)) => breadth_first::go_on(&mut run, first),
                flow => flow.map_continue(drop),
            };
            let flow = match flow {
                ControlFlow::Continue(()) => {
                    let concluded = conclude_reduced(&mut run, stubborn, &mut reach);
                    concluded.map_continue(|of| extent = of)
                }
                stopped => so_far(&mut run, stopped, (self.stage, self.options)),
            };
            break (flow, run.space);
        };
        let flow = match flow {
            ControlFlow::Break(Stop::Decided) if self.found.undecided().next().is_none() => {
                ControlFlow::Continue(())
            }
            flow => flow,
        };
        self.end(flow.clone(), &space);
        self.look_back(&space, extent);
        self.shorten(open, &space, &reach);
        flow
    }
}
