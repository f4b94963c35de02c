//! How words tell the states of a share.

use std::ops::ControlFlow;

use super::finding::Finding;
use super::gathers::Gathers;
use super::one_word::OneWords;
use super::taking::Taking;
use crate::search::meter::Stop;
use crate::store::coding::{Coding, OneWord};

pub trait Telling: Sized {
    type Coding: Coding;

    /// Whether a word is its state.
    const IS_STATE: bool;

    fn coding(&mut self) -> &mut Self::Coding;

    /// How often all words have changed.
    fn changes(&self) -> u64;

    /// What comes next are the steps of the state with this word, or of one that has none.
    fn begins(&mut self, word: Option<u64>);

    /// The word of the state whose steps are taken.
    fn present(&self) -> Option<u64>;

    /// Whose the state is that a step of the present one leads to.
    fn whose(&mut self, word: u64, kept: &OneWords) -> Whose;

    /// Adds a state to what is sent. How many words it has.
    fn send(&mut self, word: u64, to: &mut Vec<u64>) -> usize;

    /// The word of a state; `None` where there is none, and the state is taken care of.
    fn word<L: Gathers>(
        finding: &mut Finding<'_, '_, L, Self>,
        state: &[u64],
    ) -> ControlFlow<Stop, Option<u64>>;

    /// Takes in the states that wait and have no word.
    fn take_in<L: Gathers>(&mut self, taking: &mut Taking<'_, L>) -> ControlFlow<Stop>;

    /// Copies the next state of the present layer that has no word. Whether there is one.
    fn take(&mut self, state: &mut [u64]) -> bool;

    /// Whether there are more of these.
    fn has_more(&self) -> bool;

    /// What is in use besides the words, in bytes.
    fn bytes(&self) -> u64;
}

/// To whom a state belongs.
pub enum Whose {
    /// It is kept here: in this part, of those of all who have words of that kind, and what the part does not tell of it.
    Here((usize, u64)),
    /// It is sent to the worker with this number.
    Sent(usize),
}

/// States that are one word.
pub struct Itself {
    coding: OneWord,
}

impl Default for Itself {
    fn default() -> Itself {
        Itself {
            coding: OneWord { width: u64::BITS },
        }
    }
}

impl Telling for Itself {
    type Coding = OneWord;

    const IS_STATE: bool = true;

    fn coding(&mut self) -> &mut OneWord {
        &mut self.coding
    }

    fn changes(&self) -> u64 {
        0
    }

    fn begins(&mut self, _: Option<u64>) {}

    fn present(&self) -> Option<u64> {
        None
    }

    #[inline(always)]
    fn whose(&mut self, word: u64, kept: &OneWords) -> Whose {
        let dealt = kept.deal(word);
        match kept.is_sent_to(dealt) {
            Some(to) => Whose::Sent(to),
            None => Whose::Here(dealt),
        }
    }

    #[inline(always)]
    fn send(&mut self, word: u64, to: &mut Vec<u64>) -> usize {
        to.push(word);
        1
    }

    #[inline(always)]
    fn word<L: Gathers>(
        _: &mut Finding<'_, '_, L, Itself>,
        state: &[u64],
    ) -> ControlFlow<Stop, Option<u64>> {
        ControlFlow::Continue(Some(state[0]))
    }

    #[inline(always)]
    fn take_in<L: Gathers>(&mut self, _: &mut Taking<'_, L>) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn take(&mut self, _: &mut [u64]) -> bool {
        false
    }

    fn has_more(&self) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        0
    }
}
