//! What the others can still do from the present state, while some instances stand still.
//!
//! [`futures`](super::futures) knows what an instance may still do from its local state, whatever the values of the
//! scalars are that it does not track. Here it is asked with the values that these have now. All instances but those
//! that stand still take part in an *abstract run*: of each instance it holds the local states in which it may be, of
//! each scalar that is followed the values that it may have. It begins with the present ones, and grows as long as a
//! step of one of these local states, with some of these values, leads to another one or writes another one.
//!
//! What is relied on: take any run of the system from the present state in which those that stand still take no
//! step, neither alone nor with others. In each of its states each other instance is in one of its local states of
//! the abstract run, and each scalar that is followed has one of its values. By induction over the run: the step that
//! comes next is one of a local state of the abstract run; what it reads has values of the abstract run, so that its
//! outcome is among those that its tree comes to with these; and so what it leads to and writes is in the abstract run.
//! The steps that are foreseen are therefore all that may be taken, which is what D1 and D2 ask for when none of a
//! set's members moves (Valmari 2015, section IV: they speak of sequences of steps outside the set), and a scalar that
//! never has a value of a literal never makes it true.
//!
//! The other parts of a joint step may write what one part reads before it is its turn: in a joint step, a scalar that
//! some joint step writes may have any value. Whether its other participants are ready is not asked for. Scalars of
//! channels, those with many values, and those of an instance that nobody else reads are not followed.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::Facts;
use super::forest::{CellId, Forest, Outcome, OutcomeId, Tree, TreeId, Write};
use super::futures::FutureId;
use super::interference::{Effort, Profile, is_enabled};
use super::local_states::{LocalState, LocalStateId, LocalStates};
use super::vocabulary::{View, Vocabulary};
use crate::members::Members;
use crate::packed::layout::{Layout, Slot};
use crate::reduction::mutation::{Mutation, is_left_out};

/// A scalar with more values is not followed: its set of values is in one word.
const MOST_VALUES: u64 = 64;

/// Where the set of values of a scalar is, a bit for each.
#[derive(Clone, Copy)]
struct Place {
    /// Its number among those that are followed.
    number: u32,
    word: usize,
    shift: u32,
    /// As many ones as there are values.
    all: u64,
    /// Joint steps write it.
    in_joint: bool,
}

impl Place {
    #[inline]
    fn values(self, of: &[u64]) -> u64 {
        of[self.word] >> self.shift & self.all
    }

    #[inline]
    fn add(self, to: &mut [u64], values: u64) {
        to[self.word] |= (values & self.all) << self.shift;
    }
}

/// The scalars of which it is followed which values they may have, and who asks for these.
pub struct Followed {
    /// By scalar.
    places: Vec<Option<Place>>,
    slots: Vec<(Slot, Place)>,
    /// How many words all sets of values take.
    words: usize,
    instances: Vec<Instance>,
}

struct Instance {
    /// By local state: the values that it tells of scalars that are followed.
    told: Vec<u64>,
    /// The scalars of which it tells them.
    own: FxHashSet<CellId>,
    /// With whom it has joint steps.
    partners: Members,
    /// By scalar that is followed: of each value, those that are the same to its steps.
    alike: Vec<Box<[u64]>>,
    /// The bits of a state that decide what it may still do while all others stand still.
    bits: Vec<(usize, u64)>,
}

impl Instance {
    /// These values, with all that are the same to its steps as one of them.
    #[inline]
    fn widened(&self, place: Place, values: u64) -> u64 {
        let (alike, mut left, mut wide) = (&self.alike[place.number as usize], values, 0);
        while left != 0 {
            wide |= alike.get(left.trailing_zeros() as usize).copied().unwrap_or(0);
            left &= !wide;
        }
        wide
    }
}

impl Followed {
    /// `asked` are the scalars that properties read.
    pub fn of(
        layout: &Layout,
        vocabulary: &Vocabulary,
        profiles: &[Profile],
        locals: &[LocalStates],
        asked: impl Iterator<Item = CellId>,
    ) -> Followed {
        let read = profiles.iter().flat_map(|profile| profile.reads.iter());
        let mut cells: Vec<CellId> = read.copied().chain(asked).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|cell| {
            let at = *cell as usize;
            // What an instance writes to its own scalars is not told where nobody else reads them.
            let is_told = vocabulary.owners[at].is_none() || vocabulary.public.contains(cell);
            is_told && !vocabulary.of_channels[at] && layout.ranges[at].size() <= MOST_VALUES
        });
        let mut followed = Followed {
            places: vec![None; layout.slots.len()],
            slots: Vec::with_capacity(cells.len()),
            words: 0,
            instances: Vec::with_capacity(locals.len()),
        };
        let in_joint = written_in_joint_steps(vocabulary, profiles);
        let mut used = u64::BITS;
        for cell in cells {
            let size = layout.ranges[cell as usize].size() as u32;
            if used + size > u64::BITS {
                followed.words += 1;
                used = 0;
            }
            let place = Place {
                number: followed.slots.len() as u32,
                word: followed.words - 1,
                shift: used,
                all: u64::MAX >> (u64::BITS - size),
                in_joint: in_joint.contains(&cell),
            };
            used += size;
            followed.places[cell as usize] = Some(place);
            followed.slots.push((layout.slots[cell as usize], place));
        }
        for locals in locals {
            let instance = followed.instance(locals, vocabulary);
            followed.instances.push(instance);
        }
        followed
    }

    fn instance(&self, locals: &LocalStates, vocabulary: &Vocabulary) -> Instance {
        let mut own: Vec<(CellId, Place, usize)> = Vec::new();
        for (at, slot) in locals.tracked.iter().enumerate() {
            let cell = vocabulary.cells.of(*slot);
            let place = cell.and_then(|cell| self.places[cell as usize]);
            own.extend(cell.zip(place).map(|(cell, place)| (cell, place, at)));
        }
        let mut told = vec![0; locals.states.len() * self.words];
        for (key, state) in &locals.numbers {
            let told = &mut told[*state as usize * self.words..][..self.words];
            own.iter().for_each(|(_, place, at)| place.add(told, 1 << key[*at]));
        }
        let own = own.iter().map(|(cell, ..)| *cell).collect();
        let mut partners = Members::default();
        for (event, _) in locals.states.iter().flat_map(|state| &state.offers) {
            let participants = &vocabulary.events[*event as usize].participants;
            participants.iter().for_each(|who| partners.insert(*who as usize));
        }
        let alike = self.alike(locals, vocabulary);
        let asked = self.slots.iter().filter(|(_, place)| {
            let alike = &alike[place.number as usize];
            alike.iter().any(|same| *same != place.all)
        });
        let mut bits: Vec<(usize, u64)> = Vec::new();
        for slot in locals.tracked.iter().chain(asked.map(|(slot, _)| slot)) {
            let word = slot.word as usize;
            match bits.iter_mut().find(|(other, _)| *other == word) {
                Some((_, bits)) => *bits |= slot.mask << slot.shift,
                None => bits.push((word, slot.mask << slot.shift)),
            }
        }
        Instance {
            told,
            own,
            partners,
            alike,
            bits,
        }
    }

    /// Two values are the same to an instance if all its trees go on in the same way with both.
    fn alike(&self, locals: &LocalStates, vocabulary: &Vocabulary) -> Vec<Box<[u64]>> {
        let apart = |(_, place): &(Slot, Place)| {
            let count = place.all.count_ones() as usize;
            vec![place.all; count].into_boxed_slice()
        };
        let mut alike: Vec<Box<[u64]>> = self.slots.iter().map(apart).collect();
        let parts = locals.states.iter().flat_map(|state| &state.parts);
        let mut trees: Vec<TreeId> = parts.map(|part| part.tree).collect();
        let mut seen: FxHashSet<TreeId> = FxHashSet::default();
        while let Some(tree) = trees.pop() {
            if !seen.insert(tree) {
                continue;
            }
            match vocabulary.forest.get(tree) {
                Tree::Branch(cell, children) => {
                    trees.extend(children);
                    let Some(place) = self.place(*cell) else {
                        continue;
                    };
                    for (value, alike) in alike[place.number as usize].iter_mut().enumerate() {
                        let child = |value: usize| children.get(value);
                        let same = (0..64).filter(|other| child(*other) == child(value));
                        *alike &= same.fold(0, |same, other| same | 1 << other);
                    }
                }
                Tree::Leaf(outcome) => {
                    // What is added to depends on the very value.
                    if let Outcome::Takes(takes) = vocabulary.forest.of_outcome(*outcome) {
                        for (cell, write) in &takes.writes {
                            if let (Write::Add(_), Some(place)) = (write, self.place(*cell)) {
                                let alike = &mut alike[place.number as usize];
                                (0..).zip(alike).for_each(|(value, alike)| *alike &= 1 << value);
                            }
                        }
                    }
                }
            }
        }
        alike
    }

    fn place(&self, cell: CellId) -> Option<Place> {
        self.places[cell as usize]
    }
}

fn written_in_joint_steps(vocabulary: &Vocabulary, profiles: &[Profile]) -> FxHashSet<CellId> {
    let views = vocabulary.views().iter().zip(profiles);
    // Of a rough view it is not known whether it is a part of a joint step.
    let joint = views.filter(|(view, _)| match view {
        View::Exact { joint, .. } => *joint,
        View::Rough { .. } => true,
    });
    joint.flat_map(|(_, profile)| profile.writes.iter().copied()).collect()
}

/// An abstract run to its end.
#[derive(Default)]
pub struct Run {
    /// Of which state it is, and who stands still.
    pub stamp: u32,
    pub still: Members,
    /// By instance, what it may still do.
    pub futures: Vec<FutureId>,
    values: Vec<u64>,
    reaches: Vec<ReachId>,
}

impl Run {
    /// Whether the scalar may ever have one of these values.
    pub fn may_have(&self, followed: &Followed, cell: CellId, values: &[u64]) -> bool {
        followed.place(cell).is_none_or(|place| {
            let there = place.values(&self.values);
            values.iter().any(|value| there >> value & 1 != 0)
        })
    }
}

/// What instances may still do from a local state with some values, as far as that was found out for the states
/// before: by what was asked for to find it out, in the order in which it was, which is the same each time as long as the
/// answers are the same.
pub struct Reaches {
    /// By instance, by local state; and by who stands still of those with whom it has joint steps.
    roots: Vec<Vec<NodeId>>,
    joint_roots: Vec<FxHashMap<(LocalStateId, Members), NodeId>>,
    nodes: Vec<Node>,
    all: Vec<FutureId>,
    /// Of each: the values that scalars may have because of it, then the bits of the scalars that were asked for.
    words: Vec<u64>,
    values: Vec<u64>,
    /// By instance, what it may still do alone, by the bits that decide it: a later answer takes an earlier one's place.
    alone: Vec<Vec<([u64; MOST_WORDS], FutureId)>>,
    going: Going,
}

/// What is known of states whose bits are in more words is not remembered by these.
const MOST_WORDS: usize = 2;
/// So many answers are remembered of each instance; a power of two.
const REMEMBERED: usize = 1 << 12;

type NodeId = u32;
type ReachId = u32;

enum Node {
    /// It is not known yet what comes now.
    Unknown,
    Found(ReachId),
    /// The values of this scalar are asked for. Ascending.
    Asks(Place, Vec<(u64, NodeId)>),
}

/// Working memory for finding out one of them.
#[derive(Default)]
struct Going {
    seen: Vec<bool>,
    open: Vec<LocalStateId>,
    views: Vec<u64>,
    gains: Vec<u64>,
    asked: RefCell<Asked>,
    work: u64,
}

/// The scalars that were asked for, each once, and their bits.
#[derive(Default)]
struct Asked {
    places: Vec<Place>,
    bits: Vec<u64>,
}

/// What does not depend on the state.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    followed: &'a Followed,
    vocabulary: &'a Vocabulary,
    profiles: &'a [Profile],
    locals: &'a [LocalStates],
}

impl<'a> Ground<'a> {
    pub fn of(facts: &'a Facts) -> Ground<'a> {
        Ground {
            followed: &facts.followed,
            vocabulary: &facts.vocabulary,
            profiles: &facts.profiles,
            locals: &facts.locals,
        }
    }
}

impl Reaches {
    pub fn new(locals: &[LocalStates]) -> Reaches {
        let roots = locals.iter().map(|locals| vec![NodeId::MAX; locals.states.len()]);
        Reaches {
            roots: roots.collect(),
            joint_roots: vec![FxHashMap::default(); locals.len()],
            nodes: Vec::new(),
            all: Vec::new(),
            words: Vec::new(),
            values: Vec::new(),
            alone: vec![Vec::new(); locals.len()],
            going: Going::default(),
        }
    }

    /// How much is remembered.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    fn gains(&self, reach: ReachId, words: usize) -> &[u64] {
        &self.words[reach as usize * 2 * words..][..words]
    }

    fn asked(&self, reach: ReachId, words: usize) -> &[u64] {
        &self.words[(reach as usize * 2 + 1) * words..][..words]
    }

    /// Goes through the abstract run from a state to its end, or until the effort is stopped. `at` tells the local
    /// states, `number` gives a set of views its number. Gives how many look-ups it took.
    pub fn run(
        &mut self,
        ground: Ground<'_>,
        state: &[u64],
        at: &dyn Fn(usize) -> LocalStateId,
        number: &mut dyn FnMut(&[u64]) -> FutureId,
        effort: &mut Effort<'_>,
        run: &mut Run,
    ) -> u64 {
        let (followed, words) = (ground.followed, ground.followed.words);
        let count = ground.locals.len();
        begin(followed, state, &mut run.values);
        run.reaches.clear();
        run.reaches.resize(count, ReachId::MAX);
        let mut open = Members::below(count);
        open.subtract(&run.still);
        let mut work = 0;
        while let Some(who) = open.first() {
            open.remove(who);
            let still = &run.still;
            let (reach, cost) = self.reach(ground, who, still, at(who), &run.values, number);
            work += cost;
            if effort.spend(cost as usize) {
                break;
            }
            run.reaches[who] = reach;
            let gains = self.gains(reach, words);
            let is_news = |(values, gain): (&u64, &u64)| gain & !values != 0;
            if !run.values.iter().zip(gains).any(is_news) || is_left_out(Mutation::Widening) {
                continue;
            }
            for (other, reach) in run.reaches.iter().enumerate() {
                if *reach == ReachId::MAX {
                    continue;
                }
                let asked = self.asked(*reach, words).iter();
                let mut news = run.values.iter().zip(gains).zip(asked);
                if news.any(|((values, gain), asked)| gain & !values & asked != 0) {
                    open.insert(other);
                }
            }
            let values = run.values.iter_mut().zip(gains);
            values.for_each(|(values, gain)| *values |= gain);
        }
        let futures = run.reaches.iter().map(|reach| self.all.get(*reach as usize));
        run.futures.clear();
        run.futures.extend(futures.map(|future| future.copied().unwrap_or(0)));
        work
    }

    /// What an instance may still do if all others stand still, and how many look-ups that took.
    pub fn alone(
        &mut self,
        ground: Ground<'_>,
        state: &[u64],
        who: usize,
        at: LocalStateId,
        number: &mut dyn FnMut(&[u64]) -> FutureId,
        effort: &mut Effort<'_>,
    ) -> (FutureId, u64) {
        let bits = &ground.followed.instances[who].bits;
        let mut key = [0; MOST_WORDS];
        let is_short = bits.len() <= MOST_WORDS;
        for (key, (word, bits)) in key.iter_mut().zip(bits) {
            *key = state[*word] & bits;
        }
        let mixed = key.iter().fold(0_u64, |mixed, word| {
            (mixed.rotate_left(32) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let place = (mixed >> 32) as usize % REMEMBERED;
        if let Some((known, future)) = self.alone[who].get(place)
            && is_short
            && *known == key
            && *future != FutureId::MAX
        {
            return (*future, 1);
        }
        let (future, work) = self.found_alone(ground, state, who, at, number, effort);
        if is_short {
            self.alone[who].resize(REMEMBERED, ([0; MOST_WORDS], FutureId::MAX));
            self.alone[who][place] = (key, future);
        }
        (future, work)
    }

    fn found_alone(
        &mut self,
        ground: Ground<'_>,
        state: &[u64],
        who: usize,
        at: LocalStateId,
        number: &mut dyn FnMut(&[u64]) -> FutureId,
        effort: &mut Effort<'_>,
    ) -> (FutureId, u64) {
        let words = ground.followed.words;
        let mut still = Members::below(ground.locals.len());
        still.remove(who);
        let mut values = std::mem::take(&mut self.values);
        begin(ground.followed, state, &mut values);
        let mut work = 0;
        let future = loop {
            let (reach, cost) = self.reach(ground, who, &still, at, &values, number);
            work += cost;
            let news = self.gains(reach, words).iter().zip(self.asked(reach, words));
            let mut is_news = false;
            for (values, (gain, asked)) in values.iter_mut().zip(news) {
                is_news |= gain & !*values & asked != 0;
                *values |= gain;
            }
            if effort.spend(cost as usize) || !is_news {
                break self.all[reach as usize];
            }
        };
        self.values = values;
        (future, work)
    }

    /// Finds what an instance may still do, or finds it out, and how many look-ups that took.
    fn reach(
        &mut self,
        ground: Ground<'_>,
        who: usize,
        still: &Members,
        at: LocalStateId,
        values: &[u64],
        number: &mut dyn FnMut(&[u64]) -> FutureId,
    ) -> (ReachId, u64) {
        let instance = &ground.followed.instances[who];
        let partners = &instance.partners;
        let root = match partners.is_empty() {
            true => &mut self.roots[who][at as usize],
            false => {
                let key = (at, partners.and(still));
                self.joint_roots[who].entry(key).or_insert(NodeId::MAX)
            }
        };
        if *root == NodeId::MAX {
            *root = self.nodes.len() as NodeId;
            self.nodes.push(Node::Unknown);
        }
        let root = *root;
        let (mut node, mut depth) = (root, 0);
        loop {
            match &self.nodes[node as usize] {
                Node::Found(reach) => return (*reach, 1 + depth / 8),
                Node::Unknown => break,
                Node::Asks(place, children) => {
                    depth += 1;
                    let there = instance.widened(*place, place.values(values));
                    match children.binary_search_by_key(&there, |(values, _)| *values) {
                        Ok(child) => node = children[child].1,
                        Err(_) => break,
                    }
                }
            }
        }
        self.going.begin(ground, who, at);
        while let Some(at) = self.going.open.pop() {
            self.going.through(ground, who, still, at, values);
        }
        let reach = self.all.len() as ReachId;
        self.all.push(number(&self.going.views));
        self.words.extend_from_slice(&self.going.gains);
        let asked = self.going.asked.get_mut();
        self.words.extend_from_slice(&asked.bits);
        let mut node = root;
        for place in &asked.places {
            let next = self.nodes.len() as NodeId;
            let known = &mut self.nodes[node as usize];
            if matches!(known, Node::Unknown) {
                *known = Node::Asks(*place, Vec::new());
            }
            let Node::Asks(asks, children) = known else {
                debug_assert!(false, "what is asked for depends on the answers before alone");
                return (reach, 1 + self.going.work);
            };
            debug_assert_eq!((asks.word, asks.shift), (place.word, place.shift), "the same is asked for next");
            let there = instance.widened(*place, place.values(values));
            node = match children.binary_search_by_key(&there, |(values, _)| *values) {
                Ok(child) => children[child].1,
                Err(child) => {
                    children.insert(child, (there, next));
                    self.nodes.push(Node::Unknown);
                    next
                }
            };
        }
        self.nodes[node as usize] = Node::Found(reach);
        (reach, 1 + self.going.work)
    }
}

/// The sets of values of one state.
fn begin(followed: &Followed, state: &[u64], values: &mut Vec<u64>) {
    values.clear();
    values.resize(followed.words, 0);
    for (slot, place) in &followed.slots {
        place.add(values, 1 << slot.raw(state));
    }
}

impl Going {
    fn begin(&mut self, ground: Ground<'_>, who: usize, at: LocalStateId) {
        self.seen.clear();
        self.seen.resize(ground.locals[who].states.len(), false);
        self.seen[at as usize] = true;
        self.open.clear();
        self.open.push(at);
        self.views.clear();
        self.views.resize(ground.profiles.len().div_ceil(64).max(1), 0);
        self.gains.clear();
        self.gains.resize(ground.followed.words, 0);
        let asked = self.asked.get_mut();
        asked.places.clear();
        asked.bits.clear();
        asked.bits.resize(ground.followed.words, 0);
        self.work = 0;
    }

    /// The steps of one local state.
    fn through(
        &mut self,
        ground: Ground<'_>,
        who: usize,
        still: &Members,
        at: LocalStateId,
        values: &[u64],
    ) {
        let followed = ground.followed;
        let instance = &followed.instances[who];
        let told = &instance.told[at as usize * followed.words..][..followed.words];
        self.gains.iter_mut().zip(told).for_each(|(gains, told)| *gains |= told);
        let local: &LocalState = &ground.locals[who].states[at as usize];
        for part in &local.parts {
            let needs_others = part.joint.is_some_and(|event| {
                let participants = &ground.vocabulary.events[event as usize].participants;
                participants.iter().any(|who| still.contains(*who as usize))
            });
            if needs_others {
                continue;
            }
            self.work += 1;
            let profile = &ground.profiles[part.view as usize];
            let (seen, open, gains) = (&mut self.seen, &mut self.open, &mut self.gains);
            let mut leads = |to: LocalStateId| {
                let is_new = !std::mem::replace(&mut seen[to as usize], true);
                if is_new && !is_left_out(Mutation::Futures) {
                    open.push(to);
                }
            };
            if profile.cubes.is_none() {
                part.to.iter().for_each(|to| leads(*to));
                let written = profile.writes.iter().filter_map(|cell| followed.place(*cell));
                written.for_each(|place| place.add(gains, u64::MAX));
                self.views[part.view as usize / 64] |= 1 << (part.view % 64);
                continue;
            }
            let asked = &self.asked;
            let allowed = |cell: CellId| {
                let place = followed.place(cell)?;
                if part.joint.is_some() && place.in_joint {
                    return None;
                }
                let mut asked = asked.borrow_mut();
                if place.values(&asked.bits) == 0 {
                    asked.places.push(place);
                    place.add(&mut asked.bits, u64::MAX);
                }
                Some(place.values(values))
            };
            let forest = &ground.vocabulary.forest;
            let (mut may_be_taken, mut work) = (false, 0);
            outcomes(forest, part.tree, &allowed, &mut |outcome| {
                work += 1;
                may_be_taken |= is_enabled(outcome);
                let Outcome::Takes(takes) = forest.of_outcome(outcome) else {
                    return;
                };
                leads(part.to[takes.class as usize]);
                for (cell, write) in &takes.writes {
                    let Some(place) = followed.place(*cell) else {
                        continue;
                    };
                    // What the instance tracks its local states tell.
                    if !instance.own.contains(cell) {
                        let before = match write {
                            Write::Add(_) => allowed(*cell),
                            _ => None,
                        };
                        place.add(gains, written(*write, before));
                    }
                }
            });
            self.work += work;
            if may_be_taken {
                self.views[part.view as usize / 64] |= 1 << (part.view % 64);
            }
        }
    }
}

/// The values that a scalar may have after the write, if it had some of these.
fn written(write: Write, before: Option<u64>) -> u64 {
    match (write, before) {
        (Write::Known(value), _) => 1 << value,
        (Write::Any, _) | (Write::Add(_), None) => u64::MAX,
        (Write::Add(by), Some(before)) => {
            let distance = u32::from(by.unsigned_abs());
            let moved = match by > 0 {
                true => before.checked_shl(distance),
                false => before.checked_shr(distance),
            };
            moved.unwrap_or(0)
        }
    }
}

/// Calls `found` with each outcome that the tree can come to with these values, now and then more than once.
fn outcomes(
    forest: &Forest,
    tree: TreeId,
    allowed: &dyn Fn(CellId) -> Option<u64>,
    found: &mut dyn FnMut(OutcomeId),
) {
    match forest.get(tree) {
        Tree::Leaf(outcome) => found(*outcome),
        Tree::Branch(cell, children) => {
            let values = allowed(*cell);
            let mut before = None;
            for (value, child) in children.iter().enumerate() {
                let may_be = values.is_none_or(|values| values >> value & 1 != 0);
                if may_be && before != Some(*child) {
                    before = Some(*child);
                    outcomes(forest, *child, allowed, found);
                }
            }
        }
    }
}
