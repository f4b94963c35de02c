//! Assignments to sets and lists that change a part of them: `s = s + {e}`, `s = s - {e}`, `l = l + [e]`.
//!
//! They are read as what they change, so that two instances which put different elements into one set do not touch the
//! same part of it.

use stubborn_syntax::ast;
use stubborn_system::system::{Access, Effect, Expr, Failure, Place, Type};
use stubborn_system::walk::{for_indices, for_subexpressions};

use super::lists::{append, is_value_of};
use super::sets;
use crate::elaborate::Elaborator;
use crate::types::{Declared, Ty};

impl Elaborator<'_> {
    /// The effects of an assignment of this value to the place, where it changes some elements alone. `None` where it is
    /// to be read as a whole.
    pub(crate) fn changed_parts(
        &mut self,
        value: &ast::Expr,
        place: &Place,
        declared: &Declared,
    ) -> Option<Vec<Effect>> {
        if !declared.known {
            return None;
        }
        // Each effect is evaluated in the state that those before it have left: what it is about may not depend on them.
        let stands_apart = |expr: &Expr| {
            let mut reads = false;
            for_subexpressions(expr, &mut |inner| {
                reads |= *inner == Expr::Variable(place.variable);
            });
            !reads
        };
        let mut is_settled = true;
        for_indices(place, &mut |index| is_settled &= stands_apart(index));
        match &declared.ty {
            Ty::Set(set) => {
                let (before, changed, is_in) = self.changed_elements(value)?;
                let is_one = changed.len() == 1;
                if !is_one && !is_settled {
                    return None;
                }
                self.is_of(&before, place, &declared.ty)?;
                let Type::Array { lo, len, cell } = &place.ty else {
                    return None;
                };
                let elements = sets::elements(set);
                let effects = changed.iter().map(|element| {
                    let index = self.checked_value(element, &elements, "an element of this set");
                    let is_within = self.is_within(element, &index, (&set.index, set.range));
                    let outside = index.scalar().filter(|value| !set.range.contains(*value));
                    let index = match is_within {
                        true if outside.is_some() => {
                            let (lo, hi) = (set.range.lo, set.range.hi);
                            let value = outside.unwrap_or_default();
                            Expr::Fail(Failure::OutsideType { value, lo, hi })
                        }
                        true => index.expr,
                        // It fails as a value that is outside, not as an index.
                        false => Expr::bind(index.expr, elements.system.clone(), Expr::Bound(0)),
                    };
                    let access = Access::Cell {
                        lo: *lo,
                        len: *len,
                        index,
                    };
                    Effect::Assign {
                        place: Place {
                            variable: place.variable,
                            path: place.path.iter().cloned().chain([access]).collect(),
                            ty: cell.as_ref().clone(),
                        },
                        ty: cell.as_ref().clone(),
                        value: Expr::int(is_in),
                    }
                });
                let effects: Vec<Effect> = effects.collect();
                let is_apart = |effect: &Effect| match effect {
                    Effect::Assign { place, .. } => match place.path.last() {
                        Some(Access::Cell { index, .. }) => stands_apart(index),
                        _ => false,
                    },
                    _ => false,
                };
                (is_one || effects.iter().all(is_apart)).then_some(effects)
            }
            Ty::List(list) => {
                let (before, element) = self.appended(value)?;
                if !is_settled {
                    return None;
                }
                self.is_of(&before, place, &declared.ty)?;
                let elements = list.elements(self.shape_of(&list.element));
                let what = "an element of this list";
                let element = self.checked_value(&element, &elements, what);
                Some(append(place, element.expr, list.capacity).into())
            }
            _ => None,
        }
    }

    /// Whether an expression is the value of the place.
    fn is_of(&mut self, written: &ast::Expr, place: &Place, ty: &Ty) -> Option<()> {
        let is_place = matches!(
            written,
            ast::Expr::Name(_) | ast::Expr::Index(_) | ast::Expr::Field(_) | ast::Expr::Paren(_)
        );
        if !is_place {
            return None;
        }
        let read = self.expr(written, Some(ty));
        is_value_of(&read.expr, place).then_some(())
    }
}
