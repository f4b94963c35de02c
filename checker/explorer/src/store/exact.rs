//! Every state in full: one after the other, with an open addressing table of their numbers.

use std::ops::Range;

use super::prefetch::prefetch;
use super::{Key, Set, Store, Trail};

/// The states that were found, numbered from 0 in the order in which they were.
pub struct Exact {
    words: usize,
    states: Vec<u64>,
    len: u32,
    /// Of each state four bits for sets, three for stacks: as far as a search has put any there.
    flags: Vec<u8>,
    /// A power of two of slots, at most three quarters of them taken: each is [`FREE`], or has a
    /// number in as many low bits as the table's length asks for, and above it that part of the
    /// state's hash, so that few other states are looked at.
    table: Vec<u32>,
}

/// No slot with a number has this value: numbers are below three quarters of the table's length.
const FREE: u32 = u32::MAX;
const FIRST_SLOTS: usize = 1 << 10;

/// The most states that can be numbered.
pub const MOST_STATES: u64 = FREE as u64 - 1;

/// Where a state that was not found belongs in the table.
#[derive(Clone, Copy, Debug)]
pub struct Vacancy {
    hash: u64,
    slot: usize,
}

impl Exact {
    /// For states of so many words, at least 1.
    pub fn new(words: usize) -> Exact {
        debug_assert!(words > 0, "a state has a word");
        Exact {
            words,
            states: Vec::new(),
            len: 0,
            flags: Vec::new(),
            table: vec![FREE; FIRST_SLOTS],
        }
    }

    #[inline]
    pub fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    fn state(&self, number: u32) -> &[u64] {
        let from = number as usize * self.words;
        &self.states[from..from + self.words]
    }

    /// The words of the states with these numbers, one after the other.
    #[inline]
    pub fn rows(&self, states: Range<u32>) -> &[u64] {
        &self.states[states.start as usize * self.words..states.end as usize * self.words]
    }

    #[inline]
    fn is_crowded(&self) -> bool {
        (self.len as usize + 1) * 4 > self.table.len() * 3
    }

    /// The first state that a search for this hash would look at.
    #[inline]
    fn first_guess(&self, hash: u64) -> Option<u32> {
        let mut slot = self.home(hash);
        loop {
            match self.table[slot] {
                FREE => return None,
                taken if self.may_be(taken, hash) => return Some(taken & self.mask()),
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
    }

    /// The bits of a slot that hold a number.
    #[inline]
    fn mask(&self) -> u32 {
        (self.table.len() - 1) as u32
    }

    /// Whether the hash of the state in a slot may be this one.
    #[inline]
    fn may_be(&self, taken: u32, hash: u64) -> bool {
        (taken ^ (hash >> 32) as u32) & !self.mask() == 0
    }

    #[inline]
    fn equals(&self, number: u32, state: &[u64]) -> bool {
        match state {
            [word] => self.states[number as usize] == *word,
            state => self.state(number) == state,
        }
    }

    #[inline]
    fn home(&self, hash: u64) -> usize {
        hash as usize & (self.table.len() - 1)
    }

    /// The number of a state with this hash, or where it belongs.
    ///
    /// # Errors
    /// Where the state has not been found.
    #[inline]
    fn find(&self, hash: u64, state: &[u64]) -> Result<u32, Vacancy> {
        let mut slot = self.home(hash);
        loop {
            match self.table[slot] {
                FREE => return Err(Vacancy { hash, slot }),
                taken if self.may_be(taken, hash) && self.equals(taken & self.mask(), state) => {
                    return Ok(taken & self.mask());
                }
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
    }

    /// Gives a state the next number. The vacancy must be what [`Exact::find`] has just said
    /// of it, and there must be fewer than [`MOST_STATES`].
    pub fn append(&mut self, vacancy: Vacancy, state: &[u64]) -> u32 {
        let number = self.len;
        debug_assert!(u64::from(number) < MOST_STATES, "every state has a number");
        debug_assert!(
            self.find(vacancy.hash, state).is_err(),
            "a state is added once"
        );
        let slot = if self.is_crowded() {
            self.grow();
            self.free_slot(vacancy.hash)
        } else {
            vacancy.slot
        };
        self.take(slot, vacancy.hash, number);
        match state {
            [word] => self.states.push(*word),
            state => self.states.extend_from_slice(state),
        }
        self.len += 1;
        number
    }

    #[inline]
    fn flags_of(&self, key: Key) -> u8 {
        self.flags.get(key as usize).copied().unwrap_or(0)
    }

    #[inline]
    fn flags_mut(&mut self, key: Key) -> &mut u8 {
        let at = key as usize;
        if self.flags.len() <= at {
            self.flags.resize(at + 1, 0);
        }
        &mut self.flags[at]
    }

    fn take(&mut self, slot: usize, hash: u64, number: u32) {
        let mask = self.mask();
        debug_assert!(number < mask, "a number fits its bits, and is not all ones");
        self.table[slot] = (hash >> 32) as u32 & !mask | number;
    }

    fn free_slot(&self, hash: u64) -> usize {
        let mut at = self.home(hash);
        while self.table[at] != FREE {
            at = (at + 1) & (self.table.len() - 1);
        }
        at
    }

    fn grow(&mut self) {
        self.table = vec![FREE; self.table.len() * 2];
        for number in 0..self.len {
            let hash = hash(self.state(number));
            self.take(self.free_slot(hash), hash, number);
        }
    }
}

/// Where a state is first looked for.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    hash: u64,
    /// Once settled the state that would be looked at first, if any.
    guess: Option<u32>,
}

impl Store for Exact {
    type Hint = Hint;
    type Spot = Result<Key, Vacancy>;

    #[inline]
    fn hint(&self, state: &[u64]) -> Hint {
        let hash = hash(state);
        prefetch(&self.table, self.home(hash));
        Hint { hash, guess: None }
    }

    #[inline]
    fn settle(&self, hint: Hint, _: &[u64]) -> Hint {
        let guess = self.first_guess(hint.hash);
        if let Some(number) = guess {
            prefetch(&self.states, number as usize * self.words);
        }
        Hint { guess, ..hint }
    }

    #[inline]
    fn spot_from(&self, hint: Hint, state: &[u64]) -> Self::Spot {
        match hint.guess {
            Some(number) if self.equals(number, state) => Ok(number),
            _ => self.find(hint.hash, state),
        }
    }

    #[inline]
    fn spot(&self, state: &[u64]) -> Self::Spot {
        self.find(hash(state), state)
    }

    #[inline]
    fn spot_of(&self, key: Key) -> Self::Spot {
        Ok(key)
    }

    #[inline]
    fn has(&self, spot: Self::Spot, set: Set) -> bool {
        spot.is_ok_and(|key| self.flags_of(key) >> set.0 & 1 != 0)
    }

    #[inline]
    fn is_new(&self, spot: Self::Spot, _: &[Set]) -> bool {
        spot.is_err()
    }

    #[inline]
    fn add(&mut self, spot: Self::Spot, state: &[u64], set: Set) -> Self::Spot {
        let key = spot.or_else(|vacancy| Ok(self.append(vacancy, state)));
        self.insert(key, set);
        key
    }

    #[inline]
    fn insert(&mut self, spot: Self::Spot, set: Set) {
        debug_assert!(spot.is_ok(), "the state is in a set or held");
        if let Ok(key) = spot {
            *self.flags_mut(key) |= 1 << set.0;
        }
    }

    #[inline]
    fn hold(&mut self, spot: Self::Spot, state: &[u64]) -> Key {
        spot.unwrap_or_else(|vacancy| self.append(vacancy, state))
    }

    #[inline]
    fn release(&mut self, _: Key) {}

    #[inline]
    fn get(&self, key: Key, buffer: &mut [u64]) {
        buffer.copy_from_slice(self.state(key));
    }

    #[inline]
    fn is(&self, key: Key, state: &[u64]) -> bool {
        self.equals(key, state)
    }

    #[inline]
    fn is_on(&self, spot: Self::Spot, _: &[u64], trail: Trail) -> bool {
        spot.is_ok_and(|key| self.flags_of(key) >> (4 + trail.0) & 1 != 0)
    }

    #[inline]
    fn put_on(&mut self, key: Key, trail: Trail) {
        *self.flags_mut(key) |= 1 << (4 + trail.0);
    }

    #[inline]
    fn take_off(&mut self, key: Key, trail: Trail) {
        *self.flags_mut(key) &= !(1 << (4 + trail.0));
    }

    #[inline]
    fn states(&self) -> u64 {
        u64::from(self.len)
    }

    #[inline]
    fn bytes(&self) -> u64 {
        (self.states.len() * 8 + self.table.len() * 4 + self.flags.len()) as u64
    }

    fn bytes_to_grow(&self) -> u64 {
        let table = if self.is_crowded() {
            // The old table is there until the new one is filled.
            self.table.len() * 8
        } else {
            0
        };
        let flags = usize::from(!self.flags.is_empty());
        (self.words * 8 + table + flags) as u64
    }

    #[inline]
    fn is_exact(&self) -> bool {
        true
    }

    #[inline]
    fn words(&self) -> usize {
        self.words
    }
}

/// Each word is folded in by a multiplication to 128 bits, whose halves are put together.
#[inline]
fn hash(state: &[u64]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3_u64;
    for word in state {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        hash = product as u64 ^ (product >> 64) as u64;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_keeps_its_number_while_the_table_grows() {
        let mut store = Exact::new(2);
        let state = |n: u64| [n % 7, n / 7];
        for n in 0..5000 {
            let state = state(n);
            let vacancy = store.spot(&state).expect_err("it is new");
            let number = store.append(vacancy, &state);
            assert_eq!(u64::from(number), n);
        }
        let mut buffer = [0, 0];
        for n in 0..5000 {
            let state = state(n);
            let hint = store.hint(&state);
            let settled = store.settle(hint, &state);
            assert_eq!(store.spot(&state).ok(), Some(n as u32));
            assert_eq!(store.spot_from(hint, &state).ok(), Some(n as u32));
            assert_eq!(store.spot_from(settled, &state).ok(), Some(n as u32));
            store.get(n as u32, &mut buffer);
            assert_eq!(buffer, state);
        }
        assert!(store.spot(&[0, 5000]).is_err());
        assert_eq!(store.len(), 5000);
    }

    #[test]
    fn flags_cost_nothing_until_one_is_set() {
        let mut store = Exact::new(1);
        for n in 0..100 {
            let spot = store.spot(&[n]);
            store.hold(spot, &[n]);
        }
        let before = store.bytes();
        assert!(!store.has(store.spot_of(7), Set::nth(2)));
        store.insert(store.spot_of(7), Set::nth(2));
        store.put_on(9, Trail::nth(0));
        assert!(store.has(store.spot_of(7), Set::nth(2)));
        assert!(!store.has(store.spot_of(8), Set::nth(2)));
        assert!(store.is_on(store.spot_of(9), &[9], Trail::nth(0)));
        store.take_off(9, Trail::nth(0));
        assert!(!store.is_on(store.spot_of(9), &[9], Trail::nth(0)));
        assert!(store.bytes() > before);
    }
}
