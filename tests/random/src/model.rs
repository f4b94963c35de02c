//! A model as data: what the generator makes, the renderer writes as text, and the oracle gives
//! a meaning to. It follows `language.md` §3 to §6 and shares nothing with the checker.

use crate::value::{Type, Value};

pub use crate::collections::{Collection, Measure, are_alike};

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub constants: Vec<Constant>,
    /// Type aliases: a name and what stands for it.
    pub aliases: Vec<(String, String)>,
    pub enums: Vec<(String, Vec<String>)>,
    pub variables: Vec<Variable>,
    pub channels: Vec<Channel>,
    pub actions: Vec<Action>,
    pub definitions: Vec<Definition>,
    pub macros: Vec<Macro>,
    pub processes: Vec<Process>,
    pub properties: Vec<Property>,
    /// They stand after the other properties.
    pub recurrences: Vec<Recurrence>,
    pub deadlock: DeadlockSetting,
    pub termination_not_required: bool,
    /// Decides how the text is laid out, and the order of its items; processes and properties
    /// keep theirs.
    pub layout: u64,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: String,
    pub ty: Type,
    pub value: Value,
    /// What its declaration says: `const N = 3`, `param N: 1..4 = 2`.
    pub text: String,
    /// Whether its value comes from the command line.
    pub from_outside: bool,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Type,
    pub first: Option<Expr>,
}

#[derive(Clone, Debug)]
pub struct Channel {
    pub name: String,
    /// The index of an array of channels.
    pub index: Option<Type>,
    pub is_bag: bool,
    pub capacity: usize,
    pub fields: Vec<Type>,
    /// The messages that each of them holds at first: literals.
    pub first: Vec<Vec<Expr>>,
}

#[derive(Clone, Debug)]
pub struct Action {
    pub name: String,
    pub arguments: Vec<Type>,
}

#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub body: Expr,
}

#[derive(Clone, Debug)]
pub struct Macro {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub body: Vec<Statement>,
    /// Whether it is written as effects alone, and so can be used as an effect too.
    pub effects_alone: bool,
    /// The process that it is declared in; it sees that one's variables.
    pub inside: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    /// The values of these for which there is no instance: `where` leaves them out.
    pub left_out: Vec<Vec<Value>>,
    pub locals: Vec<Variable>,
    /// `alphabet a, b(*)`: every value of these actions.
    pub alphabet: Vec<usize>,
    pub body: Body,
    /// Set by the minimiser alone: as if it were not in the text.
    pub gone: bool,
}

#[derive(Clone, Debug)]
pub enum Body {
    /// The first is the initial one.
    States(Vec<State>),
    Statements(Vec<Statement>),
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub is_final: bool,
    /// The steps, and the state that each leads to.
    pub steps: Vec<(Step, usize)>,
}

#[derive(Clone, Debug)]
pub struct Statement {
    pub id: usize,
    /// Labels before it, and whether they are `final`.
    pub labels: Vec<(String, bool)>,
    pub kind: Kind,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Step(Step),
    Skip,
    Stop,
    Break,
    If(Expr, Vec<Statement>, Vec<Statement>),
    While(Expr, Vec<Statement>),
    Loop(Vec<Statement>),
    Either(Vec<Branch>),
    Call(usize, Vec<Expr>),
}

#[derive(Clone, Debug)]
pub struct Branch {
    /// `either for k in T`.
    pub each: Option<(String, Type)>,
    pub body: Vec<Statement>,
}

/// A step with its clauses (§4).
#[derive(Clone, Debug)]
pub struct Step {
    pub id: usize,
    pub each: Vec<(String, Type)>,
    pub sync: Sync,
    pub guard: Option<Expr>,
    pub effects: Vec<Effect>,
}

#[derive(Clone, Debug)]
pub enum Sync {
    Free,
    On(usize, Vec<Argument>),
    Send(usize, Option<Expr>, Vec<Expr>),
    Receive(usize, Option<Expr>, Vec<Argument>, Option<Box<Onward>>),
}

/// The `send` behind a `receive`.
#[derive(Clone, Debug)]
pub struct Onward {
    pub channel: usize,
    pub index: Option<Expr>,
    pub values: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub enum Argument {
    Value(Expr),
    /// `?x`
    Into(Place),
    /// `*`
    Any,
}

#[derive(Clone, Debug)]
pub enum Effect {
    Assign(Place, Expr),
    /// `x = any T`
    Choose(Place, Type),
    If(Expr, Vec<Effect>, Vec<Effect>),
    For(String, Type, Vec<Effect>),
    Assert(Expr),
    Call(usize, Vec<Expr>),
}

/// What can be assigned to, and a constant or variable that is read.
#[derive(Clone, Debug)]
pub struct Place {
    pub base: Base,
    pub path: Vec<Key>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    Shared(usize),
    Local(usize),
    Constant(usize),
    /// A parameter of a macro, for which a place is put.
    Parameter(String),
}

#[derive(Clone, Debug)]
pub enum Key {
    /// A cell, and the index type of its array.
    Cell(Expr, Type),
    Field(usize, String),
    /// An element of a list, and how many this has room for.
    Element(Expr, usize),
}

#[derive(Clone, Debug)]
pub enum Expr {
    Literal(Value),
    /// A parameter of a process, definition or macro, or what a `for` or quantifier binds.
    Bound(String),
    Read(Place),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    OneOf(Box<Expr>, Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Over(Quantifier, String, Type, Box<Expr>),
    /// `min(e, e)` and `max(e, e)`.
    Least(Vec<Expr>),
    Greatest(Vec<Expr>),
    /// `p(i)@{s, t}`
    At(usize, Vec<Expr>, Vec<String>),
    /// `p(i).x`
    LocalOf(usize, Vec<Expr>, usize, Vec<Key>),
    Length(usize, Option<Box<Expr>>),
    Empty(usize, Option<Box<Expr>>),
    Full(usize, Option<Box<Expr>>),
    BitNot(Box<Expr>),
    Bits(BitOperator, Box<Expr>, Box<Expr>),
    Cells(Vec<Expr>),
    CellsOver(String, Type, Box<Expr>),
    Fields(Vec<(usize, String, Expr)>),
    /// `r with { f: e }`
    With(Box<Expr>, Vec<(usize, String, Expr)>),
    Use(usize, Vec<Expr>),
    /// Sets and lists; their `+ - *` and comparisons are those of numbers, but for `l + m`.
    Of(Box<Collection>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    Implies,
    Or,
    And,
    Equal,
    Differ,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Over,
    Modulo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
    Count,
    Sum,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitOperator {
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub kind: PropertyKind,
    pub parameters: Vec<(String, Type)>,
    /// The values of these for which there is no property.
    pub left_out: Vec<Vec<Value>>,
    pub body: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Invariant,
    May,
    Must,
    Reachable,
}

/// `recurrence NAME: infinitely A implies infinitely B`
#[derive(Clone, Debug)]
pub struct Recurrence {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub infinitely: Vec<Event>,
    pub implies: Vec<Event>,
}

/// Steps by their action, or by who takes them and where; nothing for an argument is `*`.
#[derive(Clone, Debug)]
pub enum Event {
    Action(usize, Vec<Option<Expr>>),
    At(usize, Vec<Option<Expr>>, Vec<String>),
}

#[derive(Clone, Debug, Default)]
pub enum DeadlockSetting {
    #[default]
    Checked,
    Allowed(Expr),
    Ignored,
}

impl Model {
    /// With one more property that asks for what another one is false in, in a quarter of the models for what it is true in.
    pub fn asking_for_a_state(mut self) -> Model {
        if let Some(first) = self.properties.first().cloned() {
            self.properties.push(Property {
                left_out: vec![],
                name: "ever".into(),
                kind: PropertyKind::Reachable,
                body: match self.layout.is_multiple_of(4) {
                    true => first.body,
                    false => Expr::Not(Box::new(first.body)),
                },
                ..first
            });
        }
        self
    }
}

impl Expr {
    pub fn int(n: i64) -> Expr {
        Expr::Literal(Value::Int(n))
    }

    pub fn binary(op: Operator, a: Expr, b: Expr) -> Expr {
        Expr::Binary(op, Box::new(a), Box::new(b))
    }
}

impl Place {
    pub fn read(self) -> Expr {
        Expr::Read(self)
    }
}
