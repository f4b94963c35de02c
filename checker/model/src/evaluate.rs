//! Evaluating an expression that no state takes part in: constants, and the folding of constant
//! parts of expressions.

use stubborn_system::system::{Binary, Expr, Failure, Type, Unary, Value, VariableRef};
use stubborn_system::value::outside;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Evaluation fails.
    Failure(Failure),
    /// The value depends on the state.
    State,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

/// The value of an expression, by the rules of [`Expr`].
pub fn evaluate(expr: &Expr) -> Result<Value, Stop> {
    evaluate_with(expr, &|_| None)
}

/// The same, where some variables have a value.
pub fn evaluate_with(
    expr: &Expr,
    variable: &dyn Fn(VariableRef) -> Option<Value>,
) -> Result<Value, Stop> {
    let mut evaluation = Evaluation {
        variable,
        bound: Vec::new(),
    };
    evaluation.value(expr)
}

struct Evaluation<'v> {
    variable: &'v dyn Fn(VariableRef) -> Option<Value>,
    /// The values of the enclosing [`Expr::Let`]s, the innermost last.
    bound: Vec<Value>,
}

impl Evaluation<'_> {
    fn value(&mut self, expr: &Expr) -> Result<Value, Stop> {
        let number = |n| Ok(Value::Int(n));
        let truth = |b: bool| Ok(Value::Int(i64::from(b)));
        match expr {
            Expr::Const(value) => Ok(value.clone()),
            Expr::Cell { array, lo, index } => {
                if let Expr::Const(Value::Cells(cells)) = array.as_ref() {
                    // A table need not be copied for one of its cells.
                    let index = self.scalar(index)?;
                    return match position(index, *lo, cells.len()) {
                        Some(position) => Ok(cells[position].clone()),
                        None => Err(outside_array(index, *lo, cells.len())),
                    };
                }
                let Value::Cells(mut cells) = self.value(array)? else {
                    return Err(Stop::State);
                };
                let index = self.scalar(index)?;
                match position(index, *lo, cells.len()) {
                    Some(position) => Ok(cells.swap_remove(position)),
                    None => Err(outside_array(index, *lo, cells.len())),
                }
            }
            Expr::Field { record, field } => match self.value(record)? {
                Value::Cells(mut cells) if (*field as usize) < cells.len() => {
                    Ok(cells.swap_remove(*field as usize))
                }
                _ => Err(Stop::State),
            },
            Expr::Cells(cells) => {
                let cells: Result<_, _> = cells.iter().map(|cell| self.value(cell)).collect();
                Ok(Value::Cells(cells?))
            }
            Expr::Unary(operator, operand) => {
                let operand = self.scalar(operand)?;
                number(unary(*operator, operand)?)
            }
            Expr::Binary(Binary::Equal, a, b) => truth(self.value(a)? == self.value(b)?),
            Expr::Binary(Binary::NotEqual, a, b) => truth(self.value(a)? != self.value(b)?),
            Expr::Binary(operator, a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                number(binary(*operator, a, b)?)
            }
            Expr::All(operands) => {
                for operand in operands {
                    if self.scalar(operand)? == 0 {
                        return truth(false);
                    }
                }
                truth(true)
            }
            Expr::Any(operands) => {
                for operand in operands {
                    if self.scalar(operand)? != 0 {
                        return truth(true);
                    }
                }
                truth(false)
            }
            Expr::If(condition, then, otherwise) => {
                if self.scalar(condition)? != 0 {
                    self.value(then)
                } else {
                    self.value(otherwise)
                }
            }
            Expr::Count(operands) => {
                let mut count = 0;
                for operand in operands {
                    count += i64::from(self.scalar(operand)? != 0);
                }
                number(count)
            }
            Expr::Sum(operands) => {
                let mut sum: i64 = 0;
                for operand in operands {
                    let operand = self.scalar(operand)?;
                    sum = sum.checked_add(operand).ok_or(Failure::Overflow)?;
                }
                number(sum)
            }
            Expr::Min(operands) | Expr::Max(operands) => {
                let values: Result<Vec<i64>, Stop> =
                    operands.iter().map(|o| self.scalar(o)).collect();
                let values = values?.into_iter();
                let best = match expr {
                    Expr::Min(_) => values.min(),
                    _ => values.max(),
                };
                best.map(Value::Int).ok_or(Stop::State)
            }
            Expr::OneOf(first, others) => {
                let first = self.value(first)?;
                let mut found = false;
                for other in others {
                    found |= self.value(other)? == first;
                }
                truth(found)
            }
            Expr::Select { lo, index, cases } => {
                let value = self.scalar(index)?;
                match position(value, *lo, cases.len()) {
                    Some(position) => self.value(&cases[position]),
                    None => Err(Failure::NoSuchInstance { value }.into()),
                }
            }
            Expr::Let { value, ty, body } => {
                let value = self.value(value)?;
                if let Some(failure) = outside_type(&value, ty) {
                    return Err(failure.into());
                }
                self.bound.push(value);
                let result = self.value(body);
                self.bound.pop();
                result
            }
            Expr::Bound(n) => {
                let depth = self.bound.len().checked_sub(1 + *n as usize);
                depth.map(|d| self.bound[d].clone()).ok_or(Stop::State)
            }
            Expr::Fail(failure) => Err(failure.clone().into()),
            Expr::Variable(variable) => (self.variable)(*variable).ok_or(Stop::State),
            Expr::Choice(_)
            | Expr::At(..)
            | Expr::Length(_)
            | Expr::IsEmpty(_)
            | Expr::IsFull(_) => Err(Stop::State),
        }
    }

    fn scalar(&mut self, expr: &Expr) -> Result<i64, Stop> {
        match self.value(expr)? {
            Value::Int(value) => Ok(value),
            Value::Cells(_) => Err(Stop::State),
        }
    }
}

/// The failure of storing the value into the type, if it does not belong there.
pub fn outside_type(value: &Value, ty: &Type) -> Option<Failure> {
    outside(value, ty).map(|(value, range)| Failure::OutsideType {
        value,
        lo: range.lo,
        hi: range.hi,
    })
}

/// Where `index` is among `len` places, the first of which is `lo`.
pub fn position(index: i64, lo: i64, len: usize) -> Option<usize> {
    let offset = usize::try_from(i128::from(index) - i128::from(lo)).ok()?;
    (offset < len).then_some(offset)
}

fn outside_array(index: i64, lo: i64, len: usize) -> Stop {
    let hi = lo.saturating_add(len as i64 - 1);
    Stop::Failure(Failure::OutsideArray { index, lo, hi })
}

fn unary(operator: Unary, operand: i64) -> Result<i64, Failure> {
    match operator {
        Unary::Not => Ok(i64::from(operand == 0)),
        Unary::Negate => operand.checked_neg().ok_or(Failure::Overflow),
        Unary::BitNot => Ok(!operand),
    }
}

fn binary(operator: Binary, a: i64, b: i64) -> Result<i64, Failure> {
    let shift = |by: i64| match u32::try_from(by) {
        Ok(by) if by <= 63 => Ok(by),
        _ => Err(Failure::ShiftOutside { by }),
    };
    let number = |n: Option<i64>| n.ok_or(Failure::Overflow);
    match operator {
        Binary::Add => number(a.checked_add(b)),
        Binary::Subtract => number(a.checked_sub(b)),
        Binary::Multiply => number(a.checked_mul(b)),
        Binary::Divide | Binary::Remainder if b == 0 => Err(Failure::DivisionByZero),
        Binary::Divide => number(a.checked_div(b)),
        // The least integer modulo -1 is 0 too, though its quotient is too large.
        Binary::Remainder => Ok(a.wrapping_rem(b)),
        Binary::Equal => Ok(i64::from(a == b)),
        Binary::NotEqual => Ok(i64::from(a != b)),
        Binary::Less => Ok(i64::from(a < b)),
        Binary::LessOrEqual => Ok(i64::from(a <= b)),
        Binary::Greater => Ok(i64::from(a > b)),
        Binary::GreaterOrEqual => Ok(i64::from(a >= b)),
        Binary::BitAnd => Ok(a & b),
        Binary::BitOr => Ok(a | b),
        Binary::BitXor => Ok(a ^ b),
        Binary::ShiftLeft => Ok(a << shift(b)?),
        Binary::ShiftRight => Ok(a >> shift(b)?),
        Binary::Within if 0 <= a && a < b => Ok(a),
        Binary::Within => Err(Failure::NoElement {
            index: a,
            length: b,
        }),
    }
}
