//! Sets of states.

/// One bit for each state.
#[derive(Clone, Debug, Default)]
pub struct StateSet {
    words: Vec<u64>,
}

impl StateSet {
    /// The set of all states below `states`.
    pub fn all(states: u32) -> StateSet {
        StateSet::default().complement(states)
    }

    /// The empty set, with room for states below `states`.
    pub fn with_room(states: u32) -> StateSet {
        StateSet {
            words: vec![0; (states as usize).div_ceil(64)],
        }
    }

    #[inline]
    pub fn contains(&self, state: u32) -> bool {
        let word = self.words.get(state as usize / 64);
        word.is_some_and(|word| word >> (state % 64) & 1 != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    #[inline]
    pub fn insert(&mut self, state: u32) {
        let word = state as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (state % 64);
    }

    #[inline]
    pub fn remove(&mut self, state: u32) {
        if let Some(word) = self.words.get_mut(state as usize / 64) {
            *word &= !(1 << (state % 64));
        }
    }

    /// Makes room for states below `states`.
    pub fn reserve(&mut self, states: u32) {
        let words = (states as usize).div_ceil(64);
        if words > self.words.len() {
            self.words.resize(words, 0);
        }
    }

    /// The states below `states` that are not in it.
    pub fn complement(&self, states: u32) -> StateSet {
        let mut complement = StateSet::with_room(states);
        for state in (0..states).filter(|state| !self.contains(*state)) {
            complement.insert(state);
        }
        complement
    }

    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }
}
