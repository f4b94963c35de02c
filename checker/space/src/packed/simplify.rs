//! Code from code: what is constant is worked out, and what fails whatever the state is becomes
//! [`Code::Fail`]; a failure that another operand may keep from being evaluated stays where it is.

use stubborn_system::system::{Binary, Failure};

use super::code::{Channel, Code, Index, Part, Select};
use super::evaluate::{binary, element, outside_array};
use super::layout::Slot;

pub fn not(operand: Code) -> Code {
    match operand {
        Code::Const(value) => Code::Const(i64::from(value == 0)),
        Code::Not(inner) => *inner,
        Code::SlotIs(slot, raw) => Code::SlotIsNot(slot, raw),
        Code::SlotIsNot(slot, raw) => Code::SlotIs(slot, raw),
        Code::SlotConst(operator, slot, value) if operator.negated().is_some() => {
            Code::SlotConst(operator.negated().unwrap_or(operator), slot, value)
        }
        Code::SlotSlot(operator, slots) if operator.negated().is_some() => {
            Code::SlotSlot(operator.negated().unwrap_or(operator), slots)
        }
        Code::Binary(operator, operands) if operator.negated().is_some() => {
            Code::Binary(operator.negated().unwrap_or(operator), operands)
        }
        Code::Fail(failure) => Code::Fail(failure),
        operand => Code::Not(Box::new(operand)),
    }
}

pub fn take(operator: Binary, left: Code, right: Code) -> Code {
    match (left, right) {
        (Code::Fail(failure), _) => Code::Fail(failure),
        (Code::Const(_), Code::Fail(failure)) => Code::Fail(failure),
        (Code::Const(left), Code::Const(right)) => match binary(operator, left, right) {
            Ok(value) => Code::Const(value),
            Err(failure) => Code::Fail(Box::new(failure)),
        },
        (Code::Slot(slot), Code::Const(value)) => slot_with_const(operator, slot, value),
        (Code::Const(value), Code::Slot(slot)) if operator.mirrored().is_some() => {
            slot_with_const(operator.mirrored().unwrap_or(operator), slot, value)
        }
        (Code::Slot(left), Code::Slot(right)) => Code::SlotSlot(operator, Box::new((left, right))),
        (left, right) => Code::Binary(operator, Box::new((left, right))),
    }
}

fn slot_with_const(operator: Binary, slot: Slot, value: i64) -> Code {
    let raw = slot.to_raw(value);
    let is_possible = raw <= slot.mask;
    match operator {
        Binary::Equal if is_possible => Code::SlotIs(slot, raw),
        Binary::NotEqual if is_possible => Code::SlotIsNot(slot, raw),
        _ => Code::SlotConst(operator, slot, value),
    }
}

/// An operation on all of the operands, worked out where they are constants.
fn folded(
    parts: Vec<Code>,
    operation: fn(Box<[Code]>) -> Code,
    fold: impl FnOnce(&[i64]) -> Result<i64, Failure>,
) -> Code {
    let mut values = Vec::new();
    for part in &parts {
        match part {
            Code::Const(value) => values.push(*value),
            _ => return operation(parts.into()),
        }
    }
    match fold(&values) {
        Ok(value) => Code::Const(value),
        Err(failure) => Code::Fail(Box::new(failure)),
    }
}

pub fn negate(operand: Code) -> Code {
    match operand {
        Code::Const(value) => match value.checked_neg() {
            Some(value) => Code::Const(value),
            None => Code::Fail(Box::new(Failure::Overflow)),
        },
        Code::Fail(failure) => Code::Fail(failure),
        operand => Code::Negate(Box::new(operand)),
    }
}

pub fn bit_not(operand: Code) -> Code {
    match operand {
        Code::Const(value) => Code::Const(!value),
        Code::Fail(failure) => Code::Fail(failure),
        operand => Code::BitNot(Box::new(operand)),
    }
}

/// `All` or `Any`: `going_on` is the value of an operand after which the next is evaluated.
pub fn junction(parts: impl Iterator<Item = Code>, going_on: bool) -> Code {
    let mut codes = Vec::new();
    for code in parts {
        match code {
            Code::Const(value) if (value != 0) == going_on => continue,
            Code::All(parts) if going_on => codes.extend(parts),
            Code::Any(parts) if !going_on => codes.extend(parts),
            Code::Const(_) | Code::Fail(_) => {
                codes.push(code);
                break;
            }
            _ => codes.push(code),
        }
    }
    match codes.len() {
        0 => Code::Const(i64::from(going_on)),
        1 => codes.swap_remove(0),
        _ if going_on => Code::All(codes.into()),
        _ => Code::Any(codes.into()),
    }
}

/// Only the branch that is taken is made, where it is known which.
pub fn branch<T>(
    maker: &mut T,
    condition: Code,
    then: impl FnOnce(&mut T) -> Code,
    otherwise: impl FnOnce(&mut T) -> Code,
) -> Code {
    match condition {
        Code::Const(0) => otherwise(maker),
        Code::Const(_) => then(maker),
        Code::Fail(failure) => Code::Fail(failure),
        condition => {
            let then = then(maker);
            Code::If(Box::new((condition, then, otherwise(maker))))
        }
    }
}

pub fn select<T>(lo: i64, index: Code, cases: &[T], mut case: impl FnMut(&T) -> Code) -> Code {
    match index {
        Code::Const(index) => match element(index, lo, cases.len() as u32) {
            Some(at) => case(&cases[at as usize]),
            None => Code::Fail(Box::new(Failure::NoSuchInstance { value: index })),
        },
        Code::Fail(failure) => Code::Fail(failure),
        index => Code::Select(Box::new(Select {
            lo,
            index,
            cases: cases.iter().map(case).collect(),
        })),
    }
}

pub fn count(parts: Vec<Code>) -> Code {
    folded(parts, Code::Count, |values| {
        Ok(values.iter().filter(|value| **value != 0).count() as i64)
    })
}

pub fn sum(parts: Vec<Code>) -> Code {
    folded(parts, Code::Sum, |values| {
        let mut values = values.iter().copied();
        let sum = values.try_fold(0i64, i64::checked_add);
        sum.ok_or(Failure::Overflow)
    })
}

pub fn least(parts: Vec<Code>) -> Code {
    folded(parts, Code::Min, |values| {
        Ok(values.iter().copied().min().unwrap_or(0))
    })
}

pub fn greatest(parts: Vec<Code>) -> Code {
    folded(parts, Code::Max, |values| {
        Ok(values.iter().copied().max().unwrap_or(0))
    })
}

impl Channel {
    /// A part of the row of channels.
    pub fn of(part: Part) -> Channel {
        match part.indices.first() {
            None => Channel::One(part.base),
            Some(Index {
                index: Code::Fail(failure),
                ..
            }) => Channel::Fails(failure.clone()),
            Some(_) => Channel::Indexed(part),
        }
    }
}

impl Part {
    /// The cell with this index of the array that the part is.
    pub fn cell(mut self, lo: i64, len: u32, stride: u32, index: Code) -> Part {
        if let (Code::Const(index), true) = (&index, !self.fails())
            && let Some(at) = element(*index, lo, len)
        {
            self.base += at * stride;
            return self;
        }
        let mut indices = self.indices.into_vec();
        indices.push(Index {
            index: match index {
                Code::Const(index) if element(index, lo, len).is_none() => {
                    Code::Fail(outside_array(index, lo, len))
                }
                index => index,
            },
            lo,
            len,
            stride,
        });
        self.indices = indices.into();
        self
    }

    /// Whether one of the indices fails in every state.
    fn fails(&self) -> bool {
        self.indices
            .iter()
            .any(|i| matches!(i.index, Code::Fail(_)))
    }
}
