//! Expressions and effects, resolved to slots, with constants worked out.

use stubborn_system::system::{Binary, Failure, Range};

use super::layout::Slot;

/// A failure, boxed: evaluation seldom fails, and its results should fit two registers.
pub type Fault = Box<Failure>;

/// An expression with a scalar value.
#[derive(Clone, Debug)]
pub enum Code {
    Const(i64),
    Slot(Slot),
    /// A cell of a variable that is an array of scalars, or of a part of such.
    Cell(Box<Part>),
    /// A cell of a constant array.
    Table(Box<Table>),
    /// One scalar of a whole value.
    Pick(Box<Whole>),
    Choice(u32),
    /// The let value at this place of the stack of let values.
    Bound(u32),
    Not(Box<Code>),
    Negate(Box<Code>),
    BitNot(Box<Code>),
    Binary(Binary, Box<(Code, Code)>),
    /// A variable compared with a constant, or taken with one: the most frequent of all.
    SlotConst(Binary, Slot, i64),
    SlotSlot(Binary, Box<(Slot, Slot)>),
    /// Whether the raw value is this.
    SlotIs(Slot, u64),
    SlotIsNot(Slot, u64),
    Equal(Box<(Whole, Whole)>),
    All(Box<[Code]>),
    Any(Box<[Code]>),
    If(Box<(Code, Code, Code)>),
    Count(Box<[Code]>),
    Sum(Box<[Code]>),
    Min(Box<[Code]>),
    Max(Box<[Code]>),
    OneOf(Box<(Whole, Box<[Whole]>)>),
    /// The location, which is below 64, is in this set.
    AtSet(Slot, u64),
    At(Slot, Box<[u32]>),
    Select(Box<Select<Code>>),
    Let(Box<Let<Code>>),
    Length(Channel),
    IsEmpty(Channel),
    IsFull(Channel),
    Fail(Box<Failure>),
}

/// An expression with any number of scalars, which it puts on the stack of values.
#[derive(Clone, Debug)]
pub enum Whole {
    Scalar(Code),
    /// A variable or a part of it, with this many scalars.
    Part(Part, u32),
    Const(Box<[i64]>),
    /// One after the other.
    Cells(Box<[Whole]>),
    /// A cell of an array that is no part of a variable.
    Pick {
        array: Box<Whole>,
        index: Box<Index>,
    },
    Field {
        record: Box<Whole>,
        /// How many scalars come before the field, and how many it has.
        offset: u32,
        len: u32,
    },
    If(Box<(Code, Whole, Whole)>),
    Select(Box<Select<Whole>>),
    Let(Box<Let<Whole>>),
    /// The let value of this length at this place of the stack of let values.
    Bound(u32, u32),
    Fail(Box<Failure>),
}

/// A part of a variable: the first of its slots, more for each index.
#[derive(Clone, Debug)]
pub struct Part {
    pub base: u32,
    pub indices: Box<[Index]>,
}

#[derive(Clone, Debug)]
pub struct Index {
    pub index: Code,
    pub lo: i64,
    pub len: u32,
    /// How many scalars a cell has.
    pub stride: u32,
}

#[derive(Clone, Debug)]
pub struct Table {
    pub index: Code,
    pub lo: i64,
    pub values: Box<[i64]>,
}

#[derive(Clone, Debug)]
pub struct Select<T> {
    pub lo: i64,
    pub index: Code,
    pub cases: Box<[T]>,
}

#[derive(Clone, Debug)]
pub struct Let<T> {
    pub value: Whole,
    /// Of each scalar of the value.
    pub ranges: Box<[Range]>,
    pub body: T,
}

#[derive(Clone, Debug)]
pub enum Channel {
    One(u32),
    Indexed {
        first: u32,
        lo: i64,
        len: u32,
        index: Box<Code>,
    },
    /// There is none, whatever the state is.
    Fails(Box<Failure>),
}

/// An effect.
#[derive(Clone, Debug)]
pub enum Op {
    /// A constant that is in the range of its slot, as it is stored.
    SetRaw(Slot, u64),
    /// Several such in one word: these bits are kept, those are set.
    Write {
        word: u32,
        keep: u64,
        bits: u64,
    },
    Set {
        slot: Slot,
        range: Range,
        value: Code,
    },
    SetPart {
        part: Part,
        range: Range,
        value: Code,
    },
    SetWhole {
        part: Part,
        /// Of each scalar.
        ranges: Box<[Range]>,
        value: Whole,
    },
    If(Code, Box<[Op]>, Box<[Op]>),
    Assert(Code),
    Fail(Box<Failure>),
}
