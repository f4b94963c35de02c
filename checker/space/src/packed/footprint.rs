//! Bits of a state that the steps of an instance may read or change, by the form of their code.
//!
//! They are an upper bound: the result of the steps is a function of these bits, and changes no
//! others. An index that is not known stands for every cell.

use super::body::{Body, Pattern};
use super::code::{Channel, Code, Part};
use super::layout::{Layout, Slot};
use super::local::{LocalStep, Message};
use super::specialise::Known;
use super::walk::Walk;

/// Collects bits.
pub struct Footprint<'a> {
    layout: &'a Layout,
    /// Of each word of a state.
    bits: &'a mut [u64],
}

impl<'a> Footprint<'a> {
    /// To be added to these.
    pub fn new(layout: &'a Layout, bits: &'a mut [u64]) -> Footprint<'a> {
        debug_assert_eq!(bits.len(), layout.words, "a state has so many words");
        Footprint { layout, bits }
    }

    /// A scalar.
    pub fn slot(&mut self, slot: Slot) {
        self.bits[slot.word as usize] |= slot.mask << slot.shift;
    }

    /// Of a step without an action, in all states of which this is known.
    pub fn local(&mut self, step: &LocalStep, known: &Known<'_>) {
        let body = &step.body;
        match &step.message {
            None => self.body_where(body, known),
            // Messages are no variables of the instance: these are known as before.
            Some(Message::Send(outgoing)) => {
                self.contents(&known.channel(&outgoing.channel));
                for (value, _) in &outgoing.values {
                    self.code(&known.code(value));
                }
                self.body_where(body, known);
            }
            // What a `?` assigns is not what was known.
            Some(Message::Receive {
                channel,
                arguments,
                onward,
                ..
            }) => {
                self.contents(&known.channel(channel));
                for (argument, _) in arguments {
                    match argument {
                        Pattern::Match(code) => self.code(&known.code(code)),
                        Pattern::Bind { part, .. } => self.writes_part(&known.part(part), 1),
                        Pattern::Skip => {}
                    }
                }
                if let Some(onward) = onward {
                    self.contents(&onward.channel);
                    onward.values.iter().for_each(|(value, _)| self.code(value));
                }
                self.body(body);
            }
        }
    }

    /// One participant's part of a joint step, whatever the values are.
    pub fn on(&mut self, patterns: &[Pattern], body: &Body) {
        patterns.iter().for_each(|pattern| self.pattern(pattern));
        self.body(body);
    }

    /// Of a step that is taken where this is known.
    fn body_where(&mut self, body: &Body, known: &Known<'_>) {
        match body.guard.as_ref().map(|guard| known.code(guard)) {
            Some(Code::Const(0)) => return,
            Some(guard) => self.code(&guard),
            None => {}
        }
        match body.can_be_specialised() {
            true => self.ops(&body.specialised(known)),
            false => self.body(body),
        }
    }

    fn slots(&mut self, first: usize, past: usize) {
        let layout = self.layout;
        for slot in &layout.slots[first..past.min(layout.slots.len())] {
            self.slot(*slot);
        }
    }

    fn indices(&mut self, part: &Part) {
        for index in &part.indices {
            self.code(&index.index);
        }
    }

    fn contents(&mut self, channel: &Channel) {
        for channel in self.channels(channel) {
            let channel = &self.layout.channels[channel as usize];
            self.slot(channel.length);
            self.slots(channel.first as usize, channel.slot(channel.capacity, 0));
        }
    }
}

impl Walk for Footprint<'_> {
    fn layout(&self) -> &Layout {
        self.layout
    }

    fn reads(&mut self, slot: Slot) {
        self.slot(slot);
    }

    /// All slots that a part may have, and what its indices look at.
    fn reads_part(&mut self, part: &Part, scalars: u32) {
        self.indices(part);
        let indices = part.indices.iter();
        let reach: u32 = indices.map(|i| i.len.saturating_sub(1) * i.stride).sum();
        let first = part.base as usize;
        self.slots(first, first + (reach + scalars) as usize);
    }

    fn writes(&mut self, slot: Slot) {
        self.slot(slot);
    }

    fn writes_part(&mut self, part: &Part, scalars: u32) {
        self.reads_part(part, scalars);
    }

    fn writes_word(&mut self, word: u32, keep: u64) {
        self.bits[word as usize] |= !keep;
    }
}
