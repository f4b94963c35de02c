//! Evaluates code on packed states.

use stubborn_system::system::{Binary, Failure, Range};

use super::code::{Channel, Code, Fault, Index, Let, Op, Part, Select, Whole};
use super::layout::{Cells, CellsMut, Layout};
use super::noted::Noted;

/// The stacks that evaluation needs, and the values of the step's `any`s.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    pub choices: Vec<i64>,
    /// Whole values that are being put together or compared.
    values: Vec<i64>,
    /// The scalars of the let values around.
    bound: Vec<i64>,
    pub noted: Noted,
}

/// Where the index leads: which of `len` elements, the first of which has the index `lo`.
#[inline(always)]
pub fn element(index: i64, lo: i64, len: u32) -> Option<u32> {
    // The difference of an index that is not below `lo` fits 64 bits without a sign.
    let at = index.wrapping_sub(lo) as u64;
    (index >= lo && at < u64::from(len)).then_some(at as u32)
}

#[inline(always)]
pub fn must_be_in(range: Range, value: i64) -> Result<(), Fault> {
    if range.contains(value) {
        Ok(())
    } else {
        Err(outside_type(range, value))
    }
}

pub fn outside_array(index: i64, lo: i64, len: u32) -> Box<Failure> {
    let hi = lo.wrapping_add(i64::from(len)).wrapping_sub(1);
    Box::new(Failure::OutsideArray { index, lo, hi })
}

#[cold]
pub fn outside_type(Range { lo, hi }: Range, value: i64) -> Fault {
    Box::new(Failure::OutsideType { value, lo, hi })
}

impl Stacks {
    #[inline]
    pub fn truth<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        code: &Code,
    ) -> Result<bool, Fault> {
        Ok(self.scalar(layout, state, code)? != 0)
    }

    pub fn scalar<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        code: &Code,
    ) -> Result<i64, Fault> {
        let truth = |holds: bool| Ok(i64::from(holds));
        match code {
            Code::Const(value) => Ok(*value),
            Code::Slot(slot) => Ok(slot.get(state)),
            Code::SlotIs(slot, raw) => truth(slot.raw(state) == *raw),
            Code::SlotIsNot(slot, raw) => truth(slot.raw(state) != *raw),
            Code::SlotConst(operator, slot, value) => {
                binary(*operator, slot.get(state), *value).map_err(Box::new)
            }
            Code::SlotSlot(operator, slots) => {
                binary(*operator, slots.0.get(state), slots.1.get(state)).map_err(Box::new)
            }
            Code::Binary(operator, operands) => {
                let left = self.scalar(layout, state, &operands.0)?;
                let right = self.scalar(layout, state, &operands.1)?;
                binary(*operator, left, right).map_err(Box::new)
            }
            Code::All(parts) => {
                for part in parts {
                    if !self.truth(layout, state, part)? {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Code::Any(parts) => {
                for part in parts {
                    if self.truth(layout, state, part)? {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            Code::Cell(part) => {
                let slot = self.part(layout, state, part)?;
                Ok(layout.slots[slot as usize].get(state))
            }
            Code::Table(table) => {
                let index = self.scalar(layout, state, &table.index)?;
                let len = table.values.len() as u32;
                match element(index, table.lo, len) {
                    Some(at) => Ok(table.values[at as usize]),
                    None => Err(outside_array(index, table.lo, len)),
                }
            }
            Code::Pick(whole) => {
                let from = self.values.len();
                let result = self.whole(layout, state, whole);
                let value = self.values.get(from).copied();
                self.values.truncate(from);
                result?;
                debug_assert!(value.is_some(), "a scalar must have been put on the stack");
                Ok(value.unwrap_or(0))
            }
            Code::Choice(k) => Ok(self.choices[*k as usize]),
            Code::Bound(at) => Ok(self.bound[*at as usize]),
            Code::Not(operand) => truth(self.scalar(layout, state, operand)? == 0),
            Code::Negate(operand) => {
                let value = self.scalar(layout, state, operand)?.checked_neg();
                value.ok_or_else(|| Box::new(Failure::Overflow))
            }
            Code::BitNot(operand) => Ok(!self.scalar(layout, state, operand)?),
            Code::Equal(operands) => {
                let from = self.values.len();
                let equal = self.equal(layout, state, &operands.0, &operands.1);
                self.values.truncate(from);
                truth(equal?)
            }
            Code::If(parts) => {
                if self.truth(layout, state, &parts.0)? {
                    self.scalar(layout, state, &parts.1)
                } else {
                    self.scalar(layout, state, &parts.2)
                }
            }
            Code::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    count += i64::from(self.truth(layout, state, part)?);
                }
                Ok(count)
            }
            Code::Sum(parts) => {
                let mut sum = 0i64;
                for part in parts {
                    let value = self.scalar(layout, state, part)?;
                    sum = sum
                        .checked_add(value)
                        .ok_or_else(|| Box::new(Failure::Overflow))?;
                }
                Ok(sum)
            }
            Code::Min(parts) => self.fold(layout, state, parts, i64::min),
            Code::Max(parts) => self.fold(layout, state, parts, i64::max),
            Code::OneOf(parts) => {
                let from = self.values.len();
                let found = self.one_of(layout, state, &parts.0, &parts.1);
                self.values.truncate(from);
                truth(found?)
            }
            Code::AtSet(slot, set) => truth(set >> slot.raw(state) & 1 != 0),
            Code::At(slot, locations) => {
                truth(locations.binary_search(&(slot.raw(state) as u32)).is_ok())
            }
            Code::Select(select) => {
                let case = self.case(layout, state, select)?;
                self.scalar(layout, state, case)
            }
            Code::Let(binding) => {
                let from = self.bound.len();
                let result = self
                    .bind(layout, state, binding)
                    .and_then(|()| self.scalar(layout, state, &binding.body));
                self.bound.truncate(from);
                result
            }
            Code::Length(channel) => {
                let channel = self.channel(layout, state, channel)?;
                Ok(layout.channels[channel as usize].length.get(state))
            }
            Code::IsEmpty(channel) => {
                let channel = self.channel(layout, state, channel)?;
                truth(layout.channels[channel as usize].length.raw(state) == 0)
            }
            Code::IsFull(channel) => {
                let channel = self.channel(layout, state, channel)?;
                let channel = &layout.channels[channel as usize];
                truth(channel.length.raw(state) >= u64::from(channel.capacity))
            }
            Code::Fail(failure) => Err(failure.clone()),
        }
    }

    fn fold<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        parts: &[Code],
        of: fn(i64, i64) -> i64,
    ) -> Result<i64, Fault> {
        let mut result = None;
        for part in parts {
            let value = self.scalar(layout, state, part)?;
            result = Some(result.map_or(value, |so_far| of(so_far, value)));
        }
        Ok(result.unwrap_or(0))
    }

    /// Puts the scalars of the value on the stack. Where it fails there may be some of them there.
    fn whole<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        whole: &Whole,
    ) -> Result<(), Fault> {
        match whole {
            Whole::Scalar(code) => {
                let value = self.scalar(layout, state, code)?;
                self.values.push(value);
            }
            Whole::Part(part, len) => {
                let base = self.part(layout, state, part)? as usize;
                let slots = &layout.slots[base..base + *len as usize];
                self.values.extend(slots.iter().map(|slot| slot.get(state)));
            }
            Whole::Const(values) => self.values.extend_from_slice(values),
            Whole::Cells(parts) => {
                for part in parts {
                    self.whole(layout, state, part)?;
                }
            }
            Whole::Pick { array, index } => {
                let from = self.values.len();
                self.whole(layout, state, array)?;
                let offset = self.index(layout, state, index)? as usize;
                self.keep(from, offset, index.stride as usize);
            }
            Whole::Field {
                record,
                offset,
                len,
            } => {
                let from = self.values.len();
                self.whole(layout, state, record)?;
                self.keep(from, *offset as usize, *len as usize);
            }
            Whole::If(parts) => {
                if self.truth(layout, state, &parts.0)? {
                    self.whole(layout, state, &parts.1)?;
                } else {
                    self.whole(layout, state, &parts.2)?;
                }
            }
            Whole::Select(select) => {
                let case = self.case(layout, state, select)?;
                self.whole(layout, state, case)?;
            }
            Whole::Let(binding) => {
                let from = self.bound.len();
                let result = self
                    .bind(layout, state, binding)
                    .and_then(|()| self.whole(layout, state, &binding.body));
                self.bound.truncate(from);
                result?;
            }
            Whole::Bound(at, len) => {
                let at = *at as usize;
                self.values
                    .extend_from_slice(&self.bound[at..at + *len as usize]);
            }
            Whole::Fail(failure) => return Err(failure.clone()),
        }
        Ok(())
    }

    /// Of the values from `from` on, keeps `len` after the first `offset`.
    fn keep(&mut self, from: usize, offset: usize, len: usize) {
        let first = from + offset;
        self.values.copy_within(first..first + len, from);
        self.values.truncate(from + len);
    }

    fn equal<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        left: &Whole,
        right: &Whole,
    ) -> Result<bool, Fault> {
        let first = self.values.len();
        self.whole(layout, state, left)?;
        let second = self.values.len();
        self.whole(layout, state, right)?;
        Ok(self.values[first..second] == self.values[second..])
    }

    fn one_of<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        wanted: &Whole,
        others: &[Whole],
    ) -> Result<bool, Fault> {
        let first = self.values.len();
        self.whole(layout, state, wanted)?;
        let second = self.values.len();
        let mut found = false;
        for other in others {
            self.whole(layout, state, other)?;
            found |= self.values[first..second] == self.values[second..];
            self.values.truncate(second);
        }
        Ok(found)
    }

    fn case<'a, T, C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        select: &'a Select<T>,
    ) -> Result<&'a T, Fault> {
        let value = self.scalar(layout, state, &select.index)?;
        match element(value, select.lo, select.cases.len() as u32) {
            Some(at) => Ok(&select.cases[at as usize]),
            None => Err(Box::new(Failure::NoSuchInstance { value })),
        }
    }

    /// Puts the value of a let on the stack of let values.
    fn bind<T, C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        binding: &Let<T>,
    ) -> Result<(), Fault> {
        let from = self.values.len();
        let result = self.whole(layout, state, &binding.value).and_then(|()| {
            let values = &self.values[from..];
            let mut pairs = binding.ranges.iter().zip(values);
            pairs.try_for_each(|(range, value)| must_be_in(*range, *value))
        });
        if result.is_ok() {
            self.bound.extend_from_slice(&self.values[from..]);
        }
        self.values.truncate(from);
        result
    }

    #[inline]
    fn index<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        index: &Index,
    ) -> Result<u32, Fault> {
        let value = self.scalar(layout, state, &index.index)?;
        match element(value, index.lo, index.len) {
            Some(at) => Ok(at * index.stride),
            None => Err(outside_array(value, index.lo, index.len)),
        }
    }

    /// The first slot of a part.
    #[inline]
    pub fn part<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        part: &Part,
    ) -> Result<u32, Fault> {
        let mut slot = part.base;
        for index in &part.indices {
            slot += self.index(layout, state, index)?;
        }
        Ok(slot)
    }

    pub fn channel<C: Cells + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &C,
        channel: &Channel,
    ) -> Result<u32, Fault> {
        match channel {
            Channel::One(channel) => Ok(*channel),
            Channel::Indexed(part) => self.part(layout, state, part),
            Channel::Fails(failure) => Err(failure.clone()),
        }
    }

    /// Performs effects on the state; where one fails the state is left as far as they came.
    pub fn perform<C: CellsMut + ?Sized>(
        &mut self,
        layout: &Layout,
        state: &mut C,
        ops: &[Op],
    ) -> Result<(), Fault> {
        for op in ops {
            match op {
                Op::SetRaw(slot, raw) => slot.set_raw(state, *raw),
                Op::Write { word, keep, bits } => state.write(*word, *keep, *bits),
                Op::Set { slot, range, value } => {
                    let value = self.scalar(layout, state, value)?;
                    must_be_in(*range, value)?;
                    slot.set(state, value);
                }
                Op::SetPart { part, range, value } => {
                    let slot = self.part(layout, state, part)?;
                    let value = self.scalar(layout, state, value)?;
                    must_be_in(*range, value)?;
                    layout.slots[slot as usize].set(state, value);
                }
                Op::SetWhole {
                    part,
                    ranges,
                    value,
                } => {
                    let slot = self.part(layout, state, part)?;
                    let from = self.values.len();
                    let result = self.whole(layout, state, value);
                    let result = result.and_then(|()| {
                        let mut pairs = ranges.iter().zip(&self.values[from..]);
                        pairs.try_for_each(|(range, value)| must_be_in(*range, *value))
                    });
                    if result.is_ok() {
                        for (slot, value) in layout.slots[slot as usize..]
                            .iter()
                            .zip(&self.values[from..])
                        {
                            slot.set(state, *value);
                        }
                    }
                    self.values.truncate(from);
                    result?;
                }
                Op::If(condition, then, otherwise) => {
                    let branch = if self.truth(layout, state, condition)? {
                        then
                    } else {
                        otherwise
                    };
                    self.perform(layout, state, branch)?;
                }
                Op::Assert(condition) => {
                    if !self.truth(layout, state, condition)? {
                        return Err(Box::new(Failure::Assertion));
                    }
                }
                Op::Fail(failure) => return Err(failure.clone()),
                Op::Note(number) => self.noted.add(*number),
            }
        }
        Ok(())
    }
}

/// An operation on two integers.
#[inline]
pub fn binary(operator: Binary, left: i64, right: i64) -> Result<i64, Failure> {
    let checked = |value: Option<i64>| value.ok_or(Failure::Overflow);
    let truth = |holds: bool| Ok(i64::from(holds));
    match operator {
        Binary::Add => checked(left.checked_add(right)),
        Binary::Subtract => checked(left.checked_sub(right)),
        Binary::Multiply => checked(left.checked_mul(right)),
        Binary::Divide if right == 0 => Err(Failure::DivisionByZero),
        Binary::Divide => checked(left.checked_div(right)),
        Binary::Remainder if right == 0 => Err(Failure::DivisionByZero),
        // The least integer modulo -1 is 0 too, though its quotient is too large.
        Binary::Remainder => Ok(left.wrapping_rem(right)),
        Binary::Equal => truth(left == right),
        Binary::NotEqual => truth(left != right),
        Binary::Less => truth(left < right),
        Binary::LessOrEqual => truth(left <= right),
        Binary::Greater => truth(left > right),
        Binary::GreaterOrEqual => truth(left >= right),
        Binary::BitAnd => Ok(left & right),
        Binary::BitOr => Ok(left | right),
        Binary::BitXor => Ok(left ^ right),
        Binary::ShiftLeft | Binary::ShiftRight if !(0..64).contains(&right) => {
            Err(Failure::ShiftOutside { by: right })
        }
        Binary::ShiftLeft => Ok(left << right),
        Binary::ShiftRight => Ok(left >> right),
        Binary::Within if (0..right).contains(&left) => Ok(left),
        Binary::Within => Err(Failure::NoElement {
            index: left,
            length: right,
        }),
    }
}
