//! The steps that the others can still take from the present state, while some instances stand
//! still.
//!
//! [`futures`](super::futures) knows what an instance may still do from its local state, whatever
//! the values of the scalars are that it does not track. Here it is asked with the values that
//! these have now. All instances but those that stand still take part in an *abstract run*: of each
//! instance it holds the local states in which it may be, of each scalar that is followed the
//! values that it may have. It begins with the present ones, and grows as long as a step of one of
//! these local states, with some of these values, leads to another one or writes another one.
//!
//! The claim that is relied on: take any run of the system from the present state in which those
//! that stand still take no step, neither alone nor with others. In each of its states each other
//! instance is in one of its local states of the abstract run, and each scalar that is followed has
//! one of its values. By induction over the run: the step that comes next is one of a local state
//! of the abstract run; what it reads has values of the abstract run, so that its outcome is among
//! those that its tree comes to with these; and so what it leads to and writes is in the abstract
//! run. The steps that are foreseen are therefore all that may be taken, which is what D1 and D2
//! ask for when none of a set's members moves (Valmari 2015, section IV: they speak of sequences of
//! steps outside the set), and a scalar that never has a value of a literal never makes it true.
//!
//! The other parts of a joint step may write what one part reads before it is its turn: in a joint
//! step, a scalar that some joint step writes may have any value. Whether its other participants
//! are ready is not asked for. Scalars of channels, those with many values, and those of an
//! instance that no other one reads are not followed.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use stubborn_space::members::Members;

use super::facts::Facts;
use super::followed::{Followed, written};
use super::forest::{CellId, Forest, OutcomeId, Tree, TreeId};
use super::futures::{FutureId, FutureSets};
use super::interference::Effort;
use super::local_states::LocalStateId;

pub type ReachId = u32;

/// An abstract run to its end.
#[derive(Default)]
pub struct Run {
    /// The state that it begins in, and the instances that stand still.
    pub stamp: u32,
    pub still: Members,
    /// By instance, what it may still do.
    pub futures: Vec<FutureId>,
    values: Vec<u64>,
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

/// Cache of what instances may still do from a local state, by the values that their steps ask for.
#[derive(Default)]
pub struct Reaches {
    by_instance: Vec<Keys>,
    futures: Vec<FutureId>,
    /// By reach, the values that scalars may have because of it.
    gains: Vec<u64>,
    key: Vec<u64>,
    values: Vec<u64>,
    going: Going,
    bytes: u64,
}

/// Reaches of one instance, by keys of the same number of words.
///
/// The words of all keys are in one list: a map from boxed keys takes 5% more time in a reduced
/// search of Peterson's algorithm for four customers.
#[derive(Default)]
struct Keys {
    /// Numbers of keys.
    table: HashTable<u32>,
    words: Vec<u64>,
    /// By key.
    reaches: Vec<ReachId>,
    /// The last answers on what it may still do alone, by a hash of the bits that decide it.
    alone: Vec<Option<Alone>>,
}

/// Reach of an instance alone, by the bits of the state that decide it.
type Alone = ([u64; MOST_WORDS], ReachId);

/// If its bits are in more words, the reach of an instance alone is not cached.
const MOST_WORDS: usize = 2;
/// Number of cached answers of each instance; a power of two.
const REMEMBERED: usize = 1 << 12;

/// Working memory for finding out one of them.
#[derive(Default)]
struct Going {
    seen: Vec<bool>,
    open: Vec<LocalStateId>,
    views: Vec<u64>,
    gains: Vec<u64>,
    work: u64,
}

/// An instance in the present state.
#[derive(Default)]
pub struct Now {
    pub at: LocalStateId,
    /// The steps that it may take from here on, whichever instances stand still.
    pub future: FutureId,
    /// By part.
    pub outcomes: Vec<OutcomeId>,
    /// The stamp of the state for which its reach alone is known, and that reach.
    pub alone: (u32, ReachId),
}

/// A state, and what else is asked for on the way.
pub struct Here<'h, 'e, 'p> {
    pub facts: &'h Facts,
    pub state: &'h [u64],
    pub instances: &'h [Now],
    /// The futures that are not among those of local states.
    pub futures: &'h mut FutureSets,
    pub effort: &'e mut Effort<'p>,
    /// How many look-ups it takes where all is known that was ever asked.
    pub work: u64,
    /// How many it took besides, to find out what was not known.
    pub learning: u64,
}

impl Here<'_, '_, '_> {
    /// The number of a future.
    fn number(&mut self, views: &[u64]) -> FutureId {
        let sets = &self.facts.sets;
        let known = sets.find(views);
        known.unwrap_or_else(|| sets.len() as FutureId + self.futures.number(views))
    }
}

impl Keys {
    fn find(&self, key: &[u64]) -> Option<ReachId> {
        let is_it = |n: &u32| self.words[*n as usize * key.len()..][..key.len()] == *key;
        let number = self.table.find(mixed(key), is_it)?;
        Some(self.reaches[*number as usize])
    }

    fn learn(&mut self, key: &[u64], reach: ReachId) {
        let number = self.reaches.len() as u32;
        self.words.extend_from_slice(key);
        self.reaches.push(reach);
        let words = &self.words;
        let mix = |n: &u32| mixed(&words[*n as usize * key.len()..][..key.len()]);
        self.table.insert_unique(mixed(key), number, mix);
    }
}

fn mixed(key: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    key.iter().for_each(|word| hasher.write_u64(*word));
    hasher.finish()
}

impl Reaches {
    pub fn new(instances: usize) -> Reaches {
        Reaches {
            by_instance: (0..instances).map(|_| Keys::default()).collect(),
            ..Reaches::default()
        }
    }

    /// About how much memory it takes what is remembered, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.futures.len()
    }

    pub fn future(&self, reach: ReachId) -> FutureId {
        self.futures[reach as usize]
    }

    fn gains(&self, reach: ReachId, words: usize) -> &[u64] {
        &self.gains[reach as usize * words..][..words]
    }

    /// Goes through the abstract run from a state to its end, or until the effort is stopped. It is
    /// known what each instance may do alone that does not stand still, which it may do in any
    /// case.
    pub fn run(&mut self, here: &mut Here<'_, '_, '_>, run: &mut Run) {
        let followed = &here.facts.followed;
        let (words, count) = (followed.words, here.instances.len());
        followed.begin(here.state, &mut run.values);
        run.futures.clear();
        run.futures.resize(count, 0);
        let mut open = Members::below(count);
        open.subtract(&run.still);
        for who in open.iter() {
            let gains = self.gains(here.instances[who].alone.1, words);
            add_all(&mut run.values, gains);
        }
        while let Some(who) = open.first() {
            open.remove(who);
            let reach = self.reach(here, who, &run.still, &run.values);
            run.futures[who] = self.future(reach);
            if here.effort.is_stopped() {
                break;
            }
            let gains = self.gains(reach, words);
            let is_news = |(values, gain): (&u64, &u64)| gain & !values != 0;
            if !run.values.iter().zip(gains).any(is_news) {
                continue;
            }
            for (other, instance) in followed.instances.iter().enumerate() {
                let news = run.values.iter().zip(gains).zip(&instance.inputs);
                let mut news = news.map(|((values, gain), input)| gain & !values & input);
                if news.any(|bits| bits != 0) && !run.still.contains(other) {
                    open.insert(other);
                }
            }
            add_all(&mut run.values, gains);
        }
    }

    /// Returns the reach of an instance while all others stand still.
    pub fn alone(&mut self, here: &mut Here<'_, '_, '_>, who: usize) -> ReachId {
        let bits = &here.facts.followed.instances[who].bits;
        let mut key = [0; MOST_WORDS];
        for (key, (word, bits)) in key.iter_mut().zip(bits) {
            *key = here.state[*word] & bits;
        }
        let place = (mixed(&key) >> 32) as usize % REMEMBERED;
        here.work += 1;
        match self.by_instance[who].alone.get(place) {
            Some(Some((known, reach))) if *known == key => return *reach,
            _ => {}
        }
        let before = here.work;
        let reach = self.found_alone(here, who);
        here.learning += here.work - before;
        here.work = before;
        if bits.len() <= MOST_WORDS && !here.effort.is_stopped() {
            let known = &mut self.by_instance[who].alone;
            if known.is_empty() {
                known.resize(REMEMBERED, None);
                self.bytes += (known.capacity() * size_of::<Option<Alone>>()) as u64;
            }
            known[place] = Some((key, reach));
        }
        reach
    }

    fn found_alone(&mut self, here: &mut Here<'_, '_, '_>, who: usize) -> ReachId {
        let followed = &here.facts.followed;
        let mut still = Members::below(here.instances.len());
        still.remove(who);
        let mut values = std::mem::take(&mut self.values);
        followed.begin(here.state, &mut values);
        let reach = loop {
            let reach = self.reach(here, who, &still, &values);
            let gains = self.gains(reach, followed.words).iter();
            let mut is_news = false;
            let inputs = &followed.instances[who].inputs;
            for ((values, gain), input) in values.iter_mut().zip(gains).zip(inputs) {
                is_news |= gain & !*values & input != 0;
                *values |= gain;
            }
            if !is_news || here.effort.is_stopped() {
                break reach;
            }
        };
        self.values = values;
        reach
    }

    /// Finds what an instance may still do from its local state with these values, or finds it out.
    fn reach(
        &mut self,
        here: &mut Here<'_, '_, '_>,
        who: usize,
        still: &Members,
        values: &[u64],
    ) -> ReachId {
        let (facts, at) = (here.facts, here.instances[who].at);
        let instance = &facts.followed.instances[who];
        self.key.clear();
        self.key.push(u64::from(at));
        if !instance.partners.is_empty() {
            let those = instance.partners.and(still);
            self.key.extend(those.words(facts.locals.len()));
        }
        let first = self.key.len();
        self.key.resize(first + facts.followed.words, 0);
        instance.asks.iter().for_each(|(place, alike)| {
            place.add(&mut self.key[first..], widened(alike, place.values(values)));
        });
        here.work += 1 + instance.asks.len() as u64 / 8;
        if let Some(reach) = self.by_instance[who].find(&self.key) {
            return reach;
        }
        self.going.begin(facts, who, at);
        while let Some(at) = self.going.open.pop() {
            self.going.through(facts, who, still, at, values);
        }
        here.learning += self.going.work;
        here.effort.spend(self.going.work as usize);
        let reach = self.futures.len() as ReachId;
        self.futures.push(here.number(&self.going.views));
        self.gains.extend_from_slice(&self.going.gains);
        self.by_instance[who].learn(&self.key, reach);
        // Lists grow by doubling, and tables have room for twice as many.
        let words = self.key.len() + self.going.gains.len() + 2;
        self.bytes += 2 * (words * size_of::<u64>()) as u64;
        reach
    }
}

/// Adds sets of values, word by word.
fn add_all(to: &mut [u64], more: &[u64]) {
    to.iter_mut().zip(more).for_each(|(set, more)| *set |= more);
}

/// Returns the values and every value equivalent to one of them; `alike` maps each value to its
/// equivalents.
#[inline]
fn widened(alike: &[u64], values: u64) -> u64 {
    let (mut left, mut wide) = (values, 0);
    while left != 0 {
        wide |= alike[left.trailing_zeros() as usize];
        left &= !wide;
    }
    wide
}

impl Going {
    fn begin(&mut self, facts: &Facts, who: usize, at: LocalStateId) {
        self.seen.clear();
        self.seen.resize(facts.locals[who].states.len(), false);
        self.seen[at as usize] = true;
        self.open.clear();
        self.open.push(at);
        self.views.clear();
        self.views
            .resize(facts.profiles.len().div_ceil(64).max(1), 0);
        self.gains.clear();
        self.gains.resize(facts.followed.words, 0);
        self.work = 0;
    }

    /// The steps of one local state.
    fn through(
        &mut self,
        facts: &Facts,
        who: usize,
        still: &Members,
        at: LocalStateId,
        values: &[u64],
    ) {
        let (followed, vocabulary) = (&facts.followed, &facts.vocabulary);
        let instance = &followed.instances[who];
        let told = &instance.told[at as usize * followed.words..][..followed.words];
        add_all(&mut self.gains, told);
        let local = &facts.locals[who].states[at as usize];
        for part in &local.parts {
            let needs_others = part.joint.is_some_and(|event| {
                let participants = &vocabulary.events[event as usize].participants;
                participants.iter().any(|who| still.contains(*who as usize))
            });
            if needs_others {
                continue;
            }
            self.work += 1;
            let profile = &facts.profiles[part.view as usize];
            let (seen, open, gains) = (&mut self.seen, &mut self.open, &mut self.gains);
            let mut leads = |to: LocalStateId| {
                let is_new = !std::mem::replace(&mut seen[to as usize], true);
                if is_new {
                    open.push(to);
                }
            };
            if profile.cubes.is_none() || profile.is_sketch {
                part.to.iter().for_each(|to| leads(*to));
                let written = profile.writes.iter();
                let written = written.filter_map(|cell| followed.place(*cell));
                written.for_each(|place| place.add(gains, u64::MAX));
                self.views[part.view as usize / 64] |= 1 << (part.view % 64);
                continue;
            }
            let allowed = |cell: CellId| match followed.place(cell) {
                Some(place) if part.joint.is_none() || !place.in_joint => {
                    Some(place.values(values))
                }
                _ => None,
            };
            let forest = &vocabulary.forest;
            let (mut may_be_taken, mut work) = (false, 0);
            outcomes(forest, part.tree, &allowed, &mut |outcome| {
                work += 1;
                may_be_taken |= profile.is_there(outcome);
                let Some(takes) = forest.takes(outcome) else {
                    return;
                };
                leads(part.to[takes.class as usize]);
                for (cell, write) in &takes.writes {
                    let Some(place) = followed.place(*cell) else {
                        continue;
                    };
                    // The local states tell the values that the instance tracks.
                    if !instance.own.contains(cell) {
                        place.add(gains, written(*write, allowed(*cell)));
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

/// Calls `found` with each outcome that the tree can come to with these values, now and then more
/// than once.
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
