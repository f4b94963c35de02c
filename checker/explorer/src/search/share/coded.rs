//! What the words of states of several words are, and the states that have none.
//!
//! The words are the numbers of their components' values, as [`Components`] gives them. Each worker gives numbers of its own,
//! so that what is sent are the states themselves. Where a word has no bits left for a value the states that have it are kept
//! whole, with a number each ([`Numbered`]): whether a word tells a state then never changes any more
//! ([`Components::settle`]), so that a state is in one place.

use std::ops::ControlFlow;

use stubborn_space::several::Seat;

use super::finding::Finding;
use super::gathers::{BATCH, Gathers};
use super::numbered::Numbered;
use super::one_word::OneWords;
use super::owners::{Decide, Owners};
use super::taking::Taking;
use super::telling::{Telling, Whose};
use crate::search::layers::found::pays;
use crate::search::layers::whole_words;
use crate::search::meter::Stop;

use crate::store::coding::{Coding, Components, Outgrown};

/// What the words of states are, and the states that have none.
pub struct Coded {
    pub coding: Components,
    pub whole: Numbered,
    owners: Owners,
    own: usize,
    /// The bits that a state may have.
    bits: Vec<u64>,
    /// Parts that are words of a state, if that may help where the parts that there are have too many values.
    whole_words: Option<Vec<(u32, u64)>>,
    /// The components that say whom a state belongs to, and the bits of a word that tell these.
    deciding: Vec<u32>,
    telling: u64,
    decide: Vec<u64>,
    /// Whose states were that were asked for lately, by these bits of their words.
    whose: Whoses,
    present: Option<u64>,
    /// For a state that is sent, or asked whose it is.
    pub state: Vec<u64>,
    changes: u64,
}

impl Coded {
    /// Without a state. All bits of one that may ever be set are in one of the parts: in a word of it, some of its bits.
    pub fn new(initial: &[u64], mut parts: Vec<(u32, u64)>, decide: &Decide, seat: Seat) -> Coded {
        parts.retain(|(_, bits)| *bits != 0);
        let mut bits = vec![0; initial.len()];
        for (word, of) in &parts {
            bits[*word as usize] |= of;
        }
        let whole_words = whole_words(&parts);
        let coding = Components::new(parts, initial);
        let coding = coding.unwrap_or_else(|| Components::of_this_alone(initial));
        Coded {
            deciding: coding.of_bits(&decide.bits),
            telling: coding.telling(&decide.bits),
            decide: decide.bits.clone(),
            whose: Whoses::default(),
            coding,
            whole: Numbered::new(initial.len()),
            owners: Owners::of_states(decide, seat),
            own: seat.own,
            bits,
            whole_words,
            present: None,
            state: initial.to_vec(),
            changes: 0,
        }
    }

    /// No more than so many of a word's lowest bits are ever set.
    pub fn width(&self) -> u32 {
        self.coding.width()
    }

    /// Whether this may be a state: others have no word.
    pub fn may_be(&self, state: &[u64]) -> bool {
        let mut all = state.iter().zip(&self.bits);
        state.len() == self.bits.len() && all.all(|(word, bits)| word & !bits == 0)
    }

    /// Whether this is a state that belongs here.
    pub fn is_ours(&self, state: &[u64]) -> bool {
        self.may_be(state) && self.owners.owner(state) == self.own
    }

    /// What is met next is like this state.
    pub fn goes_on_from(&mut self, word: u64, state: &[u64]) {
        self.coding.goes_on_from(word, state);
    }

    /// As if a word had only so many bits; until whole words get numbers, if they may.
    #[cfg(test)]
    pub fn of_few_bits(&mut self, bits: u32, has_whole_words: bool) {
        self.coding.of_few_bits(bits);
        self.whole_words = self.whole_words.take().filter(|_| has_whole_words);
    }

    /// Whether whole words may still get numbers.
    #[cfg(test)]
    pub fn has_whole_words(&self) -> bool {
        self.whole_words.is_some()
    }

    /// How many states are kept whole.
    #[cfg(test)]
    pub fn many_whole(&self) -> u64 {
        self.whole.len()
    }
}

/// So many states are gone through between two looks at the time and at memory.
const BETWEEN_LOOKS: u64 = 1 << 12;

impl<L: Gathers> Finding<'_, '_, L, Coded> {
    /// Gives words more bits, if there are more. What was found so far has other words afterwards; where something stops that
    /// all is as it was.
    #[cold]
    fn widen(&mut self) -> ControlFlow<Stop> {
        // Those that wait have places in the table as it is.
        self.take_in()?;
        self.account()?;
        let Some((change, width)) = self.told.coding.next_change() else {
            return self.number_whole_words();
        };
        self.change_words(width, 0, |_, word| change.of(word))?;
        let widened = self.told.coding.widen();
        debug_assert!(widened.is_some(), "that was the next change");
        self.words_are_others()
    }

    /// Gives each state that has a word another one, if there is memory for that and so many bytes besides.
    fn change_words(
        &mut self,
        width: u32,
        besides: u64,
        mut change: impl FnMut(&Components, u64) -> u64,
    ) -> ControlFlow<Stop> {
        let (taking, coding) = (&mut *self.taking, &self.told.coding);
        taking.may_hold(besides + self.kept.bytes_to_change(width))?;
        let figures = taking.figures();
        let ask = |bytes| {
            taking.may_hold(besides + bytes)?;
            taking.meter.poll(figures)
        };
        self.kept.change(width, |word| change(coding, word), ask)?;
        self.told.present = self.told.present.map(|word| change(coding, word));
        ControlFlow::Continue(())
    }

    fn words_are_others(&mut self) -> ControlFlow<Stop> {
        let told = &mut *self.told;
        told.changes += 1;
        told.deciding = told.coding.of_bits(&told.decide);
        told.telling = told.coding.telling(&told.decide);
        told.whose = Whoses::default();
        self.taking.remember_lately(INITIAL);
        self.account()?;
        self.make_room()
    }

    /// Of many components the values are few and take more bits than a word has all the same, where those of whole words of a
    /// state take no more than there are states. If that is so here, and pays, all states get other words; else no more get one.
    fn number_whole_words(&mut self) -> ControlFlow<Stop> {
        let whole_words = self.told.whole_words.take();
        let coding = match whole_words {
            Some(parts) => self.coding_of(parts)?,
            None => None,
        };
        let Some(coding) = coding else {
            self.told.coding.settle();
            return ControlFlow::Continue(());
        };
        let mut state = vec![0; self.told.state.len()];
        // The numbers are there beside those that there were.
        self.change_words(coding.width(), coding.bytes(), |before, word| {
            before.state(word, &mut state);
            let word = coding.find(&state);
            debug_assert!(word.is_some(), "all values have numbers");
            word.unwrap_or_default()
        })?;
        self.told.coding = coding;
        self.words_are_others()
    }

    /// One of these parts, in which all states have a word that have one now; if a word has the bits, and it pays.
    fn coding_of(&mut self, parts: Vec<(u32, u64)>) -> ControlFlow<Stop, Option<Components>> {
        let mut state = vec![0; self.told.state.len()];
        let (taking, before) = (&mut *self.taking, &self.told.coding);
        before.state(INITIAL, &mut state);
        let Some(mut coding) = Components::new(parts, &state) else {
            return ControlFlow::Continue(None);
        };
        let figures = taking.figures();
        let mut many = 0;
        let flow = self.kept.each(|word| {
            before.state(word, &mut state);
            // So far nobody has such words.
            while coding.word(&state).is_err() {
                if coding.widen().is_none() {
                    return ControlFlow::Break(None);
                }
            }
            many += 1;
            if many % BETWEEN_LOOKS > 0 {
                return ControlFlow::Continue(());
            }
            if !pays(&coding, many) {
                return ControlFlow::Break(None);
            }
            let flow = taking.may_hold(coding.bytes());
            flow.map_break(Some)?;
            taking.meter.poll(figures).map_break(Some)
        });
        match flow {
            ControlFlow::Continue(()) => ControlFlow::Continue(Some(coding)),
            ControlFlow::Break(None) => ControlFlow::Continue(None),
            ControlFlow::Break(Some(stop)) => ControlFlow::Break(stop),
        }
    }

    /// A step, or somebody else, leads to a state that has no word.
    fn meets_whole(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        self.taking.of_state += 1;
        let to = self.told.owners.owner(state);
        if to != self.told.own || self.taking.is_noting {
            self.gathered[to].extend_from_slice(state);
            self.words += state.len();
            return self.taking.measure();
        }
        if !self.told.whole.have_wait(state) {
            return ControlFlow::Continue(());
        }
        self.words += BATCH * state.len();
        self.told.whole.take_in(self.taking)
    }
}

/// Of some bits of words, the number of the worker whose states have these.
struct Whoses(Box<[(u64, usize)]>);

/// So many at the most, a power of two; 16 KiB.
const MOST_LATELY: usize = 1 << 10;

impl Default for Whoses {
    fn default() -> Whoses {
        // Nobody has this number.
        Whoses(vec![(0, usize::MAX); MOST_LATELY].into())
    }
}

impl Whoses {
    #[inline]
    fn of(&mut self, bits: u64, find: impl FnOnce() -> usize) -> usize {
        let mixed = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = (mixed >> (u64::BITS - MOST_LATELY.ilog2())) as usize;
        let (known, owner) = &mut self.0[place];
        if *known != bits || *owner == usize::MAX {
            (*known, *owner) = (bits, find());
        }
        *owner
    }

    fn bytes(&self) -> u64 {
        size_of_val(&*self.0) as u64
    }
}

/// The values of the initial state have the first numbers.
pub const INITIAL: u64 = 0;

impl Telling for Coded {
    type Coding = Components;

    const IS_STATE: bool = false;

    fn coding(&mut self) -> &mut Components {
        &mut self.coding
    }

    fn changes(&self) -> u64 {
        self.changes
    }

    #[inline]
    fn begins(&mut self, word: Option<u64>) {
        self.present = word;
    }

    fn present(&self) -> Option<u64> {
        self.present
    }

    /// A step that changes nothing of what says whose a state is leads to a state that belongs here too.
    #[inline]
    fn whose(&mut self, word: u64, kept: &OneWords) -> Whose {
        let is_ours = |from| (from ^ word) & self.telling == 0;
        let owner = match self.present.is_some_and(is_ours) {
            true => self.own,
            false => {
                let (coding, deciding, state) = (&self.coding, &self.deciding, &mut self.state);
                self.whose.of(word & self.telling, || {
                    coding.some_of(word, deciding, state);
                    self.owners.owner(state)
                })
            }
        };
        match owner == self.own && !kept.is_noting() {
            true => Whose::Here(kept.deal(word)),
            false => Whose::Sent(owner),
        }
    }

    fn send(&mut self, word: u64, to: &mut Vec<u64>) -> usize {
        self.coding.state(word, &mut self.state);
        to.extend_from_slice(&self.state);
        self.state.len()
    }

    #[inline]
    fn word<L: Gathers>(
        finding: &mut Finding<'_, '_, L, Coded>,
        state: &[u64],
    ) -> ControlFlow<Stop, Option<u64>> {
        loop {
            let (coding, is_noting) = (&mut finding.told.coding, finding.taking.is_noting);
            let word = match is_noting {
                true => coding.find(state).ok_or(Outgrown),
                false => coding.word(state),
            };
            match word {
                Ok(word) => return ControlFlow::Continue(Some(word)),
                Err(Outgrown) if is_noting || coding.is_settled() => {
                    finding.meets_whole(state)?;
                    return ControlFlow::Continue(None);
                }
                Err(Outgrown) => finding.widen()?,
            }
        }
    }

    fn take_in<L: Gathers>(&mut self, taking: &mut Taking<'_, L>) -> ControlFlow<Stop> {
        self.whole.take_in(taking)
    }

    fn take(&mut self, state: &mut [u64]) -> bool {
        self.whole.take(state)
    }

    fn has_more(&self) -> bool {
        self.whole.has_more()
    }

    fn bytes(&self) -> u64 {
        self.coding.bytes() + self.whole.bytes() + self.whose.bytes()
    }
}
