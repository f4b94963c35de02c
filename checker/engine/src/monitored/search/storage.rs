//! What a search keeps of states.

use rustc_hash::FxHashMap;

use crate::store::bitstate::{BitTable, Hashes};
use crate::store::exact::{ExactStore, Vacancy};

/// One of the sets that a search puts states in for good, such as those visited on one of its
/// levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set(u8);

impl Set {
    /// There are four, from 0.
    pub const fn nth(n: u8) -> Set {
        Set(n)
    }
}

/// One of the stacks that a search asks whether a state is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trail(u8);

impl Trail {
    /// There are three, from 0.
    pub const fn nth(n: u8) -> Trail {
        Trail(n)
    }
}

/// A state that is held whole.
pub type Key = u32;

/// Keeps states. Besides its place a state costs seven bits at most: four sets and three stacks
/// (Latvala and Tauriainen 2004, §3.3).
pub trait Storage {
    /// Where a state is or belongs. Good until another state is added.
    type Spot: Copy;

    fn spot(&self, state: &[u64]) -> Self::Spot;

    fn spot_of(&self, key: Key) -> Self::Spot;

    /// Whether the state is in the set. A storage that is not exact may say yes of a state that was
    /// never put there.
    fn has(&self, spot: Self::Spot, set: Set) -> bool;

    /// Whether the state is in none of these sets, and in exact storage was never held.
    fn is_new(&self, spot: Self::Spot, sets: &[Set]) -> bool;

    /// Puts a state that is in no set yet into this one, and counts it.
    fn add(&mut self, spot: Self::Spot, state: &[u64], set: Set) -> Self::Spot;

    /// Puts a state that is in a set already into this one as well.
    fn insert(&mut self, spot: Self::Spot, set: Set);

    /// Holds a state whole until it is [released](Storage::release).
    fn hold(&mut self, spot: Self::Spot, state: &[u64]) -> Key;

    fn release(&mut self, key: Key);

    /// A state that is held.
    fn get(&self, key: Key) -> &[u64];

    /// Whether the state is on the stack. Always exact.
    fn is_on(&self, spot: Self::Spot, state: &[u64], trail: Trail) -> bool;

    fn put_on(&mut self, key: Key, trail: Trail);

    fn take_off(&mut self, key: Key, trail: Trail);

    /// How many states were counted.
    fn states(&self) -> u64;

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64;

    /// How many bytes more one more state takes.
    fn bytes_to_grow(&self) -> u64;

    /// Whether no state is ever taken for another.
    fn is_exact(&self) -> bool;
}

/// Every state whole, once.
pub struct Exact {
    store: ExactStore,
    /// Four bits for sets, three for stacks.
    bits: Vec<u8>,
}

impl Exact {
    pub fn new(words: usize) -> Exact {
        Exact {
            store: ExactStore::new(words),
            bits: Vec::new(),
        }
    }
}

impl Storage for Exact {
    type Spot = Result<Key, Vacancy>;

    #[inline]
    fn spot(&self, state: &[u64]) -> Self::Spot {
        self.store.find(self.store.hash(state), state)
    }

    #[inline]
    fn spot_of(&self, key: Key) -> Self::Spot {
        Ok(key)
    }

    #[inline]
    fn has(&self, spot: Self::Spot, set: Set) -> bool {
        spot.is_ok_and(|key| self.bits[key as usize] >> set.0 & 1 != 0)
    }

    #[inline]
    fn is_new(&self, spot: Self::Spot, _: &[Set]) -> bool {
        spot.is_err()
    }

    #[inline]
    fn add(&mut self, spot: Self::Spot, state: &[u64], set: Set) -> Self::Spot {
        match spot {
            Ok(_) => self.insert(spot, set),
            Err(vacancy) => {
                let key = self.store.add(vacancy, state);
                self.bits.push(1 << set.0);
                return Ok(key);
            }
        }
        spot
    }

    #[inline]
    fn insert(&mut self, spot: Self::Spot, set: Set) {
        debug_assert!(spot.is_ok(), "the state is in a set or held");
        if let Ok(key) = spot {
            self.bits[key as usize] |= 1 << set.0;
        }
    }

    #[inline]
    fn hold(&mut self, spot: Self::Spot, state: &[u64]) -> Key {
        match spot {
            Ok(key) => key,
            Err(vacancy) => {
                self.bits.push(0);
                self.store.add(vacancy, state)
            }
        }
    }

    #[inline]
    fn release(&mut self, _: Key) {}

    #[inline]
    fn get(&self, key: Key) -> &[u64] {
        self.store.get(key)
    }

    #[inline]
    fn is_on(&self, spot: Self::Spot, _: &[u64], trail: Trail) -> bool {
        spot.is_ok_and(|key| self.bits[key as usize] >> (4 + trail.0) & 1 != 0)
    }

    #[inline]
    fn put_on(&mut self, key: Key, trail: Trail) {
        self.bits[key as usize] |= 1 << (4 + trail.0);
    }

    #[inline]
    fn take_off(&mut self, key: Key, trail: Trail) {
        self.bits[key as usize] &= !(1 << (4 + trail.0));
    }

    #[inline]
    fn states(&self) -> u64 {
        u64::from(self.store.len())
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.bits.len() as u64
    }

    fn bytes_to_grow(&self) -> u64 {
        self.store.bytes_to_grow() + 1
    }

    fn is_exact(&self) -> bool {
        true
    }
}

/// States as bits in a table; whole while they are on a stack or wait for their turn.
pub struct Bitstate {
    table: BitTable,
    words: usize,
    count: u64,
    /// The states that are held, each in a slot of its own.
    held: Vec<u64>,
    free: Vec<Key>,
    /// The states on stacks, and on which.
    trails: FxHashMap<Box<[u64]>, u8>,
}

impl Bitstate {
    pub fn new(words: usize, table: BitTable) -> Bitstate {
        Bitstate {
            table,
            words,
            count: 0,
            held: Vec::new(),
            free: Vec::new(),
            trails: FxHashMap::default(),
        }
    }
}

impl Storage for Bitstate {
    type Spot = Hashes;

    #[inline]
    fn spot(&self, state: &[u64]) -> Hashes {
        Hashes::of(state)
    }

    #[inline]
    fn spot_of(&self, key: Key) -> Hashes {
        Hashes::of(self.get(key))
    }

    #[inline]
    fn has(&self, spot: Hashes, set: Set) -> bool {
        self.table.has(spot, u32::from(set.0))
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
        self.table.insert(spot, u32::from(set.0));
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
    fn get(&self, key: Key) -> &[u64] {
        let from = key as usize * self.words;
        &self.held[from..from + self.words]
    }

    fn is_on(&self, _: Hashes, state: &[u64], trail: Trail) -> bool {
        let on = self.trails.get(state);
        on.is_some_and(|on| on >> trail.0 & 1 != 0)
    }

    fn put_on(&mut self, key: Key, trail: Trail) {
        let state: Box<[u64]> = self.get(key).into();
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
        self.table.bytes()
            + (self.held.capacity() * 8 + self.free.capacity() * 4) as u64
            + (self.trails.capacity() * on_stack) as u64
    }

    fn bytes_to_grow(&self) -> u64 {
        (self.words * 8) as u64
    }

    fn is_exact(&self) -> bool {
        false
    }
}
