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

/// A part of a variable: the first of its slots, more for each index. A channel of an array is a part of the
/// row of channels in the same way.
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
    /// How many scalars a cell has, or how far apart the channels are.
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
    /// One of an array: a part of the row of channels.
    Indexed(Part),
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
    /// Records under this number that effects have reached this place
    /// ([`Packed::noting`](super::Packed::noting)).
    Note(u32),
}

/// As much memory as these take, without what they hold apart, in bytes.
fn bytes<T>(all: &[T]) -> u64 {
    size_of_val(all) as u64
}

/// With what each holds apart.
fn bytes_with<T>(all: &[T], apart: fn(&T) -> u64) -> u64 {
    bytes(all) + all.iter().map(apart).sum::<u64>()
}

impl Code {
    /// Memory that it takes besides itself, in bytes.
    pub fn bytes_apart(&self) -> u64 {
        let many = |parts: &[Code]| bytes_with(parts, Code::bytes_apart);
        match self {
            Code::Const(_)
            | Code::Slot(_)
            | Code::Choice(_)
            | Code::Bound(_)
            | Code::SlotConst(..)
            | Code::SlotIs(..)
            | Code::SlotIsNot(..)
            | Code::AtSet(..) => 0,
            Code::Cell(part) => size_of::<Part>() as u64 + part.bytes_apart(),
            Code::Table(table) => {
                size_of::<Table>() as u64 + table.index.bytes_apart() + bytes(&table.values)
            }
            Code::Pick(whole) => size_of::<Whole>() as u64 + whole.bytes_apart(),
            Code::Not(operand) | Code::Negate(operand) | Code::BitNot(operand) => {
                many(std::slice::from_ref(operand))
            }
            Code::Binary(_, operands) => {
                let apart = operands.0.bytes_apart() + operands.1.bytes_apart();
                size_of_val(&**operands) as u64 + apart
            }
            Code::SlotSlot(_, slots) => size_of_val(&**slots) as u64,
            Code::Equal(wholes) => {
                size_of_val(&**wholes) as u64 + wholes.0.bytes_apart() + wholes.1.bytes_apart()
            }
            Code::All(parts)
            | Code::Any(parts)
            | Code::Count(parts)
            | Code::Sum(parts)
            | Code::Min(parts)
            | Code::Max(parts) => many(parts),
            Code::If(parts) => {
                let (condition, then, otherwise) = &**parts;
                let apart = [condition, then, otherwise].map(Code::bytes_apart);
                size_of_val(&**parts) as u64 + apart.iter().sum::<u64>()
            }
            Code::OneOf(parts) => {
                let (first, others) = &**parts;
                let others = bytes_with(others, Whole::bytes_apart);
                size_of_val(&**parts) as u64 + first.bytes_apart() + others
            }
            Code::At(_, locations) => bytes(locations),
            Code::Select(select) => select.bytes(Code::bytes_apart),
            Code::Let(binding) => binding.bytes(Code::bytes_apart),
            Code::Length(channel) | Code::IsEmpty(channel) | Code::IsFull(channel) => {
                channel.bytes_apart()
            }
            Code::Fail(failure) => size_of_val(&**failure) as u64,
        }
    }
}

impl Whole {
    fn bytes_apart(&self) -> u64 {
        let many = |parts: &[Whole]| bytes_with(parts, Whole::bytes_apart);
        match self {
            Whole::Scalar(code) => code.bytes_apart(),
            Whole::Part(part, _) => part.bytes_apart(),
            Whole::Const(values) => bytes(values),
            Whole::Cells(parts) => many(parts),
            Whole::Pick { array, index } => {
                let index = size_of::<Index>() as u64 + index.index.bytes_apart();
                many(std::slice::from_ref(array)) + index
            }
            Whole::Field { record, .. } => many(std::slice::from_ref(record)),
            Whole::If(parts) => {
                let (condition, then, otherwise) = &**parts;
                let apart = then.bytes_apart() + otherwise.bytes_apart();
                size_of_val(&**parts) as u64 + condition.bytes_apart() + apart
            }
            Whole::Select(select) => select.bytes(Whole::bytes_apart),
            Whole::Let(binding) => binding.bytes(Whole::bytes_apart),
            Whole::Bound(..) => 0,
            Whole::Fail(failure) => size_of_val(&**failure) as u64,
        }
    }
}

impl<T> Select<T> {
    fn bytes(&self, apart: fn(&T) -> u64) -> u64 {
        size_of_val(self) as u64 + self.index.bytes_apart() + bytes_with(&self.cases, apart)
    }
}

impl<T> Let<T> {
    fn bytes(&self, apart: fn(&T) -> u64) -> u64 {
        let value = self.value.bytes_apart() + bytes(&self.ranges);
        size_of_val(self) as u64 + value + apart(&self.body)
    }
}

impl Part {
    fn bytes_apart(&self) -> u64 {
        bytes_with(&self.indices, |index| index.index.bytes_apart())
    }
}

impl Channel {
    fn bytes_apart(&self) -> u64 {
        match self {
            Channel::One(_) => 0,
            Channel::Indexed(part) => part.bytes_apart(),
            Channel::Fails(failure) => size_of_val(&**failure) as u64,
        }
    }
}

impl Op {
    /// Memory that effects take, in bytes.
    pub fn bytes_of(ops: &[Op]) -> u64 {
        bytes_with(ops, Op::bytes_apart)
    }

    fn bytes_apart(&self) -> u64 {
        match self {
            Op::SetRaw(..) | Op::Write { .. } | Op::Note(_) => 0,
            Op::Set { value, .. } => value.bytes_apart(),
            Op::SetPart { part, value, .. } => part.bytes_apart() + value.bytes_apart(),
            Op::SetWhole {
                part,
                ranges,
                value,
            } => part.bytes_apart() + bytes(ranges) + value.bytes_apart(),
            Op::If(condition, then, otherwise) => {
                condition.bytes_apart() + Op::bytes_of(then) + Op::bytes_of(otherwise)
            }
            Op::Assert(condition) => condition.bytes_apart(),
            Op::Fail(failure) => size_of_val(&**failure) as u64,
        }
    }
}
