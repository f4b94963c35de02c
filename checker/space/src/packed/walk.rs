//! Going through compiled code: what it may look at and change, by its form alone, in the order in
//! which it is run.

use super::body::{Body, Pattern, Target};
use super::code::{Channel, Code, Op, Part, Whole};
use super::layout::{Layout, Slot};

/// Is told what there is in code. Of a branch, both ways are gone through.
pub trait Walk {
    fn layout(&self) -> &Layout;

    /// A scalar is looked at.
    fn reads(&mut self, slot: Slot);

    /// So many scalars are looked at where the part is. Its indices are left to this.
    fn reads_part(&mut self, part: &Part, scalars: u32);

    /// A location is compared with these.
    fn compares(&mut self, slot: Slot, _with: &mut dyn Iterator<Item = u32>) {
        self.reads(slot);
    }

    /// A scalar is changed.
    fn writes(&mut self, slot: Slot);

    /// So many scalars are changed where the part is. Its indices are left to this.
    fn writes_part(&mut self, part: &Part, scalars: u32);

    /// The bits of a word are changed that are not kept, as only code has it that was specialised.
    fn writes_word(&mut self, word: u32, keep: u64);

    /// The channels that may be meant.
    fn channels(&mut self, channel: &Channel) -> Vec<u32> {
        match channel {
            Channel::One(channel) => vec![*channel],
            Channel::Indexed(part) => {
                let mut meant = vec![part.base];
                for index in &part.indices {
                    self.code(&index.index);
                    let offsets = (0..index.len).map(|at| at * index.stride);
                    let of_each = |first: u32| offsets.clone().map(move |offset| first + offset);
                    meant = meant.into_iter().flat_map(of_each).collect();
                }
                meant
            }
            Channel::Fails(_) => Vec::new(),
        }
    }

    fn codes(&mut self, codes: &[Code]) {
        codes.iter().for_each(|code| self.code(code));
    }

    fn code(&mut self, code: &Code) {
        match code {
            Code::Const(_) | Code::Choice(_) | Code::Bound(_) | Code::Fail(_) => {}
            Code::Slot(slot) | Code::SlotConst(_, slot, _) => self.reads(*slot),
            Code::SlotIs(slot, raw) | Code::SlotIsNot(slot, raw) => {
                self.compares(*slot, &mut std::iter::once(*raw as u32));
            }
            Code::AtSet(slot, set) => {
                self.compares(*slot, &mut (0..64).filter(|l| set >> l & 1 != 0));
            }
            Code::At(slot, locations) => self.compares(*slot, &mut locations.iter().copied()),
            Code::SlotSlot(_, slots) => {
                self.reads(slots.0);
                self.reads(slots.1);
            }
            Code::Cell(part) => self.reads_part(part, 1),
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
                for channel in self.channels(channel) {
                    let length = self.layout().channels[channel as usize].length;
                    self.reads(length);
                }
            }
        }
    }

    fn whole(&mut self, whole: &Whole) {
        match whole {
            Whole::Scalar(code) => self.code(code),
            Whole::Part(part, len) => self.reads_part(part, *len),
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
                Op::SetRaw(slot, _) => self.writes(*slot),
                Op::Write { word, keep, .. } => self.writes_word(*word, *keep),
                Op::Set { slot, value, .. } => {
                    self.code(value);
                    self.writes(*slot);
                }
                Op::SetPart { part, value, .. } => {
                    self.code(value);
                    self.writes_part(part, 1);
                }
                Op::SetWhole {
                    part,
                    ranges,
                    value,
                } => {
                    self.whole(value);
                    self.writes_part(part, ranges.len() as u32);
                }
                Op::If(condition, then, otherwise) => {
                    self.code(condition);
                    self.ops(then);
                    self.ops(otherwise);
                }
                Op::Assert(condition) => self.code(condition),
                Op::Fail(_) | Op::Note(_) => {}
            }
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
        self.writes(body.location);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Match(code) => self.code(code),
            Pattern::Bind { part, .. } => self.writes_part(part, 1),
            Pattern::Skip => {}
        }
    }
}
