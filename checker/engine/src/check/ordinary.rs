//! Deciding properties by searches that they share.

mod deep;
mod early_violation;
mod ending;
mod expectation;
mod hashed;
mod random;
mod rounds;
mod shared;
mod small;
pub mod spilled;
mod together;
mod unnumbered;
mod way;

use std::mem;
use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::conclude::{self, by_graph_so_far, conclude};
use super::conclude_reduced::{conclude_cycles, conclude_reduced};
use super::observations::{Mode, Observations};
use super::verdicts::{InRound, Verdicts, nothing_decided};
use crate::caller::Caller;
use crate::coverage::{Coverage, Extent};
use crate::error::CheckError;
use crate::observer::{Event, Phase};
use crate::omissions::Omissions;
use crate::options::{Options, Search, Storage};
use crate::packed::Packed;
use crate::pipeline::{related, stubborn_sets, with_symmetry};
use crate::plan::attempt::{Attempt, Ended, Finished, Numbers, StatesIn, Strategy};
use crate::plan::facts::Facts;
use crate::plan::numbers::wide_layer;
use crate::plan::planner::{Request, TWICE, next_attempt, shows_no_profit};
use crate::plan::stages::Stage;
use crate::properties::kind_of;
use crate::recurring::Recurring;
use crate::reduction::Stubborn;
use crate::related::{Recurrences, Related};
use crate::runs::evidence::Evidence;
use crate::search::breadth_first::{Pause, Pauses};
use crate::search::layer_ends::LayerEnds;
use crate::search::{
    Alone, Figures, Listener, Meter, Monitored, Run, Space, Stop, Ways, breadth_first, depth_first,
};
use crate::store::exact::Exact;
use crate::successors::{Model, Successors as _};
use crate::symmetry::Orbits;
use crate::symmetry::permutations::orbits;
use crate::verdict::{Finding, Outcome, Reason, Verdict};
use deep::{Deep, LooksDeeper, looks_deeper};
use expectation::seems_to_need_no_numbers;

/// Results of the searches of a stage.
pub struct InStage {
    /// An outcome for each property, in their order, whose trace is not confirmed yet. `None` for a
    /// property that is left to the next [`Stage`].
    pub outcomes: Vec<Option<Outcome>>,
    /// The figures of the search that came furthest.
    pub furthest: Option<Outcome>,
    /// Whether stubborn sets cost more than they leave out.
    pub is_unprofitable: bool,
}

/// Decides the properties by the attempts that are [planned](next_attempt).
///
/// A property that is decided early stays decided; a search ends when all are. Costs time and
/// memory in proportion to the number of states and, for termination, progress and every reduced
/// search, of edges.
///
/// # Errors
/// If a state of the system is too large to be searched.
pub fn check(
    system: &System,
    properties: &[Property],
    options: &Options,
    stage: Stage,
    caller: Caller<'_>,
) -> Result<InStage, CheckError> {
    debug_assert!(
        !properties.iter().any(Property::is_monitored),
        "monitors have searches of their own"
    );
    let caller = caller.with(options.limits);
    let mut meter = Meter::new(caller);
    let packed = Packed::new(system)?;
    let is_first = stage == Stage::of(system, options);
    let orbits = match stage.turns() {
        true => {
            let _phase = Phase::Symmetry.begin(caller.observer);
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
    let (alone, observer) = (Alone::new(&packed), caller.observer);
    let deep = Deep::new((&packed, &alone), properties, options, observer);
    let watching = |event: Event<'_>| {
        if let Event::Decided(property, outcome) = event
            && !matches!(outcome.verdict, Verdict::Undecided(_))
        {
            deep.close(property);
        }
        observer.event(event);
    };
    let caller = caller.observed_by(&watching);
    meter = meter.with(stage.limits(options));
    let looks_deeper = looks_deeper(options) && caller.resources.several.is_none();
    if looks_deeper {
        meter = meter.with_work(&deep);
    }
    let given = (&packed, orbits.as_ref());
    let mut checking = Checking::new(given, properties, options, (meter, caller));
    checking.stage = stage;
    checking.is_first = is_first;
    checking.deep = looks_deeper.then_some(&deep);
    checking.refuse_over_several();
    let all: Vec<usize> = (0..properties.len()).collect();
    let mut history: Vec<Finished> = Vec::new();
    while let Some(attempt) = next_attempt(&checking.request(), &history) {
        let phase = Phase::Search.begin(caller.observer);
        let finished = checking.carry_out(attempt);
        drop(phase);
        caller.observer.event(Event::Attempted(&all, &finished));
        history.push(finished);
    }
    if let Some(finished) = deep.finished(checking.open()) {
        caller.observer.event(Event::Attempted(&all, &finished));
    }
    if options.quick.is_some() {
        checking.leave_what_rounds_leave();
    }
    if options.storage != Storage::Exact {
        // A `reachable` holds with a shortest run in any storage. States are kept whole for it,
        // where memory may have no room for twice as many as were found.
        let options = Options {
            storage: Storage::Exact,
            ..*options
        };
        let sought = all.iter().copied().filter(|one| checking.is_sought(*one));
        checking.shorten(&sought.collect::<Vec<_>>(), &options, (0, 0));
    }
    if let Some(coverage) = &checking.coverage {
        caller.observer.event(Event::Saw(&all, coverage));
    }
    debug_assert!(
        checking.open().is_empty()
            || (history.iter().filter_map(Finished::limit))
                .any(|reason| stage.is_over(reason, options)),
        "every property has an outcome"
    );
    checking.keep_furthest();
    Ok(InStage {
        outcomes: checking.found.outcomes,
        furthest: checking.furthest,
        is_unprofitable: history.iter().any(shows_no_profit),
    })
}

/// States of a reduced search after which the plain search takes its place if stubborn sets do not
/// pay. Visiting them costs some tens of milliseconds, each five to ten times as much as a state of
/// the plain search. `tests/benchmarks/realistic.sh`: of 13 designs seven take 0.3 to 0.8 of the
/// time, five about the same, and one 1.5 times as long.
const UNPROFITABLE: u32 = 1 << 12;

/// The search in the order that the options ask for.
pub fn search<M: Monitored, L: Listener>(
    run: &mut Run<'_, '_, M, Exact, L>,
    order: Search,
) -> ControlFlow<Stop> {
    match order {
        Search::Breadth => breadth_first::search(run),
        Search::Depth => depth_first::search(run),
        Search::Random(_) => unreachable!("random runs have no numbers for states"),
    }
}

type Numbered<'v, 'a> = conclude::Numbered<'v, 'a, Alone<'v, Model<'v>>>;

/// Layers of the last searches with and without stubborn sets.
#[derive(Default)]
struct Layers {
    reduced: LayerEnds,
    plain: LayerEnds,
}

struct Checking<'a> {
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    options: &'a Options,
    caller: Caller<'a>,
    meter: Meter<'a>,
    found: Verdicts<'a>,
    /// Findings of the search that has visited most.
    coverage: Option<Coverage>,
    orbits: Option<&'a Orbits>,
    stage: Stage,
    is_first: bool,
    layers: Layers,
    /// Search for deep violations, where the options allow one.
    deep: Option<&'a dyn LooksDeeper>,
    facts: Vec<Facts>,
    /// Stubborn sets that an attempt has left to the next one, and the round that they are for.
    stubborn: Option<(Stubborn<Related<'a>>, Option<InRound>)>,
    /// Estimate of an earlier search with hashed states.
    omissions: Option<Omissions>,
    /// States and edges that the present attempt has generated.
    generated: (u64, u64),
    /// Round that the present search is.
    round: Option<InRound>,
    /// The figures of the search that came furthest.
    furthest: Option<Outcome>,
    /// Depth up to which a search has taken all steps of all states. Slices, merged steps and symmetry
    /// make no run longer, so that all states of the whole System up to that depth are among them.
    complete_depth: Option<u64>,
}

impl<'a> Checking<'a> {
    fn new(
        (packed, orbits): (&'a Packed<'a>, Option<&'a Orbits>),
        properties: &'a [Property],
        options: &'a Options,
        (meter, caller): (Meter<'a>, Caller<'a>),
    ) -> Checking<'a> {
        let given = (caller, meter.begun());
        let found = Verdicts::new(packed, properties, (options, orbits), given);
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
            coverage: None,
            orbits,
            stage: Stage::Plain,
            is_first: false,
            layers: Layers::default(),
            deep: None,
            stubborn: None,
            omissions: None,
            generated: (0, 0),
            round: None,
            furthest: None,
            complete_depth: None,
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
            explores: false,
            is_first: self.is_first,
        }
    }

    /// The facts about what is open.
    fn open_facts(&self) -> impl Iterator<Item = &Facts> {
        self.found.undecided().map(|property| &self.facts[property])
    }

    fn carry_out(&mut self, attempt: Attempt) -> Finished {
        let began = self.meter.seconds();
        self.generated = (0, 0);
        let (packed, orbits) = (self.packed, self.orbits);
        let ended = match (attempt.strategy, attempt.states_in) {
            (Strategy::StubbornSets, StatesIn::OtherProcesses) => self.shared(true),
            (Strategy::Plain, StatesIn::OtherProcesses) => self.shared(false),
            (Strategy::RandomRuns, _) => self.by_random_runs(),
            (Strategy::SmallPlain, _) => self.small(&attempt),
            (Strategy::StubbornSets, _) => self.reduced(&attempt),
            (Strategy::SensitiveRounds, _) => self.in_rounds(),
            (Strategy::CycleProviso, _) => self.cyclic(),
            (Strategy::CycleRounds, _) => self.cyclic_in_rounds(),
            (Strategy::Plain, _) => {
                with_symmetry(packed, orbits, |model| self.explore(model, None, &attempt))
            }
            (Strategy::BesideMonitor { .. } | Strategy::FairRuns { .. } | Strategy::Cells, _) => {
                unreachable!("no row of the planner has this strategy")
            }
        };
        self.round = None;
        let (states, edges) = self.generated;
        self.take_deep(Figures {
            states,
            edges,
            bytes: 0,
        });
        Finished {
            attempt,
            ended,
            states,
            edges,
            seconds: self.meter.seconds() - began,
            open: self.open(),
        }
    }

    /// Explores the model, whose steps are those of the stubborn sets if there are any.
    fn explore(
        &mut self,
        model: Model<'_>,
        stubborn: Option<&Stubborn<Related<'a>>>,
        attempt: &Attempt,
    ) -> Ended {
        match (attempt.states_in, attempt.numbers) {
            (StatesIn::Hashes, _) => self.hashed(model, stubborn.is_some()),
            (StatesIn::Disk, _) => self.spilled(model, None),
            (_, Numbers::None) => self.without_numbers(model, stubborn.is_some()),
            (_, _) => self.with_numbers(model, stubborn, attempt),
        }
    }

    /// Notes the figures of a search that is over. Returns the properties that it has decided.
    fn note(&mut self, ways: &dyn Ways) -> Vec<usize> {
        let counted = (ways, self.round);
        let decided = self.found.end_search(counted);
        let figures = ways.figures();
        self.generated.0 += figures.states;
        self.generated.1 += figures.edges;
        let furthest = self.furthest.as_ref().map(|outcome| outcome.states);
        if self.options.storage == Storage::Exact
            && self.round.is_none()
            && furthest.is_none_or(|states| states < figures.states)
        {
            let verdict = Verdict::Undecided(nothing_decided());
            self.furthest = Some(self.found.outcome(0, verdict, counted));
        }
        decided
    }

    fn decide(&mut self, property: usize, verdict: Verdict, ways: &dyn Ways) {
        self.found.decide(property, verdict, (ways, self.round));
    }

    /// Decides that the property is violated, if a run for the evidence can be made within the
    /// limits.
    fn violate(&mut self, property: usize, finding: Finding, evidence: &Evidence, ways: &dyn Ways) {
        let verdict = self.found.violation(property, finding, evidence, ways, 0);
        self.decide(property, verdict, ways);
    }

    fn mode(&self, reduced: bool) -> Mode {
        Mode {
            search: self.options.search,
            reduced,
            numbered: true,
            round: self.round,
        }
    }

    /// Runs a search under other limits.
    fn within<R>(&mut self, meter: Meter<'a>, search: impl FnOnce(&mut Self) -> R) -> R {
        let whole = mem::replace(&mut self.meter, meter);
        let found = search(self);
        self.meter = whole;
        found
    }

    /// The packed system with the relations between its steps for these properties; `goes_on` is
    /// called while they are found. Where a limit is reached before that, the search ends.
    fn related(
        &mut self,
        properties: &[usize],
        goes_on: &mut dyn FnMut(&mut Self, u64) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop, Related<'a>> {
        let all = self.properties;
        let seen = properties.iter().map(|property| &all[*property]);
        let (packed, orbits) = (self.packed, self.orbits);
        let _phase = Phase::Reduction.begin(self.caller.observer);
        let related = related(packed, seen, orbits, &mut |bytes| goes_on(self, bytes));
        if let ControlFlow::Break(stop @ Stop::Limit(_)) = &related {
            let space = Space::new(packed.words(), &[packed.initial().into()]);
            self.end(ControlFlow::Break(stop.clone()), &space);
        }
        related
    }

    fn open(&self) -> Vec<usize> {
        self.found.undecided().collect()
    }

    fn open_recurrences(&self) -> Vec<Recurring> {
        let system = self.packed.system();
        let open = self.found.undecided();
        let recurring = open.filter_map(|property| self.found.kind(property).recurring(system));
        recurring.collect()
    }

    /// Searches with numbers for states: `explore` visits the states and concludes. Returns how
    /// that ended, and how many states there are.
    fn numbered(
        &mut self,
        model: Model<'_>,
        mode: Mode,
        explore: impl FnOnce(&mut Numbered<'_, 'a>, &mut Extent) -> ControlFlow<Stop, Ended>,
    ) -> (Ended, u64) {
        let model = Alone::new(&model);
        let space = Space::new(model.words(), model.initials());
        let mut extent = Extent::Part;
        let order = self.options.order;
        let observations = Observations::new(&mut self.found, mode);
        let mut run = Run::new(&model, order, &mut self.meter, space, observations);
        let flow = explore(&mut run, &mut extent);
        let (space, mut observations) = (run.space, run.listener);
        match mode.reduced {
            true => self.layers.reduced = space.layers.clone(),
            false => self.layers.plain = space.layers.clone(),
        }
        let limit = match &flow {
            ControlFlow::Break(Stop::Limit(reason)) => Some(reason),
            _ => None,
        };
        if !mode.reduced && mode.search == Search::Breadth {
            let depth = match limit {
                Some(Reason::Depth(depth)) => Some(*depth),
                _ => space.layers.complete_depth(),
            };
            self.complete_depth = self.complete_depth.max(depth);
        }
        if flow.is_break() && !limit.is_some_and(|limit| self.stage.is_over(limit, self.options)) {
            observations.settle_for_dead_ends(&space);
        }
        if let ControlFlow::Continue(
            Ended::NotSmall | Ended::SeemsToNeedNoNumbers | Ended::Unprofitable,
        ) = flow
        {
            self.note(&space);
        } else {
            let decided = self.end(flow.clone().map_continue(drop), &space);
            self.look_back(&space, extent);
            self.shorten_after(decided, &space);
        }
        let ended = match flow {
            ControlFlow::Continue(ended) => ended,
            stopped => ended(stopped.map_continue(drop)),
        };
        (ended, space.states())
    }

    fn with_numbers(
        &mut self,
        model: Model<'_>,
        stubborn: Option<&Stubborn<Related<'a>>>,
        attempt: &Attempt,
    ) -> Ended {
        let (options, stage, facts) = (self.options, self.stage, self.facts.clone());
        let open = self.open();
        let may_pause = attempt.numbers == Numbers::UntilWide && options.search == Search::Breadth;
        // A limit of the plan alone.
        let is_compared =
            attempt.max_states.is_some() && stage.limits(options).max_states.is_none();
        let weighs = may_pause && self.request().weighs_plain();
        let plain = self.layers.plain.clone();
        let mut pauses = Pauses {
            wide: match may_pause && self.may_need_no_numbers() {
                true => wide_layer(options),
                false => u32::MAX,
            },
            // A limit on states may have room for fewer than the plain search has.
            unprofitable: match may_pause && options.limits.max_states.is_none() {
                true => UNPROFITABLE,
                false => u32::MAX,
            },
            many: match attempt.max_states {
                Some(most) if is_compared => u32::try_from(most).unwrap_or(u32::MAX),
                None if weighs && plain.complete() > 0 => UNPROFITABLE,
                _ => u32::MAX,
            },
        };
        let mode = self.mode(stubborn.is_some());
        let (ended, _) = self.numbered(model, mode, |run, extent| {
            let mut flow = match may_pause {
                true => breadth_first::begin(run, pauses),
                false => search(run, options.search).map_continue(|()| None),
            };
            while let ControlFlow::Continue(Some((first, pause))) = flow {
                match pause {
                    Pause::Unprofitable => return ControlFlow::Continue(Ended::Unprofitable),
                    Pause::Many if is_compared => return ControlFlow::Continue(Ended::NotSmall),
                    Pause::Many => {
                        let states = plain.for_100_of(&run.space.layers);
                        if states.is_some_and(|states| states < TWICE) {
                            return ControlFlow::Continue(Ended::Unprofitable);
                        }
                        pauses.many = u32::MAX;
                        flow = breadth_first::go_on(run, first, pauses);
                    }
                    Pause::Wide => {
                        if seems_to_need_no_numbers(run, &open, (&facts, options)) {
                            return ControlFlow::Continue(Ended::SeemsToNeedNoNumbers);
                        }
                        pauses.wide = u32::MAX;
                        flow = breadth_first::go_on(run, first, pauses);
                    }
                }
            }
            let flow = match (flow.map_continue(drop), stubborn) {
                (ControlFlow::Continue(()), None) => {
                    *extent = Extent::Whole;
                    conclude(run)
                }
                (ControlFlow::Continue(()), Some(stubborn)) => {
                    let concluded = conclude_reduced(run, stubborn);
                    concluded.map_continue(|covered| *extent = covered)
                }
                (
                    ControlFlow::Break(Stop::Limit(
                        reason @ (Reason::States(_) | Reason::Depth(_)),
                    )),
                    _,
                ) => {
                    if !stage.is_over(&reason, options) {
                        // Another limit that is reached meanwhile changes nothing.
                        let _ = by_graph_so_far(run);
                    }
                    ControlFlow::Break(Stop::Limit(reason))
                }
                (stopped, _) => stopped,
            };
            flow.map_continue(|()| Ended::Complete)
        });
        ended
    }

    /// Searches with stubborn sets, which an attempt before may have prepared.
    fn reduced(&mut self, attempt: &Attempt) -> Ended {
        let (stubborn, round) = match self.stubborn.take() {
            Some(prepared) => prepared,
            None => match self.related_unless_small() {
                ControlFlow::Continue(related) => {
                    (stubborn_sets(related, self.options.foresight), None)
                }
                stopped => return ended(stopped.map_continue(drop)),
            },
        };
        self.round = round;
        let ended = with_symmetry(&stubborn, self.orbits, |model| {
            self.explore(model, Some(&stubborn), attempt)
        });
        if let Ended::SeemsToNeedNoNumbers | Ended::NeedsNumbers = ended {
            self.stubborn = Some((stubborn, round));
        }
        ended
    }

    /// Decides recurrences in a model that is not AG EF terminating.
    fn cyclic(&mut self) -> Ended {
        let seen = Recurrences {
            questions: self.open_recurrences(),
            besides: Default::default(),
        };
        let related = match self.related(&[], &mut |this, bytes| this.meter.prepare(bytes)) {
            ControlFlow::Continue(related) => related,
            stopped => return ended(stopped.map_continue(drop)),
        };
        let stubborn = Stubborn::beside(related, seen);
        let (mode, order) = (self.mode(true), self.options.search);
        let (ended, _) = with_symmetry(&stubborn, self.orbits, |model| {
            self.numbered(model, mode, |run, _| {
                search(run, order)?;
                conclude_cycles(run).map_continue(|()| Ended::Complete)
            })
        });
        ended
    }
}

/// Returns how an attempt ended, from the end of its search. A search that has decided everything
/// is complete.
fn ended(flow: ControlFlow<Stop>) -> Ended {
    match flow {
        ControlFlow::Break(Stop::Limit(reason)) => Ended::Limit(reason),
        ControlFlow::Continue(()) | ControlFlow::Break(Stop::Decided) => Ended::Complete,
    }
}
