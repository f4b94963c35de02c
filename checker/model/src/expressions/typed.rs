//! Expressions that have been read, with their types and what is known of their values.

use crate::template;
use crate::types::Ty;
use stubborn_system::system::{Expr, Failure, Value};

/// Who decides a constant (`language.md` §3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decided {
    /// Literals, constants and `param`s alone: what fails is a mistake in the text.
    Text,
    /// A process's parameter, a `for` or a quantifier too: what fails, fails when it is evaluated.
    Instance,
}

/// An expression that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    pub ty: Ty,
    /// [`Expr::Const`] or [`Expr::Fail`] where [`Typed::known`] is there.
    pub expr: Expr,
    /// Whether the value, or that there is none, is known, and who decides it. More is known than
    /// what is constant: `false and x == 1` is false.
    pub known: Option<Decided>,
    /// Whether it is a constant expression.
    pub constness: Constness,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Constness {
    /// A constant expression.
    Constant,
    /// It may be one: a parameter without a value takes part, or a mistake.
    Opaque,
    /// It depends on the state.
    State,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub ty: Ty,
    pub value: Value,
    pub decided: Decided,
}

impl Typed {
    pub fn new(ty: Ty, expr: Expr, known: Option<Decided>, constness: Constness) -> Typed {
        Typed {
            ty,
            expr,
            known,
            constness,
        }
    }

    pub fn constant(ty: Ty, value: Value, decided: Decided) -> Typed {
        Typed::new(ty, Expr::Const(value), Some(decided), Constness::Constant)
    }

    pub fn of_state(ty: Ty, expr: Expr) -> Typed {
        Typed::new(ty, expr, None, Constness::State)
    }

    /// A constant whose value is put in later: an open parameter of a template.
    pub(crate) fn open(ty: Ty, number: u32) -> Typed {
        Typed::new(ty, template::open(number), None, Constness::Constant)
    }

    /// Whether it is a constant whose value is put in later. Every other constant expression is
    /// known.
    pub(crate) fn is_open(&self) -> bool {
        self.constness == Constness::Constant && self.known.is_none()
    }

    /// Placeholder for a value that is not known: an opaque parameter, or an expression with an
    /// error whose type is known.
    pub fn opaque(ty: Ty) -> Typed {
        Typed::new(ty, Expr::int(0), None, Constness::Opaque)
    }

    /// Result of an expression or a type with an error.
    pub fn unknown() -> Typed {
        Typed::opaque(Ty::Unknown)
    }

    /// The same with another constness.
    #[must_use]
    pub(crate) fn being(self, constness: Constness) -> Typed {
        Typed { constness, ..self }
    }

    /// The value, where it is known.
    pub fn value(&self) -> Option<&Value> {
        match (&self.expr, self.known) {
            (Expr::Const(value), Some(_)) => Some(value),
            _ => None,
        }
    }

    /// The value of a scalar, where it is known.
    pub fn scalar(&self) -> Option<i64> {
        match self.value() {
            Some(Value::Int(value)) => Some(*value),
            _ => None,
        }
    }

    /// Why it fails, where it is known that it does.
    pub fn failure(&self) -> Option<&Failure> {
        match (&self.expr, self.known) {
            (Expr::Fail(failure), Some(_)) => Some(failure),
            _ => None,
        }
    }
}
