//! Partial states: some of the scalars are known.
//!
//! The compiled code runs on it as on a whole state. Where it reads a scalar that is not known it
//! gets some value and the scalar is noted, so that the caller can try all its values in turn.

use std::cell::Cell;

use stubborn_space::packed::layout::{Cells, CellsMut, Slot};

#[derive(Clone, Debug)]
pub struct Partial {
    words: Vec<u64>,
    /// The bits that are known.
    known: Vec<u64>,
    /// The bits of lengths of channels of which it is known whether the channel is empty or full,
    /// and no more.
    rough: Vec<u64>,
    /// The first scalar that was read though it is not known.
    missing: Cell<Option<Missing>>,
    /// The scalars that were written, in that order.
    written: Vec<Slot>,
    /// Their bits.
    is_written: Vec<u64>,
}

/// A scalar that was asked for in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    pub slot: Slot,
    /// It is the length of a channel, of which it was asked whether the channel is empty or full.
    pub is_rough: bool,
}

impl Partial {
    pub fn nothing(words: usize) -> Partial {
        Partial {
            words: vec![0; words],
            known: vec![0; words],
            rough: vec![0; words],
            missing: Cell::new(None),
            written: Vec::new(),
            is_written: vec![0; words],
        }
    }

    pub fn learn(&mut self, slot: Slot, raw: u64) {
        self.set_length(slot, raw);
        self.rough[slot.word as usize] &= !(slot.mask << slot.shift);
    }

    /// Changes the length of a channel, of which as much is known as before.
    pub fn set_length(&mut self, slot: Slot, raw: u64) {
        self.words.set_raw(slot, raw);
        self.known[slot.word as usize] |= slot.mask << slot.shift;
    }

    /// Whether it was only [learned roughly](Partial::learn_roughly).
    pub fn is_rough(&self, slot: Slot) -> bool {
        self.rough[slot.word as usize] & slot.mask << slot.shift != 0
    }

    /// Learns of the length of a channel whether the channel is empty or full.
    pub fn learn_roughly(&mut self, slot: Slot, raw: u64) {
        self.learn(slot, raw);
        self.rough[slot.word as usize] |= slot.mask << slot.shift;
    }

    pub fn forget(&mut self, slot: Slot) {
        self.words.set_raw(slot, 0);
        self.known[slot.word as usize] &= !(slot.mask << slot.shift);
        self.rough[slot.word as usize] &= !(slot.mask << slot.shift);
    }

    /// The length of a channel, to compare it with none and with its capacity.
    pub fn length(&self, slot: Slot) -> u64 {
        let bits = slot.mask << slot.shift;
        if self.known[slot.word as usize] & bits != bits && self.missing.get().is_none() {
            let is_rough = true;
            self.missing.set(Some(Missing { slot, is_rough }));
        }
        self.words.raw(slot)
    }

    /// A scalar with a single value is always known.
    pub fn knows(&self, slot: Slot) -> bool {
        let bits = slot.mask << slot.shift;
        let word = slot.word as usize;
        self.known[word] & !self.rough[word] & bits == bits
    }

    /// The value, if it is known; not noted as read.
    pub fn value(&self, slot: Slot) -> Option<u64> {
        self.knows(slot).then(|| self.words.raw(slot))
    }

    /// The first scalar that was asked for in vain since this was last called.
    pub fn take_missing(&self) -> Option<Missing> {
        self.missing.take()
    }

    /// Becomes what the other is, with nothing written or missing.
    pub fn begin_as(&mut self, other: &Partial) {
        self.words.copy_from_slice(&other.words);
        self.known.copy_from_slice(&other.known);
        self.rough.copy_from_slice(&other.rough);
        self.missing.set(None);
        for slot in self.written.drain(..) {
            self.is_written[slot.word as usize] = 0;
        }
    }

    /// Those with more than one value.
    pub fn written(&self) -> &[Slot] {
        &self.written
    }
}

impl Cells for Partial {
    fn raw(&self, slot: Slot) -> u64 {
        if !self.knows(slot) && self.missing.get().is_none() {
            let is_rough = false;
            self.missing.set(Some(Missing { slot, is_rough }));
        }
        self.words.raw(slot)
    }
}

impl CellsMut for Partial {
    fn set_raw(&mut self, slot: Slot, raw: u64) {
        self.learn(slot, raw);
        let bits = slot.mask << slot.shift;
        let written = &mut self.is_written[slot.word as usize];
        if *written & bits != bits {
            *written |= bits;
            self.written.push(slot);
        }
    }

    fn write(&mut self, _: u32, _: u64, _: u64) {
        debug_assert!(
            false,
            "code that was not specialised has no writes of words"
        );
    }
}
