//! Assignments to sets and lists that change a part of them: `s = s + {e}`, `s = s - {e}`, `l = l + [e]`.
//!
//! They are read as what they change, so that two instances which put different elements into one set do not touch the
//! same part of it.

use stubborn_syntax::ast;
use stubborn_system::system::{Access, Effect, Expr, Place, Type};

use super::lists::{append, is_value_of};
use super::pieces::constant;
use super::sets;
use crate::elaborate::Elaborator;
use crate::names::env::Env;
use crate::types::{Declared, Ty};

impl Elaborator<'_> {
    /// The effects of an assignment of this value to the place, where it changes some elements alone. `None` where it is
    /// to be read as a whole.
    pub(crate) fn changed_parts(
        &mut self,
        env: &Env,
        value: &ast::Expr,
        place: &Place,
        declared: &Declared,
    ) -> Option<Vec<Effect>> {
        if !declared.known {
            return None;
        }
        match &declared.ty {
            Ty::Set(set) => {
                let (before, changed, is_in) = self.changed_elements(value)?;
                self.is_of(env, &before, place, &declared.ty)?;
                let Type::Array { lo, len, cell } = &place.ty else {
                    return None;
                };
                let elements = sets::elements(set);
                let effects = changed.iter().map(|element| {
                    let index =
                        self.checked_value(env, element, &elements, "an element of this set");
                    let is_within = self.is_within(env, element, &index, (&set.index, set.range));
                    let index = match is_within || index.known.is_some() {
                        true => index.expr,
                        // It fails as a value that is outside, not as an index.
                        false => Expr::Let {
                            value: Box::new(index.expr),
                            ty: elements.system.clone(),
                            body: Box::new(Expr::Bound(0)),
                        },
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
                        value: constant(i64::from(is_in)),
                    }
                });
                Some(effects.collect())
            }
            Ty::List(list) => {
                let (before, element) = self.appended(value)?;
                self.is_of(env, &before, place, &declared.ty)?;
                let elements = list.elements(self.shape_of(&list.element));
                let what = "an element of this list";
                let element = self.checked_value(env, &element, &elements, what);
                Some(append(place, element.expr, list.capacity).into())
            }
            _ => None,
        }
    }

    /// Whether an expression is the value of the place.
    fn is_of(&mut self, env: &Env, written: &ast::Expr, place: &Place, ty: &Ty) -> Option<()> {
        let is_place = matches!(
            written,
            ast::Expr::Name(_) | ast::Expr::Index(_) | ast::Expr::Field(_) | ast::Expr::Paren(_)
        );
        if !is_place {
            return None;
        }
        let read = self.expr(env, written, Some(ty));
        is_value_of(&read.expr, place).then_some(())
    }
}
