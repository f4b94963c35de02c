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

/// The ranges of the scalars that a value of the type consists of, in their order.
pub fn ranges(ty: &Type) -> Vec<Range> {
    match ty {
        Type::Scalar { lo, hi } => vec![Range { lo: *lo, hi: *hi }],
        Type::Array { len, cell, .. } => ranges(cell).repeat(*len as usize),
        Type::Record(fields) => fields.iter().flat_map(ranges).collect(),
    }
}

/// The scalars that a value consists of, in their order.
pub fn scalars(value: &Value) -> Vec<i64> {
    match value {
        Value::Int(value) => vec![*value],
        Value::Cells(cells) => cells.iter().flat_map(scalars).collect(),
    }
}

/// The value of the type that consists of these scalars; where there are too few of them, with the least
/// ones instead.
pub fn composed(ty: &Type, scalars: &mut impl Iterator<Item = i64>) -> Value {
    match ty {
        Type::Scalar { lo, .. } => Value::Int(scalars.next().unwrap_or(*lo)),
        Type::Array { len, cell, .. } => {
            Value::Cells((0..*len).map(|_| composed(cell, scalars)).collect())
        }
        Type::Record(fields) => {
            Value::Cells(fields.iter().map(|ty| composed(ty, scalars)).collect())
        }
    }
}

/// What is in a set, whose first truth value is that of `lo`.
pub fn elements_of_set(cells: &[Value], lo: i64) -> impl Iterator<Item = i64> + '_ {
    let is_in = cells.iter().zip(lo..);
    is_in.filter_map(|(cell, value)| (*cell == Value::Int(1)).then_some(value))
}

/// What a list holds, which is a record of its length and its cells.
pub fn elements_of_list(list: &Value) -> &[Value] {
    let Value::Cells(parts) = list else {
        return &[];
    };
    match &parts[..] {
        [Value::Int(length), Value::Cells(cells)] => {
            let length = usize::try_from(*length).unwrap_or(0);
            &cells[..length.min(cells.len())]
        }
        _ => &[],
    }
}

/// A value as it is written in the language: `3`, `red`, `[1, 2]`, `{cars: 0, open: true}`, `{1, 2}`.
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
        (Value::Cells(cells), Shape::Set { lo, element }) => {
            let elements = elements_of_set(cells, *lo);
            let elements: Vec<String> = elements.map(|value| element.scalar(value)).collect();
            format!("{{{}}}", elements.join(", "))
        }
        (value, Shape::List(element)) => {
            let elements = elements_of_list(value).iter();
            let elements: Vec<String> = elements.map(|value| written(value, element)).collect();
            format!("[{}]", elements.join(", "))
        }
        (Value::Cells(_), _) => String::from("…"),
    }
}
