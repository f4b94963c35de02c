//! The whole state space, state by state and edge by edge.

mod counts;
mod goal;
mod together;

use std::ops::ControlFlow;

use stubborn_system::system::{Failure, System};

use self::counts::Built;
use crate::caller::{Caller, Resources};
use crate::check::search;
use crate::disk::Disk;
use crate::error::CheckError;
use crate::options::{Options, Reduction, Search, Use};
use crate::packed::Packed;
use crate::plan::progress::Rising;
use crate::plan::stages::Stage;
use crate::reduction::Stubborn;
use crate::related::Related;
use crate::search::layers::{self, Look, Team};
use crate::search::spilled::Spilled;
use crate::search::{Alone, Flags, Listener, Meter, Monitored, OwnedLabel, Run, Space, Stop, Ways};
use crate::state::State;
use crate::successors::{Erased, Label, Model, Successors as _};
use crate::symmetry::permutations::orbits;
use crate::symmetry::{Orbits, Symmetric};
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
    /// A step that fails: an edge that leads nowhere. The number of the state is known only to who wants
    /// states or edges. Where memory runs out and the states are put on a disk it may be told again.
    fn failing(&mut self, _at: u32, _: Label<'_>, _: &Failure) {}
}

/// Builds the state space and gives it to `sink`. Whoever wants states or edges is given the model's own, whatever
/// permutations make of them.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn explore(
    system: &System,
    options: &Options,
    caller: Caller<'_>,
    sink: &mut dyn Sink,
) -> Result<Exploration, CheckError> {
    let packed = Packed::new(system)?;
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
            return Ok(exploring.all(stage, None, &mut meter, sink));
        }
        let mut held = Held::default();
        let mut meter = meter.with(stage.limits(options));
        let turning = permutations.as_ref().filter(|_| stage.turns());
        let found = exploring.all(stage, turning, &mut meter, &mut held);
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
    // A step that fails in a state that stands for others is one of whichever instance it happens to be there, and
    // the instance of which it is in a state that is reached is not known.
    let mut meter = meter.within(caller.budget);
    let plain = exploring.all(Stage::Plain, None, &mut meter, sink);
    // Where that ends before it comes to such a step, that there are some is known all the same.
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

/// What is explored, and how.
struct Exploring<'a> {
    packed: &'a Packed<'a>,
    options: &'a Options,
    resources: Resources<'a>,
}

impl Exploring<'_> {
    fn all(
        &self,
        stage: Stage,
        orbits: Option<&Orbits>,
        meter: &mut Meter<'_>,
        sink: &mut dyn Sink,
    ) -> Exploration {
        let (packed, options) = (self.packed, self.options);
        let wants_numbers = sink.wants_states() || sink.wants_edges();
        let is_theirs = !wants_numbers
            && options.search == Search::Breadth
            && options.unnumbered != Use::Never
            && !options.reduction.is_in_rounds();
        if let Some(several) = self.resources.several.filter(|_| is_theirs) {
            return self.together(several, meter, sink);
        }
        let is_numbered =
            options.search != Search::Breadth || options.unnumbered == Use::Never || wants_numbers;
        let mut explorer = Explorer {
            packed,
            sink,
            terminal: 0,
            failing: 0,
        };
        let how = (is_numbered, options);
        // The first stage leaves it to the next to go there.
        let disk = self.resources.disk.filter(|_| stage != Stage::First);
        let (flow, built) = match options.reduction {
            Reduction::None => match orbits {
                None => build(
                    Model::with_footprints(&Erased(packed)),
                    how,
                    disk,
                    meter,
                    &mut explorer,
                ),
                Some(orbits) => {
                    let symmetric = Symmetric::new(packed, orbits);
                    build(
                        Model::of(&Erased(&symmetric)),
                        how,
                        disk,
                        meter,
                        &mut explorer,
                    )
                }
            },
            // Nobody sees anything of the steps: the first round is the last.
            Reduction::Stubborn | Reduction::Sensitive | Reduction::SensitiveCycles => {
                match Related::new(packed, &[], &mut |bytes| meter.prepare(bytes)) {
                    ControlFlow::Break(stop) => {
                        let initial = [packed.initial().into()];
                        let space = Space::new(packed.words(), &initial);
                        (ControlFlow::Break(stop), Built::of(&space))
                    }
                    ControlFlow::Continue(related) => {
                        let related = match orbits {
                            None => related,
                            Some(_) => related.turned(),
                        };
                        let reduced = Stubborn::new(related).foreseeing(options.foresight);
                        match orbits {
                            None => build(
                                Model::of(&Erased(&reduced)),
                                how,
                                disk,
                                meter,
                                &mut explorer,
                            ),
                            Some(orbits) => {
                                let symmetric = Symmetric::new(&reduced, orbits);
                                build(
                                    Model::of(&Erased(&symmetric)),
                                    how,
                                    disk,
                                    meter,
                                    &mut explorer,
                                )
                            }
                        }
                    }
                }
            }
        };
        let counts = (explorer.terminal, explorer.failing);
        let symmetry = orbits.map(Orbits::permutations);
        Exploration::new(flow, built, counts, symmetry, meter.seconds())
    }
}

/// Builds the state space, with numbers for the states if `is_numbered`.
fn build(
    model: Model<'_>,
    (is_numbered, options): (bool, &Options),
    disk: Option<&dyn Disk>,
    meter: &mut Meter<'_>,
    explorer: &mut Explorer<'_>,
) -> (ControlFlow<Stop>, Built) {
    if !is_numbered {
        let (flow, layers, counters) = layers::search(
            &model,
            explorer.packed.parts(),
            meter,
            Team::of(options),
            Counter::default,
        );
        if let (Some(disk), true) = (disk, is_out_of_memory(&flow)) {
            return build_on_disk(&model, meter, disk, explorer);
        }
        if !layers.given_up {
            explorer.take(counters);
            let built = Built {
                states: layers.states,
                edges: layers.edges,
                full: layers.full,
                bytes: layers.bytes,
            };
            return (flow, built);
        }
        meter.depth = 0;
    }
    let alone = Alone::new(&model);
    let space = Space::new(alone.words(), alone.initials());
    let mut run = Run::new(&alone, options.order, meter, space, &mut *explorer);
    let flow = search(&mut run, options.search);
    let built = Built::of(&run.space);
    drop(run);
    match disk {
        Some(disk) if !is_numbered && is_out_of_memory(&flow) => {
            (explorer.terminal, explorer.failing) = (0, 0);
            build_on_disk(&model, meter, disk, explorer)
        }
        _ => (flow, built),
    }
}

fn is_out_of_memory(flow: &ControlFlow<Stop>) -> bool {
    matches!(flow, ControlFlow::Break(Stop::Limit(Reason::Memory(_))))
}

/// Without numbers, and with the states on the disk.
fn build_on_disk(
    model: &Model<'_>,
    meter: &mut Meter<'_>,
    disk: &dyn Disk,
    explorer: &mut Explorer<'_>,
) -> (ControlFlow<Stop>, Built) {
    let mut search = Spilled::new(model, meter, disk, None, Counter::default());
    let flow = loop {
        match search.layer() {
            ControlFlow::Continue(true) => {}
            ControlFlow::Continue(false) => break ControlFlow::Continue(()),
            ControlFlow::Break(stop) => break ControlFlow::Break(stop),
        }
    };
    let built = Built {
        states: search.states(),
        edges: search.edges(),
        full: flow.is_continue() && search.reduction() == Reduction::None,
        bytes: search.bytes(),
    };
    explorer.take(vec![search.into_look()]);
    (flow, built)
}

struct Explorer<'a> {
    packed: &'a Packed<'a>,
    sink: &'a mut dyn Sink,
    terminal: u64,
    failing: u64,
}

/// What one thread has met, where nobody wants states or edges.
#[derive(Default)]
pub struct Counter {
    terminal: u64,
    failing: u64,
    told: Told,
}

/// Failing steps, one for each way in which the same steps of the same instances fail: the least in the order
/// of what an action's values are. They are in the order of steps, and no more than the first of them, so
/// that they do not depend on the order in which they were met.
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

impl Look for Counter {
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

    fn terminal(&mut self, _: &[u64]) -> ControlFlow<Stop> {
        self.terminal += 1;
        ControlFlow::Continue(())
    }
}

impl Explorer<'_> {
    fn take(&mut self, counters: Vec<Counter>) {
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

    fn terminal(&mut self, _: &dyn Ways, _: u32, _: &[u64]) -> ControlFlow<Stop> {
        self.terminal += 1;
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
