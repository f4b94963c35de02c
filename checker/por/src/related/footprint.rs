//! A step's footprint: which scalars its code may read and write, from its form alone. An index
//! that is not known stands for all of them.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_space::packed::code::{Code, Index, Part};
use stubborn_space::packed::evaluate::{Stacks, element};
use stubborn_space::packed::joint_step::OnStep;
use stubborn_space::packed::layout::{Layout, Slot};
use stubborn_space::packed::local::{LocalStep, Message};
use stubborn_space::packed::walk::Walk;
use stubborn_space::packed::{Packed, StepRef};
use stubborn_system::system::{InstanceId, StepId};

use super::forest::{CellId, ChannelUse};
use super::partial::Partial;

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
    passes_by_channels: bool,
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
            passes_by_channels: false,
            seen: FxHashSet::default(),
        }
    }

    /// Takes the footprint, to begin anew.
    pub fn take(&mut self) -> Footprint {
        self.seen.clear();
        std::mem::take(&mut self.found)
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

    /// A step without what it does to channels.
    pub fn besides_channels(&mut self, step: &LocalStep) {
        self.passes_by_channels = true;
        self.local(step);
        self.passes_by_channels = false;
    }

    /// A step of an instance.
    pub fn step(&mut self, who: InstanceId, step: StepId) {
        match self.packed.step_ref(who, step) {
            None => {}
            Some(StepRef::Local(step)) => self.local(&self.packed.local[step as usize]),
            Some(StepRef::On(step)) => self.on(&self.packed.on[step as usize]),
        }
    }

    /// A part of a joint step.
    pub fn on(&mut self, on: &OnStep) {
        on.patterns.iter().for_each(|p| self.pattern(p));
        self.body(&on.body);
    }

    pub fn local(&mut self, step: &LocalStep) {
        match &step.message {
            None => self.body(&step.body),
            Some(Message::Send(outgoing)) => {
                let values = outgoing.values.iter();
                values.for_each(|(value, _)| self.code(value));
                let channels = self.channels(&outgoing.channel);
                self.body(&step.body);
                self.uses(channels, ChannelUse::Append);
            }
            Some(Message::Receive {
                channel,
                arguments,
                onward,
                ..
            }) => {
                arguments.iter().for_each(|(p, _)| self.pattern(p));
                let channels = self.channels(channel);
                match onward {
                    None => {
                        self.body(&step.body);
                        self.uses(channels, ChannelUse::Remove);
                    }
                    // The message that is sent on is evaluated after the reception, so values known
                    // before are not used.
                    Some(onward) => {
                        self.uses(channels, ChannelUse::Remove);
                        let values = onward.values.iter();
                        values.for_each(|(value, _)| self.code(value));
                        let channels = self.channels(&onward.channel);
                        self.uses(channels, ChannelUse::Append);
                        self.body(&step.body);
                    }
                }
            }
        }
    }

    /// One of these channels gets a message, or loses one.
    fn uses(&mut self, channels: Vec<u32>, how: ChannelUse) {
        if self.passes_by_channels {
            return;
        }
        for channel in channels {
            let at = &self.packed.layout.channels[channel as usize];
            self.reads(at.length);
            self.writes(at.length);
            if how == ChannelUse::Remove {
                for part in 0..at.parts {
                    let slot = self.packed.layout.slots[at.slot(0, part)];
                    self.reads(slot);
                    self.writes(slot);
                }
            }
            self.found.uses.insert((channel, how));
        }
    }
}

impl Walk for Collector<'_, '_> {
    fn layout(&self) -> &Layout {
        &self.packed.layout
    }

    fn reads(&mut self, slot: Slot) {
        self.found.reads.extend(self.cells.of(slot));
    }

    fn reads_part(&mut self, part: &Part, scalars: u32) {
        for base in self.bases(part, scalars, false) {
            for slot in base..base + scalars {
                self.reads(self.packed.layout.slots[slot as usize]);
            }
        }
    }

    fn compares(&mut self, slot: Slot, with: &mut dyn Iterator<Item = u32>) {
        self.reads(slot);
        if let Some(cell) = self.cells.of(slot) {
            let locations = self.found.locations.entry(cell).or_default();
            locations.push(with.collect());
        }
    }

    fn writes(&mut self, slot: Slot) {
        self.found.writes.extend(self.cells.of(slot));
    }

    fn writes_part(&mut self, part: &Part, scalars: u32) {
        for base in self.bases(part, scalars, true) {
            for slot in base..base + scalars {
                self.writes(self.packed.layout.slots[slot as usize]);
            }
        }
    }

    fn writes_word(&mut self, _: u32, _: u64) {
        debug_assert!(
            false,
            "code that was not specialised has no writes of words"
        );
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
