//! Every state in full: one after the other, with an open addressing table of their numbers.

/// The states that were found, numbered from 0 in the order in which they were.
pub struct ExactStore {
    words: usize,
    states: Vec<u64>,
    len: u32,
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

impl ExactStore {
    /// For states of so many words, at least 1.
    pub fn new(words: usize) -> ExactStore {
        debug_assert!(words > 0, "a state has a word");
        ExactStore {
            words,
            states: Vec::new(),
            len: 0,
            table: vec![FREE; FIRST_SLOTS],
        }
    }

    pub fn len(&self) -> u32 {
        self.len
    }

    pub fn get(&self, number: u32) -> &[u64] {
        let from = number as usize * self.words;
        &self.states[from..from + self.words]
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.states.len() * 8 + self.table.len() * 4) as u64
    }

    /// How many bytes more one more state takes.
    pub fn bytes_to_grow(&self) -> u64 {
        let table = if self.is_crowded() {
            // The old table is there until the new one is filled.
            self.table.len() * 8
        } else {
            0
        };
        (self.words * 8 + table) as u64
    }

    fn is_crowded(&self) -> bool {
        (self.len as usize + 1) * 4 > self.table.len() * 3
    }

    #[inline]
    pub fn hash(&self, state: &[u64]) -> u64 {
        hash(state)
    }

    /// The first state that a search for this hash would look at. Who asks for many before looking
    /// at any waits for memory but once.
    #[inline]
    pub fn first_guess(&self, hash: u64) -> Option<u32> {
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
    pub fn is(&self, guess: u32, state: &[u64]) -> bool {
        self.equals(guess, state)
    }

    #[inline]
    fn equals(&self, number: u32, state: &[u64]) -> bool {
        match state {
            [word] => self.states[number as usize] == *word,
            state => self.get(number) == state,
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
    pub fn find(&self, hash: u64, state: &[u64]) -> Result<u32, Vacancy> {
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

    /// Gives a state the next number. The vacancy must be what [`ExactStore::find`] has just said
    /// of it, and there must be fewer than [`MOST_STATES`].
    pub fn add(&mut self, vacancy: Vacancy, state: &[u64]) -> u32 {
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
            let hash = hash(self.get(number));
            self.take(self.free_slot(hash), hash, number);
        }
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
        let mut store = ExactStore::new(2);
        let state = |n: u64| [n % 7, n / 7];
        for n in 0..5000 {
            let state = state(n);
            let vacancy = store.find(store.hash(&state), &state);
            let number = store.add(vacancy.expect_err("it is new"), &state);
            assert_eq!(u64::from(number), n);
        }
        for n in 0..5000 {
            let state = state(n);
            let found = store.find(store.hash(&state), &state);
            assert_eq!(found.ok(), Some(n as u32));
            assert_eq!(store.get(n as u32), state);
        }
        assert!(store.find(store.hash(&[0, 5000]), &[0, 5000]).is_err());
        assert_eq!(store.len(), 5000);
    }
}
