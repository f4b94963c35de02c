//! Types as messages and hovers speak of them.

use super::{Declared, Ty};
use crate::elaborate::Elaborator;
use stubborn_system::system::{Range, Type};

impl Elaborator<'_> {
    /// `a truth value`, `an integer`, `a value of Color`.
    pub fn described(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => String::from("a truth value"),
            Ty::Int => String::from("an integer"),
            Ty::Enumeration(id) => format!("a value of `{}`", self.enumeration(*id).name),
            Ty::Array(_) => format!("an `{}`", self.ty_text(ty)),
            Ty::Record(_) | Ty::Set(_) | Ty::List(_) => format!("a `{}`", self.ty_text(ty)),
            Ty::Unknown => String::from("something unknown"),
        }
    }

    /// `array[0..2] of int`.
    pub fn ty_text(&self, ty: &Ty) -> String {
        match ty {
            Ty::Bool => String::from("bool"),
            Ty::Int => String::from("integer"),
            Ty::Enumeration(id) => self.enumeration(*id).name.clone(),
            Ty::Array(array) => format!(
                "array[{}] of {}",
                self.index_text(&array.index, array.range),
                self.ty_text(&array.cell)
            ),
            Ty::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, ty)| format!("{name}: {}", self.ty_text(ty)))
                    .collect();
                format!("record {{ {} }}", fields.join(", "))
            }
            Ty::Set(set) => format!("set of {}", self.index_text(&set.index, set.range)),
            Ty::List(list) => format!(
                "list[{}] of {}",
                list.capacity,
                self.index_text(&list.element, list.range)
            ),
            Ty::Unknown => String::from("?"),
        }
    }

    /// `array[0..2] of 0..3`, with the ranges.
    pub fn type_text(&self, declared: &Declared) -> String {
        self.text_of(&declared.ty, &declared.system)
    }

    fn text_of(&self, ty: &Ty, system: &Type) -> String {
        match (ty, system) {
            (Ty::Int, Type::Scalar { lo, hi }) => format!("{lo}..{hi}"),
            (Ty::Array(array), Type::Array { cell, .. }) => format!(
                "array[{}] of {}",
                self.index_text(&array.index, array.range),
                self.text_of(&array.cell, cell)
            ),
            (Ty::Record(fields), Type::Record(types)) => {
                let fields: Vec<String> = fields
                    .iter()
                    .zip(types.iter())
                    .map(|((name, ty), system)| format!("{name}: {}", self.text_of(ty, system)))
                    .collect();
                format!("record {{ {} }}", fields.join(", "))
            }
            _ => self.ty_text(ty),
        }
    }

    fn index_text(&self, index: &Ty, range: Range) -> String {
        match index {
            Ty::Int => format!("{}..{}", range.lo, range.hi),
            _ => self.ty_text(index),
        }
    }
}
