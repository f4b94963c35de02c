//! What steps and expressions are once values of a sort have been swapped, in a form in which those are equal that
//! mean the same.
//!
//! The form is a row of words. What a conjunction, a disjunction or another operator has for operands
//! whose order does not matter stands in the order of their own rows: that is so where all are evaluated
//! whatever the others are; in conjunctions and disjunctions, which stop at the first that decides, so do those that follow
//! each other and cannot fail. So do assignments to different places that follow each other, none of which may fail or reads
//! what another assigns. Why something fails is not in it.
//!
//! Renaming is right only if the sorts are: each expression is looked at with the sort that its value is
//! expected to have, and where what is found there is of another one, of which the swapped values
//! are, there is no form. So nothing depends on how sorts were found out.

mod expressions;
mod steps;

use crate::system::{ChannelRef, InstanceId, Range, System, Type, Value, VariableRef};

use super::blank::Blank;
use super::shapes::Shape;
use super::sorts::{Node, Sorts};

/// Two values of a sort that take each other's places, and what moves with them.
pub struct Swap<'a> {
    /// `None` where nothing names the instances that are swapped.
    pub values: Option<(Node, i64, i64)>,
    pub instances: Moved<'a>,
    pub channels: Moved<'a>,
}

/// Where instances or channels go.
#[derive(Clone, Copy)]
pub enum Moved<'a> {
    To(&'a [u32]),
    /// Not known yet: each is told by what it is of.
    Of(&'a [u32]),
}

impl Moved<'_> {
    fn word(self, number: u32) -> u64 {
        match self {
            Moved::To(to) => u64::from(to[number as usize]),
            Moved::Of(kinds) => u64::from(kinds[number as usize]),
        }
    }
}

/// There is no form: something is not understood, or the swapped values are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unlike;

pub type Row = Vec<u64>;

/// Whether a form could be written.
pub type Written = Result<(), Unlike>;

pub fn ensure(holds: bool) -> Written {
    holds.then_some(()).ok_or(Unlike)
}

/// What renames.
pub struct Renaming<'a> {
    pub system: &'a System,
    pub sorts: &'a Sorts,
    pub blank: &'a [Blank],
    pub swap: &'a Swap<'a>,
}

/// Where an expression stands.
struct Site<'a> {
    choices: &'a [Range],
    nodes: &'a [Node],
    /// What the enclosing lets have bound, the innermost first.
    bound: Vec<Shape<Node>>,
    /// Whose step it is, and which of its variables name nobody.
    blank: Option<(InstanceId, Vec<bool>)>,
    /// The form of what stands here, as far as it is written.
    row: Row,
}

impl Site<'_> {
    fn outside<'a>() -> Site<'a> {
        Site {
            choices: &[],
            nodes: &[],
            bound: Vec::new(),
            blank: None,
            row: Row::new(),
        }
    }

    /// Writes something as a row of its own.
    fn apart(&mut self, write: impl FnOnce(&mut Self) -> Written) -> Result<Row, Unlike> {
        let outside = std::mem::take(&mut self.row);
        let written = write(self);
        let row = std::mem::replace(&mut self.row, outside);
        written.map(|()| row)
    }

    /// Adds rows that have been written apart, with their lengths.
    fn add(&mut self, rows: Vec<Row>) {
        for row in rows {
            self.row.push(row.len() as u64);
            self.row.extend(row);
        }
    }
}

impl Renaming<'_> {
    /// The number of the instance that this one becomes.
    pub fn image(&self, instance: InstanceId) -> u64 {
        self.swap.instances.word(instance)
    }

    fn is_swapped(&self, node: Node) -> bool {
        (self.swap.values).is_some_and(|(sort, ..)| self.sorts.root(node) == sort)
    }

    /// What becomes of a value of a sort.
    fn value(&self, node: Node, value: i64) -> i64 {
        match self.swap.values {
            Some((sort, a, b)) if self.sorts.root(node) == sort => match value {
                v if v == a => b,
                v if v == b => a,
                v => v,
            },
            _ => value,
        }
    }

    /// The range has both of the swapped values or neither.
    pub fn is_closed(&self, node: Node, lo: i64, hi: i64) -> Written {
        match self.swap.values {
            Some((sort, a, b)) if self.sorts.root(node) == sort => {
                let has = |value| lo <= value && value <= hi;
                ensure(has(a) == has(b))
            }
            _ => Ok(()),
        }
    }

    /// What is of one sort is not used as what is of another.
    fn agree(&self, one: Node, other: Node) -> Written {
        ensure(self.is_swapped(one) == self.is_swapped(other))
    }

    fn agree_all(&self, one: &Shape<Node>, other: &Shape<Node>) -> Written {
        match (one, other) {
            (Shape::Scalar(a), Shape::Scalar(b)) => self.agree(*a, *b),
            (
                Shape::Array {
                    index: a,
                    lo,
                    len,
                    cell: one,
                },
                Shape::Array {
                    index: b,
                    lo: l,
                    len: m,
                    cell: other,
                },
            ) => {
                self.agree(*a, *b)?;
                ensure(!self.is_swapped(*a) || (lo, len) == (l, m))?;
                self.agree_all(one, other)
            }
            (Shape::Record(one), Shape::Record(other)) if one.len() == other.len() => one
                .iter()
                .zip(other)
                .try_for_each(|(one, other)| self.agree_all(one, other)),
            _ => Err(Unlike),
        }
    }

    /// The sorts of a type, whose ranges must have both values or neither.
    pub fn ty(&self, ty: &Type, shape: &Shape<Node>, row: &mut Row) -> Written {
        match (ty, shape) {
            (Type::Scalar { lo, hi }, Shape::Scalar(node)) => {
                self.is_closed(*node, *lo, *hi)?;
                row.extend([1, *lo as u64, *hi as u64]);
                Ok(())
            }
            (
                Type::Array { lo, len, cell },
                Shape::Array {
                    index, cell: shape, ..
                },
            ) => {
                self.is_closed(*index, *lo, lo + i64::from(*len) - 1)?;
                row.extend([2, *lo as u64, u64::from(*len)]);
                self.ty(cell, shape, row)
            }
            (Type::Record(fields), Shape::Record(shapes)) => {
                row.extend([3, fields.len() as u64]);
                fields
                    .iter()
                    .zip(shapes)
                    .try_for_each(|(ty, shape)| self.ty(ty, shape, row))
            }
            _ => Err(Unlike),
        }
    }

    /// In the order of the cells of an array that is moved, which of them comes.
    fn order(&self, index: Node, lo: i64, len: usize) -> Result<Vec<usize>, Unlike> {
        self.is_closed(index, lo, lo + len as i64 - 1)?;
        Ok((0..len)
            .map(|at| (self.value(index, lo + at as i64) - lo) as usize)
            .collect())
    }

    fn constant(&self, value: &Value, shape: &Shape<Node>, row: &mut Row) -> Written {
        self.cells(value, shape, &|node, value| self.value(node, value), row)
    }

    /// A value of which cells are moved, and each scalar is what `becomes` makes of it.
    fn cells(
        &self,
        value: &Value,
        shape: &Shape<Node>,
        becomes: &dyn Fn(Node, i64) -> i64,
        row: &mut Row,
    ) -> Written {
        match (value, shape) {
            (Value::Int(value), Shape::Scalar(node)) => {
                row.extend([1, becomes(*node, *value) as u64]);
                Ok(())
            }
            (
                Value::Cells(cells),
                Shape::Array {
                    index, lo, cell, ..
                },
            ) => {
                row.extend([2, cells.len() as u64]);
                let mut order = self.order(*index, *lo, cells.len())?.into_iter();
                order.try_for_each(|at| self.cells(&cells[at], cell, becomes, row))
            }
            (Value::Cells(cells), Shape::Record(shapes)) if cells.len() == shapes.len() => {
                row.extend([2, cells.len() as u64]);
                let mut fields = cells.iter().zip(shapes);
                fields.try_for_each(|(cell, shape)| self.cells(cell, shape, becomes, row))
            }
            _ => Err(Unlike),
        }
    }

    fn variable(&self, variable: VariableRef, row: &mut Row) {
        match variable {
            VariableRef::Shared(v) => row.extend([1, u64::from(v)]),
            VariableRef::Local(i, v) => row.extend([2, self.swap.instances.word(i), u64::from(v)]),
        }
    }

    fn channel(&self, channel: &ChannelRef, site: &mut Site<'_>) -> Written {
        match channel {
            ChannelRef::One(id) => {
                site.row.extend([1, self.swap.channels.word(*id)]);
                Ok(())
            }
            ChannelRef::Indexed { first, indices } => {
                let array = self.sorts.channel_array(*first).ok_or(Unlike)?;
                for index in &array.indices {
                    self.is_closed(index.node, index.lo, index.lo + i64::from(index.len) - 1)?;
                }
                if let Moved::To(to) = self.swap.channels {
                    let becomes = |node, value| self.value(node, value);
                    for at in 0..array.len() {
                        let image = array.image(at, &becomes).ok_or(Unlike)?;
                        ensure(to[(first + at) as usize] == first + image)?;
                    }
                }
                site.row.extend([2, u64::from(*first)]);
                for (index, sort) in indices.iter().zip(&array.indices) {
                    site.row.extend([index.lo as u64, u64::from(index.len)]);
                    self.expr(&index.index, &Shape::Scalar(sort.node), site)?;
                }
                Ok(())
            }
        }
    }

    /// The nodes of the parts of a channel's messages.
    fn parts(&self, channel: &ChannelRef) -> Result<&[Node], Unlike> {
        let parts = &self.sorts.messages[channel.first() as usize];
        for other in channel.array() {
            let others = &self.sorts.messages[other as usize];
            ensure(others.len() == parts.len())?;
            parts
                .iter()
                .zip(others)
                .try_for_each(|(a, b)| self.agree(*a, *b))?;
        }
        Ok(parts)
    }
}
