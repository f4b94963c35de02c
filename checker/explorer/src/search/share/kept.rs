//! The states that a share keeps.

use super::coded::INITIAL;
use super::one_word::OneWords;
use super::several_words::SeveralWords;

pub enum Kept {
    One(Box<OneWords>),
    Several(Box<SeveralWords>),
}

impl Kept {
    /// In use, in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Kept::One(words) => words.bytes(),
            Kept::Several(several) => several.bytes(),
        }
    }

    /// How many states the next layer has, after so many were found.
    pub fn next_layer(&mut self, found: u64) -> u64 {
        match self {
            Kept::One(words) => words.next_layer(),
            Kept::Several(several) => several.next_layer(found),
        }
    }

    /// The word of this state, in which each run begins.
    pub fn initial(&self, state: &[u64]) -> u64 {
        match self {
            Kept::One(_) => state[0],
            Kept::Several(_) => INITIAL,
        }
    }

    /// What it takes to note layers up to this one, besides what there is.
    pub fn bytes_for_levels(&self, to: u64) -> u64 {
        match self {
            Kept::One(words) => words.bytes_for_levels(to),
            Kept::Several(several) => several.bytes_for_levels(to),
        }
    }

    /// From now on states that are met are not taken in: their layers are noted, from the initial state's on.
    pub fn begin_levels(&mut self, to: u64) {
        match self {
            Kept::One(words) => words.begin_levels(to),
            Kept::Several(several) => several.begin_levels(to),
        }
    }

    /// The search goes on where it was.
    pub fn end_levels(&mut self) {
        match self {
            Kept::One(words) => words.end_levels(),
            Kept::Several(several) => several.end_levels(),
        }
    }

    /// Every state's number is below this, once layers are noted; there may be numbers that none has.
    pub fn numbers(&self) -> u64 {
        match self {
            Kept::One(words) => words.numbers(),
            Kept::Several(several) => several.numbers(),
        }
    }

    pub fn number(&self, state: &[u64]) -> Option<u64> {
        match self {
            Kept::One(words) => words.number(state[0]),
            Kept::Several(several) => several.number(state),
        }
    }

    /// Copies the state with a number, if one has it.
    pub fn copy(&self, number: u64, state: &mut [u64]) -> bool {
        match self {
            Kept::One(words) => words.word(number).map(|word| state[0] = word).is_some(),
            Kept::Several(several) => several.copy(number, state),
        }
    }

    /// The layer that was noted of the state with a number.
    pub fn level_of(&self, number: u64) -> Option<u64> {
        match self {
            Kept::One(words) => words.level_of(words.word(number)?),
            Kept::Several(several) => several.level_of(number),
        }
    }

    /// The layer that was noted of a state.
    pub fn level_of_state(&self, state: &[u64]) -> Option<u64> {
        match self {
            Kept::One(words) => words.level_of(state[0]),
            Kept::Several(several) => several.level_of(several.number(state)?),
        }
    }

    /// Copies a state of a layer, from this number on.
    pub fn of_level(&self, layer: u64, from: &mut u64, state: &mut [u64]) -> Option<()> {
        match self {
            Kept::One(words) => words.of_level(layer, from).map(|word| state[0] = word),
            Kept::Several(several) => several.of_level(layer, from, state),
        }
    }
}
