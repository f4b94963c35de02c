//! What can be assigned to.

use stubborn_syntax::ast;

use super::access::Indexed;
use crate::elaborate::Elaborator;
use crate::names::declarations::DeclarationKind;
use crate::names::env::{Binding, Found};
use crate::problem::Code;
use crate::types::{Declared, Ty};
use stubborn_system::source_map::Shape;
use stubborn_system::system::{Access, Place, Type, VariableRef};

/// What a place is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceUse {
    /// `x = e`
    Assigned,
    /// `?x`
    Received,
}

impl Elaborator<'_> {
    /// A place that can be assigned to, and its type; `None`, with a message, where it is none. In a
    /// macro that is checked by itself a parameter without a value gives a place that means nothing,
    /// of a type that is not known.
    pub fn place(&mut self, expr: &ast::Expr, why: PlaceUse) -> Option<(Place, Declared)> {
        match expr {
            ast::Expr::Paren(paren) => self.place(&paren.inner()?, why),
            ast::Expr::Name(name) => self.named_place(expr, &name.name_ref()?, why),
            ast::Expr::Index(indexed) => self.cell_place(indexed, why),
            ast::Expr::Field(field) => self.field_place(expr, field, why),
            ast::Expr::Call(call) if self.is_cell_in_parentheses(call) => {
                // That a cell stands in brackets is told there.
                self.expr(expr, None);
                None
            }
            _ => {
                self.expr(expr, None);
                self.not_assignable(expr, "is no variable", why);
                None
            }
        }
    }

    /// `a(1) = e` for `a[1] = e`.
    fn is_cell_in_parentheses(&self, call: &ast::CallExpr) -> bool {
        let name = call.name_ref().map(|name| name.text()).unwrap_or_default();
        match (
            self.env.lookup(&name),
            self.declared_name(self.env.file, &name),
        ) {
            (Some((binding, _)), _) => matches!(binding, Binding::Variable { .. }),
            (None, Some(id)) => matches!(self.declaration(id).kind, DeclarationKind::Variable(..)),
            (None, None) => false,
        }
    }

    fn not_assignable(&mut self, expr: &ast::Expr, is: &str, why: PlaceUse) {
        let quoted = self.quoted(expr);
        let what = match why {
            PlaceUse::Assigned => "assigned to",
            PlaceUse::Received => "given a value by `?`",
        };
        let mend = match why {
            PlaceUse::Assigned => "a variable, a cell or a field of one can",
            PlaceUse::Received => {
                "a variable, a cell or a field of one can; without `?` it is a value to match"
            }
        };
        let message = format!("{quoted} {is} and cannot be {what}; {mend}");
        self.error(Code::NotAssignable, self.span(expr), message);
    }

    fn named_place(
        &mut self,
        expr: &ast::Expr,
        name: &ast::NameRef,
        why: PlaceUse,
    ) -> Option<(Place, Declared)> {
        let is = match self.resolve(name)? {
            Found::Bound(Binding::Variable { variable, declared }, _) => {
                return Some(whole(variable, declared));
            }
            Found::Bound(
                Binding::Opaque {
                    domain,
                    assignable: true,
                },
                _,
            ) => {
                let declared = Declared {
                    known: false,
                    ..domain.declared()
                };
                return Some(whole(VariableRef::Shared(u32::MAX), declared));
            }
            Found::Bound(
                Binding::Argument {
                    expr,
                    env,
                    expansion,
                    ..
                },
                _,
            ) => {
                return self.outside_expansion(expansion, |this| {
                    this.in_scope(&env, |this| this.place(&expr, why))
                });
            }
            Found::Bound(Binding::Opaque { domain, .. }, _) if domain.ty.is_unknown() => {
                return None;
            }
            Found::Bound(..) => "keeps its value",
            Found::Declared(id) => match self.declaration(id).kind {
                DeclarationKind::Action(..) => {
                    self.mark_read(self.declaration(id).span);
                    "is an action, which takes place by `on`,"
                }
                DeclarationKind::Variable(..) => {
                    let info = self.variable_info(id)?;
                    let variable = VariableRef::Shared(info.index);
                    return Some(whole(variable, info.declared.clone()));
                }
                DeclarationKind::Constant(_) => "is a constant",
                DeclarationKind::Param(_) => "is a parameter, which keeps its value",
                DeclarationKind::EnumerationValue(..) => "is a value of an enumeration",
                DeclarationKind::Definition(_) => "is a definition",
                DeclarationKind::Process(_) => "is a process",
                DeclarationKind::Channel(_) => "is a channel, which takes messages by `send`,",
                DeclarationKind::Macro(_) => "is a macro",
                DeclarationKind::Type(_) | DeclarationKind::Enumeration(_) => "is a type",
            },
        };
        self.not_assignable(expr, is, why);
        None
    }

    /// `a[i]`, and `a[i, j]` for `a[i][j]`.
    fn cell_place(&mut self, indexed: &ast::IndexExpr, why: PlaceUse) -> Option<(Place, Declared)> {
        let base = indexed.base()?;
        let indices: Vec<ast::Expr> = indexed.indices().collect();
        let mut found = self.place(&base, why).filter(|_| !indices.is_empty());
        for (at, index) in indices.iter().enumerate() {
            found = match found {
                Some(whole) => self.cell_of((indexed, at), whole, index),
                None => {
                    self.expr(index, None);
                    None
                }
            };
        }
        found
    }

    /// The cell of an array, or the element of a list, that a place is.
    fn cell_of(
        &mut self,
        indexed: Indexed<'_>,
        (mut place, declared): (Place, Declared),
        index: &ast::Expr,
    ) -> Option<(Place, Declared)> {
        if let (Ty::List(list), Type::Record(types), Shape::List(shape)) =
            (&declared.ty, &declared.system, &declared.shape)
        {
            let Some(Type::Array { cell, .. }) = types.get(1) else {
                return None;
            };
            self.list_place(indexed, &mut place, index, list);
            place.ty = cell.as_ref().clone();
            let element = Declared {
                ty: list.element.clone(),
                system: place.ty.clone(),
                shape: (**shape).clone(),
                known: declared.known,
            };
            return Some((place, element));
        }
        let Ty::Array(array) = declared.ty.clone() else {
            self.expr(index, None);
            if !declared.ty.is_unknown() {
                self.not_an_array(indexed, &declared.ty);
            }
            return None;
        };
        let typed = self.array_index(indexed, index, &array);
        if typed.ty.is_unknown() {
            return None;
        }
        let (Type::Array { lo, len, cell }, Shape::Array(_, shape)) =
            (declared.system, declared.shape)
        else {
            return None;
        };
        place.path.push(Access::Cell {
            lo,
            len,
            index: typed.expr,
        });
        place.ty = cell.as_ref().clone();
        let declared = Declared {
            ty: array.cell.clone(),
            system: place.ty.clone(),
            shape: (*shape).clone(),
            known: declared.known,
        };
        Some((place, declared))
    }

    fn field_place(
        &mut self,
        expr: &ast::Expr,
        field: &ast::FieldExpr,
        why: PlaceUse,
    ) -> Option<(Place, Declared)> {
        let base = field.base()?;
        if self.is_instance(&base) {
            self.expr(expr, None);
            self.not_assignable(
                expr,
                "is another process's own variable, which others only read,",
                why,
            );
            return None;
        }
        let (mut place, declared) = self.place(&base, why)?;
        let name = field.field()?;
        let (position, ty) = self.field_of(&base, &declared.ty, &name)?;
        let (Type::Record(types), Shape::Record(shapes)) = (&declared.system, &declared.shape)
        else {
            return None;
        };
        let system = types.get(position as usize)?.clone();
        let (_, shape) = shapes.get(position as usize)?.clone();
        place.path.push(Access::Field(position));
        place.ty = system.clone();
        let declared = Declared::new(ty, system, shape, declared.known);
        Some((place, declared))
    }

    /// What a macro's parameter stands for in the use with this argument. Its type is checked; a
    /// place that the macro assigns to must be one, and is told where it is written.
    pub fn macro_argument(
        &mut self,
        argument: &ast::Expr,
        parameter: &crate::declarations::Parameter,
        name: &str,
    ) -> Binding {
        let wanted = Some(&parameter.domain.ty);
        let typed = self.only_looking(|this| this.expr(argument, wanted));
        let what = format!("`{}` of `{name}`", parameter.name);
        if !self.fits(argument, &typed, &parameter.domain.ty, &what) {
            return Binding::Opaque {
                domain: parameter.domain.clone(),
                assignable: true,
            };
        }
        Binding::Argument {
            expr: argument.clone(),
            env: self.env.clone(),
            domain: parameter.domain.clone(),
            expansion: self.expansion,
        }
    }
}

fn whole(variable: VariableRef, declared: Declared) -> (Place, Declared) {
    let place = Place {
        variable,
        path: Vec::new(),
        ty: declared.system.clone(),
    };
    (place, declared)
}
