//! The local states of an instance: its location and the values of its own variables, what its
//! steps come to in each, and which local states it can still get to, whatever the others do.
//!
//! "Its own" are also the shared scalars that no other instance writes. If there are too many
//! values, some variables are left out: a local state then stands for all their values.

mod sketch;
mod trees;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use stubborn_explorer::search::Stop;
use stubborn_space::packed::body::{Pattern, Target, first_choices, next_choices};
use stubborn_space::packed::code::Channel;
use stubborn_space::packed::evaluate::Stacks;
use stubborn_space::packed::layout::Slot;
use stubborn_space::packed::local::Message;
use stubborn_space::packed::{Packed, StepRef};
use stubborn_space::successors::Successors as _;
use stubborn_system::system::{InstanceId, Order, Range};

use super::bounds::Bounds;
use super::footprint::Collector;
use super::forest::{Allowed, CellId, DISABLED, FAILS, TreeId};
use super::partial::Partial;
use super::trial::Trial;
use super::vocabulary::{EventId, View, ViewId, Vocabulary};
use super::work::Work;

pub type LocalStateId = u32;

/// A step that is too much to be tried in this many local states is not tried in others.
const FEW: u32 = 4;

/// Number of words and variables for which a trial counts once more.
const SIZE_OF_A_TRIAL: usize = 1024;

/// A step of an instance in a local state, for one value of each of its choices.
#[derive(Clone, Debug)]
pub struct Part {
    pub view: ViewId,
    /// Its outcomes in this local state; means nothing if it is rough.
    pub tree: TreeId,
    pub joint: Option<EventId>,
    /// Targets by the class of the outcome; all possible ones if it is rough.
    pub to: Box<[LocalStateId]>,
}

#[derive(Clone, Debug, Default)]
pub struct LocalState {
    pub parts: Vec<Part>,
    /// The events that it has parts for, ascending, each with the numbers of these parts.
    pub offers: Vec<(EventId, Vec<u32>)>,
    /// Targets of its parts.
    pub successors: Vec<(LocalStateId, Option<EventId>, ViewId)>,
    /// It has an `on` step that was too much to be tried.
    pub is_opaque: bool,
    /// For some of its steps only the state can tell whether they are enabled.
    pub is_uncertain: bool,
}

/// All local states of an instance, the initial one first.
pub struct LocalStates {
    pub states: Vec<LocalState>,
    /// The scalars whose values tell them apart, the location first.
    pub tracked: Vec<Slot>,
    /// Their values in each of the states.
    pub keys: Keys,
}

/// Values of scalars, each of which has a number.
pub type Keys = IndexSet<Box<[u64]>, FxBuildHasher>;

/// Why the local states do not come to an end.
enum Unfinished {
    /// These variables are to be left out.
    TooMany(Vec<CellId>),
    Stopped(Stop),
}

/// Outcomes of a part: its tree, and the targets of its classes.
struct Grown {
    tree: TreeId,
    /// Without what the local state tells.
    inner: TreeId,
    to: Keys,
    joint: Option<EventId>,
    /// The bag from which it takes a message.
    bag: Option<u32>,
}

pub struct Explorer<'a, 'p, 'l> {
    packed: &'a Packed<'p>,
    vocabulary: &'a mut Vocabulary,
    work: &'a mut Work<'l>,
    who: InstanceId,
    tracked: Vec<(Slot, CellId)>,
    /// The scalars among these.
    is_tracked: FxHashSet<CellId>,
    stacks: Stacks,
    next: Partial,
    trials: u32,
    /// In how many local states each step was too much to be tried.
    large: FxHashMap<StepRef, u32>,
    /// A limit was reached in the middle of a trial.
    stopped: Option<Stop>,
}

impl<'a, 'p, 'l> Explorer<'a, 'p, 'l> {
    pub fn new(
        packed: &'a Packed<'p>,
        vocabulary: &'a mut Vocabulary,
        who: InstanceId,
        work: &'a mut Work<'l>,
    ) -> Self {
        let layout = &packed.layout;
        let location = layout.locations[who as usize];
        let cell_of = |slot: Slot| vocabulary.cells.of(slot);
        let mut tracked: Vec<(Slot, CellId)> = Vec::new();
        tracked.extend(cell_of(location).map(|cell| (location, cell)));
        let owned = layout.slots.iter().enumerate().filter(|(cell, slot)| {
            slot.mask != 0 && **slot != location && vocabulary.owners[*cell] == Some(who)
        });
        // The first messages of queues are not variables.
        let owned = owned.filter(|(cell, _)| !vocabulary.of_channels[*cell]);
        tracked.extend(owned.map(|(cell, slot)| (*slot, cell as CellId)));
        let trials = trials_for_each(packed.system().instances.len(), vocabulary.bounds);
        Explorer {
            next: Partial::nothing(layout.words),
            packed,
            vocabulary,
            work,
            who,
            is_tracked: tracked.iter().map(|(_, cell)| *cell).collect(),
            tracked,
            stacks: Stacks::default(),
            trials,
            large: FxHashMap::default(),
            stopped: None,
        }
    }

    /// Breaks off where a limit is reached.
    pub fn explore(mut self) -> ControlFlow<Stop, LocalStates> {
        loop {
            match self.all_states() {
                Ok(states) => return ControlFlow::Continue(states),
                Err(Unfinished::Stopped(stop)) => return ControlFlow::Break(stop),
                Err(Unfinished::TooMany(cells)) => {
                    let before = self.tracked.len();
                    cells.iter().for_each(|cell| {
                        self.is_tracked.remove(cell);
                    });
                    let is_tracked = &self.is_tracked;
                    self.tracked.retain(|(_, cell)| is_tracked.contains(cell));
                    debug_assert!(self.tracked.len() < before, "fewer variables at each turn");
                }
            }
        }
    }

    /// The wider half of the variables that are still told apart.
    fn wider_half(&self) -> Vec<CellId> {
        let location = self.packed.layout.locations[self.who as usize];
        let mut cells: Vec<(u64, CellId)> =
            self.tracked.iter().map(|(s, c)| (s.mask, *c)).collect();
        cells.retain(|(_, cell)| self.packed.layout.slots[*cell as usize] != location);
        cells.sort_unstable();
        let half = cells.len() / 2;
        cells[half..].iter().map(|(_, cell)| *cell).collect()
    }

    fn can_leave_out(&self) -> bool {
        !self.wider_half().is_empty()
    }

    fn all_states(&mut self) -> Result<LocalStates, Unfinished> {
        let initial = self.packed.initial();
        let key: Box<[u64]> = self
            .tracked
            .iter()
            .map(|(slot, _)| slot.raw(initial))
            .collect();
        let mut found = Keys::from_iter([key]);
        let mut states: Vec<LocalState> = Vec::new();
        let bounds = self.vocabulary.bounds;
        while let Some(key) = found.get_index(states.len()) {
            let is_large = found.len() > bounds.local_states
                || found.len() * self.tracked.len() > bounds.scalars;
            if (is_large || self.trials == 0) && self.can_leave_out() {
                self.trials = self.trials.max(bounds.least_trials);
                return Err(Unfinished::TooMany(self.wider_half()));
            }
            let (key, held) = (key.clone(), bytes(&found));
            self.work.holds(held);
            let flow = self.work.scalars(self.packed.layout.words + key.len());
            let state = match flow {
                ControlFlow::Continue(()) => self.local_state(&key, &mut found),
                ControlFlow::Break(stop) => Err(Unfinished::Stopped(stop)),
            };
            self.work.gives_back(held);
            if let Some(stop) = self.stopped.take() {
                return Err(Unfinished::Stopped(stop));
            }
            states.push(state?);
        }
        self.work.holds(bytes(&found));
        Ok(LocalStates {
            states,
            tracked: self.tracked.iter().map(|(slot, _)| *slot).collect(),
            keys: found,
        })
    }

    fn local_state(&mut self, key: &[u64], found: &mut Keys) -> Result<LocalState, Unfinished> {
        let packed = self.packed;
        let mut before = Partial::nothing(packed.layout.words);
        for ((slot, _), raw) in self.tracked.iter().zip(key) {
            before.learn(*slot, *raw);
        }
        let location = packed.layout.locations[self.who as usize];
        let at = before.value(location).unwrap_or(0);
        let mut state = LocalState::default();
        let steps = &packed.system().instances[self.who as usize].locations[at as usize].steps;
        for step in steps {
            let Some(step) = packed.step_ref(self.who, *step) else {
                continue;
            };
            let parts = match step {
                _ if self.large.get(&step).is_some_and(|count| *count >= FEW) => None,
                StepRef::Local(number) => self.local_parts(number, &mut before),
                StepRef::On(number) => self.joint_parts(number, &mut before),
            };
            if parts.is_none() && self.trials > 0 {
                *self.large.entry(step).or_default() += 1;
            }
            match parts {
                Some(parts) => {
                    let parts = parts.into_iter();
                    parts.for_each(|grown| self.add(grown, (step, &before), found, &mut state));
                }
                None => self.rough(step, &before, found, &mut state)?,
            }
        }
        let mut offers: BTreeMap<EventId, Vec<u32>> = BTreeMap::new();
        for (number, part) in (0..).zip(&state.parts) {
            if let Some(event) = part.joint {
                offers.entry(event).or_default().push(number);
            }
        }
        state.offers = offers.into_iter().collect();
        state.successors.sort_unstable();
        state.successors.dedup();
        Ok(state)
    }

    /// The parts of a step that the instance takes alone; `None` if only its footprint is known.
    fn local_parts(&mut self, number: u32, before: &mut Partial) -> Option<Vec<Grown>> {
        let local = &self.packed.local[number as usize];
        let mut variants: Vec<Range> = local.body.choices.to_vec();
        let choices = variants.len();
        let mut bag = None;
        if let Some(Message::Receive {
            channel,
            arguments,
            order: Order::Bag,
            onward,
            ..
        }) = &local.message
        {
            // The message that it takes decides what it sends, and the state may decide the bag.
            let (Channel::One(number), None) = (channel, onward) else {
                return None;
            };
            bag = Some(*number);
            let binds = arguments.iter();
            let binds = binds.filter(|(pattern, _)| matches!(pattern, Pattern::Bind { .. }));
            variants.extend(binds.map(|(_, part)| *part));
        }
        self.variants(&variants, |explorer, values| {
            let (choice, message) = values.split_at(choices);
            let attempt = &mut |trial: Trial<'_>| trial.local(local, choice, message);
            let grown = explorer.grown(before, attempt)?;
            Some(Grown { bag, ..grown })
        })
    }

    /// The same of a step with an action.
    fn joint_parts(&mut self, number: u32, before: &mut Partial) -> Option<Vec<Grown>> {
        let packed = self.packed;
        let on = &packed.on[number as usize];
        let action = on.action;
        let ranges = &packed.participants[action as usize].ranges;
        let mut variants: Vec<Range> = Vec::new();
        for (pattern, range) in on.patterns.iter().zip(ranges) {
            let known = match pattern {
                Pattern::Match(code) => {
                    let value = self.stacks.scalar(&packed.layout, before, code);
                    match (before.take_missing(), value) {
                        (None, Ok(value)) if range.contains(value) => Some(value),
                        _ => None,
                    }
                }
                _ => None,
            };
            variants.push(known.map_or(*range, |value| Range {
                lo: value,
                hi: value,
            }));
        }
        let arguments = variants.len();
        variants.extend_from_slice(&on.body.choices);
        self.variants(&variants, |explorer, values| {
            let (of_action, choices) = values.split_at(arguments);
            let attempt = &mut |trial: Trial<'_>| trial.joint(on, of_action, ranges, choices);
            let grown = explorer.grown(before, attempt)?;
            let joint = Some(explorer.vocabulary.event(packed, action, of_action));
            Some(Grown { joint, ..grown })
        })
    }

    /// Grows a part for each combination of these values; `None` if there are too many, or one
    /// cannot be grown.
    fn variants(
        &mut self,
        ranges: &[Range],
        mut grow: impl FnMut(&mut Self, &[i64]) -> Option<Grown>,
    ) -> Option<Vec<Grown>> {
        let sizes = ranges.iter().map(|range| range.size());
        if sizes.fold(1, u64::saturating_mul) > self.vocabulary.bounds.variants {
            return None;
        }
        let (mut parts, mut values) = (Vec::new(), Vec::new());
        first_choices(ranges.iter(), &mut values);
        loop {
            parts.push(grow(self, &values)?);
            if ranges.is_empty() || !next_choices(ranges.iter(), &mut values) {
                return Some(parts);
            }
        }
    }

    fn add(
        &mut self,
        mut grown: Grown,
        (step, before): (StepRef, &Partial),
        found: &mut Keys,
        state: &mut LocalState,
    ) {
        let Grown {
            tree, joint, bag, ..
        } = grown;
        let sketch = self.sketch_of_large(tree, step, before);
        if let Some(tree) = sketch {
            grown.inner = tree;
            state.is_uncertain = true;
        }
        let exact = View::Exact {
            tree,
            joint: joint.is_some(),
            bag,
        };
        let view = self
            .vocabulary
            .view(sketch.map_or(exact, |tree| View::Sketch { tree }));
        let to = grown.to.into_iter();
        let to: Box<[LocalStateId]> = to.map(|key| number(found, key)).collect();
        let successors = to.iter().map(|to| (*to, joint, view));
        state.successors.extend(successors);
        state.is_uncertain |= bag.is_some();
        if let Some(event) = joint {
            let forest = &self.vocabulary.forest;
            let never = forest.outcomes(tree, &|_| Allowed::Any, &mut |outcome| outcome != FAILS);
            self.vocabulary.events[event as usize].can_fail |= !never;
        }
        state.parts.push(Part {
            view,
            tree: grown.inner,
            joint,
            to,
        });
    }

    /// Adds a step of which only the footprint is known.
    fn rough(
        &mut self,
        step: StepRef,
        before: &Partial,
        found: &mut Keys,
        state: &mut LocalState,
    ) -> Result<(), Unfinished> {
        let packed = self.packed;
        let mut collector = Collector::new(packed, &self.vocabulary.cells, before);
        let (body, action) = match step {
            StepRef::Local(number) => {
                let local = &packed.local[number as usize];
                collector.local(local);
                (&local.body, None)
            }
            StepRef::On(number) => {
                let on = &packed.on[number as usize];
                collector.on(on);
                (&on.body, Some(on.action))
            }
        };
        let footprint = collector.found;
        self.vocabulary.opaque.extend(action);
        state.is_opaque |= action.is_some();
        state.is_uncertain = true;
        let location = self.vocabulary.cells.of(body.location);
        let written = self.tracked.iter().map(|(_, cell)| *cell);
        let written: Vec<CellId> = written
            .filter(|cell| footprint.writes.contains(cell) && Some(*cell) != location)
            .collect();
        if !written.is_empty() {
            return Err(Unfinished::TooMany(written));
        }
        let sorted = |cells: FxHashSet<CellId>| {
            let mut cells: Vec<CellId> = cells.into_iter().collect();
            cells.sort_unstable();
            cells
        };
        let targets = locations(&body.target);
        let sketch = match step {
            StepRef::Local(number) => self.sketch(&packed.local[number as usize], before, &targets),
            StepRef::On(_) => None,
        };
        let mut writes = sorted(footprint.writes);
        // Scalars that no other instance reads do not concern the others.
        writes.retain(|cell| {
            self.vocabulary.owners[*cell as usize] != Some(self.who)
                || self.vocabulary.public.contains(cell)
        });
        let mut uses: Vec<_> = footprint.uses.into_iter().collect();
        uses.sort_unstable_by_key(|(channel, how)| (*channel, *how as u8));
        let view = self.vocabulary.view(match sketch {
            Some(tree) => View::Sketch { tree },
            None => View::Rough {
                reads: sorted(footprint.reads).into(),
                writes: writes.into(),
                uses: uses.into(),
            },
        });
        let mut to = Vec::with_capacity(targets.len());
        for target in targets {
            let key = self.tracked.iter().map(|(slot, _)| {
                if *slot == body.location {
                    target
                } else {
                    before.value(*slot).unwrap_or(0)
                }
            });
            // The event is unknown, and so are its participants.
            let number = number(found, key.collect());
            to.push(number);
            state.successors.push((number, None, view));
        }
        state.parts.push(Part {
            view,
            tree: sketch.unwrap_or_else(|| self.vocabulary.forest.leaf(DISABLED)),
            joint: None,
            to: to.into(),
        });
        Ok(())
    }
}

fn locations(target: &Target) -> Vec<u64> {
    match target {
        Target::To(to) => vec![*to],
        Target::Test(_, then, otherwise) => vec![*then, *otherwise],
    }
}

/// Memory that keys take, in bytes.
fn bytes(keys: &Keys) -> usize {
    keys.first().map_or(0, |key| 2 * size_of_val(&**key) + 128) * keys.len()
}

/// The number of a key.
fn number(keys: &mut Keys, key: Box<[u64]>) -> u32 {
    keys.insert_full(key).0 as u32
}

fn trials_for_each(instances: usize, bounds: Bounds) -> u32 {
    let share = bounds.trials_in_all as usize / instances.max(1);
    (share as u32).clamp(bounds.least_trials, bounds.trials)
}
