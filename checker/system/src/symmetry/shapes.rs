//! What of a value is renamed or moved when the values of a sort are permuted.

use crate::system::Type;

/// Number of a sort.
pub type SortId = u32;

/// Of each scalar of a type, and of the indices of its arrays, the sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape<S = Option<SortId>> {
    Scalar(S),
    Array {
        index: S,
        lo: i64,
        len: u32,
        cell: Box<Shape<S>>,
    },
    Record(Vec<Shape<S>>),
}

impl<S> Shape<S> {
    /// The shape of a type, with the sorts that `sort` gives: of the index of an array before those of its
    /// cells.
    pub fn of(ty: &Type, sort: &mut dyn FnMut() -> S) -> Shape<S> {
        match ty {
            Type::Scalar { .. } => Shape::Scalar(sort()),
            Type::Array { lo, len, cell } => Shape::Array {
                index: sort(),
                lo: *lo,
                len: *len,
                cell: Box::new(Shape::of(cell, sort)),
            },
            Type::Record(fields) => {
                Shape::Record(fields.iter().map(|field| Shape::of(field, sort)).collect())
            }
        }
    }

    /// The same with other sorts.
    pub fn map<T>(&self, of: &mut dyn FnMut(&S) -> T) -> Shape<T> {
        match self {
            Shape::Scalar(sort) => Shape::Scalar(of(sort)),
            Shape::Array {
                index,
                lo,
                len,
                cell,
            } => Shape::Array {
                index: of(index),
                lo: *lo,
                len: *len,
                cell: Box::new(cell.map(of)),
            },
            Shape::Record(fields) => {
                Shape::Record(fields.iter().map(|field| field.map(of)).collect())
            }
        }
    }

    /// The sorts of the scalars, those of indices left out.
    pub fn scalars(&self, then: &mut dyn FnMut(&S)) {
        match self {
            Shape::Scalar(sort) => then(sort),
            Shape::Array { cell, .. } => cell.scalars(then),
            Shape::Record(fields) => fields.iter().for_each(|field| field.scalars(then)),
        }
    }
}
