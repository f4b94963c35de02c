//! States by marks of them alone (Holzmann's Supertrace, hash compaction), whole only while somebody holds
//! them.

use rustc_hash::FxHashMap;

use super::filter::Filter;
use super::hashes::Hashes;
use super::{Key, Set, Store, Trail};

/// States as what marks them; whole while they are on a stack or wait for their turn.
pub struct Supertrace {
    filter: Filter,
    words: usize,
    count: u64,
    /// How often a state was put into a set.
    entries: u64,
    /// How often one was not that should have been, by the estimate: it was taken for another.
    missed: f64,
    /// The states that are held, each in a slot of its own.
    held: Vec<u64>,
    free: Vec<Key>,
    /// The states on stacks, and on which.
    trails: FxHashMap<Box<[u64]>, u8>,
}

impl Supertrace {
    /// For states of so many words.
    pub fn new(words: usize, filter: Filter) -> Supertrace {
        Supertrace {
            filter,
            words,
            count: 0,
            entries: 0,
            missed: 0.0,
            held: Vec::new(),
            free: Vec::new(),
            trails: FxHashMap::default(),
        }
    }

    #[inline]
    fn state(&self, key: Key) -> &[u64] {
        let from = key as usize * self.words;
        &self.held[from..from + self.words]
    }
}

impl Store for Supertrace {
    type Hint = Hashes;
    type Spot = Hashes;

    #[inline]
    fn hint(&self, state: &[u64]) -> Hashes {
        Hashes::of(state)
    }

    #[inline]
    fn settle(&self, hint: Hashes, _: &[u64]) -> Hashes {
        hint
    }

    #[inline]
    fn spot_from(&self, hint: Hashes, _: &[u64]) -> Hashes {
        hint
    }

    #[inline]
    fn spot_of(&self, key: Key) -> Hashes {
        Hashes::of(self.state(key))
    }

    #[inline]
    fn has(&self, spot: Hashes, set: Set) -> bool {
        self.filter.has(spot, u32::from(set.0))
    }

    fn is_new(&self, spot: Hashes, sets: &[Set]) -> bool {
        sets.iter().all(|set| !self.has(spot, *set))
    }

    #[inline]
    fn add(&mut self, spot: Hashes, _: &[u64], set: Set) -> Hashes {
        self.count += 1;
        self.insert(spot, set);
        spot
    }

    #[inline]
    fn insert(&mut self, spot: Hashes, set: Set) {
        let mistaken = self.filter.mistaken();
        self.missed += mistaken / (1.0 - mistaken);
        self.entries += 1;
        self.filter.insert(spot, u32::from(set.0));
    }

    fn hold(&mut self, _: Hashes, state: &[u64]) -> Key {
        match self.free.pop() {
            Some(key) => {
                let from = key as usize * self.words;
                self.held[from..from + self.words].copy_from_slice(state);
                key
            }
            None => {
                let key = (self.held.len() / self.words) as Key;
                self.held.extend_from_slice(state);
                key
            }
        }
    }

    fn release(&mut self, key: Key) {
        self.free.push(key);
    }

    #[inline]
    fn get(&self, key: Key, buffer: &mut [u64]) {
        buffer.copy_from_slice(self.state(key));
    }

    #[inline]
    fn is(&self, key: Key, state: &[u64]) -> bool {
        self.state(key) == state
    }

    fn is_on(&self, _: Hashes, state: &[u64], trail: Trail) -> bool {
        let on = self.trails.get(state);
        on.is_some_and(|on| on >> trail.0 & 1 != 0)
    }

    fn put_on(&mut self, key: Key, trail: Trail) {
        let state: Box<[u64]> = self.state(key).into();
        *self.trails.entry(state).or_default() |= 1 << trail.0;
    }

    fn take_off(&mut self, key: Key, trail: Trail) {
        let from = key as usize * self.words;
        let state = &self.held[from..from + self.words];
        if let Some(on) = self.trails.get_mut(state) {
            *on &= !(1 << trail.0);
            if *on == 0 {
                self.trails.remove(state);
            }
        }
    }

    fn states(&self) -> u64 {
        self.count
    }

    fn bytes(&self) -> u64 {
        let on_stack = self.words * 8 + 32;
        self.filter.bytes()
            + (self.held.capacity() * 8 + self.free.capacity() * 4) as u64
            + (self.trails.capacity() * on_stack) as u64
    }

    fn bytes_to_grow(&self) -> u64 {
        (self.words * 8) as u64 + self.filter.bytes_to_grow()
    }

    fn bytes_to_insert(&self) -> u64 {
        self.filter.bytes_to_grow()
    }

    fn fill(&self) -> Option<f64> {
        self.filter.fill()
    }

    fn missed(&self) -> f64 {
        match self.entries {
            0 => 0.0,
            entries => self.missed / (self.missed + entries as f64),
        }
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn words(&self) -> usize {
        self.words
    }
}
