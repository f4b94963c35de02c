//! The whole state space, state by state and edge by edge.

mod counts;
mod goal;
mod together;

use std::ops::ControlFlow;

use stubborn_system::system::{Failure, System};

use crate::caller::{Caller, Resources};
use crate::check::search;
use crate::error::CheckError;
use crate::options::{Limits, Options, Reduction, Search, Storage, Use};
use crate::packed::Packed;
use crate::pipeline::{related, stubborn_sets, with_symmetry};
use crate::plan::attempt::{Attempt, Ended, Finished, Numbers, StatesIn, Strategy};
use crate::plan::facts::Facts;
use crate::plan::planner::{Request, next_attempt};
use crate::plan::progress::Rising;
use crate::plan::stages::Stage;
use crate::reduction::Stubborn;
use crate::related::Related;
use crate::search::disk::DiskSearch;
use crate::search::layers::{self, Look, Team};
use crate::search::{
    Alone, Figures, Flags, Listener, Meter, Monitored, OwnedLabel, Run, Space, Stop, Ways,
};
use crate::state::State;
use crate::successors::{Label, Model, Successors as _};
use crate::symmetry::Orbits;
use crate::symmetry::permutations::orbits;
use crate::verdict::Reason;

pub use counts::Exploration;
pub use goal::{Goal, Path, explore_model};

/// Takes what an exploration finds. States are numbered from 0, the initial one, in the order in
/// which they are found; a state comes before every edge from or to it.
pub trait Sink {
    /// Whether to make up the states' values for [`Sink::state`], which costs time.
    fn wants_states(&self) -> bool {
        false
    }
    /// Whether to make up the labels for [`Sink::edge`], which costs time.
    fn wants_edges(&self) -> bool {
        true
    }
    /// Called where [`Sink::wants_states`].
    fn state(&mut self, _number: u32, _: &State) {}
    /// Called where [`Sink::wants_edges`].
    fn edge(&mut self, _from: u32, _: Label<'_>, _to: u32) {}
    /// A step that fails: an edge that leads nowhere. The number of the state is known only to a
    /// sink that wants states or edges. If memory runs out and the search goes on on a disk, a step
    /// may be given twice.
    fn failing(&mut self, _at: u32, _: Label<'_>, _: &Failure) {}
}

/// Builds the state space and gives it to `sink`. A sink that wants states or edges gets the
/// model's own, not canonical ones.
///
/// # Errors
/// If a state of the system is too large to be searched.
pub fn explore(
    system: &System,
    options: &Options,
    caller: Caller<'_>,
    sink: &mut dyn Sink,
) -> Result<Exploration, CheckError> {
    let packed = Packed::new(system)?;
    let mut options = *options;
    if let Search::Random(_) = options.search {
        // Random runs miss states.
        options.search = Search::Breadth;
    }
    let mut caller = caller;
    if !system.bounds.is_empty() {
        // Stubborn sets do not know that every step depends on the bounds.
        options.reduction = Reduction::None;
        caller.resources.several = None;
    }
    let options = &options;
    let caller = caller.with(options.limits);
    let rising = Rising::new(caller.observer, caller.budget);
    let caller = caller.observed_by(&rising);
    // Several processes merge no states.
    let is_shared = caller.resources.several.is_some();
    let is_plain = sink.wants_states() || sink.wants_edges() || is_shared;
    let mut stage = match is_plain {
        true => Stage::Plain,
        false => Stage::of(system, options),
    };
    let mut meter = Meter::new(caller);
    let exploring = Exploring {
        packed: &packed,
        options,
        resources: caller.resources,
        meter: meter.clone(),
    };
    let mut permutations = None;
    let (found, held) = loop {
        if stage.turns() && permutations.is_none() {
            let goes_on = &mut || meter.prepare(0).is_continue();
            permutations = orbits(&packed, &[], options, goes_on);
            if permutations.is_none() {
                stage = Stage::Plain;
            }
        }
        if stage == Stage::Plain {
            return Ok(exploring.all(stage, None, sink));
        }
        let mut held = Held::default();
        let turning = permutations.as_ref().filter(|_| stage.turns());
        let found = exploring.all(stage, turning, &mut held);
        match stage.after(found.stopped.as_ref(), options) {
            Some(next) => stage = next,
            None => break (found, held),
        }
    };
    if !stage.turns() {
        held.tell(sink);
        return Ok(found);
    }
    if held.0.is_empty() {
        return Ok(found);
    }
    // A step that fails in a canonical state belongs to an instance that permutations may change:
    // the plain state space shows which one fails.
    let plain = exploring.all(Stage::Plain, None, sink);
    // If a limit ends that before a failing step, it is known all the same that there are some.
    Ok(match plain.stopped.is_some() && plain.failing == 0 {
        true => found,
        false => plain,
    })
}

/// Failing steps that are not told yet: the first of them.
#[derive(Default)]
struct Held(Vec<(u32, OwnedLabel, Failure)>);

impl Held {
    fn tell(self, sink: &mut dyn Sink) {
        for (at, label, failure) in self.0 {
            sink.failing(at, label.label(), &failure);
        }
    }
}

impl Sink for Held {
    fn wants_edges(&self) -> bool {
        false
    }

    fn failing(&mut self, at: u32, label: Label<'_>, failure: &Failure) {
        if self.0.len() < MOST_TOLD {
            self.0.push((at, OwnedLabel::of(label), failure.clone()));
        }
    }
}

/// Exploration of a system.
struct Exploring<'a> {
    packed: &'a Packed<'a>,
    options: &'a Options,
    resources: Resources<'a>,
    meter: Meter<'a>,
}

impl<'a> Exploring<'a> {
    /// Explores by the attempts that are [planned](next_attempt) for one stage.
    fn all(&self, stage: Stage, orbits: Option<&Orbits>, sink: &mut dyn Sink) -> Exploration {
        let wants_numbers = sink.wants_states() || sink.wants_edges();
        let options = Options {
            // No property sees a step: the first round is the last.
            reduction: Reduction::needed(self.options.reduction.leaves_out()),
            storage: Storage::Exact,
            quick: None,
            plain_first: None,
            tells_seen: false,
            unnumbered: match wants_numbers {
                true => Use::Never,
                false => self.options.unnumbered,
            },
            ..*self.options
        };
        let may_lack_numbers =
            options.unnumbered != Use::Never && options.search == Search::Breadth;
        let is_shared = may_lack_numbers && !self.options.reduction.is_in_rounds();
        let asked = [Facts::of_all_states()];
        let request = Request {
            options: &options,
            stage,
            properties: &asked,
            has_disk: may_lack_numbers && self.resources.disk.is_some(),
            has_others: is_shared && self.resources.several.is_some(),
            permutes: orbits.is_some(),
            words: self.packed.words(),
            explores: true,
            is_first: false,
        };
        let mut history: Vec<Finished> = Vec::new();
        let (mut last, mut prepared) = (None, None);
        while let Some(attempt) = next_attempt(&request, &history) {
            let how = (may_lack_numbers, &mut prepared);
            let found = self.carry_out(&attempt, how, orbits, sink);
            let ended = match found.as_ref().map(|found| &found.stopped) {
                None => Ended::NeedsNumbers,
                Some(None) => Ended::Complete,
                Some(Some(reason)) => Ended::Limit(reason.clone()),
            };
            let goes_on = match &ended {
                Ended::Limit(Reason::Memory(_)) => attempt.states_in == StatesIn::Memory,
                ended => *ended == Ended::NeedsNumbers,
            };
            let figures = found.as_ref().map_or((0, 0, 0.0), Exploration::figures);
            history.push(Finished {
                attempt,
                ended,
                states: figures.0,
                edges: figures.1,
                seconds: figures.2,
                open: (0..usize::from(goes_on)).collect(),
            });
            last = found.or(last);
        }
        last.unwrap_or_else(|| unreachable!("a search with numbers follows one without"))
    }

    /// Carries out an attempt, with the stubborn sets that an earlier one has prepared; `None` if
    /// numbers are needed.
    fn carry_out(
        &self,
        attempt: &Attempt,
        (may_lack_numbers, prepared): (bool, &mut Option<Stubborn<Related<'a>>>),
        orbits: Option<&Orbits>,
        sink: &mut dyn Sink,
    ) -> Option<Exploration> {
        let (packed, options) = (self.packed, self.options);
        let meter = &mut self.meter.with(Limits {
            max_states: attempt.max_states,
            ..options.limits
        });
        if let (StatesIn::OtherProcesses, Some(several)) =
            (attempt.states_in, self.resources.several)
        {
            return Some(self.together(several, meter, sink));
        }
        let mut explorer = Explorer {
            packed,
            sink,
            terminal: 0,
            failing: 0,
        };
        let mut built = |model: Model<'_>, meter: &mut Meter<'_>| match attempt.states_in {
            StatesIn::Disk => self.on_disk(model, meter, &mut explorer),
            _ if attempt.numbers == Numbers::All || !may_lack_numbers => {
                Some(self.with_numbers(model, meter, &mut explorer))
            }
            _ => self.without_numbers(model, meter, &mut explorer),
        };
        let (flow, built) = match attempt.strategy {
            Strategy::Plain | Strategy::SmallPlain => {
                with_symmetry(packed, orbits, |model| built(model, meter))
            }
            Strategy::SensitiveRounds
            | Strategy::CycleProviso
            | Strategy::CycleRounds
            | Strategy::RandomRuns
            | Strategy::Cells
            | Strategy::BesideMonitor { .. }
            | Strategy::FairRuns { .. } => unreachable!("these search for properties"),
            Strategy::StubbornSets => {
                let related = match prepared {
                    Some(_) => ControlFlow::Continue(()),
                    None => related(packed, [], orbits, &mut |bytes| meter.prepare(bytes))
                        .map_continue(|related| {
                            *prepared = Some(stubborn_sets(related, options.foresight));
                        }),
                };
                match (related, &*prepared) {
                    (ControlFlow::Continue(()), Some(stubborn)) => {
                        with_symmetry(stubborn, orbits, |model| built(model, meter))
                    }
                    (stopped, _) => {
                        let space = Space::new(packed.words(), &[packed.initial().into()]);
                        Some((stopped, (space.figures(0), space.full)))
                    }
                }
            }
        }?;
        let counts = (explorer.terminal, explorer.failing);
        let symmetry = orbits.map(Orbits::permutations);
        let seconds = meter.seconds();
        Some(Exploration {
            within: packed.cut(),
            ..Exploration::new(flow, built, counts, symmetry, seconds)
        })
    }

    fn with_numbers(
        &self,
        model: Model<'_>,
        meter: &mut Meter<'_>,
        explorer: &mut Explorer<'_>,
    ) -> (ControlFlow<Stop>, (Figures, bool)) {
        let alone = Alone::new(&model);
        let space = Space::new(alone.words(), alone.initials());
        let mut run = Run::new(&alone, self.options.order, meter, space, explorer);
        let flow = search(&mut run, self.options.search);
        (flow, (run.space.figures(0), run.space.full))
    }

    /// `None` if a word tells too little of a state.
    fn without_numbers(
        &self,
        model: Model<'_>,
        meter: &mut Meter<'_>,
        explorer: &mut Explorer<'_>,
    ) -> Option<(ControlFlow<Stop>, (Figures, bool))> {
        let (parts, team) = (self.packed.parts(), Team::of(self.options));
        let (flow, layers, counters) =
            layers::search(&model, parts, meter, team, || Counter::of(self.packed));
        if layers.given_up {
            return None;
        }
        explorer.take(counters);
        Some((flow, (layers.figures(), layers.full)))
    }

    fn on_disk(
        &self,
        model: Model<'_>,
        meter: &mut Meter<'_>,
        explorer: &mut Explorer<'_>,
    ) -> Option<(ControlFlow<Stop>, (Figures, bool))> {
        let disk = self.resources.disk?;
        let mut search = DiskSearch::new(&model, meter, disk, None, Counter::of(self.packed));
        let flow = search.search(|_| {});
        let count = search.count();
        let figures = Figures {
            bytes: count.most,
            ..Figures::from(&count)
        };
        let full = flow.is_continue() && !count.leaves_out;
        meter.is_at(search.depth());
        explorer.take(vec![search.into_look()]);
        Some((flow, (figures, full)))
    }
}

struct Explorer<'a> {
    packed: &'a Packed<'a>,
    sink: &'a mut dyn Sink,
    terminal: u64,
    failing: u64,
}

/// Counts of one thread, where the sink wants neither states nor edges.
#[derive(Default)]
pub struct Counter<'a> {
    /// Model with bounds: a state that one cuts off is not terminal.
    bounded: Option<&'a Packed<'a>>,
    terminal: u64,
    failing: u64,
    told: Told,
}

/// Failing steps, one for each way in which the same steps of the same instances fail: the least in
/// the order of what an action's values are. They are in the order of steps, and no more than the
/// first of them, so that they do not depend on the order in which they were met.
#[derive(Default)]
struct Told(Vec<(OwnedLabel, Failure)>);

const MOST_TOLD: usize = 256;

impl Told {
    fn note(&mut self, label: Label<'_>, failure: &Failure) {
        let order = |(known, why): &(OwnedLabel, Failure)| {
            let participants = known.label().participants.cmp(label.participants);
            participants.then_with(|| why.cmp(failure))
        };
        match self.0.binary_search_by(order) {
            Ok(place) => {
                let known = &mut self.0[place].0;
                if label.action < known.label().action {
                    *known = OwnedLabel::of(label);
                }
            }
            Err(place) if place < MOST_TOLD => {
                self.0.truncate(MOST_TOLD - 1);
                let failing = (OwnedLabel::of(label), failure.clone());
                self.0.insert(place, failing);
            }
            Err(_) => {}
        }
    }
}

impl<'a> Counter<'a> {
    fn of(packed: &'a Packed<'a>) -> Counter<'a> {
        Counter {
            bounded: (!packed.has_no_bounds()).then_some(packed),
            ..Counter::default()
        }
    }
}

impl Look for Counter<'_> {
    fn looks(&self) -> usize {
        0
    }

    fn found(&mut self, _: usize, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        self.failing += 1;
        self.told.note(label, failure);
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        let is_inside = |packed: &Packed<'_>| packed.is_inside(state, &mut packed.scratch());
        self.terminal += u64::from(self.bounded.is_none_or(is_inside));
        ControlFlow::Continue(())
    }
}

impl Explorer<'_> {
    fn take(&mut self, counters: Vec<Counter<'_>>) {
        let mut told = Told::default();
        for counter in counters {
            self.terminal += counter.terminal;
            self.failing += counter.failing;
            for (label, failure) in &counter.told.0 {
                told.note(label.label(), failure);
            }
        }
        for (label, failure) in &told.0 {
            self.sink.failing(0, label.label(), failure);
        }
    }
}

impl Listener for Explorer<'_> {
    fn wants_labels(&self) -> bool {
        self.sink.wants_edges()
    }

    fn found(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if self.sink.wants_states() {
            self.sink.state(number, &self.packed.unpack(state));
        }
        ControlFlow::Continue(())
    }

    fn edge(&mut self, from: u32, label: Option<Label<'_>>, _: Flags, to: u32) {
        if let Some(label) = label {
            self.sink.edge(from, label, to);
        }
    }

    fn failing(
        &mut self,
        _: &dyn Ways,
        at: u32,
        label: Label<'_>,
        failure: &Failure,
    ) -> ControlFlow<Stop> {
        self.failing += 1;
        self.sink.failing(at, label, failure);
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &dyn Ways, _: u32, state: &[u64]) -> ControlFlow<Stop> {
        let mut counter = Counter::of(self.packed);
        counter.terminal(state)?;
        self.terminal += counter.terminal;
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is told of such failing steps: the value that does not fit, and the action's.
    fn told(failing: impl Iterator<Item = (i64, i64)>) -> Vec<(i64, i64)> {
        let mut told = Told::default();
        for (value, of_action) in failing {
            let values = [of_action];
            let label = Label {
                participants: &[(0, 0)],
                action: Some((0, &values)),
            };
            told.note(label, &failure(value));
        }
        let pairs = told.0.iter().map(|(label, why)| {
            let action = label.label().action.expect("it has one").1[0];
            let value = (0..1_000).find(|value| failure(*value) == *why);
            (value.expect("it is one of these"), action)
        });
        pairs.collect()
    }

    fn failure(value: i64) -> Failure {
        Failure::NoSuchInstance { value }
    }

    #[test]
    fn failing_steps_are_told_alike_in_whatever_order_they_are_met() {
        let all: Vec<(i64, i64)> = (0..3_000).map(|n| (n % 600, 7_000 - n)).collect();
        let expected: Vec<(i64, i64)> = (0..256).map(|value| (value, 4_600 - value)).collect();
        assert_eq!(told(all.iter().copied()), expected);
        assert_eq!(told(all.iter().rev().copied()), expected);
        let mixed = (0..3_000).map(|n| all[n * 1_001 % 3_000]);
        assert_eq!(told(mixed), expected);
    }
}
