//! Values and places scalar by scalar, as messages are made of them ([`Channel`]).
//!
//! [`Channel`]: stubborn_system::system::Channel

use stubborn_system::system::{Access, Expr, Place, Type, Value};

/// A step from a value to a part of it.
#[derive(Clone, Copy)]
enum Part {
    Field(u32),
    /// The cell with this index, counted from 0, of an array whose first cell has the index `lo`.
    Cell {
        at: u32,
        lo: i64,
        len: u32,
    },
}

/// The scalars of an expression whose value is of the type, in their order. Whatever its evaluation may fail
/// on, the evaluation of one of them fails on.
pub(crate) fn scalars_of(expr: Expr, ty: &Type) -> Vec<Expr> {
    match ty {
        Type::Scalar { .. } => vec![expr],
        Type::Array { .. } | Type::Record(_) => {
            let parts = parts_of(ty);
            let scalars = parts.map(|(part, ty)| scalars_of(part_of(&expr, part), ty));
            scalars.flatten().collect()
        }
    }
}

/// The scalars in a place of the type, in their order.
pub(crate) fn scalar_places(place: Place) -> Vec<Place> {
    if let Type::Scalar { .. } = place.ty {
        return vec![place];
    }
    let parts = parts_of(&place.ty).map(|(part, ty)| {
        let access = match part {
            Part::Field(field) => Access::Field(field),
            Part::Cell { at, lo, len } => Access::Cell {
                lo,
                len,
                index: Expr::int(lo + i64::from(at)),
            },
        };
        let path = place.path.iter().cloned().chain([access]);
        scalar_places(Place {
            variable: place.variable,
            path: path.collect(),
            ty: ty.clone(),
        })
    });
    parts.flatten().collect()
}

/// The direct parts of a type, none of a scalar.
fn parts_of(ty: &Type) -> Box<dyn Iterator<Item = (Part, &Type)> + '_> {
    match ty {
        Type::Scalar { .. } => Box::new(std::iter::empty()),
        Type::Array { lo, len, cell } => {
            let (lo, len) = (*lo, *len);
            Box::new((0..len).map(move |at| (Part::Cell { at, lo, len }, &**cell)))
        }
        Type::Record(fields) => {
            Box::new((0..).zip(&**fields).map(|(at, ty)| (Part::Field(at), ty)))
        }
    }
}

fn part_of(expr: &Expr, part: Part) -> Expr {
    let at = match part {
        Part::Field(at) | Part::Cell { at, .. } => at as usize,
    };
    let boxed = |expr: &Expr| Box::new(part_of(expr, part));
    match expr {
        Expr::Const(Value::Cells(cells)) => Expr::Const(cells[at].clone()),
        Expr::Cells(parts) => parts[at].clone(),
        Expr::If(condition, then, otherwise) => {
            Expr::If(condition.clone(), boxed(then), boxed(otherwise))
        }
        Expr::Let { value, ty, body } => Expr::Let {
            value: value.clone(),
            ty: ty.clone(),
            body: boxed(body),
        },
        Expr::Select { lo, index, cases } => Expr::Select {
            lo: *lo,
            index: index.clone(),
            cases: cases.iter().map(|case| part_of(case, part)).collect(),
        },
        Expr::Fail(_) => expr.clone(),
        _ => match part {
            Part::Field(field) => Expr::field(expr.clone(), field),
            Part::Cell { at, lo, .. } => {
                Expr::cell(expr.clone(), lo, Expr::int(lo + i64::from(at)))
            }
        },
    }
}
