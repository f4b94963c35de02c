//! What is said of sets and lists (`language.md`, "Sets and lists"), as data. Whatever takes its
//! type from its place in the text has it here by itself, so that nothing has to be inferred.

use crate::model::Expr;
use crate::value::{Shape, Type};

#[derive(Clone, Debug)]
pub enum Collection {
    /// `{e, e}`, a set of elements of this type.
    Set(Type, Vec<Expr>),
    /// `{x in U: e}`, a set of elements of the first type.
    Among(Type, String, Type, Expr),
    /// `[e, e]`, a list of at most so many elements of this type.
    List(usize, Type, Vec<Expr>),
    /// `e in s` and `e in l`
    In(Expr, Expr),
    /// `l + m`, of lists with room for so many elements.
    Join(usize, Expr, Expr),
    /// `l[e..f]`, of a list with room for so many elements.
    Slice(usize, Expr, Expr, Expr),
    /// `l[e]` of what is no place: `(l + m)[0]`.
    Element(usize, Expr, Expr),
    /// `len(s)`, `empty(s)`, `full(s)` of what can have so many elements.
    Size(Measure, usize, Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    Length,
    Empty,
    Full,
}

impl Collection {
    pub fn expr(self) -> Expr {
        Expr::Of(Box::new(self))
    }

    /// How many elements a set or a list of this type can have, and their type.
    ///
    /// # Panics
    /// Where the type is another one.
    pub fn extent(ty: &Type) -> (usize, &Type) {
        match &ty.shape {
            Shape::Set(element) => (element.values().len(), element),
            Shape::List(n, element) => (*n, element),
            _ => panic!("{} is no set and no list", ty.text),
        }
    }

    /// The name that it binds in its operand, and the values that this goes through.
    pub fn binds(&self) -> Option<(&str, &Type)> {
        match self {
            Collection::Among(_, name, over, _) => Some((name, over)),
            _ => None,
        }
    }

    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Collection::Set(_, list) | Collection::List(_, _, list) => list.iter().collect(),
            Collection::Among(_, _, _, a) | Collection::Size(_, _, a) => vec![a],
            Collection::In(a, b) | Collection::Join(_, a, b) | Collection::Element(_, a, b) => {
                vec![a, b]
            }
            Collection::Slice(_, a, b, c) => vec![a, b, c],
        }
    }

    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Collection::Set(_, list) | Collection::List(_, _, list) => list.iter_mut().collect(),
            Collection::Among(_, _, _, a) | Collection::Size(_, _, a) => vec![a],
            Collection::In(a, b) | Collection::Join(_, a, b) | Collection::Element(_, a, b) => {
                vec![a, b]
            }
            Collection::Slice(_, a, b, c) => vec![a, b, c],
        }
    }

    /// The same of other operands.
    pub fn map(&self, f: impl Fn(&Expr) -> Expr) -> Collection {
        let mut mapped = self.clone();
        for operand in mapped.operands_mut() {
            *operand = f(operand);
        }
        mapped
    }
}

/// Whether two types are sets, or lists, of one type: by their values, however these are spelled.
pub fn are_alike(a: &Type, b: &Type) -> bool {
    match (&a.shape, &b.shape) {
        (Shape::Set(x), Shape::Set(y)) => x.shape == y.shape,
        (Shape::List(n, x), Shape::List(m, y)) => n == m && x.shape == y.shape,
        _ => false,
    }
}
