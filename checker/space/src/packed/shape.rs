//! How the scalars of a value follow each other.

use std::rc::Rc;

use stubborn_system::system::{Type, Value};

/// How the scalars of a value are laid out.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Scalar,
    Array(u32, Rc<Shape>),
    Record(Rc<[Shape]>),
}

impl Shape {
    pub fn of_type(ty: &Type) -> Shape {
        match ty {
            Type::Scalar { .. } => Shape::Scalar,
            Type::Array { len, cell, .. } => Shape::Array(*len, Rc::new(Shape::of_type(cell))),
            Type::Record(fields) => Shape::Record(fields.iter().map(Shape::of_type).collect()),
        }
    }

    /// An array's shape where all parts have one shape; a record's fields are found in it as well.
    pub fn of_parts(mut parts: Vec<Shape>) -> Shape {
        match parts.first() {
            Some(first) if parts.iter().all(|part| part == first) => {
                let len = parts.len() as u32;
                Shape::Array(len, Rc::new(parts.swap_remove(0)))
            }
            _ => Shape::Record(parts.into()),
        }
    }

    pub fn of_value(value: &Value) -> Shape {
        match value {
            Value::Int(_) => Shape::Scalar,
            Value::Cells(cells) => Shape::of_parts(cells.iter().map(Shape::of_value).collect()),
        }
    }

    pub fn scalars(&self) -> u32 {
        match self {
            Shape::Scalar => 1,
            Shape::Array(len, cell) => len * cell.scalars(),
            Shape::Record(fields) => fields.iter().map(Shape::scalars).sum(),
        }
    }

    /// How many cells an array has, and the shape of each.
    pub fn cell(&self) -> (u32, Shape) {
        match self {
            Shape::Array(len, cell) => (*len, (**cell).clone()),
            Shape::Record(fields) => {
                let first = fields.first().cloned().unwrap_or(Shape::Scalar);
                (fields.len() as u32, first)
            }
            Shape::Scalar => unreachable!("a scalar has no cells"),
        }
    }

    /// How many scalars come before a field, and its shape.
    pub fn field(&self, field: u32) -> (u32, Shape) {
        match self {
            Shape::Array(_, cell) => (field * cell.scalars(), (**cell).clone()),
            Shape::Record(fields) => {
                let before = fields[..field as usize].iter().map(Shape::scalars).sum();
                (before, fields[field as usize].clone())
            }
            Shape::Scalar => unreachable!("a scalar has no fields"),
        }
    }
}
