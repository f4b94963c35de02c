//! The local states of an instance: its location and the values of its own variables, what its
//! steps come to in each, and which local states it can still get to, whatever the others do.
//!
//! "Its own" are also the shared scalars that nobody else writes. Where there are too many values,
//! some variables are left out: a local state then stands for all their values.

mod trees;

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_explorer::search::Stop;
use stubborn_space::packed::body::{Body, Pattern, Target, first_choices, next_choices};
use stubborn_space::packed::evaluate::Stacks;
use stubborn_space::packed::layout::Slot;
use stubborn_space::packed::local::Message;
use stubborn_space::packed::walk::Walk as _;
use stubborn_space::packed::{Packed, StepRef};
use stubborn_system::system::{InstanceId, Range};

use super::bounds::Bounds;
use super::footprint::Collector;
use super::forest::{Allowed, CellId, DISABLED, FAILS, TreeId};
use super::partial::Partial;
use super::vocabulary::{EventId, View, ViewId, Vocabulary};
use super::work::Work;

pub type LocalStateId = u32;

/// A trial counts for one more for each so many words and variables that go into it.
const SIZE_OF_A_TRIAL: usize = 1024;

/// A step of an instance in a local state, for one value of each of its choices.
#[derive(Clone, Debug)]
pub struct Part {
    pub view: ViewId,
    /// What it comes to in this local state; of a rough one nothing is told.
    pub tree: TreeId,
    pub joint: Option<EventId>,
    /// Where it leads, by the class of what it comes to; of a rough one all that it may lead to.
    pub to: Box<[LocalStateId]>,
}

#[derive(Clone, Debug, Default)]
pub struct LocalState {
    pub parts: Vec<Part>,
    /// The events that it has parts for, ascending, each with the numbers of these parts.
    pub offers: Vec<(EventId, Vec<u32>)>,
    /// Where its parts lead.
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
    pub numbers: FxHashMap<Box<[u64]>, LocalStateId>,
}

/// Why the local states do not come to an end.
enum Unfinished {
    /// These variables are to be left out.
    TooMany(Vec<CellId>),
    Stopped(Stop),
}

/// What a part comes to: its tree, and where its classes lead.
struct Grown {
    tree: TreeId,
    /// Without what the local state tells.
    inner: TreeId,
    to: Vec<Box<[u64]>>,
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
        let initial = self.packed.initial_words();
        let key: Box<[u64]> = self
            .tracked
            .iter()
            .map(|(slot, _)| slot.raw(initial))
            .collect();
        let mut found = Found {
            numbers: FxHashMap::default(),
            keys: Vec::new(),
        };
        found.number(key);
        let mut states: Vec<LocalState> = Vec::new();
        let bounds = self.vocabulary.bounds;
        while states.len() < found.keys.len() {
            let is_large = found.keys.len() > bounds.local_states
                || found.keys.len() * self.tracked.len() > bounds.scalars;
            if (is_large || self.trials == 0) && self.can_leave_out() {
                self.trials = self.trials.max(bounds.least_trials);
                return Err(Unfinished::TooMany(self.wider_half()));
            }
            let key = found.keys[states.len()].clone();
            let held = found.bytes();
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
        self.work.holds(found.bytes());
        Ok(LocalStates {
            states,
            tracked: self.tracked.iter().map(|(slot, _)| *slot).collect(),
            numbers: found.numbers,
        })
    }

    fn local_state(&mut self, key: &[u64], found: &mut Found) -> Result<LocalState, Unfinished> {
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
            match packed.step_ref(self.who, *step) {
                None => {}
                Some(StepRef::Local(number)) => {
                    self.local_step(number, &mut before, found, &mut state)?;
                }
                Some(StepRef::On(number)) => {
                    self.on_step(number, &mut before, found, &mut state)?;
                }
            }
        }
        let mut offers: Vec<(EventId, Vec<u32>)> = Vec::new();
        for (number, part) in state.parts.iter().enumerate() {
            if let Some(event) = part.joint {
                match offers.iter_mut().find(|(e, _)| *e == event) {
                    Some((_, parts)) => parts.push(number as u32),
                    None => offers.push((event, vec![number as u32])),
                }
            }
        }
        offers.sort();
        state.offers = offers;
        state.successors.sort_unstable();
        state.successors.dedup();
        Ok(state)
    }

    fn local_step(
        &mut self,
        number: u32,
        before: &mut Partial,
        found: &mut Found,
        state: &mut LocalState,
    ) -> Result<(), Unfinished> {
        let packed = self.packed;
        let local = &packed.local[number as usize];
        let bag = match &local.message {
            Some(Message::Receive {
                channel,
                order,
                onward,
                ..
            }) if *order == stubborn_system::system::Order::Bag => {
                // Which message it takes decides what it sends: all that is known is what it may touch.
                if onward.is_some() {
                    return self.rough(number, before, found, state);
                }
                Some(channel)
            }
            _ => None,
        };
        let mut variants: Vec<Range> = local.body.choices.to_vec();
        let choices = variants.len();
        if bag.is_some() {
            if let Some(Message::Receive { arguments, .. }) = &local.message {
                let binds = arguments.iter();
                variants.extend(binds.filter_map(|(pattern, part)| match pattern {
                    Pattern::Bind { .. } => Some(*part),
                    _ => None,
                }));
            }
            state.is_uncertain = true;
        }
        let bag = match bag {
            Some(stubborn_space::packed::code::Channel::One(channel)) => Some(Some(*channel)),
            // Which bag it is depends on the state: all that is known is what it may touch.
            Some(_) => None,
            None => Some(None),
        };
        let bounds = self.vocabulary.bounds;
        let Some(bag) = bag.filter(|_| is_few(&variants, bounds)) else {
            return self.rough(number, before, found, state);
        };
        let mut parts = Vec::new();
        let mut values = Vec::new();
        first_choices(variants.iter(), &mut values);
        loop {
            let (choice, message) = values.split_at(choices);
            let grown = self.grown(before, &mut |trial| trial.local(local, choice, message));
            match grown {
                Some(grown) => parts.push(grown),
                None => return self.rough(number, before, found, state),
            }
            if variants.is_empty() || !next_choices(variants.iter(), &mut values) {
                break;
            }
        }
        for grown in parts {
            self.add(grown, None, bag, found, state);
        }
        Ok(())
    }

    fn on_step(
        &mut self,
        number: u32,
        before: &mut Partial,
        found: &mut Found,
        state: &mut LocalState,
    ) -> Result<(), Unfinished> {
        let packed = self.packed;
        let on = &packed.on[number as usize];
        let action = on.action();
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
        if !is_few(&variants, self.vocabulary.bounds) {
            return self.rough_on(number, before, found, state);
        }
        let mut parts = Vec::new();
        let mut values = Vec::new();
        first_choices(variants.iter(), &mut values);
        loop {
            let (of_action, choices) = values.split_at(arguments);
            let grown = self.grown(before, &mut |trial| {
                trial.joint(on, of_action, ranges, choices)
            });
            let Some(grown) = grown else {
                return self.rough_on(number, before, found, state);
            };
            let event = self.vocabulary.event(packed, action, of_action);
            parts.push((grown, event));
            if variants.is_empty() || !next_choices(variants.iter(), &mut values) {
                break;
            }
        }
        for (grown, event) in parts {
            self.add(grown, Some(event), None, found, state);
        }
        Ok(())
    }

    fn add(
        &mut self,
        grown: Grown,
        joint: Option<EventId>,
        bag: Option<u32>,
        found: &mut Found,
        state: &mut LocalState,
    ) {
        let view = self.vocabulary.view(View::Exact {
            tree: grown.tree,
            joint: joint.is_some(),
            bag,
        });
        let to = grown.to.iter().cloned().map(|key| found.number(key));
        let to: Box<[LocalStateId]> = to.collect();
        let successors = to.iter().map(|to| (*to, joint, view));
        state.successors.extend(successors);
        if let Some(event) = joint {
            let forest = &self.vocabulary.forest;
            let mut fails = false;
            forest.outcomes(grown.tree, &|_| Allowed::Any, &mut |outcome| {
                fails |= outcome == FAILS;
                !fails
            });
            self.vocabulary.events[event as usize].can_fail |= fails;
        }
        state.parts.push(Part {
            view,
            tree: grown.inner,
            joint,
            to,
        });
    }

    /// A step of which only what it may touch is known.
    fn rough(
        &mut self,
        number: u32,
        before: &Partial,
        found: &mut Found,
        state: &mut LocalState,
    ) -> Result<(), Unfinished> {
        let packed = self.packed;
        let local = &packed.local[number as usize];
        let cells = &self.vocabulary.cells;
        let mut collector = Collector::new(packed, cells, before);
        collector.local(local);
        let footprint = collector.found;
        state.is_uncertain = true;
        self.rough_view(footprint, &local.body, before, found, state)
    }

    fn rough_on(
        &mut self,
        number: u32,
        before: &Partial,
        found: &mut Found,
        state: &mut LocalState,
    ) -> Result<(), Unfinished> {
        let packed = self.packed;
        let on = &packed.on[number as usize];
        let mut collector = Collector::new(packed, &self.vocabulary.cells, before);
        on.patterns.iter().for_each(|p| collector.pattern(p));
        collector.body(&on.body);
        let footprint = collector.found;
        self.vocabulary.opaque.insert(on.action());
        state.is_opaque = true;
        state.is_uncertain = true;
        self.rough_view(footprint, &on.body, before, found, state)
    }

    fn rough_view(
        &mut self,
        footprint: super::footprint::Footprint,
        body: &Body,
        before: &Partial,
        found: &mut Found,
        state: &mut LocalState,
    ) -> Result<(), Unfinished> {
        let location = self.vocabulary.cells.of(body.location);
        let written = self.tracked.iter().map(|(_, cell)| *cell);
        let written: Vec<CellId> = written
            .filter(|cell| footprint.writes.contains(cell) && Some(*cell) != location)
            .collect();
        if !written.is_empty() {
            return Err(Unfinished::TooMany(written));
        }
        let sorted = |cells: rustc_hash::FxHashSet<CellId>| {
            let mut cells: Vec<CellId> = cells.into_iter().collect();
            cells.sort_unstable();
            cells
        };
        let mut writes = sorted(footprint.writes);
        // What nobody else reads is no concern of theirs.
        writes.retain(|cell| {
            self.vocabulary.owners[*cell as usize] != Some(self.who)
                || self.vocabulary.public.contains(cell)
        });
        let mut uses: Vec<_> = footprint.uses.into_iter().collect();
        uses.sort_unstable_by_key(|(channel, how)| (*channel, *how as u8));
        let view = self.vocabulary.view(View::Rough {
            reads: sorted(footprint.reads).into(),
            writes: writes.into(),
            uses: uses.into(),
        });
        let targets = match &body.target {
            Target::To(to) => vec![*to],
            Target::Test(_, then, otherwise) => vec![*then, *otherwise],
        };
        let mut to = Vec::with_capacity(targets.len());
        for target in targets {
            let key = self.tracked.iter().map(|(slot, _)| {
                if *slot == body.location {
                    target
                } else {
                    before.value(*slot).unwrap_or(0)
                }
            });
            // With the event unknown, nobody is known to be needed for it.
            let number = found.number(key.collect());
            to.push(number);
            state.successors.push((number, None, view));
        }
        state.parts.push(Part {
            view,
            tree: self.vocabulary.forest.leaf(DISABLED),
            joint: None,
            to: to.into(),
        });
        Ok(())
    }
}

struct Found {
    numbers: FxHashMap<Box<[u64]>, LocalStateId>,
    keys: Vec<Box<[u64]>>,
}

impl Found {
    fn bytes(&self) -> usize {
        self.keys
            .first()
            .map_or(0, |key| self.keys.len() * (2 * size_of_val(&**key) + 128))
    }

    fn number(&mut self, key: Box<[u64]>) -> LocalStateId {
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.keys.len() as LocalStateId;
        self.keys.push(key.clone());
        self.numbers.insert(key, number);
        number
    }
}

fn trials_for_each(instances: usize, bounds: Bounds) -> u32 {
    let share = bounds.trials_in_all as usize / instances.max(1);
    (share as u32).clamp(bounds.least_trials, bounds.trials)
}

fn size(range: Range) -> u64 {
    range.size()
}

fn is_few(variants: &[Range], bounds: Bounds) -> bool {
    let sizes = variants.iter().map(|range| range.size());
    sizes.fold(1, u64::saturating_mul) <= bounds.variants
}
