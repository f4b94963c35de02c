//! What a model means, without positions and without names.
//!
//! A [`System`] is plain immutable data: two texts that differ in comments, layout or names alone
//! give equal Systems. Positions and names live beside it, in the
//! [`SourceMap`](crate::source_map::SourceMap). Everything that the text leaves to constants is
//! worked out here: a System has one [`Instance`] for each value of a process's parameters, one
//! [`Step`] for each value of a step's `for`, and its quantifiers, definitions and macros are
//! expanded.
//!
//! # How a step is taken
//!
//! The state is the value of every variable, the content of every channel and the location of every
//! instance. These rules are the language's (`language.md` §4); the reference interpreter and the
//! packed successor function implement them independently.
//!
//! *A step without `on`*, of one instance that is at a location which lists it:
//!
//! 1. `send`: the guard first; where it is true the channel's index; where the channel is not full
//!    the values, each of which must be in the message's type.
//!    `receive`: the index; where the channel is not empty the arguments, against the first message
//!    of a queue, against each different message of a bag (each that matches is a step of its own);
//!    a match assigns to the places of `?`; then the guard, which sees these assignments and the
//!    channel as it was. A message is taken out when the guard is true.
//!    Neither: the guard alone.
//! 2. For each combination of values of `choices` (the first varies slowest), one step: the effects
//!    in order, in the state that the arguments have changed (the channel after the `send` or
//!    `receive` included); then the location changes to the target.
//! 3. A [`Target::Test`] is evaluated where a guard would be, and always lets the step be taken.
//!
//! *A joint step* of the action `a` with the values `v`: the participants are the instances whose
//! alphabet has `a(v)`; each gives one of the `on a` steps of its location, all of whose arguments
//! match `v`. All arguments and guards of all participants are evaluated in the state before, where
//! a guard sees what its own step's `?` assigned and nothing of the others; then all `?` and
//! effects happen, participant by participant in the order of the instances (the text's rules see
//! to it that the order does not matter); locations change last. Where no instance has `a(v)` in its
//! alphabet it never occurs.
//!
//! *Failing.* Evaluating may fail ([`Failure`]). Then the step is a failing step: a step of that
//! state, an edge, that leads nowhere. If an argument, an index, a test or a guard fails there is
//! one failing step, whatever `choices` there are; a failing effect makes the step fail for these
//! choices. In a joint step every participant must be at a location with a step for the action
//! whose arguments match; an argument that fails matches every value, and the combination of the
//! participants' steps then fails once, however many values it matches. One guard that fails is
//! enough, also where another is false; a `?`, a guard or an effect fails for each value that the
//! combination matches, since each value is a joint step of its own.
//!
//! *Bounds.* A state in which one of [`System::bounds`] is not true has no steps: they are cut off
//! before anything of them is evaluated. It is no terminal state, and no run ends in it.
//!
//! *Protected arguments.* An argument of `on` or `receive`, or the index of a `receive`, that fails
//! does not count where the step has no `?` ([`Step::is_protected`]) and its guard is false: the
//! step is then one with a false guard, which in a joint step matches every value. So a guard
//! protects what stands before it, as far as it can be evaluated without what a `?` assigns.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Index of an [`Instance`] in [`System::instances`].
pub type InstanceId = u32;
/// Index of a shared [`Variable`] in [`System::variables`], or of a local one in
/// [`Instance::locals`].
pub type VariableIndex = u32;
/// Index of a [`Channel`] in [`System::channels`].
pub type ChannelId = u32;
/// Index of an [`Action`] in [`System::actions`].
pub type ActionId = u32;
/// Index of a [`Location`] in [`Instance::locations`].
pub type LocationId = u32;
/// Index of a [`Step`] in [`Instance::steps`].
pub type StepId = u32;

/// A model, ready to be explored.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct System {
    /// Shared variables, in the order of the text.
    pub variables: Vec<Variable>,
    /// Channels; an array of channels has one after the other, in the order of its index.
    pub channels: Vec<Channel>,
    pub actions: Vec<Action>,
    /// In the order of the text, those of one process in the order of their parameters' values (the
    /// first varies slowest).
    pub instances: Vec<Instance>,
    /// Conditions on the states of which steps are taken: a state in which one of them is false, or fails,
    /// has no steps, and yet is not terminal. In the order of the text.
    pub bounds: Vec<Expr>,
}

/// The values that a variable, a message or an argument may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    /// `lo..=hi`; truth values are `0..=1`, an enumeration's values count from 0.
    Scalar { lo: i64, hi: i64 },
    /// `len` cells, the first of which has the index `lo`.
    Array { lo: i64, len: u32, cell: Arc<Type> },
    /// The fields in the order of the text.
    Record(Arc<[Type]>),
}

/// A value of a [`Type`]; what shape it has is known from the type that it is used with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Value {
    Int(i64),
    /// Cells of an array or fields of a record.
    Cells(Vec<Value>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Variable {
    pub ty: Type,
    pub initial: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    /// First in, first out.
    Queue,
    /// Any message may come out.
    Bag,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Channel {
    pub order: Order,
    /// How many messages it can hold, at least 1.
    pub capacity: u32,
    /// The range of each part of a message.
    pub message: Vec<Range>,
    /// What it holds at first, at most `capacity` messages.
    pub initial: Vec<Vec<i64>>,
}

/// All values from `lo` to `hi`, both included, `lo <= hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Range {
    pub lo: i64,
    pub hi: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Action {
    pub arguments: Vec<Range>,
}

/// A process for one value of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Instance {
    /// Which process of the model it comes from, counted in the order of the text.
    pub process: u32,
    pub locals: Vec<Variable>,
    /// In the order of the text, `for` values in their order within one step of the text.
    pub steps: Vec<Step>,
    pub locations: Vec<Location>,
    pub initial: LocationId,
    /// The actions that it takes part in.
    pub alphabet: Vec<ActionPattern>,
}

/// The actions with a name and with the given values, `None` standing for every value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ActionPattern {
    pub action: ActionId,
    pub arguments: Vec<Option<i64>>,
}

/// A state of a process, or a point of control between its statements.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Location {
    /// The steps that may be taken here, ascending.
    pub steps: Vec<StepId>,
    /// It is right to stay here for ever.
    pub is_final: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    pub communication: Option<Communication>,
    pub guard: Option<Expr>,
    /// What each `any` of the effects may choose: [`Expr::Choice`] `k` is a value of `choices[k]`.
    pub choices: Vec<Range>,
    pub effects: Vec<Effect>,
    pub target: Target,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Communication {
    On {
        action: ActionId,
        arguments: Vec<Argument>,
    },
    Send {
        channel: ChannelRef,
        values: Vec<Expr>,
    },
    /// From a channel, and what the same step sends: it does both, or neither.
    Receive(ChannelRef, Vec<Argument>, Option<Onward>),
}

/// What a step sends with the message taken out that it receives. The index and the values are evaluated
/// behind the guard, in the state with what `?` assigned and without that message; there must be room then.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Onward {
    pub channel: ChannelRef,
    pub values: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Argument {
    /// An expression, which must match.
    Match(Expr),
    /// `?place`: any value, which is assigned to it. Indices in it are evaluated in the state
    /// before.
    Bind(Place),
    /// `*`: any value.
    Skip,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Target {
    To(LocationId),
    /// The test of an `if` or `while`: one step, which goes to the first location if the condition is
    /// true, else to the second. The step has no communication and no choices; a language gives it no guard
    /// ([`with_bounds_as_guards`](crate::slice::with_bounds_as_guards) does) and no effects either, and those that it has in a slice
    /// ([`Slice::without_dead`](crate::slice::Slice::without_dead)) change nothing of what the condition
    /// is evaluated in.
    Test(Expr, LocationId, LocationId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Effect {
    /// The index expressions of `place` are evaluated first, then `value`, which must be in the
    /// type of the place (each of its cells, where it has several). The type is written here since
    /// whole arrays of one shape may have cells of different ranges.
    Assign {
        place: Place,
        ty: Type,
        value: Expr,
    },
    /// The effects if the condition is true, and those if it is not.
    If(Expr, Vec<Effect>, Vec<Effect>),
    Assert(Expr),
}

/// What can be assigned to: a variable, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    pub variable: VariableRef,
    /// From the outside in.
    pub path: Vec<Access>,
    /// The type of the part.
    pub ty: Type,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Access {
    /// A field of a record.
    Field(u32),
    /// A cell of an array whose first cell has the index `lo`; outside it, evaluation fails.
    Cell { lo: i64, len: u32, index: Expr },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum VariableRef {
    Shared(VariableIndex),
    Local(InstanceId, VariableIndex),
}

/// A channel, or one of an array of channels.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ChannelRef {
    One(ChannelId),
    /// One of the array that begins with `first`, in which the last index varies fastest. The indices
    /// are evaluated in their order, and each must be in its range before the next one is evaluated.
    Indexed {
        first: ChannelId,
        indices: Box<[ChannelIndex]>,
    },
}

/// An index into an array of channels; outside `lo..lo+len` evaluation fails.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ChannelIndex {
    pub lo: i64,
    pub len: u32,
    pub index: Expr,
}

/// An expression over a state. Truth values are 0 and 1. Evaluation is from left to right and stops
/// at the first failure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Expr {
    Const(Value),
    Variable(VariableRef),
    /// `array[index]`; the array's first cell has the index `lo`. The array is evaluated first.
    Cell {
        array: Box<Expr>,
        lo: i64,
        index: Box<Expr>,
    },
    Field {
        record: Box<Expr>,
        field: u32,
    },
    /// An array or a record, part by part.
    Cells(Vec<Expr>),
    /// The value that this step's `any` number `k` has taken.
    Choice(u32),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// True if all are; stops at the first that is not. True where there are none.
    All(Vec<Expr>),
    /// True if one is; stops at the first that is. False where there are none.
    Any(Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// How many are true.
    Count(Vec<Expr>),
    /// The sum from left to right, 0 for none.
    Sum(Vec<Expr>),
    /// The least, at least one operand.
    Min(Vec<Expr>),
    /// The greatest, at least one operand.
    Max(Vec<Expr>),
    /// The first equals one of the others; all are evaluated.
    OneOf(Box<Expr>, Vec<Expr>),
    /// The instance is at one of the locations (ascending).
    At(InstanceId, Vec<LocationId>),
    /// `cases[index - lo]`, the others not being evaluated; fails with
    /// [`Failure::NoSuchInstance`] where there is none. From `p(e)@s` and `p(e).x`.
    Select {
        lo: i64,
        index: Box<Expr>,
        cases: Vec<Expr>,
    },
    /// Evaluates `value`, fails with [`Failure::OutsideType`] unless it is in `ty`, then `body`, in
    /// which [`Expr::Bound`] 0 is the value and the bound values around it count from 1.
    Let {
        value: Box<Expr>,
        ty: Type,
        body: Box<Expr>,
    },
    /// The value of the `n`th enclosing [`Expr::Let`], 0 for the innermost.
    Bound(u32),
    /// How many messages the channel holds.
    Length(ChannelRef),
    IsEmpty(ChannelRef),
    IsFull(ChannelRef),
    /// Constant operands of which it is known that they fail.
    Fail(Failure),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unary {
    Not,
    /// Fails on overflow.
    Negate,
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Binary {
    /// Add to Divide fail on overflow.
    Add,
    Subtract,
    Multiply,
    /// Rounds towards zero; by zero it fails.
    Divide,
    /// Has the sign of the dividend; by zero it fails. It never overflows: what is left of the
    /// least integer after a division by -1 is 0.
    Remainder,
    /// Of scalars, arrays and records.
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    BitAnd,
    BitOr,
    BitXor,
    /// Loses what it pushes out; a shift by less than 0 or more than 63 fails.
    ShiftLeft,
    /// Keeps the sign; a shift by less than 0 or more than 63 fails.
    ShiftRight,
    /// The first, which is the index of an element, where it is at least 0 and less than the second, the length of its
    /// list; else there is [no element](Failure::NoElement).
    Within,
}

impl Binary {
    /// Of a comparison the one that is true where it is false.
    pub fn negated(self) -> Option<Binary> {
        Some(match self {
            Binary::Equal => Binary::NotEqual,
            Binary::NotEqual => Binary::Equal,
            Binary::Less => Binary::GreaterOrEqual,
            Binary::LessOrEqual => Binary::Greater,
            Binary::Greater => Binary::LessOrEqual,
            Binary::GreaterOrEqual => Binary::Less,
            _ => return None,
        })
    }

    /// The same with its operands the other way round.
    pub fn mirrored(self) -> Option<Binary> {
        Some(match self {
            Binary::Less => Binary::Greater,
            Binary::LessOrEqual => Binary::GreaterOrEqual,
            Binary::Greater => Binary::Less,
            Binary::GreaterOrEqual => Binary::LessOrEqual,
            Binary::Equal
            | Binary::NotEqual
            | Binary::Add
            | Binary::Multiply
            | Binary::BitAnd
            | Binary::BitOr
            | Binary::BitXor => self,
            _ => return None,
        })
    }
}

/// Why an evaluation has no value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Failure {
    /// A value outside the type of its variable, message or argument.
    OutsideType {
        value: i64,
        lo: i64,
        hi: i64,
    },
    /// An index outside `lo..=hi`, the indices of its array.
    OutsideArray {
        index: i64,
        lo: i64,
        hi: i64,
    },
    /// A value for which the process has no instance.
    NoSuchInstance {
        value: i64,
    },
    DivisionByZero,
    Overflow,
    /// A shift by less than 0 or more than 63.
    ShiftOutside {
        by: i64,
    },
    Assertion,
    /// An index outside the elements that a list has.
    NoElement {
        index: i64,
        length: i64,
    },
    /// An element more than a list has room for.
    ListIsFull {
        room: i64,
    },
    /// `min` or `max` of nothing: a `where` has left out every value.
    NothingToCompare,
    /// Values of parameters for which the process has no instance, each of which some instance has.
    LeftOut,
}

impl Expr {
    /// A constant integer or truth value.
    pub fn int(value: impl Into<i64>) -> Expr {
        Expr::Const(Value::Int(value.into()))
    }

    pub fn cell(array: Expr, lo: i64, index: Expr) -> Expr {
        let (array, index) = (Box::new(array), Box::new(index));
        Expr::Cell { array, lo, index }
    }

    pub fn field(record: Expr, field: u32) -> Expr {
        let record = Box::new(record);
        Expr::Field { record, field }
    }

    pub fn binary(operator: Binary, a: Expr, b: Expr) -> Expr {
        Expr::Binary(operator, Box::new(a), Box::new(b))
    }

    /// The [`Expr::Let`] of a value of the type, around the body.
    pub fn bind(value: Expr, ty: Type, body: Expr) -> Expr {
        let (value, body) = (Box::new(value), Box::new(body));
        Expr::Let { value, ty, body }
    }
}

impl System {
    pub fn variable(&self, variable: VariableRef) -> &Variable {
        match variable {
            VariableRef::Shared(v) => &self.variables[v as usize],
            VariableRef::Local(i, v) => &self.instances[i as usize].locals[v as usize],
        }
    }
}

impl Type {
    pub const BOOL: Type = Type::scalar(0, 1);

    pub const fn scalar(lo: i64, hi: i64) -> Type {
        Type::Scalar { lo, hi }
    }

    /// How many scalars a value consists of. Saturates at `u64::MAX`.
    pub fn scalars(&self) -> u64 {
        match self {
            Type::Scalar { .. } => 1,
            Type::Array { len, cell, .. } => u64::from(*len).saturating_mul(cell.scalars()),
            Type::Record(fields) => fields
                .iter()
                .fold(0, |sum, field| sum.saturating_add(field.scalars())),
        }
    }

    /// The same with scalars between these bounds alone; none of a record.
    #[must_use]
    pub fn within(&self, (lo, hi): (i64, i64)) -> Type {
        match self {
            Type::Scalar { .. } => Type::scalar(lo, hi),
            Type::Array {
                lo: first,
                len,
                cell,
            } => Type::Array {
                lo: *first,
                len: *len,
                cell: Arc::new(cell.within((lo, hi))),
            },
            Type::Record(_) => self.clone(),
        }
    }

    /// The least value: `false`, the lower end, the first of an enumeration, of every cell and
    /// field.
    pub fn least(&self) -> Value {
        match self {
            Type::Scalar { lo, .. } => Value::Int(*lo),
            Type::Array { len, cell, .. } => Value::Cells(vec![cell.least(); *len as usize]),
            Type::Record(fields) => Value::Cells(fields.iter().map(Type::least).collect()),
        }
    }
}

impl Target {
    /// Where it may lead: of a test to the one and the other.
    pub fn locations(&self) -> impl Iterator<Item = LocationId> + use<> {
        let (first, second) = match self {
            Target::To(to) => (*to, None),
            Target::Test(_, then, otherwise) => (*then, Some(*otherwise)),
        };
        std::iter::once(first).chain(second)
    }
}

impl ChannelRef {
    /// What chooses one of an array; nothing of one channel.
    pub fn indices(&self) -> &[ChannelIndex] {
        match self {
            ChannelRef::One(_) => &[],
            ChannelRef::Indexed { indices, .. } => indices,
        }
    }

    pub fn index_expressions(&self) -> impl Iterator<Item = &Expr> {
        self.indices().iter().map(|index| &index.index)
    }

    pub(crate) fn index_expressions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let indices = match self {
            ChannelRef::One(_) => &mut [][..],
            ChannelRef::Indexed { indices, .. } => indices,
        };
        indices.iter_mut().map(|index| &mut index.index)
    }

    /// The channel, or the first of the array.
    pub fn first(&self) -> ChannelId {
        match self {
            ChannelRef::One(first) | ChannelRef::Indexed { first, .. } => *first,
        }
    }

    /// The channel, or all of the array, side by side.
    pub fn array(&self) -> std::ops::Range<ChannelId> {
        let count = ChannelIndex::channels(self.indices());
        self.first()..self.first().saturating_add(count)
    }
}

impl ChannelIndex {
    /// How many channels these indices choose from.
    pub fn channels(indices: &[ChannelIndex]) -> u32 {
        let lengths = indices.iter().map(|index| index.len);
        lengths.fold(1, u32::saturating_mul)
    }

    /// Where an index leads, counted from 0; `None` outside.
    pub fn offset(&self, index: i64) -> Option<u32> {
        let offset = u32::try_from(index.checked_sub(self.lo)?).ok()?;
        (offset < self.len).then_some(offset)
    }
}

impl Onward {
    /// What is evaluated: the channel's indices, and the values.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        self.channel.index_expressions().chain(&self.values)
    }
}

impl Step {
    /// Whether a false guard keeps an argument or an index that fails from counting: the step is an
    /// `on` or a `receive` without `?`, so that its guard says the same whatever the values are.
    pub fn is_protected(&self) -> bool {
        match &self.communication {
            Some(Communication::On { .. } | Communication::Receive(..)) => {
                self.guard.is_some() && self.bound().next().is_none()
            }
            Some(Communication::Send { .. }) | None => false,
        }
    }

    /// The channels that it sends to or receives from.
    pub fn channels(&self) -> impl Iterator<Item = &ChannelRef> {
        let (first, second) = match &self.communication {
            Some(Communication::Send { channel, .. }) => (Some(channel), None),
            Some(Communication::Receive(channel, _, onward)) => {
                (Some(channel), onward.as_ref().map(|onward| &onward.channel))
            }
            Some(Communication::On { .. }) | None => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// What it sends behind its guard, with the message taken out that it receives.
    pub fn onward(&self) -> Option<&Onward> {
        match &self.communication {
            Some(Communication::Receive(_, _, onward)) => onward.as_ref(),
            _ => None,
        }
    }

    /// What it receives, or is given by others, is put there: `?x`.
    pub fn bound(&self) -> impl Iterator<Item = &Place> {
        let arguments = match &self.communication {
            Some(Communication::On { arguments, .. } | Communication::Receive(_, arguments, _)) => {
                arguments.as_slice()
            }
            Some(Communication::Send { .. }) | None => &[],
        };
        arguments.iter().filter_map(|argument| match argument {
            Argument::Bind(place) => Some(place),
            Argument::Match(_) | Argument::Skip => None,
        })
    }
}

impl Range {
    pub const fn new(lo: i64, hi: i64) -> Range {
        Range { lo, hi }
    }

    pub fn contains(self, value: i64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// How many values there are. Saturates at `u64::MAX`.
    pub fn size(self) -> u64 {
        u64::try_from(i128::from(self.hi) - i128::from(self.lo) + 1).unwrap_or(u64::MAX)
    }
}
