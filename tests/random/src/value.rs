//! Values and types, as `language.md` §3 has them.

use std::collections::BTreeSet;

/// A value. Records and arrays are their fields and cells in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Int(i64),
    Bool(bool),
    /// The enumeration and the position of the value in it.
    Enum(usize, usize),
    Array(Vec<Value>),
    Record(Vec<Value>),
    Set(BTreeSet<Value>),
    List(Vec<Value>),
}

impl Value {
    pub fn int(&self) -> i64 {
        match self {
            Value::Int(n) => *n,
            other => panic!("{other:?} is no integer"),
        }
    }

    pub fn bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("{other:?} is no truth value"),
        }
    }
}

/// A type, and how the text spells it: `0..N-1`, the name of an alias.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub shape: Shape,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Bool,
    Range(i64, i64),
    /// The enumeration, and how many values it has.
    Enum(usize, usize),
    Array(Box<Type>, Box<Type>),
    Record(Vec<(String, Type)>),
    Set(Box<Type>),
    /// At most so many elements.
    List(usize, Box<Type>),
}

impl Type {
    pub fn bool() -> Type {
        Type {
            shape: Shape::Bool,
            text: "bool".into(),
        }
    }

    pub fn range(lo: i64, hi: i64) -> Type {
        Type {
            shape: Shape::Range(lo, hi),
            text: format!("{lo}..{hi}"),
        }
    }

    pub fn array(index: Type, cell: Type) -> Type {
        let text = format!("array[{}] of {}", index.text, cell.text);
        Type {
            shape: Shape::Array(Box::new(index), Box::new(cell)),
            text,
        }
    }

    pub fn record(fields: Vec<(String, Type)>) -> Type {
        let inside: Vec<_> = fields
            .iter()
            .map(|(n, t)| format!("{n}: {}", t.text))
            .collect();
        Type {
            text: format!("record {{ {} }}", inside.join(", ")),
            shape: Shape::Record(fields),
        }
    }

    pub fn set(element: Type) -> Type {
        Type {
            text: format!("set of {}", element.text),
            shape: Shape::Set(Box::new(element)),
        }
    }

    /// A list with room for `most` elements, which the text calls so.
    pub fn list(most: usize, spelled: &str, element: Type) -> Type {
        Type {
            text: format!("list[{spelled}] of {}", element.text),
            shape: Shape::List(most, Box::new(element)),
        }
    }

    /// The values of a scalar type, in order.
    pub fn values(&self) -> Vec<Value> {
        match self.shape {
            Shape::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Shape::Range(lo, hi) => (lo..=hi).map(Value::Int).collect(),
            Shape::Enum(e, n) => (0..n).map(|k| Value::Enum(e, k)).collect(),
            _ => panic!("{} is not scalar", self.text),
        }
    }

    pub fn is_scalar(&self) -> bool {
        matches!(self.shape, Shape::Bool | Shape::Range(..) | Shape::Enum(..))
    }

    pub fn is_collection(&self) -> bool {
        matches!(self.shape, Shape::Set(_) | Shape::List(..))
    }

    /// Its least value: what a variable without an initial value has.
    pub fn least(&self) -> Value {
        match &self.shape {
            Shape::Array(index, cell) => {
                Value::Array(index.values().iter().map(|_| cell.least()).collect())
            }
            Shape::Record(fields) => Value::Record(fields.iter().map(|(_, t)| t.least()).collect()),
            Shape::Set(_) => Value::Set(BTreeSet::new()),
            Shape::List(..) => Value::List(vec![]),
            _ => self.values()[0].clone(),
        }
    }

    /// Whether a value of this kind is inside the ranges, in every cell and field.
    pub fn contains(&self, value: &Value) -> bool {
        match (&self.shape, value) {
            (Shape::Bool, Value::Bool(_)) => true,
            (Shape::Range(lo, hi), Value::Int(n)) => lo <= n && n <= hi,
            (Shape::Enum(e, _), Value::Enum(f, _)) => e == f,
            (Shape::Array(_, cell), Value::Array(cells)) => cells.iter().all(|v| cell.contains(v)),
            (Shape::Record(fields), Value::Record(values)) => {
                fields.iter().zip(values).all(|((_, t), v)| t.contains(v))
            }
            (Shape::Set(element), Value::Set(values)) => values.iter().all(|v| element.contains(v)),
            (Shape::List(most, element), Value::List(values)) => {
                values.len() <= *most && values.iter().all(|v| element.contains(v))
            }
            (_, other) => panic!("{other:?} is no value of the kind of {}", self.text),
        }
    }

    /// Where in an array with this index type the cell of `value` is, if there is one.
    pub fn position(&self, value: &Value) -> Option<usize> {
        self.values().iter().position(|v| v == value)
    }
}
