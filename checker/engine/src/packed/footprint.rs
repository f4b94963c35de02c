//! What the steps of an instance may look at and change, as bits of a state, by the form of their code.
//!
//! More than they touch in any one state, and never less: what they come to is then a function of these
//! bits, and changes no others. An index that is not known stands for every cell.

use super::body::{Body, Pattern, Target};
use super::code::{Channel, Code, Op, Part, Whole};
use super::layout::{Layout, Slot};
use super::local::{LocalStep, Message};
use super::mutation::{Mutation, is_left_out};
use super::specialise::Known;

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
            Some(Message::Send {
                channel, values, ..
            }) => {
                self.contents(&known.channel(channel));
                for (value, _) in values {
                    self.code(&known.code(value));
                }
                self.body_where(body, known);
            }
            // What a `?` assigns is not what was known.
            Some(Message::Receive {
                channel, arguments, ..
            }) => {
                self.contents(&known.channel(channel));
                for (argument, _) in arguments {
                    match argument {
                        Pattern::Match(code) => self.code(&known.code(code)),
                        Pattern::Bind { part, .. } => self.writes(&known.part(part), 1),
                        Pattern::Skip => {}
                    }
                }
                self.body(body);
            }
        }
    }

    /// One participant's part of a joint step, whatever the values are.
    pub fn on(&mut self, patterns: &[Pattern], body: &Body) {
        for pattern in patterns {
            match pattern {
                Pattern::Match(code) => self.code(code),
                Pattern::Bind { part, .. } => self.writes(part, 1),
                Pattern::Skip => {}
            }
        }
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

    fn body(&mut self, body: &Body) {
        if let Some(guard) = &body.guard {
            self.code(guard);
        }
        self.ops(&body.effects);
        if let Target::Test(condition, _, _) = &body.target {
            self.code(condition);
        }
        self.slot(body.location);
    }

    fn slots(&mut self, first: usize, past: usize) {
        let layout = self.layout;
        for slot in &layout.slots[first..past.min(layout.slots.len())] {
            self.slot(*slot);
        }
    }

    /// All slots that a part may have, and what its indices look at.
    fn part(&mut self, part: &Part, scalars: usize) {
        self.indices(part);
        let indices = part.indices.iter();
        let indices = indices.filter(|_| !is_left_out(Mutation::Cells));
        let reach: u32 = indices.map(|i| i.len.saturating_sub(1) * i.stride).sum();
        let first = part.base as usize;
        self.slots(first, first + reach as usize + scalars);
    }

    fn indices(&mut self, part: &Part) {
        for index in &part.indices {
            self.code(&index.index);
        }
    }

    fn writes(&mut self, part: &Part, scalars: usize) {
        match is_left_out(Mutation::Writes) {
            false => self.part(part, scalars),
            true => self.indices(part),
        }
    }

    fn writes_slot(&mut self, slot: Slot) {
        if !is_left_out(Mutation::Writes) {
            self.slot(slot);
        }
    }

    /// The channels that may be meant.
    fn channels(&mut self, channel: &Channel) -> std::ops::Range<usize> {
        match channel {
            Channel::One(channel) => *channel as usize..*channel as usize + 1,
            Channel::Indexed {
                first, len, index, ..
            } => {
                self.code(index);
                *first as usize..(*first + *len) as usize
            }
            Channel::Fails(_) => 0..0,
        }
    }

    fn lengths(&mut self, channel: &Channel) {
        for channel in self.channels(channel) {
            self.slot(self.layout.channels[channel].length);
        }
    }

    fn contents(&mut self, channel: &Channel) {
        for channel in self.channels(channel) {
            let channel = &self.layout.channels[channel];
            self.slot(channel.length);
            let messages = match is_left_out(Mutation::Messages) {
                false => channel.capacity,
                true => channel.capacity.min(1),
            };
            self.slots(channel.first as usize, channel.slot(messages, 0));
        }
    }

    fn codes(&mut self, codes: &[Code]) {
        codes.iter().for_each(|code| self.code(code));
    }

    /// What evaluating the code may look at.
    pub fn code(&mut self, code: &Code) {
        match code {
            Code::Const(_) | Code::Choice(_) | Code::Bound(_) | Code::Fail(_) => {}
            Code::Slot(slot)
            | Code::SlotConst(_, slot, _)
            | Code::SlotIs(slot, _)
            | Code::SlotIsNot(slot, _)
            | Code::AtSet(slot, _)
            | Code::At(slot, _) => self.slot(*slot),
            Code::SlotSlot(_, slots) => {
                self.slot(slots.0);
                self.slot(slots.1);
            }
            Code::Cell(part) => self.part(part, 1),
            Code::Table(table) => self.code(&table.index),
            Code::Pick(whole) => self.whole(whole),
            Code::Not(operand) | Code::Negate(operand) | Code::BitNot(operand) => {
                self.code(operand);
            }
            Code::Binary(_, operands) => {
                self.code(&operands.0);
                self.code(&operands.1);
            }
            Code::Equal(operands) => {
                self.whole(&operands.0);
                self.whole(&operands.1);
            }
            Code::All(parts)
            | Code::Any(parts)
            | Code::Count(parts)
            | Code::Sum(parts)
            | Code::Min(parts)
            | Code::Max(parts) => self.codes(parts),
            Code::If(parts) => {
                self.code(&parts.0);
                self.code(&parts.1);
                self.code(&parts.2);
            }
            Code::OneOf(parts) => {
                self.whole(&parts.0);
                parts.1.iter().for_each(|part| self.whole(part));
            }
            Code::Select(select) => {
                self.code(&select.index);
                self.codes(&select.cases);
            }
            Code::Let(binding) => {
                self.whole(&binding.value);
                self.code(&binding.body);
            }
            Code::Length(channel) | Code::IsEmpty(channel) | Code::IsFull(channel) => {
                self.lengths(channel);
            }
        }
    }

    fn whole(&mut self, whole: &Whole) {
        match whole {
            Whole::Scalar(code) => self.code(code),
            Whole::Part(part, len) => self.part(part, *len as usize),
            Whole::Const(_) | Whole::Bound(..) | Whole::Fail(_) => {}
            Whole::Cells(parts) => parts.iter().for_each(|part| self.whole(part)),
            Whole::Pick { array, index } => {
                self.whole(array);
                self.code(&index.index);
            }
            Whole::Field { record, .. } => self.whole(record),
            Whole::If(parts) => {
                self.code(&parts.0);
                self.whole(&parts.1);
                self.whole(&parts.2);
            }
            Whole::Select(select) => {
                self.code(&select.index);
                select.cases.iter().for_each(|case| self.whole(case));
            }
            Whole::Let(binding) => {
                self.whole(&binding.value);
                self.whole(&binding.body);
            }
        }
    }

    fn ops(&mut self, ops: &[Op]) {
        for op in ops {
            match op {
                Op::SetRaw(slot, _) => self.writes_slot(*slot),
                Op::Write { word, keep, .. } => {
                    if !is_left_out(Mutation::Writes) {
                        self.bits[*word as usize] |= !keep;
                    }
                }
                Op::Set { slot, value, .. } => {
                    self.code(value);
                    self.writes_slot(*slot);
                }
                Op::SetPart { part, value, .. } => {
                    self.code(value);
                    self.writes(part, 1);
                }
                Op::SetWhole {
                    part,
                    ranges,
                    value,
                } => {
                    self.whole(value);
                    self.writes(part, ranges.len());
                }
                Op::If(condition, then, otherwise) => {
                    self.code(condition);
                    self.ops(then);
                    self.ops(otherwise);
                }
                Op::Assert(condition) => self.code(condition),
                Op::Fail(_) => {}
            }
        }
    }
}
