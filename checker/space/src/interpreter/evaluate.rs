//! Expressions, from left to right, stopping at the first failure.

use std::borrow::Cow;

use stubborn_system::system::{
    Access, Binary, ChannelId, ChannelIndex, ChannelRef, Expr, Failure, Place, Type, Unary, Value,
    VariableRef,
};

use crate::state::State;

/// What an expression is evaluated in.
pub(super) struct Scope<'a> {
    pub state: &'a State,
    /// The capacities of the channels.
    pub system: &'a stubborn_system::system::System,
    /// The values of the step's `any`s.
    pub choices: &'a [i64],
    /// The values of the enclosing lets, the innermost last.
    bound: Vec<Value>,
}

impl<'a> Scope<'a> {
    pub fn new(
        system: &'a stubborn_system::system::System,
        state: &'a State,
        choices: &'a [i64],
    ) -> Scope<'a> {
        Scope {
            state,
            system,
            choices,
            bound: Vec::new(),
        }
    }

    /// The same within lets that have these values, the innermost last.
    pub fn within(self, bound: &[Value]) -> Scope<'a> {
        Scope {
            bound: bound.to_vec(),
            ..self
        }
    }

    /// The value of a scalar expression.
    pub fn scalar(&mut self, expr: &Expr) -> Result<i64, Failure> {
        Ok(scalar(&self.value(expr)?))
    }

    pub fn truth(&mut self, expr: &Expr) -> Result<bool, Failure> {
        Ok(self.scalar(expr)? != 0)
    }

    pub fn value(&mut self, expr: &Expr) -> Result<Value, Failure> {
        let truth = |holds: bool| Value::Int(i64::from(holds));
        Ok(match expr {
            Expr::Const(value) => value.clone(),
            Expr::Variable(variable) => variable_of(self.state, *variable).clone(),
            Expr::Cell { .. } | Expr::Field { .. } => self.part(expr)?.into_owned(),
            Expr::Cells(parts) => {
                let parts: Result<_, _> = parts.iter().map(|part| self.value(part)).collect();
                Value::Cells(parts?)
            }
            Expr::Choice(k) => Value::Int(self.choices[*k as usize]),
            Expr::Unary(operator, operand) => {
                let operand = self.scalar(operand)?;
                Value::Int(match operator {
                    Unary::Not => i64::from(operand == 0),
                    Unary::Negate => operand.checked_neg().ok_or(Failure::Overflow)?,
                    Unary::BitNot => !operand,
                })
            }
            Expr::Binary(Binary::Equal, left, right) => {
                let left = self.part(left)?;
                truth(left == self.part(right)?)
            }
            Expr::Binary(Binary::NotEqual, left, right) => {
                let left = self.part(left)?;
                truth(left != self.part(right)?)
            }
            Expr::Binary(operator, left, right) => {
                let left = self.scalar(left)?;
                let right = self.scalar(right)?;
                Value::Int(binary(*operator, left, right)?)
            }
            Expr::All(parts) => {
                for part in parts {
                    if !self.truth(part)? {
                        return Ok(truth(false));
                    }
                }
                truth(true)
            }
            Expr::Any(parts) => {
                for part in parts {
                    if self.truth(part)? {
                        return Ok(truth(true));
                    }
                }
                truth(false)
            }
            Expr::If(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.value(then)?
                } else {
                    self.value(otherwise)?
                }
            }
            Expr::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    count += i64::from(self.truth(part)?);
                }
                Value::Int(count)
            }
            Expr::Sum(parts) => {
                let mut sum = 0i64;
                for part in parts {
                    sum = sum
                        .checked_add(self.scalar(part)?)
                        .ok_or(Failure::Overflow)?;
                }
                Value::Int(sum)
            }
            Expr::Min(parts) => Value::Int(self.scalars(parts)?.into_iter().min().unwrap_or(0)),
            Expr::Max(parts) => Value::Int(self.scalars(parts)?.into_iter().max().unwrap_or(0)),
            Expr::OneOf(first, others) => {
                let first = self.value(first)?;
                let mut found = false;
                for other in others {
                    found |= self.value(other)? == first;
                }
                truth(found)
            }
            Expr::At(instance, locations) => {
                let location = self.state.instances[*instance as usize].location;
                truth(locations.contains(&location))
            }
            Expr::Select { lo, index, cases } => {
                let index = self.scalar(index)?;
                match offset(index, *lo, cases.len()) {
                    Ok(case) => self.value(&cases[case])?,
                    Err(_) => return Err(Failure::NoSuchInstance { value: index }),
                }
            }
            Expr::Let { value, ty, body } => {
                let value = self.value(value)?;
                must_be_in(&value, ty)?;
                self.bound.push(value);
                let body = self.value(body);
                self.bound.pop();
                body?
            }
            Expr::Bound(n) => self.bound[self.bound.len() - 1 - *n as usize].clone(),
            Expr::Length(channel) => {
                let channel = self.channel(channel)?;
                Value::Int(self.state.channels[channel as usize].len() as i64)
            }
            Expr::IsEmpty(channel) => {
                let channel = self.channel(channel)?;
                truth(self.state.channels[channel as usize].is_empty())
            }
            Expr::IsFull(channel) => {
                let channel = self.channel(channel)?;
                truth(self.is_full(channel))
            }
            Expr::Fail(failure) => return Err(failure.clone()),
        })
    }

    /// The same, in its place where it has one: who reads a cell does not copy the array.
    fn part<'e>(&mut self, expr: &'e Expr) -> Result<Cow<'e, Value>, Failure>
    where
        'a: 'e,
    {
        let part = |whole: Cow<'e, Value>, at: usize| match whole {
            Cow::Borrowed(whole) => Cow::Borrowed(&cells(whole)[at]),
            Cow::Owned(whole) => Cow::Owned(cells(&whole)[at].clone()),
        };
        Ok(match expr {
            Expr::Const(value) => Cow::Borrowed(value),
            Expr::Variable(variable) => Cow::Borrowed(variable_of(self.state, *variable)),
            Expr::Cell { array, lo, index } => {
                let array = self.part(array)?;
                let index = self.scalar(index)?;
                let at = offset(index, *lo, cells(&array).len())?;
                part(array, at)
            }
            Expr::Field { record, field } => part(self.part(record)?, *field as usize),
            _ => Cow::Owned(self.value(expr)?),
        })
    }

    pub fn scalars(&mut self, exprs: &[Expr]) -> Result<Vec<i64>, Failure> {
        exprs.iter().map(|expr| self.scalar(expr)).collect()
    }

    pub fn is_full(&self, channel: ChannelId) -> bool {
        let capacity = self.system.channels[channel as usize].capacity as usize;
        self.state.channels[channel as usize].len() >= capacity
    }

    pub fn channel(&mut self, channel: &ChannelRef) -> Result<ChannelId, Failure> {
        match channel {
            ChannelRef::One(channel) => Ok(*channel),
            ChannelRef::Indexed { first, indices } => {
                // As the digits of a number that each have a base of their own.
                let mut at = 0;
                for ChannelIndex { lo, len, index } in indices {
                    let index = self.scalar(index)?;
                    at = at * *len as usize + offset(index, *lo, *len as usize)?;
                }
                Ok(first + at as ChannelId)
            }
        }
    }

    /// Where a place is: the variable, and which part of which part of it.
    pub fn place(&mut self, place: &Place) -> Result<Spot, Failure> {
        let mut path = Vec::new();
        for access in &place.path {
            path.push(match access {
                Access::Field(field) => *field,
                Access::Cell { lo, len, index } => {
                    let index = self.scalar(index)?;
                    offset(index, *lo, *len as usize)? as u32
                }
            });
        }
        Ok(Spot {
            variable: place.variable,
            path,
        })
    }
}

/// A place whose indices have been evaluated.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    variable: VariableRef,
    path: Vec<u32>,
}

impl Spot {
    pub fn assign(&self, state: &mut State, value: Value) {
        let part = state.part_mut(self.variable, &self.path);
        *part.expect("a place leads to a part of a variable") = value;
    }
}

/// Fails unless each scalar of the value is in its type.
pub(super) fn must_be_in(value: &Value, ty: &Type) -> Result<(), Failure> {
    match ty {
        Type::Scalar { lo, hi } => {
            let value = scalar(value);
            if value < *lo || value > *hi {
                let (lo, hi) = (*lo, *hi);
                return Err(Failure::OutsideType { value, lo, hi });
            }
        }
        Type::Array { cell, .. } => {
            for part in cells(value) {
                must_be_in(part, cell)?;
            }
        }
        Type::Record(fields) => {
            for (part, field) in cells(value).iter().zip(fields.iter()) {
                must_be_in(part, field)?;
            }
        }
    }
    Ok(())
}

fn variable_of(state: &State, variable: VariableRef) -> &Value {
    match variable {
        VariableRef::Shared(v) => &state.shared[v as usize],
        VariableRef::Local(i, v) => &state.instances[i as usize].locals[v as usize],
    }
}

fn scalar(value: &Value) -> i64 {
    match value {
        Value::Int(value) => *value,
        Value::Cells(_) => unreachable!("a scalar was expected by the types"),
    }
}

fn cells(value: &Value) -> &[Value] {
    match value {
        Value::Cells(cells) => cells,
        Value::Int(_) => unreachable!("an array or a record was expected by the types"),
    }
}

/// Which cell has this index, where the first of `len` cells has the index `lo`.
fn offset(index: i64, lo: i64, len: usize) -> Result<usize, Failure> {
    let at = i128::from(index) - i128::from(lo);
    if at < 0 || at >= len as i128 {
        let hi = (i128::from(lo) + len as i128 - 1) as i64;
        return Err(Failure::OutsideArray { index, lo, hi });
    }
    Ok(at as usize)
}

fn binary(operator: Binary, left: i64, right: i64) -> Result<i64, Failure> {
    let or_overflow = |value: Option<i64>| value.ok_or(Failure::Overflow);
    let by = || match right {
        0..=63 => Ok(right as u32),
        _ => Err(Failure::ShiftOutside { by: right }),
    };
    match operator {
        Binary::Add => or_overflow(left.checked_add(right)),
        Binary::Subtract => or_overflow(left.checked_sub(right)),
        Binary::Multiply => or_overflow(left.checked_mul(right)),
        Binary::Divide | Binary::Remainder if right == 0 => Err(Failure::DivisionByZero),
        Binary::Divide => or_overflow(left.checked_div(right)),
        // The least integer modulo -1 is 0 too, though its quotient is too large.
        Binary::Remainder => Ok(left.wrapping_rem(right)),
        Binary::Equal => Ok(i64::from(left == right)),
        Binary::NotEqual => Ok(i64::from(left != right)),
        Binary::Less => Ok(i64::from(left < right)),
        Binary::LessOrEqual => Ok(i64::from(left <= right)),
        Binary::Greater => Ok(i64::from(left > right)),
        Binary::GreaterOrEqual => Ok(i64::from(left >= right)),
        Binary::BitAnd => Ok(left & right),
        Binary::BitOr => Ok(left | right),
        Binary::BitXor => Ok(left ^ right),
        Binary::ShiftLeft => Ok(((left as u64) << by()?) as i64),
        Binary::ShiftRight => Ok(left >> by()?),
        Binary::Within if (0..right).contains(&left) => Ok(left),
        Binary::Within => Err(Failure::NoElement {
            index: left,
            length: right,
        }),
    }
}
