//! Where in the words of a state each scalar is.

use std::collections::BTreeMap;

use stubborn_system::system::{Channel, InstanceId, Range, System, Type, Value, VariableRef};

use crate::error::CheckError;
use crate::state::{InstanceState, State};

/// A scalar's bits in the words of a state. What is stored is the value less the least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    pub word: u32,
    pub shift: u8,
    /// As many ones as the scalar has bits, which may be none.
    pub mask: u64,
    pub lo: i64,
}

/// Something that scalars can be read from: the words of a state, or what is known of one.
pub trait Cells {
    fn raw(&self, slot: Slot) -> u64;
}

/// Something that scalars can be written to.
pub trait CellsMut: Cells {
    fn set_raw(&mut self, slot: Slot, raw: u64);

    /// Several scalars of one word: these bits are kept, those are set.
    fn write(&mut self, word: u32, keep: u64, bits: u64);
}

impl Cells for [u64] {
    #[inline(always)]
    fn raw(&self, slot: Slot) -> u64 {
        (self[slot.word as usize] >> slot.shift) & slot.mask
    }
}

impl CellsMut for [u64] {
    #[inline(always)]
    fn set_raw(&mut self, slot: Slot, raw: u64) {
        debug_assert!(raw <= slot.mask, "a value must fit its slot");
        let word = &mut self[slot.word as usize];
        *word = (*word & !(slot.mask << slot.shift)) | (raw << slot.shift);
    }

    #[inline(always)]
    fn write(&mut self, word: u32, keep: u64, bits: u64) {
        let word = &mut self[word as usize];
        *word = (*word & keep) | bits;
    }
}

impl Cells for Vec<u64> {
    #[inline(always)]
    fn raw(&self, slot: Slot) -> u64 {
        self.as_slice().raw(slot)
    }
}

impl CellsMut for Vec<u64> {
    #[inline(always)]
    fn set_raw(&mut self, slot: Slot, raw: u64) {
        self.as_mut_slice().set_raw(slot, raw);
    }

    #[inline(always)]
    fn write(&mut self, word: u32, keep: u64, bits: u64) {
        self.as_mut_slice().write(word, keep, bits);
    }
}

impl Slot {
    #[inline(always)]
    pub fn raw<C: Cells + ?Sized>(self, state: &C) -> u64 {
        state.raw(self)
    }

    #[inline(always)]
    pub fn set_raw<C: CellsMut + ?Sized>(self, state: &mut C, raw: u64) {
        state.set_raw(self, raw);
    }

    #[inline(always)]
    pub fn get<C: Cells + ?Sized>(self, state: &C) -> i64 {
        (self.raw(state) as i64).wrapping_add(self.lo)
    }

    #[inline(always)]
    pub fn set<C: CellsMut + ?Sized>(self, state: &mut C, value: i64) {
        self.set_raw(state, self.to_raw(value));
    }

    /// How the value is stored. It must be in the range of the slot.
    #[inline(always)]
    pub fn to_raw(self, value: i64) -> u64 {
        value.wrapping_sub(self.lo) as u64
    }
}

/// Copies a state. Most have one word or a few, and a call would take longer than the copy.
#[inline(always)]
pub fn copy(to: &mut [u64], from: &[u64]) {
    match (to, from) {
        ([to], [from]) => *to = *from,
        (to, from) => to.copy_from_slice(from),
    }
}

/// A channel's slots: its length, then its messages one after the other.
#[derive(Clone, Debug)]
pub struct ChannelLayout {
    pub length: Slot,
    pub capacity: u32,
    /// How many scalars a message has.
    pub parts: u32,
    /// The first part of the first message.
    pub first: u32,
}

impl ChannelLayout {
    pub fn slot(&self, message: u32, part: u32) -> usize {
        (self.first + message * self.parts + part) as usize
    }
}

/// All slots. Those of one variable follow each other in the order of its cells and fields.
#[derive(Clone, Debug)]
pub struct Layout {
    pub words: usize,
    pub slots: Vec<Slot>,
    /// The values that each slot may have.
    pub ranges: Vec<Range>,
    /// Of each instance.
    pub locations: Vec<Slot>,
    /// The first slot of each variable.
    shared: Vec<u32>,
    locals: Vec<Vec<u32>>,
    pub channels: Vec<ChannelLayout>,
}

/// States larger than this, 8 MiB, cannot be searched.
const MOST_BITS: u64 = 1 << 26;

/// Parts of a word with no more bits together are one.
const FEW_BITS: u32 = 10;
/// More parts than these would take longer to find than their cells save.
const MANY_PARTS: usize = 64;

impl Layout {
    pub fn new(system: &System) -> Result<Layout, CheckError> {
        Layout::within(MOST_BITS, system)
    }

    fn within(most_bits: u64, system: &System) -> Result<Layout, CheckError> {
        let bits = bits_of_system(system);
        if bits > most_bits {
            return Err(CheckError::StateTooLarge { bits });
        }
        let mut builder = Builder::default();
        let mut locations = Vec::new();
        let mut locals = Vec::new();
        for instance in &system.instances {
            let hi = instance.locations.len().saturating_sub(1) as i64;
            let slot = builder.add(Range { lo: 0, hi });
            locations.push(builder.slots[slot as usize]);
            let variables = instance.locals.iter();
            locals.push(variables.map(|v| builder.add_type(&v.ty)).collect());
        }
        let variables = system.variables.iter();
        let shared = variables.map(|v| builder.add_type(&v.ty)).collect();
        let channels = system.channels.iter();
        let channels = channels.map(|c| builder.add_channel(c)).collect();
        Ok(Layout {
            words: builder.words.max(1),
            slots: builder.slots,
            ranges: builder.ranges,
            locations,
            shared,
            locals,
            channels,
        })
    }

    /// All slots, in parts: a word of a state and some of its bits. Of a word those are one part
    /// that belong to one instance, channel or variable, or to one cell of it, and neighbours that
    /// have few bits together. Steps mostly touch one cell of an array: its cells are parts by
    /// themselves, unless these would be many.
    pub fn parts(&self, system: &System) -> Vec<(u32, u64)> {
        let parts = self.parts_with(system, true);
        match parts.len() <= MANY_PARTS {
            true => parts,
            false => self.parts_with(system, false),
        }
    }

    /// The same with each array as one part.
    pub fn parts_with_whole_arrays(&self, system: &System) -> Vec<(u32, u64)> {
        self.parts_with(system, false)
    }

    fn parts_with(&self, system: &System, has_cells: bool) -> Vec<(u32, u64)> {
        let instances = 0..system.instances.len() as InstanceId;
        let instances = instances.map(|instance| (false, self.own(system, instance)));
        let shared = system.variables.iter().zip(&self.shared);
        let shared = shared.flat_map(|(variable, first)| {
            let first = *first as usize;
            let (many, cell) = match &variable.ty {
                Type::Array { len, cell, .. } if has_cells => (*len, cell.scalars()),
                ty => (1, ty.scalars()),
            };
            let cells = (0..many as usize).map(move |at| first + at * cell as usize);
            let slots = |first: usize| self.slots[first..first + cell as usize].to_vec();
            cells
                .map(move |first| (many > 1, slots(first)))
                .collect::<Vec<_>>()
        });
        let channels = self.channels.iter().map(|channel| {
            let cells = channel.first as usize..channel.slot(channel.capacity, 0);
            let length = std::iter::once(channel.length);
            let slots = length.chain(self.slots[cells].iter().copied());
            (false, slots.collect())
        });
        let owners = instances.chain(shared).chain(channels);
        let mut parts: Vec<(u32, u64)> = Vec::new();
        let mut covered = vec![0; self.words];
        let mut may_be_joined = false;
        // Whatever belongs to none of them comes last.
        for (is_cell, slots) in owners.chain([(false, self.slots.clone())]) {
            let mut of_owner: BTreeMap<u32, u64> = BTreeMap::new();
            for slot in slots {
                let bits = slot.mask << slot.shift & !covered[slot.word as usize];
                covered[slot.word as usize] |= bits;
                *of_owner.entry(slot.word).or_default() |= bits;
            }
            for (word, bits) in of_owner.into_iter().filter(|(_, bits)| *bits != 0) {
                match parts.last_mut() {
                    Some((last, mask))
                        if (may_be_joined && !is_cell)
                            && *last == word
                            && (*mask | bits).count_ones() <= FEW_BITS =>
                    {
                        *mask |= bits;
                    }
                    _ => parts.push((word, bits)),
                }
                may_be_joined = !is_cell;
            }
        }
        parts
    }

    /// The first slot of a variable.
    pub fn base(&self, variable: VariableRef) -> u32 {
        match variable {
            VariableRef::Shared(v) => self.shared[v as usize],
            VariableRef::Local(i, v) => self.locals[i as usize][v as usize],
        }
    }

    /// The slots of an instance: its location and its local variables.
    pub fn own(&self, system: &System, instance: InstanceId) -> Vec<Slot> {
        let locals = &system.instances[instance as usize].locals;
        let bases = locals.iter().zip(&self.locals[instance as usize]);
        let slots = bases.flat_map(|(local, base)| {
            let first = *base as usize;
            &self.slots[first..first + local.ty.scalars() as usize]
        });
        let location = self.locations[instance as usize];
        [location].into_iter().chain(slots.copied()).collect()
    }

    pub fn pack(&self, system: &System, state: &State) -> Vec<u64> {
        let mut words = vec![0; self.words];
        for (variable, value) in state.shared.iter().enumerate() {
            self.pack_value(&mut words, &mut self.shared[variable].clone(), value);
        }
        for (i, instance) in state.instances.iter().enumerate() {
            self.locations[i].set(&mut words, i64::from(instance.location));
            for (variable, value) in instance.locals.iter().enumerate() {
                self.pack_value(&mut words, &mut self.locals[i][variable].clone(), value);
            }
        }
        for (channel, messages) in self.channels.iter().zip(&state.channels) {
            channel.length.set(&mut words, messages.len() as i64);
            for (m, message) in messages.iter().enumerate() {
                for (p, value) in message.iter().enumerate() {
                    self.slots[channel.slot(m as u32, p as u32)].set(&mut words, *value);
                }
            }
        }
        debug_assert_eq!(self.unpack(system, &words), *state);
        words
    }

    fn pack_value(&self, words: &mut [u64], slot: &mut u32, value: &Value) {
        match value {
            Value::Int(value) => {
                self.slots[*slot as usize].set(words, *value);
                *slot += 1;
            }
            Value::Cells(cells) => {
                for cell in cells {
                    self.pack_value(words, slot, cell);
                }
            }
        }
    }

    pub fn unpack(&self, system: &System, words: &[u64]) -> State {
        let shared = system.variables.iter().zip(&self.shared);
        let shared = shared.map(|(v, base)| self.unpack_value(words, &mut base.clone(), &v.ty));
        let channels = self.channels.iter().map(|channel| {
            let length = channel.length.get(words) as u32;
            let message = |m: u32| {
                let slots = (0..channel.parts).map(|p| self.slots[channel.slot(m, p)]);
                slots.map(|slot| slot.get(words)).collect()
            };
            (0..length).map(message).collect()
        });
        let instances = system.instances.iter().enumerate().map(|(i, instance)| {
            let locals = instance.locals.iter().zip(&self.locals[i]);
            let locals = locals.map(|(v, base)| self.unpack_value(words, &mut base.clone(), &v.ty));
            InstanceState {
                location: self.locations[i].get(words) as u32,
                locals: locals.collect(),
            }
        });
        State {
            shared: shared.collect(),
            channels: channels.collect(),
            instances: instances.collect(),
        }
    }

    fn unpack_value(&self, words: &[u64], slot: &mut u32, ty: &Type) -> Value {
        match ty {
            Type::Scalar { .. } => {
                let value = self.slots[*slot as usize].get(words);
                *slot += 1;
                Value::Int(value)
            }
            Type::Array { len, cell, .. } => {
                let cells = (0..*len).map(|_| self.unpack_value(words, slot, cell));
                Value::Cells(cells.collect())
            }
            Type::Record(fields) => {
                let cells = fields.iter().map(|ty| self.unpack_value(words, slot, ty));
                Value::Cells(cells.collect())
            }
        }
    }
}

/// Puts scalars into words, none across two, filling the fullest word that has room.
#[derive(Default)]
struct Builder {
    words: usize,
    /// The words with so many bits free, 1 to 63.
    free: Vec<Vec<u32>>,
    slots: Vec<Slot>,
    ranges: Vec<Range>,
}

impl Builder {
    fn add(&mut self, range: Range) -> u32 {
        let width = width(range);
        let slot = if width == 0 {
            Slot {
                word: 0,
                shift: 0,
                mask: 0,
                lo: range.lo,
            }
        } else {
            self.free.resize(64, Vec::new());
            let roomy = (width..64).find(|free| !self.free[*free as usize].is_empty());
            let (word, free) = match roomy.and_then(|f| Some((self.free[f as usize].pop()?, f))) {
                Some(found) => found,
                None => {
                    self.words += 1;
                    (self.words as u32 - 1, 64)
                }
            };
            if free > width {
                self.free[(free - width) as usize].push(word);
            }
            Slot {
                word,
                shift: (64 - free) as u8,
                mask: u64::MAX >> (64 - width),
                lo: range.lo,
            }
        };
        self.slots.push(slot);
        self.ranges.push(range);
        self.slots.len() as u32 - 1
    }

    fn add_type(&mut self, ty: &Type) -> u32 {
        let first = self.slots.len() as u32;
        self.add_scalars(ty);
        first
    }

    fn add_scalars(&mut self, ty: &Type) {
        match ty {
            Type::Scalar { lo, hi } => {
                self.add(Range { lo: *lo, hi: *hi });
            }
            Type::Array { len, cell, .. } => (0..*len).for_each(|_| self.add_scalars(cell)),
            Type::Record(fields) => fields.iter().for_each(|field| self.add_scalars(field)),
        }
    }

    fn add_channel(&mut self, channel: &Channel) -> ChannelLayout {
        let hi = i64::from(channel.capacity);
        let length = self.add(Range { lo: 0, hi });
        let length = self.slots[length as usize];
        let first = self.slots.len() as u32;
        for _ in 0..channel.capacity {
            for part in &channel.message {
                self.add(*part);
            }
        }
        ChannelLayout {
            length,
            capacity: channel.capacity,
            parts: channel.message.len() as u32,
            first,
        }
    }
}

fn width(range: Range) -> u32 {
    64 - (range.hi.wrapping_sub(range.lo) as u64).leading_zeros()
}

/// An upper bound, where even a scalar with a single value counts for one.
fn bits_of_system(system: &System) -> u64 {
    let scalar = |range: Range| u64::from(width(range).max(1));
    let mut bits = 0u64;
    for instance in &system.instances {
        bits = bits.saturating_add(32);
        for local in &instance.locals {
            bits = bits.saturating_add(bits_of_type(&local.ty));
        }
    }
    for variable in &system.variables {
        bits = bits.saturating_add(bits_of_type(&variable.ty));
    }
    for channel in &system.channels {
        let message = channel
            .message
            .iter()
            .map(|part| scalar(*part))
            .sum::<u64>()
            .max(1);
        bits = bits.saturating_add(32);
        bits = bits.saturating_add(message.saturating_mul(u64::from(channel.capacity)));
    }
    bits
}

fn bits_of_type(ty: &Type) -> u64 {
    match ty {
        Type::Scalar { lo, hi } => u64::from(width(Range { lo: *lo, hi: *hi }).max(1)),
        Type::Array { len, cell, .. } => u64::from(*len).saturating_mul(bits_of_type(cell)),
        Type::Record(fields) => fields.iter().map(bits_of_type).fold(1, u64::saturating_add),
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::{Value, Variable};

    use super::*;

    #[test]
    fn a_state_has_as_many_bits_as_are_allowed() {
        let variable = Variable {
            ty: Type::Scalar { lo: 0, hi: 1 },
            initial: Value::Int(0),
        };
        let system = System {
            variables: vec![variable; 100],
            ..System::default()
        };
        let made = |most| Layout::within(most, &system).map(|layout| layout.words);
        let too_large = Err(CheckError::StateTooLarge { bits: 100 });
        assert_eq!([99, 100, 101].map(made), [too_large, Ok(2), Ok(2)]);
    }
}
