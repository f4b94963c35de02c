//! Code for states of which a part is known: partial evaluation.

use stubborn_system::system::Range;

use super::code::{Channel, Code, Index, Op, Part};
use super::evaluate::{element, outside_array, outside_type};
use super::layout::{Layout, Slot};
use super::simplify::{
    bit_not, branch, count, greatest, junction, least, negate, not, select, sum, take,
};

/// So many words before may get more bits of their own: else an effect on many would look at each.
const WORDS_LOOKED_BACK: usize = 64;

/// A state of which some bits are known.
#[derive(Clone)]
pub struct Known<'a> {
    layout: &'a Layout,
    /// Of each word, which bits are known, and what they are.
    words: Vec<(u64, u64)>,
}

impl<'a> Known<'a> {
    /// Nothing is known.
    pub fn nothing(layout: &'a Layout) -> Known<'a> {
        Known {
            layout,
            words: vec![(0, 0); layout.words],
        }
    }

    pub fn learn(&mut self, slot: Slot, raw: u64) {
        let (mask, bits) = &mut self.words[slot.word as usize];
        *mask |= slot.mask << slot.shift;
        *bits = (*bits & !(slot.mask << slot.shift)) | raw << slot.shift;
    }

    fn forget(&mut self, slot: Slot) {
        self.words[slot.word as usize].0 &= !(slot.mask << slot.shift);
    }

    /// Any of the slots that a part may begin at may have got a new value, and so many after it.
    fn forget_part(&mut self, part: &Part, scalars: usize) {
        let indices = part.indices.iter();
        let reach: u32 = indices.map(|i| i.len.saturating_sub(1) * i.stride).sum();
        let first = part.base as usize;
        let past = (first + reach as usize + scalars).min(self.layout.slots.len());
        for slot in first..past {
            self.forget(self.layout.slots[slot]);
        }
    }

    /// Of what either of two may be, only that is known which is the same in both.
    fn or(&mut self, other: &Known<'_>) {
        for ((mask, bits), (other_mask, other_bits)) in self.words.iter_mut().zip(&other.words) {
            *mask &= other_mask & !(*bits ^ other_bits);
        }
    }

    fn value(&self, slot: Slot) -> Option<i64> {
        let (mask, bits) = self.words[slot.word as usize];
        let wanted = slot.mask << slot.shift;
        (mask & wanted == wanted)
            .then(|| ((bits >> slot.shift & slot.mask) as i64).wrapping_add(slot.lo))
    }

    fn slot(&self, slot: Slot) -> Code {
        self.value(slot).map_or(Code::Slot(slot), Code::Const)
    }

    fn codes(&self, codes: &[Code]) -> Vec<Code> {
        codes.iter().map(|code| self.code(code)).collect()
    }

    /// Code that has the same value, or failure, in every such state.
    pub fn code(&self, code: &Code) -> Code {
        let truth = |holds: bool| Code::Const(i64::from(holds));
        match code {
            Code::Slot(slot) => self.slot(*slot),
            Code::SlotIs(slot, raw) => match self.value(*slot) {
                Some(value) => truth(slot.to_raw(value) == *raw),
                None => code.clone(),
            },
            Code::SlotIsNot(slot, raw) => match self.value(*slot) {
                Some(value) => truth(slot.to_raw(value) != *raw),
                None => code.clone(),
            },
            Code::SlotConst(operator, slot, value) => {
                take(*operator, self.slot(*slot), Code::Const(*value))
            }
            Code::SlotSlot(operator, slots) => {
                take(*operator, self.slot(slots.0), self.slot(slots.1))
            }
            Code::Binary(operator, operands) => {
                take(*operator, self.code(&operands.0), self.code(&operands.1))
            }
            Code::Not(operand) => not(self.code(operand)),
            Code::Negate(operand) => negate(self.code(operand)),
            Code::BitNot(operand) => bit_not(self.code(operand)),
            Code::All(parts) => junction(parts.iter().map(|part| self.code(part)), true),
            Code::Any(parts) => junction(parts.iter().map(|part| self.code(part)), false),
            Code::If(parts) => {
                let condition = self.code(&parts.0);
                let mut known = self;
                branch(
                    &mut known,
                    condition,
                    |known| known.code(&parts.1),
                    |known| known.code(&parts.2),
                )
            }
            Code::Count(parts) => count(self.codes(parts)),
            Code::Sum(parts) => sum(self.codes(parts)),
            Code::Min(parts) => least(self.codes(parts)),
            Code::Max(parts) => greatest(self.codes(parts)),
            Code::Cell(part) => {
                let part = self.part(part);
                if part.indices.is_empty() {
                    self.slot(self.layout.slots[part.base as usize])
                } else {
                    Code::Cell(Box::new(part))
                }
            }
            Code::Table(table) => match self.code(&table.index) {
                Code::Const(index) => {
                    let len = table.values.len() as u32;
                    match element(index, table.lo, len) {
                        Some(at) => Code::Const(table.values[at as usize]),
                        None => Code::Fail(outside_array(index, table.lo, len)),
                    }
                }
                _ => code.clone(),
            },
            Code::AtSet(slot, set) => match self.value(*slot) {
                Some(value) => truth(set >> slot.to_raw(value) & 1 != 0),
                None => code.clone(),
            },
            Code::At(slot, locations) => match self.value(*slot) {
                Some(value) => truth(locations.contains(&(slot.to_raw(value) as u32))),
                None => code.clone(),
            },
            Code::Select(cases) => {
                let index = self.code(&cases.index);
                select(cases.lo, index, &cases.cases, |case| self.code(case))
            }
            Code::Length(channel) => Code::Length(self.channel(channel)),
            Code::IsEmpty(channel) => Code::IsEmpty(self.channel(channel)),
            Code::IsFull(channel) => Code::IsFull(self.channel(channel)),
            Code::Const(_)
            | Code::Choice(_)
            | Code::Bound(_)
            | Code::Pick(_)
            | Code::Equal(_)
            | Code::OneOf(_)
            | Code::Let(_)
            | Code::Fail(_) => code.clone(),
        }
    }

    pub fn part(&self, part: &Part) -> Part {
        let mut known = Part {
            base: part.base,
            indices: Box::new([]),
        };
        for Index {
            index,
            lo,
            len,
            stride,
        } in &part.indices
        {
            known = known.cell(*lo, *len, *stride, self.code(index));
        }
        known
    }

    pub fn channel(&self, channel: &Channel) -> Channel {
        match channel {
            Channel::Indexed(part) => Channel::of(self.part(part)),
            Channel::One(_) | Channel::Fails(_) => channel.clone(),
        }
    }

    /// Effects that do the same in every such state. What is known afterwards is then known here.
    pub fn effects(&mut self, ops: &[Op], into: &mut Vec<Op>) {
        for op in ops {
            if matches!(into.last(), Some(Op::Fail(_))) {
                return;
            }
            match op {
                Op::SetRaw(slot, raw) => self.write(*slot, *raw, into),
                Op::Write { .. } => unreachable!("nothing is specialised twice"),
                Op::Set { slot, range, value } => {
                    let value = self.code(value);
                    self.assign(*slot, *range, value, into);
                }
                Op::SetPart { part, range, value } => {
                    let part = self.part(part);
                    let value = self.code(value);
                    if part.indices.is_empty() {
                        let slot = self.layout.slots[part.base as usize];
                        self.assign(slot, *range, value, into);
                    } else {
                        self.forget_part(&part, 1);
                        let range = *range;
                        into.push(Op::SetPart { part, range, value });
                    }
                }
                Op::SetWhole { part, ranges, .. } => {
                    self.forget_part(part, ranges.len());
                    into.push(op.clone());
                }
                Op::If(condition, then, otherwise) => match self.code(condition) {
                    Code::Const(0) => self.effects(otherwise, into),
                    Code::Const(_) => self.effects(then, into),
                    condition => {
                        let mut other = self.clone();
                        let (mut if_true, mut if_false) = (Vec::new(), Vec::new());
                        self.effects(then, &mut if_true);
                        other.effects(otherwise, &mut if_false);
                        self.or(&other);
                        into.push(Op::If(condition, if_true.into(), if_false.into()));
                    }
                },
                Op::Assert(condition) => match self.code(condition) {
                    Code::Const(0) => {
                        into.push(Op::Fail(stubborn_system::system::Failure::Assertion.into()));
                    }
                    Code::Const(_) => {}
                    condition => into.push(Op::Assert(condition)),
                },
                Op::Fail(_) | Op::Note(_) => into.push(op.clone()),
            }
        }
    }

    fn assign(&mut self, slot: Slot, range: Range, value: Code, into: &mut Vec<Op>) {
        match value {
            Code::Const(value) if range.contains(value) => {
                self.write(slot, slot.to_raw(value), into);
            }
            Code::Const(value) => into.push(Op::Fail(outside_type(range, value))),
            Code::Fail(failure) => into.push(Op::Fail(failure)),
            value => {
                self.forget(slot);
                into.push(Op::Set { slot, range, value });
            }
        }
    }

    /// Sets a slot, together with what was set in the same word just before.
    pub fn write(&mut self, slot: Slot, raw: u64, into: &mut Vec<Op>) {
        self.learn(slot, raw);
        let here = slot.mask << slot.shift;
        let value = raw << slot.shift;
        for op in into.iter_mut().rev().take(WORDS_LOOKED_BACK) {
            match op {
                Op::Write { word, keep, bits } if *word == slot.word => {
                    *keep &= !here;
                    *bits = (*bits & !here) | value;
                    return;
                }
                Op::Write { .. } => {}
                _ => break,
            }
        }
        into.push(Op::Write {
            word: slot.word,
            keep: !here,
            bits: value,
        });
    }
}
