//! States of several words: most of them are told by one word, by which they are kept as states of one word are
//! ([`OneWords`]), others are kept whole ([`coded`](super::coded)).

use std::ops::ControlFlow;

use stubborn_space::several::Seat;

use super::coded::Coded;
use super::gathers::Gathers;
use super::one_word::OneWords;
use super::owners::Decide;
use super::taking::Taking;
use super::telling::Telling;
use crate::search::layers::found::pays;
use crate::search::meter::Stop;

use crate::store::coding::Coding;

pub struct SeveralWords {
    pub words: OneWords,
    pub coded: Coded,
}

impl SeveralWords {
    /// Without a state. All bits of one that may ever be set are in one of the parts: in a word of it, some of its bits.
    pub fn new(
        initial: &[u64],
        parts: Vec<(u32, u64)>,
        decide: &Decide,
        seat: Seat,
    ) -> SeveralWords {
        let coded = Coded::new(initial, parts, decide, seat);
        let alone = Seat { own: 0, workers: 1 };
        SeveralWords {
            words: OneWords::new(coded.width(), &Decide::all(1), alone),
            coded,
        }
    }

    pub fn bytes(&self) -> u64 {
        self.words.bytes() + self.coded.bytes()
    }

    /// How many states there are in it, after so many were found.
    pub fn next_layer(&mut self, found: u64) -> u64 {
        let coded = &mut self.coded;
        if !self.words.is_noting() && !pays(&coded.coding, found) {
            coded.coding.settle();
        }
        self.words.next_layer() + coded.whole.next_layer()
    }

    /// What it takes to note layers up to this one, besides what there is.
    pub fn bytes_for_levels(&self, to: u64) -> u64 {
        self.words.bytes_for_levels(to) + self.coded.whole.bytes_for_levels()
    }

    /// From now on states that are met are not taken in: their layers are noted, from the initial state's on.
    pub fn begin_levels(&mut self, to: u64) {
        self.words.begin_levels(to);
        self.coded.whole.begin_levels();
    }

    /// The search goes on where it was.
    pub fn end_levels(&mut self) {
        self.words.end_levels();
        self.coded.whole.end_levels();
    }

    /// Notes the layer of states, one after the other, that are there and have none yet. A step may lead to one that was left
    /// out.
    pub fn note<L: Gathers>(
        &mut self,
        rows: &[u64],
        taking: &mut Taking<'_, L>,
    ) -> ControlFlow<Stop> {
        for state in rows.chunks_exact(self.coded.state.len()) {
            taking.measure()?;
            match self.coded.coding.find(state) {
                Some(word) => self.words.note(&[word], taking)?,
                None => self.coded.whole.note(state, taking)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Every state's number is below this, once layers are noted; there are numbers that none has.
    pub fn numbers(&self) -> u64 {
        self.words.numbers() + self.coded.whole.len()
    }

    pub fn number(&self, state: &[u64]) -> Option<u64> {
        if !self.coded.may_be(state) {
            return None;
        }
        match self.coded.coding.find(state) {
            Some(word) => self.words.number(word),
            None => Some(self.words.numbers() + self.coded.whole.number(state)?),
        }
    }

    /// Copies the state with a number, if one has it.
    pub fn copy(&self, number: u64, state: &mut [u64]) -> bool {
        match number.checked_sub(self.words.numbers()) {
            Some(number) => self.coded.whole.copy(number, state),
            None => {
                let word = self.words.word(number);
                word.map(|word| self.coded.coding.state(word, state))
                    .is_some()
            }
        }
    }

    /// The layer that was noted of the state with a number.
    pub fn level_of(&self, number: u64) -> Option<u64> {
        match number.checked_sub(self.words.numbers()) {
            Some(number) => self.coded.whole.level_of(number),
            None => self.words.level_of(self.words.word(number)?),
        }
    }

    /// Copies a state of a layer, from this number on.
    pub fn of_level(&self, layer: u64, from: &mut u64, state: &mut [u64]) -> Option<()> {
        let first = self.words.numbers();
        if *from < first
            && let Some(word) = self.words.of_level(layer, from)
        {
            self.coded.coding.state(word, state);
            return Some(());
        }
        let mut number = from.saturating_sub(first);
        let found = self.coded.whole.of_level(layer, &mut number);
        *from = first + number;
        found.map(|number| {
            self.coded.whole.copy(number, state);
        })
    }
}
