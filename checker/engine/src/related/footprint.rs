//! A step's footprint: which scalars its code may read and write, from its form alone. An index
//! that is not known stands for all of them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::forest::{CellId, ChannelUse};
use super::partial::Partial;
use crate::packed::Packed;
use crate::packed::body::{Body, Pattern, Target};
use crate::packed::code::{Channel, Code, Index, Op, Part, Whole};
use crate::packed::evaluate::{Stacks, element};
use crate::packed::layout::Slot;
use crate::packed::local::{LocalStep, Message};

/// The scalars of a layout by where they are.
pub struct CellIndex(FxHashMap<(u32, u8), CellId>);

impl CellIndex {
    pub fn new(slots: &[Slot]) -> CellIndex {
        let cells = slots.iter().enumerate();
        let cells = cells.filter(|(_, slot)| slot.mask != 0);
        CellIndex(
            cells
                .map(|(cell, slot)| ((slot.word, slot.shift), cell as CellId))
                .collect(),
        )
    }

    /// None for a scalar that has a single value.
    pub fn of(&self, slot: Slot) -> Option<CellId> {
        if slot.mask == 0 {
            return None;
        }
        self.0.get(&(slot.word, slot.shift)).copied()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Footprint {
    pub reads: FxHashSet<CellId>,
    pub writes: FxHashSet<CellId>,
    pub uses: FxHashSet<(u32, ChannelUse)>,
    /// The sets of locations that location scalars are compared with.
    pub locations: FxHashMap<CellId, Vec<Vec<u32>>>,
}

/// Collects a footprint, with what is known of the state.
pub struct Collector<'a, 'p> {
    packed: &'a Packed<'p>,
    cells: &'a CellIndex,
    known: &'a Partial,
    stacks: Stacks,
    pub found: Footprint,
    /// The parts with indices that are not known which were gone through already.
    seen: FxHashSet<Spread>,
}

/// The first slot, the numbers of elements and their strides, and how many scalars: of a read, or
/// of a write.
type Spread = (u32, Vec<(u32, u32)>, u32, bool);

impl<'a, 'p> Collector<'a, 'p> {
    pub fn new(packed: &'a Packed<'p>, cells: &'a CellIndex, known: &'a Partial) -> Self {
        Collector {
            packed,
            cells,
            known,
            stacks: Stacks::default(),
            found: Footprint::default(),
            seen: FxHashSet::default(),
        }
    }

    /// What was found, to begin anew.
    pub fn take(&mut self) -> Footprint {
        self.seen.clear();
        std::mem::take(&mut self.found)
    }

    fn read(&mut self, slot: Slot) {
        if let Some(cell) = self.cells.of(slot) {
            self.found.reads.insert(cell);
        }
    }

    fn at(&mut self, slot: Slot, locations: Vec<u32>) {
        self.read(slot);
        if let Some(cell) = self.cells.of(slot) {
            self.found
                .locations
                .entry(cell)
                .or_default()
                .push(locations);
        }
    }

    /// The value of an index, where it is known. After something was written, what is known is of
    /// a state gone by.
    fn known_index(&mut self, index: &Index) -> Option<u32> {
        if !self.found.writes.is_empty() || has_variables_of_its_own(&index.index) {
            return None;
        }
        let _ = self.known.take_missing();
        let layout = &self.packed.layout;
        let value = self.stacks.scalar(layout, self.known, &index.index);
        match (self.known.take_missing(), value) {
            (None, Ok(value)) => element(value, index.lo, index.len),
            _ => None,
        }
    }

    /// The first slots that a part may have, if they were not all gone through before.
    fn bases(&mut self, part: &Part, len: u32, writes: bool) -> Vec<u32> {
        let mut first = part.base;
        let mut unknown = Vec::new();
        for index in &part.indices {
            self.code(&index.index);
            match self.known_index(index) {
                Some(at) => first += at * index.stride,
                None => unknown.push((index.len, index.stride)),
            }
        }
        if !unknown.is_empty() && !self.seen.insert((first, unknown.clone(), len, writes)) {
            return Vec::new();
        }
        let mut bases = vec![first];
        for (elements, stride) in unknown {
            bases = bases
                .iter()
                .flat_map(|base| (0..elements).map(move |at| base + at * stride))
                .collect();
        }
        bases
    }

    fn part(&mut self, part: &Part, len: u32) {
        for base in self.bases(part, len, false) {
            for slot in base..base + len {
                self.read(self.packed.layout.slots[slot as usize]);
            }
        }
    }

    fn writes(&mut self, part: &Part, len: u32) {
        for base in self.bases(part, len, true) {
            for slot in base..base + len {
                if let Some(cell) = self.cells.of(self.packed.layout.slots[slot as usize]) {
                    self.found.writes.insert(cell);
                }
            }
        }
    }

    fn writes_slot(&mut self, slot: Slot) {
        if let Some(cell) = self.cells.of(slot) {
            self.found.writes.insert(cell);
        }
    }

    fn channels(&mut self, channel: &Channel) -> std::ops::Range<u32> {
        match channel {
            Channel::One(channel) => *channel..channel + 1,
            Channel::Indexed {
                first, len, index, ..
            } => {
                self.code(index);
                *first..first + len
            }
            Channel::Fails(_) => 0..0,
        }
    }

    fn length(&mut self, channel: &Channel) {
        for channel in self.channels(channel) {
            self.read(self.packed.layout.channels[channel as usize].length);
        }
    }

    pub fn code(&mut self, code: &Code) {
        match code {
            Code::Const(_) | Code::Choice(_) | Code::Bound(_) | Code::Fail(_) => {}
            Code::Slot(slot) | Code::SlotConst(_, slot, _) => self.read(*slot),
            Code::SlotIs(slot, raw) | Code::SlotIsNot(slot, raw) => {
                self.at(*slot, vec![*raw as u32]);
            }
            Code::AtSet(slot, set) => {
                self.at(*slot, (0..64).filter(|l| set >> l & 1 != 0).collect());
            }
            Code::At(slot, locations) => self.at(*slot, locations.to_vec()),
            Code::SlotSlot(_, slots) => {
                self.read(slots.0);
                self.read(slots.1);
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
            | Code::Max(parts) => parts.iter().for_each(|part| self.code(part)),
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
                select.cases.iter().for_each(|case| self.code(case));
            }
            Code::Let(binding) => {
                self.whole(&binding.value);
                self.code(&binding.body);
            }
            Code::Length(channel) | Code::IsEmpty(channel) | Code::IsFull(channel) => {
                self.length(channel);
            }
        }
    }

    fn whole(&mut self, whole: &Whole) {
        match whole {
            Whole::Scalar(code) => self.code(code),
            Whole::Part(part, len) => self.part(part, *len),
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
                Op::Write { .. } => {
                    debug_assert!(
                        false,
                        "code that was not specialised has no writes of words"
                    );
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
                    self.writes(part, ranges.len() as u32);
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

    pub fn body(&mut self, body: &Body) {
        if let Some(guard) = &body.guard {
            self.code(guard);
        }
        self.ops(&body.effects);
        if let Target::Test(condition, _, _) = &body.target {
            self.code(condition);
        }
        self.writes_slot(body.location);
    }

    pub fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Match(code) => self.code(code),
            Pattern::Bind { part, .. } => self.writes(part, 1),
            Pattern::Skip => {}
        }
    }

    pub fn local(&mut self, step: &LocalStep) {
        let (channel, how) = match &step.message {
            None => return self.body(&step.body),
            Some(Message::Send {
                channel, values, ..
            }) => {
                values.iter().for_each(|(value, _)| self.code(value));
                (channel, ChannelUse::Append)
            }
            Some(Message::Receive {
                channel, arguments, ..
            }) => {
                arguments.iter().for_each(|(p, _)| self.pattern(p));
                (channel, ChannelUse::Remove)
            }
        };
        let channels = self.channels(channel);
        self.body(&step.body);
        for channel in channels {
            let at = &self.packed.layout.channels[channel as usize];
            self.read(at.length);
            self.writes_slot(at.length);
            if how == ChannelUse::Remove {
                for part in 0..at.parts {
                    let slot = self.packed.layout.slots[at.slot(0, part)];
                    self.read(slot);
                    self.writes_slot(slot);
                }
            }
            self.found.uses.insert((channel, how));
        }
    }
}

/// Whether the code reads what only stands in the middle of an evaluation: a choice or a let value.
fn has_variables_of_its_own(code: &Code) -> bool {
    match code {
        Code::Const(_)
        | Code::Slot(_)
        | Code::SlotIs(..)
        | Code::SlotIsNot(..)
        | Code::SlotConst(..)
        | Code::SlotSlot(..)
        | Code::AtSet(..)
        | Code::At(..)
        | Code::Fail(_) => false,
        Code::Not(operand) | Code::Negate(operand) | Code::BitNot(operand) => {
            has_variables_of_its_own(operand)
        }
        Code::Binary(_, operands) => {
            has_variables_of_its_own(&operands.0) || has_variables_of_its_own(&operands.1)
        }
        Code::Cell(part) => part
            .indices
            .iter()
            .any(|index| has_variables_of_its_own(&index.index)),
        Code::Table(table) => has_variables_of_its_own(&table.index),
        _ => true,
    }
}
