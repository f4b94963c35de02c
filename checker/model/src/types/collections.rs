//! `set of T` and `list[n] of T`.

use std::sync::Arc;

use stubborn_syntax::ast;
use stubborn_system::source_map::Shape;
use stubborn_system::system::Type;

use super::{Declared, ListTy, Ty};
use crate::elaborate::{Elaborator, MAX_EXPANSION};
use crate::expressions::typed::{Constness, Typed};
use crate::expressions::{set_of, set_shape};
use crate::problem::Code;

impl Elaborator<'_> {
    /// A truth value for each value of the type.
    pub(super) fn set_type(&mut self, set: &ast::SetType) -> Declared {
        let Some(element) = set.element() else {
            return Declared::unknown();
        };
        let domain = self.listed_domain(&element, "an element of a set");
        if domain.ty.is_unknown() {
            return Declared::unknown();
        }
        let len = if domain.known { domain.range.size() } else { 1 };
        let mut declared = Declared {
            ty: set_of(&domain),
            system: Type::Array {
                lo: domain.range.lo,
                len: u32::try_from(len).unwrap_or(u32::MAX),
                cell: Arc::new(Type::BOOL),
            },
            shape: set_shape(domain.shape.clone(), domain.range.lo),
            known: domain.known,
        };
        if !domain.known {
            // Which elements it has cannot be compared.
            declared.ty = Ty::Unknown;
        }
        self.limit_size(declared, len, self.span(set))
    }

    /// A length, and as many cells as it can have elements.
    pub(super) fn list_type(&mut self, list: &ast::ListType) -> Declared {
        let capacity = match list.capacity() {
            Some(capacity) => self.constant_integer(&capacity, "the length of a list"),
            None => Typed::unknown(),
        };
        let domain = match list.element() {
            Some(element) => self.domain(&element, "an element of a list"),
            None => return Declared::unknown(),
        };
        if capacity.ty.is_unknown() || domain.ty.is_unknown() {
            return Declared::unknown();
        }
        let length = capacity.scalar();
        if length.is_none() && capacity.constness == Constness::State {
            return Declared::unknown();
        }
        if let (Some(length), Some(written)) = (length, list.capacity())
            && length < 1
        {
            let message = format!(
                "a list has room for one element at least, and this is {length}; write `list[4] of T`, say"
            );
            self.error(Code::EmptyType, self.span(&written), message);
            return Declared::unknown();
        }
        let known = domain.known && length.is_some();
        let len = length.map_or(1, |length| length.unsigned_abs());
        let capacity = u32::try_from(len.min(MAX_EXPANSION)).unwrap_or(u32::MAX);
        let ty = ListTy {
            capacity,
            element: domain.ty.clone(),
            range: domain.range,
        };
        let declared = Declared {
            ty: match known {
                true => Ty::List(Arc::new(ty)),
                false => Ty::Unknown,
            },
            system: list_system(capacity, &domain.declared().system),
            shape: Shape::List(Arc::new(domain.shape)),
            known,
        };
        self.limit_size(declared, len.saturating_add(1), self.span(list))
    }
}

/// See [`crate::expressions`]: the length stands first.
fn list_system(capacity: u32, element: &Type) -> Type {
    let length = Type::scalar(0, i64::from(capacity));
    let cells = Type::Array {
        lo: 0,
        len: capacity,
        cell: Arc::new(element.clone()),
    };
    Type::Record([length, cells].into())
}
