//! From expressions and effects to code.

use stubborn_system::system::{
    Access, Binary, ChannelIndex, ChannelRef, Effect, Expr, Failure, Place, Range, System, Type,
    Unary, Value, VariableRef,
};
use stubborn_system::walk::tests;

use super::code::{Channel, Code, Index, Let, Op, Part, Select, Table, Whole};
use super::evaluate::{element, outside_array};
use super::layout::{Layout, Slot};
use super::shape::Shape;
use super::simplify::{
    bit_not, branch, count, greatest, junction, least, negate, not, select, sum, take,
};

/// Compiles expressions over one layout.
pub struct Compiler<'a> {
    system: &'a System,
    layout: &'a Layout,
    /// The places of the let values around, the innermost last, and their shapes.
    bound: Vec<(u32, Shape)>,
    depth: u32,
    /// The number of the next `if` among effects, where it is noted which branches they go into:
    /// twice that of the first, and one more of the second.
    noting: Option<u32>,
}

impl<'a> Compiler<'a> {
    pub fn new(system: &'a System, layout: &'a Layout) -> Compiler<'a> {
        Compiler {
            system,
            layout,
            bound: Vec::new(),
            depth: 0,
            noting: None,
        }
    }

    pub fn system(&self) -> &'a System {
        self.system
    }

    /// One whose effects note which branches they go into, the first `if` having this number.
    pub fn noting(self, first: Option<u32>) -> Compiler<'a> {
        Compiler {
            noting: first,
            ..self
        }
    }

    /// The number of the next `if`.
    pub fn next_noted(&self) -> Option<u32> {
        self.noting
    }

    /// An expression with a scalar value.
    pub fn scalar(&mut self, expr: &Expr) -> Code {
        match expr {
            Expr::Const(Value::Int(value)) => Code::Const(*value),
            Expr::Choice(k) => Code::Choice(*k),
            Expr::Unary(Unary::Not, operand) => not(self.scalar(operand)),
            Expr::Unary(Unary::Negate, operand) => negate(self.scalar(operand)),
            Expr::Unary(Unary::BitNot, operand) => bit_not(self.scalar(operand)),
            Expr::Binary(Binary::Equal, left, right) => self.equal(left, right),
            Expr::Binary(Binary::NotEqual, left, right) => not(self.equal(left, right)),
            Expr::Binary(operator, left, right) => {
                let left = self.scalar(left);
                let right = self.scalar(right);
                take(*operator, left, right)
            }
            Expr::All(parts) => junction(parts.iter().map(|part| self.scalar(part)), true),
            Expr::Any(parts) => junction(parts.iter().map(|part| self.scalar(part)), false),
            Expr::If(condition, then, otherwise) => {
                let condition = self.scalar(condition);
                branch(self, condition, |c| c.scalar(then), |c| c.scalar(otherwise))
            }
            Expr::Count(parts) => count(self.scalars(parts)),
            Expr::Sum(parts) => sum(self.scalars(parts)),
            Expr::Min(parts) => least(self.scalars(parts)),
            Expr::Max(parts) => greatest(self.scalars(parts)),
            Expr::OneOf(first, others) => {
                let first = self.whole(first).0;
                let others: Vec<Whole> = others.iter().map(|other| self.whole(other).0).collect();
                Code::OneOf(Box::new((first, others.into())))
            }
            Expr::At(instance, locations) => {
                let slot = self.layout.locations[*instance as usize];
                match locations.as_slice() {
                    [] => Code::Const(0),
                    [location] => Code::SlotIs(slot, u64::from(*location)),
                    // Wherever the instance is, that place has a bit.
                    _ if self.system.instances[*instance as usize].locations.len() <= 64 => {
                        let set = locations.iter().fold(0, |set, l| set | 1u64 << l);
                        Code::AtSet(slot, set)
                    }
                    _ => Code::At(slot, locations.clone().into()),
                }
            }
            Expr::Select { lo, index, cases } => {
                let index = self.scalar(index);
                select(*lo, index, cases, |case| self.scalar(case))
            }
            Expr::Let { value, ty, body } => {
                let (value, ranges, body) = self.binding(value, ty, |c| c.scalar(body));
                Code::Let(Box::new(Let {
                    value,
                    ranges,
                    body,
                }))
            }
            Expr::Bound(n) => Code::Bound(self.bound_at(*n).0),
            Expr::Length(channel) => Code::Length(self.channel(channel)),
            Expr::IsEmpty(channel) => Code::IsEmpty(self.channel(channel)),
            Expr::IsFull(channel) => Code::IsFull(self.channel(channel)),
            Expr::Fail(failure) => Code::Fail(Box::new(failure.clone())),
            Expr::Const(Value::Cells(_))
            | Expr::Variable(_)
            | Expr::Cell { .. }
            | Expr::Field { .. }
            | Expr::Cells(_) => self.whole(expr).0.into_scalar(self.layout),
        }
    }

    pub fn scalars(&mut self, exprs: &[Expr]) -> Vec<Code> {
        exprs.iter().map(|expr| self.scalar(expr)).collect()
    }

    /// An expression with a value of any type.
    fn whole(&mut self, expr: &Expr) -> (Whole, Shape) {
        match expr {
            Expr::Const(value) => {
                let mut scalars = Vec::new();
                scalars_of(value, &mut scalars);
                (Whole::Const(scalars.into()), Shape::of_value(value))
            }
            Expr::Variable(variable) => {
                let base = self.layout.base(*variable);
                let shape = self.shape(*variable);
                let part = Part {
                    base,
                    indices: Box::new([]),
                };
                let len = shape.scalars();
                (Whole::Part(part, len), shape)
            }
            Expr::Cell { array, lo, index } => {
                let (array, shape) = self.whole(array);
                // A choice whose cases all fail has no known shape, and no cell of it is read.
                if array.always_fails() || shape == Shape::Scalar {
                    return (array, Shape::Scalar);
                }
                let index = self.scalar(index);
                cell(array, &shape, *lo, index)
            }
            Expr::Field { record, field } => {
                let (record, shape) = self.whole(record);
                if record.always_fails() || shape == Shape::Scalar {
                    return (record, Shape::Scalar);
                }
                let (offset, shape) = shape.field(*field);
                (field_of(record, offset, shape.scalars()), shape)
            }
            Expr::Cells(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.whole(part)).collect();
                let (parts, shapes): (Vec<Whole>, Vec<Shape>) = parts.into_iter().unzip();
                (cells(parts), Shape::of_parts(shapes))
            }
            Expr::If(condition, then, otherwise) => {
                let condition = self.scalar(condition);
                let (then, shape) = self.whole(then);
                let (otherwise, other_shape) = self.whole(otherwise);
                // What always fails has no shape.
                let shape = match then.always_fails() {
                    true => other_shape,
                    false => shape,
                };
                let whole = match condition {
                    Code::Const(0) => otherwise,
                    Code::Const(_) => then,
                    condition => Whole::If(Box::new((condition, then, otherwise))),
                };
                (whole, shape)
            }
            Expr::Select { lo, index, cases } => {
                let index = self.scalar(index);
                let cases: Vec<_> = cases.iter().map(|case| self.whole(case)).collect();
                let known = cases.iter().find(|case| !case.0.always_fails());
                let shape = known.map_or(Shape::Scalar, |case| case.1.clone());
                let select = Select {
                    lo: *lo,
                    index,
                    cases: cases.into_iter().map(|case| case.0).collect(),
                };
                (Whole::Select(Box::new(select)), shape)
            }
            Expr::Let { value, ty, body } => {
                let (value, ranges, (body, shape)) = self.binding(value, ty, |c| c.whole(body));
                let whole = Whole::Let(Box::new(Let {
                    value,
                    ranges,
                    body,
                }));
                (whole, shape)
            }
            Expr::Bound(n) => {
                let (at, shape) = self.bound_at(*n);
                (Whole::Bound(at, shape.scalars()), shape)
            }
            _ => (Whole::Scalar(self.scalar(expr)), Shape::Scalar),
        }
    }

    fn shape(&self, variable: VariableRef) -> Shape {
        Shape::of_type(match variable {
            VariableRef::Shared(v) => &self.system.variables[v as usize].ty,
            VariableRef::Local(i, v) => &self.system.instances[i as usize].locals[v as usize].ty,
        })
    }

    fn equal(&mut self, left: &Expr, right: &Expr) -> Code {
        let (left, shape) = self.whole(left);
        let (right, _) = self.whole(right);
        if shape == Shape::Scalar {
            let left = left.into_scalar(self.layout);
            let right = right.into_scalar(self.layout);
            return take(Binary::Equal, left, right);
        }
        Code::Equal(Box::new((left, right)))
    }

    fn binding<T>(
        &mut self,
        value: &Expr,
        ty: &Type,
        body: impl FnOnce(&mut Self) -> T,
    ) -> (Whole, Box<[Range]>, T) {
        let (value, _) = self.whole(value);
        let shape = Shape::of_type(ty);
        let len = shape.scalars();
        self.bound.push((self.depth, shape));
        self.depth += len;
        let body = body(self);
        self.depth -= len;
        self.bound.pop();
        (value, ranges_of(ty), body)
    }

    fn bound_at(&self, n: u32) -> (u32, Shape) {
        self.bound[self.bound.len() - 1 - n as usize].clone()
    }

    pub fn channel(&mut self, channel: &ChannelRef) -> Channel {
        match channel {
            ChannelRef::One(channel) => Channel::One(*channel),
            ChannelRef::Indexed { first, indices } => {
                let mut part = Part {
                    base: *first,
                    indices: Box::new([]),
                };
                for (at, index) in indices.iter().enumerate() {
                    let apart = ChannelIndex::channels(&indices[at + 1..]);
                    let chosen = self.scalar(&index.index);
                    part = part.cell(index.lo, index.len, apart, chosen);
                }
                Channel::of(part)
            }
        }
    }

    /// Where a place is.
    pub fn place(&mut self, place: &Place) -> Part {
        let mut shape = self.shape(place.variable);
        let mut part = Part {
            base: self.layout.base(place.variable),
            indices: Box::new([]),
        };
        for access in &place.path {
            match access {
                Access::Field(field) => {
                    let (offset, inner) = shape.field(*field);
                    part.base += offset;
                    shape = inner;
                }
                Access::Cell { lo, len, index } => {
                    let inner = shape.cell().1;
                    let stride = inner.scalars();
                    let index = self.scalar(index);
                    part = part.cell(*lo, *len, stride, index);
                    shape = inner;
                }
            }
        }
        part
    }

    pub fn effects(&mut self, effects: &[Effect]) -> Box<[Op]> {
        let mut ops = Vec::new();
        for effect in effects {
            match effect {
                Effect::Assign { place, ty, value } => ops.push(self.assign(place, ty, value)),
                Effect::If(condition, then, otherwise) => {
                    let number = self.noting;
                    self.pass(1);
                    match self.scalar(condition) {
                        Code::Const(0) => {
                            self.pass(tests(then));
                            ops.extend(self.branch(otherwise, number.map(|n| 2 * n + 1)));
                        }
                        Code::Const(_) => {
                            ops.extend(self.branch(then, number.map(|n| 2 * n)));
                            self.pass(tests(otherwise));
                        }
                        condition => {
                            let then = self.branch(then, number.map(|n| 2 * n));
                            let otherwise = self.branch(otherwise, number.map(|n| 2 * n + 1));
                            ops.push(Op::If(condition, then, otherwise));
                        }
                    }
                }
                Effect::Assert(condition) => match self.scalar(condition) {
                    Code::Const(0) => ops.push(Op::Fail(Box::new(Failure::Assertion))),
                    Code::Const(_) => {}
                    condition => ops.push(Op::Assert(condition)),
                },
            }
        }
        ops.into()
    }

    /// So many `if`s are no more to be numbered.
    fn pass(&mut self, many: usize) {
        if let Some(next) = &mut self.noting {
            *next += many as u32;
        }
    }

    fn branch(&mut self, effects: &[Effect], note: Option<u32>) -> Box<[Op]> {
        let effects = self.effects(effects);
        match note {
            None => effects,
            Some(number) => [&[Op::Note(number)], &effects[..]].concat().into(),
        }
    }

    fn assign(&mut self, place: &Place, ty: &Type, value: &Expr) -> Op {
        let part = self.place(place);
        let Type::Scalar { lo, hi } = *ty else {
            return Op::SetWhole {
                part,
                ranges: ranges_of(ty),
                value: self.whole(value).0,
            };
        };
        let range = Range { lo, hi };
        let value = self.scalar(value);
        match (&*part.indices, value) {
            ([], Code::Fail(failure)) => Op::Fail(failure),
            ([], Code::Const(value)) if range.contains(value) => {
                let slot = self.layout.slots[part.base as usize];
                Op::SetRaw(slot, slot.to_raw(value))
            }
            ([], value) => Op::Set {
                slot: self.layout.slots[part.base as usize],
                range,
                value,
            },
            (_, value) => Op::SetPart { part, range, value },
        }
    }
}

impl Whole {
    /// It is known to have no value, and so no shape either.
    fn always_fails(&self) -> bool {
        matches!(self, Whole::Fail(_) | Whole::Scalar(Code::Fail(_)))
    }

    /// The code of a whole that has one scalar.
    fn into_scalar(self, layout: &Layout) -> Code {
        match self {
            Whole::Scalar(code) => code,
            Whole::Part(part, _) if part.indices.is_empty() => {
                match layout.slots[part.base as usize] {
                    // It has one value.
                    Slot { mask: 0, lo, .. } => Code::Const(lo),
                    slot => Code::Slot(slot),
                }
            }
            Whole::Part(part, _) => Code::Cell(Box::new(part)),
            Whole::Const(values) => Code::Const(values[0]),
            Whole::Bound(at, _) => Code::Bound(at),
            Whole::Fail(failure) => Code::Fail(failure),
            Whole::Pick { array, index } => match (*array, *index) {
                (Whole::Const(values), Index { index, lo, .. }) => {
                    Code::Table(Box::new(Table { index, lo, values }))
                }
                (array, index) => Code::Pick(Box::new(Whole::Pick {
                    array: Box::new(array),
                    index: Box::new(index),
                })),
            },
            whole => Code::Pick(Box::new(whole)),
        }
    }
}

/// A cell of an array.
fn cell(array: Whole, shape: &Shape, lo: i64, index: Code) -> (Whole, Shape) {
    let (len, inner) = shape.cell();
    let stride = inner.scalars();
    let whole = match array {
        Whole::Fail(failure) => Whole::Fail(failure),
        Whole::Part(part, _) => Whole::Part(part.cell(lo, len, stride, index), stride),
        Whole::Const(values) => match index {
            Code::Fail(failure) => Whole::Fail(failure),
            Code::Const(index) => match element(index, lo, len) {
                Some(at) => {
                    let from = (at * stride) as usize;
                    Whole::Const(values[from..from + stride as usize].into())
                }
                None => Whole::Fail(outside_array(index, lo, len)),
            },
            index => pick(Whole::Const(values), lo, len, stride, index),
        },
        array => pick(array, lo, len, stride, index),
    };
    (whole, inner)
}

fn pick(array: Whole, lo: i64, len: u32, stride: u32, index: Code) -> Whole {
    Whole::Pick {
        array: Box::new(array),
        index: Box::new(Index {
            index,
            lo,
            len,
            stride,
        }),
    }
}

fn field_of(record: Whole, offset: u32, len: u32) -> Whole {
    match record {
        Whole::Fail(failure) => Whole::Fail(failure),
        Whole::Part(mut part, _) => {
            part.base += offset;
            Whole::Part(part, len)
        }
        Whole::Const(values) => {
            Whole::Const(values[offset as usize..(offset + len) as usize].into())
        }
        record => Whole::Field {
            record: Box::new(record),
            offset,
            len,
        },
    }
}

/// The parts in one, as a constant where all are.
fn cells(parts: Vec<Whole>) -> Whole {
    let mut values = Vec::new();
    for part in &parts {
        match part {
            Whole::Const(part) => values.extend_from_slice(part),
            Whole::Scalar(Code::Const(value)) => values.push(*value),
            _ => return Whole::Cells(parts.into()),
        }
    }
    Whole::Const(values.into())
}

fn scalars_of(value: &Value, scalars: &mut Vec<i64>) {
    match value {
        Value::Int(value) => scalars.push(*value),
        Value::Cells(cells) => cells.iter().for_each(|cell| scalars_of(cell, scalars)),
    }
}

/// The range of each scalar of a type.
pub fn ranges_of(ty: &Type) -> Box<[Range]> {
    fn add(ty: &Type, ranges: &mut Vec<Range>) {
        match ty {
            Type::Scalar { lo, hi } => ranges.push(Range { lo: *lo, hi: *hi }),
            Type::Array { len, cell, .. } => (0..*len).for_each(|_| add(cell, ranges)),
            Type::Record(fields) => fields.iter().for_each(|field| add(field, ranges)),
        }
    }
    let mut ranges = Vec::new();
    add(ty, &mut ranges);
    ranges.into()
}
