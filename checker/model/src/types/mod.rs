//! Types: what is compared when expressions are checked ([`Ty`]), what a variable has
//! ([`Declared`]), and the values that a bound name runs through ([`Domain`]).

mod collections;
mod elaborate;
mod texts;

use std::sync::Arc;

use stubborn_system::source_map::Shape;
use stubborn_system::system::{Range, Type};

/// Which enumeration, counted in the order in which they were met.
pub type EnumerationId = u32;

/// The type of an expression, as far as checking goes: all ranges are one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Bool,
    Int,
    Enumeration(EnumerationId),
    Array(Arc<ArrayTy>),
    /// The fields in the order of the text.
    Record(Arc<[(String, Ty)]>),
    /// A set of values of its index, which is a truth value for each of them.
    Set(Arc<ArrayTy>),
    /// A list.
    List(Arc<ListTy>),
    /// Of what has a mistake in it, which has its message: it fits everything, so that no other
    /// message follows.
    Unknown,
}

/// The type of an array: arrays are of one type if their indices have the same values and their
/// cells one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayTy {
    /// A scalar type.
    pub index: Ty,
    pub range: Range,
    /// How an index is written.
    pub index_shape: Shape,
    pub cell: Ty,
}

/// The type of a list: lists are of one type if they can have as many elements, of one type with the same values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListTy {
    /// At least 1.
    pub capacity: u32,
    /// A scalar type.
    pub element: Ty,
    pub range: Range,
}

/// The type that something was declared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub ty: Ty,
    /// The values. Where it is not [`known`](Declared::known) they mean nothing.
    pub system: Type,
    pub shape: Shape,
    /// False where the text has a mistake, or where the range depends on a parameter that has no
    /// value (a macro that is checked by itself).
    pub known: bool,
}

/// The values of a scalar type, in their order: of a parameter, of `for`, `any`, a quantifier, a
/// message or an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    pub ty: Ty,
    /// Where it is not [`known`](Domain::known), a single value that means nothing.
    pub range: Range,
    pub shape: Shape,
    /// As of [`Declared::known`].
    pub known: bool,
}

impl Ty {
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Bool | Ty::Int | Ty::Enumeration(_) | Ty::Unknown)
    }

    pub fn is_unknown(&self) -> bool {
        *self == Ty::Unknown
    }

    /// Whether a value of the one may stand where the other is asked for. A mistake fits everything.
    pub fn fits(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => true,
            (Ty::Array(a), Ty::Array(b)) => {
                a.index.fits(&b.index) && a.range == b.range && a.cell.fits(&b.cell)
            }
            (Ty::Set(a), Ty::Set(b)) => a.index.fits(&b.index) && a.range == b.range,
            (Ty::List(a), Ty::List(b)) => {
                a.capacity == b.capacity && a.element.fits(&b.element) && a.range == b.range
            }
            (Ty::Record(a), Ty::Record(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b.iter())
                        .all(|((n, t), (m, u))| n == m && t.fits(u))
            }
            _ => self == other,
        }
    }
}

impl ListTy {
    /// The elements that it may have, which are written so.
    pub fn elements(&self, shape: Shape) -> Declared {
        Declared::new(
            self.element.clone(),
            Type::scalar(self.range.lo, self.range.hi),
            shape,
            true,
        )
    }
}

impl Declared {
    pub fn new(ty: Ty, system: Type, shape: Shape, known: bool) -> Declared {
        Declared {
            ty,
            system,
            shape,
            known,
        }
    }

    /// Result of an expression or a type with an error.
    pub fn unknown() -> Declared {
        Declared::new(Ty::Unknown, Type::BOOL, Shape::Bool, false)
    }

    /// Its values as a domain; an unknown one unless it is scalar.
    pub fn domain(&self) -> Domain {
        match self.system {
            Type::Scalar { lo, hi } if !self.ty.is_unknown() => Domain {
                ty: self.ty.clone(),
                range: Range { lo, hi },
                shape: self.shape.clone(),
                known: self.known,
            },
            _ => Domain::unknown(),
        }
    }
}

impl Domain {
    /// Result of an expression or a type with an error.
    pub fn unknown() -> Domain {
        Domain {
            ty: Ty::Unknown,
            range: Range { lo: 0, hi: 0 },
            shape: Shape::Int,
            known: false,
        }
    }

    pub fn declared(&self) -> Declared {
        Declared {
            ty: self.ty.clone(),
            system: Type::scalar(self.range.lo, self.range.hi),
            shape: self.shape.clone(),
            known: self.known,
        }
    }
}
