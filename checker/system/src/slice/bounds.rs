//! Between which bounds the value of an expression lies, whatever the state is, and whether its
//! evaluation may fail.
//!
//! A variable always has a value of its type, so bounds that follow from the types alone hold in
//! every state, in the midst of a step too. Where more is known of an instance's own variables
//! ([`Known`]) they hold wherever that does. They err towards "may fail": an operand that another one
//! would keep from being evaluated is looked at like any other. Where all that an expression reads is
//! known to have one value, what its evaluation comes to is worked out, so that its bounds meet.

use std::collections::HashMap;

use crate::system::{
    Access, Binary, ChannelRef, Expr, InstanceId, Place, Range, System, Type, Unary, Value,
    VariableRef,
};

/// Bounds of a value, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bounds {
    Scalar {
        lo: i64,
        hi: i64,
    },
    /// As many cells, each within the same bounds.
    Array(u32, Box<Bounds>),
    /// Cells with bounds of their own.
    Cells(Vec<Bounds>),
}

const TRUTH: Bounds = Bounds::Scalar { lo: 0, hi: 1 };

/// Variables with the least and the greatest value that they, or their cells, have.
pub type Intervals = HashMap<VariableRef, (i64, i64)>;

/// What bounds are worked out in.
pub struct Ranges<'a> {
    pub system: &'a System,
    /// Of the step's `any`s.
    pub choices: &'a [Range],
    pub known: Option<Known<'a>>,
    /// Variables that have no other values than these.
    pub intervals: Option<&'a Intervals>,
}

/// What is known of the own variables of an instance where an expression is evaluated.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    pub instance: InstanceId,
    /// The least and the greatest value of each variable; `None` where its type alone is known.
    pub values: &'a [Option<(i64, i64)>],
}

impl Bounds {
    fn of_type(ty: &Type) -> Bounds {
        match ty {
            Type::Scalar { lo, hi } => Bounds::Scalar { lo: *lo, hi: *hi },
            Type::Array { len, cell, .. } => Bounds::Array(*len, Box::new(Bounds::of_type(cell))),
            Type::Record(fields) => Bounds::Cells(fields.iter().map(Bounds::of_type).collect()),
        }
    }

    fn of_value(value: &Value) -> Bounds {
        match value {
            Value::Int(value) => Bounds::Scalar {
                lo: *value,
                hi: *value,
            },
            Value::Cells(cells) => Bounds::Cells(cells.iter().map(Bounds::of_value).collect()),
        }
    }

    /// Whether every value within the bounds is of the type.
    pub fn are_in(&self, ty: &Type) -> bool {
        match (self, ty) {
            (
                Bounds::Scalar { lo, hi },
                Type::Scalar {
                    lo: least,
                    hi: most,
                },
            ) => least <= lo && hi <= most,
            (
                Bounds::Array(len, cell),
                Type::Array {
                    len: n, cell: ty, ..
                },
            ) => len == n && cell.are_in(ty),
            (Bounds::Cells(cells), Type::Array { len, cell, .. }) => {
                cells.len() == *len as usize && cells.iter().all(|bounds| bounds.are_in(cell))
            }
            (Bounds::Cells(cells), Type::Record(fields)) => {
                cells.len() == fields.len()
                    && cells.iter().zip(fields.iter()).all(|(b, ty)| b.are_in(ty))
            }
            _ => false,
        }
    }

    /// Whether values within these bounds are equal, where that is certain.
    fn equal(&self, other: &Bounds) -> Option<bool> {
        match (self, other) {
            (Bounds::Scalar { lo: a, hi: b }, Bounds::Scalar { lo: c, hi: d }) => {
                match b < c || d < a {
                    true => Some(false),
                    false => (a == b && c == d).then_some(true),
                }
            }
            _ => None,
        }
    }

    /// Bounds that hold where either do; `None` for values of different shapes.
    fn or(&self, other: &Bounds) -> Option<Bounds> {
        Some(match (self, other) {
            (Bounds::Scalar { lo: a, hi: b }, Bounds::Scalar { lo: c, hi: d }) => Bounds::Scalar {
                lo: *a.min(c),
                hi: *b.max(d),
            },
            (Bounds::Array(n, a), Bounds::Array(m, b)) if n == m => {
                Bounds::Array(*n, Box::new(a.or(b)?))
            }
            (Bounds::Cells(a), Bounds::Cells(b)) if a.len() == b.len() => {
                let cells = a.iter().zip(b).map(|(a, b)| a.or(b));
                Bounds::Cells(cells.collect::<Option<_>>()?)
            }
            (Bounds::Array(n, a), Bounds::Cells(cells))
            | (Bounds::Cells(cells), Bounds::Array(n, a))
                if *n as usize == cells.len() =>
            {
                Bounds::Cells(cells.iter().map(|b| a.or(b)).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// Of the cells from the first to the last, counted from 0; `None` where one is not there.
    fn cells(&self, first: i128, last: i128) -> Option<Bounds> {
        match self {
            Bounds::Array(len, cell) if 0 <= first && last < i128::from(*len) => {
                Some((**cell).clone())
            }
            Bounds::Cells(cells) => {
                let first = usize::try_from(first).ok()?;
                let last = usize::try_from(last).ok()?;
                let (one, others) = cells.get(first..=last)?.split_first()?;
                others.iter().try_fold(one.clone(), |all, one| all.or(one))
            }
            _ => None,
        }
    }
}

impl<'a> Ranges<'a> {
    /// Nothing more is known than the types.
    pub fn of_types(system: &'a System, choices: &'a [Range]) -> Ranges<'a> {
        Ranges {
            system,
            choices,
            known: None,
            intervals: None,
        }
    }

    /// The bounds of the expression's value, or `None` where its evaluation may fail.
    pub fn of(&self, expr: &Expr) -> Option<Bounds> {
        self.value(expr, &mut Vec::new())
    }

    pub fn cannot_fail(&self, expr: &Expr) -> bool {
        self.of(expr).is_some()
    }

    /// Whether all indices of the place are sure to lie inside their arrays.
    pub fn is_sure(&self, place: &Place) -> bool {
        place.path.iter().all(|access| match access {
            Access::Field(_) => true,
            Access::Cell { lo, len, index } => match self.of(index) {
                Some(Bounds::Scalar { lo: least, hi }) => is_inside((least, hi), *lo, *len),
                _ => false,
            },
        })
    }

    /// Whether the index of the channel is sure to lie inside its array.
    pub fn is_sure_channel(&self, channel: &ChannelRef) -> bool {
        self.capacity(channel, &mut Vec::new()).is_some()
    }

    fn variable(&self, variable: VariableRef) -> Bounds {
        if let (Some(known), VariableRef::Local(i, v)) = (self.known, variable)
            && known.instance == i
            && let Some((lo, hi)) = known.values[v as usize]
        {
            return Bounds::Scalar { lo, hi };
        }
        let ty = &self.system.variable(variable).ty;
        match self.intervals.and_then(|all| all.get(&variable)) {
            Some(interval) => Bounds::of_type(&ty.within(*interval)),
            None => Bounds::of_type(ty),
        }
    }

    /// `bound`: what the enclosing lets have bound, the innermost last.
    fn value(&self, expr: &Expr, bound: &mut Vec<Bounds>) -> Option<Bounds> {
        Some(match expr {
            Expr::Const(value) => Bounds::of_value(value),
            Expr::Variable(variable) => self.variable(*variable),
            Expr::Cell { array, lo, index } => {
                let array = self.value(array, bound)?;
                let (least, most) = self.scalar(index, bound)?;
                let offset = |index: i64| i128::from(index) - i128::from(*lo);
                array.cells(offset(least), offset(most))?
            }
            Expr::Field { record, field } => match self.value(record, bound)? {
                Bounds::Cells(mut cells) if (*field as usize) < cells.len() => {
                    cells.swap_remove(*field as usize)
                }
                _ => return None,
            },
            Expr::Cells(parts) => {
                let parts = parts.iter().map(|part| self.value(part, bound));
                Bounds::Cells(parts.collect::<Option<_>>()?)
            }
            Expr::Choice(k) => {
                let Range { lo, hi } = *self.choices.get(*k as usize)?;
                Bounds::Scalar { lo, hi }
            }
            Expr::Unary(operator, operand) => {
                let (lo, hi) = self.scalar(operand, bound)?;
                match operator {
                    Unary::Not => truth(lo, hi).map_or(TRUTH, |value| certain(!value)),
                    Unary::Negate => scalar(-i128::from(hi), -i128::from(lo))?,
                    Unary::BitNot => Bounds::Scalar { lo: !hi, hi: !lo },
                }
            }
            Expr::Binary(operator @ (Binary::Equal | Binary::NotEqual), left, right) => {
                let left = self.value(left, bound)?;
                let equal = left.equal(&self.value(right, bound)?);
                let is_asked = |equal| equal == (*operator == Binary::Equal);
                equal.map_or(TRUTH, |equal| certain(is_asked(equal)))
            }
            Expr::Binary(operator, left, right) => {
                let left = self.scalar(left, bound)?;
                let right = self.scalar(right, bound)?;
                binary(*operator, left, right)?
            }
            // True where the least of them is, and where the greatest is.
            Expr::All(parts) => self.truths(parts, bound, 1, i64::min)?,
            Expr::Any(parts) => self.truths(parts, bound, 0, i64::max)?,
            Expr::Count(parts) => self.truths(parts, bound, 0, |a, b| a + b)?,
            Expr::OneOf(first, others) => {
                let first = self.value(first, bound)?;
                let mut all = Some(false);
                for other in others {
                    let equal = first.equal(&self.value(other, bound)?);
                    all = match (all, equal) {
                        (Some(true), _) | (_, Some(true)) => Some(true),
                        (Some(false), Some(false)) => Some(false),
                        _ => None,
                    };
                }
                all.map_or(TRUTH, certain)
            }
            Expr::If(condition, then, otherwise) => {
                let (lo, hi) = self.scalar(condition, bound)?;
                let then = self.value(then, bound)?;
                let otherwise = self.value(otherwise, bound)?;
                match truth(lo, hi) {
                    Some(true) => then,
                    Some(false) => otherwise,
                    None => then.or(&otherwise)?,
                }
            }
            Expr::Sum(parts) => {
                let mut sum = (0, 0);
                for part in parts {
                    let (lo, hi) = self.scalar(part, bound)?;
                    let Bounds::Scalar { lo, hi } = binary(Binary::Add, sum, (lo, hi))? else {
                        return None;
                    };
                    sum = (lo, hi);
                }
                Bounds::Scalar {
                    lo: sum.0,
                    hi: sum.1,
                }
            }
            Expr::Min(parts) => self.extreme(parts, bound, i64::min)?,
            Expr::Max(parts) => self.extreme(parts, bound, i64::max)?,
            Expr::At(..) => TRUTH,
            Expr::Select { lo, index, cases } => {
                let index = self.scalar(index, bound)?;
                if !is_inside(index, *lo, u32::try_from(cases.len()).ok()?) {
                    return None;
                }
                let mut all: Option<Bounds> = None;
                for case in cases {
                    let case = self.value(case, bound)?;
                    all = Some(match all {
                        None => case,
                        Some(all) => all.or(&case)?,
                    });
                }
                all?
            }
            Expr::Let { value, ty, body } => {
                let value = self.value(value, bound)?;
                if !value.are_in(ty) {
                    return None;
                }
                bound.push(value);
                let body = self.value(body, bound);
                bound.pop();
                body?
            }
            Expr::Bound(n) => {
                let from_the_end = bound.len().checked_sub(*n as usize + 1)?;
                bound.get(from_the_end)?.clone()
            }
            Expr::Length(channel) => {
                let most = self.capacity(channel, bound)?;
                Bounds::Scalar { lo: 0, hi: most }
            }
            Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
                self.capacity(channel, bound)?;
                TRUTH
            }
            Expr::Fail(_) => return None,
        })
    }

    fn scalar(&self, expr: &Expr, bound: &mut Vec<Bounds>) -> Option<(i64, i64)> {
        match self.value(expr, bound)? {
            Bounds::Scalar { lo, hi } => Some((lo, hi)),
            _ => None,
        }
    }

    /// What truth values come to by a function that grows with each of them.
    fn truths(
        &self,
        parts: &[Expr],
        bound: &mut Vec<Bounds>,
        none: i64,
        and: fn(i64, i64) -> i64,
    ) -> Option<Bounds> {
        let (mut least, mut most) = (none, none);
        for part in parts {
            let (lo, hi) = self.scalar(part, bound)?;
            let part = truth(lo, hi);
            least = and(least, i64::from(part == Some(true)));
            most = and(most, i64::from(part != Some(false)));
        }
        Some(Bounds::Scalar {
            lo: least,
            hi: most,
        })
    }

    /// The greatest capacity of the channels that are meant.
    fn capacity(&self, channel: &ChannelRef, bound: &mut Vec<Bounds>) -> Option<i64> {
        for index in channel.indices() {
            let within = self.scalar(&index.index, bound)?;
            if !is_inside(within, index.lo, index.len) {
                return None;
            }
        }
        let all = channel.array();
        let channels = self.system.channels.get(all.start as usize..)?;
        let meant = channels.iter().take(all.len());
        meant.map(|channel| i64::from(channel.capacity)).max()
    }

    fn extreme(
        &self,
        parts: &[Expr],
        bound: &mut Vec<Bounds>,
        of: fn(i64, i64) -> i64,
    ) -> Option<Bounds> {
        let mut all: Option<(i64, i64)> = None;
        for part in parts {
            let (lo, hi) = self.scalar(part, bound)?;
            all = Some(all.map_or((lo, hi), |(a, b)| (of(a, lo), of(b, hi))));
        }
        all.map(|(lo, hi)| Bounds::Scalar { lo, hi })
    }
}

/// The truth value of a number between these bounds, where it is certain.
fn truth(lo: i64, hi: i64) -> Option<bool> {
    match (lo, hi) {
        (0, 0) => Some(false),
        (lo, hi) => (lo > 0 || hi < 0).then_some(true),
    }
}

/// What is true always, or never, or neither.
fn always(is_true: bool, is_false: bool) -> Bounds {
    match is_true || is_false {
        true => certain(is_true),
        false => TRUTH,
    }
}

fn certain(value: bool) -> Bounds {
    let value = value.into();
    Bounds::Scalar {
        lo: value,
        hi: value,
    }
}

/// Whether all indices between these bounds are those of an array.
fn is_inside((least, most): (i64, i64), lo: i64, len: u32) -> bool {
    let lo = i128::from(lo);
    lo <= i128::from(least) && i128::from(most) < lo + i128::from(len)
}

/// `None` where a bound is no number of 64 bits.
fn scalar(lo: i128, hi: i128) -> Option<Bounds> {
    Some(Bounds::Scalar {
        lo: i64::try_from(lo).ok()?,
        hi: i64::try_from(hi).ok()?,
    })
}

fn binary(operator: Binary, left: (i64, i64), right: (i64, i64)) -> Option<Bounds> {
    let (a, b) = (i128::from(left.0), i128::from(left.1));
    let (c, d) = (i128::from(right.0), i128::from(right.1));
    let spanned = |corners: [i128; 4]| {
        let least = corners.into_iter().min()?;
        scalar(least, corners.into_iter().max()?)
    };
    match operator {
        Binary::Add => scalar(a + c, b + d),
        Binary::Subtract => scalar(a - d, b - c),
        Binary::Multiply => spanned([a * c, a * d, b * c, b * d]),
        // A divisor that keeps its sign makes the quotient monotone in both operands.
        Binary::Divide if c > 0 || d < 0 => spanned([a / c, a / d, b / c, b / d]),
        Binary::Remainder if a == b && c == d && c != 0 => scalar(a % c, a % c),
        // Nearer to 0 than the divisor and not farther than the dividend, with its sign.
        Binary::Remainder if c > 0 => scalar(a.max(1 - d).min(0), b.min(d - 1).max(0)),
        Binary::Divide | Binary::Remainder => None,
        Binary::Equal | Binary::NotEqual => Some(TRUTH),
        Binary::Less => Some(always(b < c, a >= d)),
        Binary::LessOrEqual => Some(always(b <= c, a > d)),
        Binary::Greater => Some(always(a > d, b <= c)),
        Binary::GreaterOrEqual => Some(always(a >= d, b < c)),
        Binary::BitAnd if a >= 0 && c >= 0 => scalar(0, b.min(d)),
        Binary::BitOr | Binary::BitXor if a >= 0 && c >= 0 => {
            let bits = 128 - b.max(d).leading_zeros();
            scalar(0, (1 << bits) - 1)
        }
        Binary::ShiftRight if 0 <= c && d <= 63 => {
            scalar(if a < 0 { a } else { 0 }, if b < 0 { -1 } else { b })
        }
        Binary::Within if a >= 0 && b < c => scalar(a, b),
        Binary::Within => None,
        Binary::ShiftLeft if c < 0 || d > 63 => None,
        Binary::ShiftRight => None,
        Binary::BitAnd | Binary::BitOr | Binary::BitXor | Binary::ShiftLeft => {
            scalar(i128::from(i64::MIN), i128::from(i64::MAX))
        }
    }
}
