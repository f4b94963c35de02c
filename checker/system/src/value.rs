//! What a value is of, and how it is written.

use crate::source_map::Shape;
use crate::system::{Range, Type, Value};

/// The first scalar of a value that is outside the type, with the bounds that it breaks.
pub fn outside(value: &Value, ty: &Type) -> Option<(i64, Range)> {
    match (value, ty) {
        (Value::Int(v), Type::Scalar { lo, hi }) => {
            let range = Range { lo: *lo, hi: *hi };
            (!range.contains(*v)).then_some((*v, range))
        }
        (Value::Cells(cells), Type::Array { cell, .. }) => {
            cells.iter().find_map(|value| outside(value, cell))
        }
        (Value::Cells(cells), Type::Record(fields)) => cells
            .iter()
            .zip(fields.iter())
            .find_map(|(value, ty)| outside(value, ty)),
        _ => None,
    }
}

/// A value as it is written in the language: `3`, `red`, `[1, 2]`, `{cars: 0, open: true}`.
pub fn written(value: &Value, shape: &Shape) -> String {
    match (value, shape) {
        (Value::Int(v), _) => shape.scalar(*v),
        (Value::Cells(cells), Shape::Array(_, cell)) => {
            let cells: Vec<String> = cells.iter().map(|value| written(value, cell)).collect();
            format!("[{}]", cells.join(", "))
        }
        (Value::Cells(cells), Shape::Record(fields)) => {
            let cells: Vec<String> = cells
                .iter()
                .zip(fields.iter())
                .map(|(value, (name, shape))| format!("{name}: {}", written(value, shape)))
                .collect();
            format!("{{{}}}", cells.join(", "))
        }
        (Value::Cells(_), _) => String::from("…"),
    }
}
