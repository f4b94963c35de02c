//! Names, cells and fields.

use stubborn_syntax::ast;

use super::pieces::raise;
use crate::elaborate::Elaborator;
use crate::evaluate::position;
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::names::declarations::{Declaration, DeclarationId, DeclarationKind};
use crate::names::env::{Binding, Found};
use crate::problem::{Code, Words};
use crate::types::{ArrayTy, Ty};
use stubborn_system::source::Span;
use stubborn_system::system::{Expr, Failure, Value, VariableRef};

/// What has indices, and which of them is meant, counted from 0.
pub(crate) type Indexed<'a> = (&'a ast::IndexExpr, usize);

impl Elaborator<'_> {
    pub(crate) fn name(&mut self, name: &ast::NameExpr) -> Typed {
        let Some(name) = name.name_ref() else {
            return Typed::unknown();
        };
        match self.resolve(&name) {
            Some(Found::Bound(binding, declared)) => {
                self.mark_read(declared);
                self.bound(&binding)
            }
            Some(Found::Declared(id)) => self.declared_value(id, &name),
            None => Typed::unknown(),
        }
    }

    fn bound(&mut self, binding: &Binding) -> Typed {
        match binding {
            Binding::Constant {
                value,
                domain,
                decided,
            } => Typed::constant(domain.ty.clone(), Value::Int(*value), *decided),
            Binding::Open { number, domain } => Typed::open(domain.ty.clone(), *number),
            Binding::Opaque { domain, .. } => Typed::opaque(domain.ty.clone()),
            Binding::Bound { level, domain } => {
                let distance = self.env.depth.saturating_sub(level + 1);
                Typed::of_state(domain.ty.clone(), Expr::Bound(distance))
            }
            Binding::Variable { variable, declared } => {
                Typed::of_state(declared.ty.clone(), Expr::Variable(*variable))
            }
            Binding::Argument {
                expr,
                env: written,
                domain,
                expansion,
            } => {
                let written = written.at_depth(self.env.depth);
                self.outside_expansion(*expansion, |this| {
                    this.in_scope(&written, |this| this.expr(expr, Some(&domain.ty)))
                })
            }
            Binding::Expression { typed, depth } => {
                let mut typed = typed.clone();
                raise(&mut typed.expr, 0, self.env.depth.saturating_sub(*depth));
                typed
            }
        }
    }

    /// The value of what a file declares.
    fn declared_value(&mut self, id: DeclarationId, name: &ast::NameRef) -> Typed {
        let used = self.span(name);
        let declaration = self.declaration(id).clone();
        self.mark_read(declaration.span);
        let mend = match declaration.kind {
            DeclarationKind::Constant(_) | DeclarationKind::Param(_) => {
                let typed = self.constant_info(id).typed;
                // A table is written out wherever it is used.
                if let Some(Value::Cells(cells)) = typed.value()
                    && !self.spend(cells.len() as u64, used)
                {
                    return Typed::unknown();
                }
                return typed;
            }
            DeclarationKind::EnumerationValue(enumeration, value) => {
                let ty = self.enumeration_type(enumeration).ty;
                return Typed::constant(ty, Value::Int(value), Decided::Text);
            }
            DeclarationKind::Variable(..) => {
                let Some(info) = self.variable_info(id) else {
                    return Typed::unknown().being(Constness::State);
                };
                let variable = VariableRef::Shared(info.index);
                return Typed::of_state(info.declared.ty.clone(), Expr::Variable(variable));
            }
            DeclarationKind::Definition(_) => {
                return self.expand_definition(id, &[], name, used);
            }
            DeclarationKind::Process(_) => {
                format!("`{0}@STATE` asks where it is", declaration.name)
            }
            DeclarationKind::Channel(_) => format!(
                "`len({0})`, `empty({0})` and `full({0})` ask about it",
                declaration.name
            ),
            DeclarationKind::Action(..) => return self.action_as_value(&declaration, used),
            DeclarationKind::Macro(_) => String::from("it can stand as a statement or an effect"),
            DeclarationKind::Type(_) | DeclarationKind::Enumeration(_) => {
                format!("`x in {}` goes through its values", declaration.name)
            }
        };
        self.no_value(&declaration, used, &mend)
    }

    /// An action, with values or without, where a value is asked for.
    pub(super) fn action_as_value(&mut self, action: &Declaration, used: Span) -> Typed {
        let mend = "it stands after `on`, in a `recurrence` and in testers: that it happens again and \
                    again says a `recurrence`, what may happen when a tester";
        self.no_value(action, used, mend)
    }

    /// What is declared is none, and this would `mend` it.
    fn no_value(&mut self, declaration: &Declaration, used: Span, mend: &str) -> Typed {
        let words = Words::from(format!(
            "a value is asked for here, but `{}` is {}; {mend}",
            declaration.name,
            declaration.kind.described()
        ))
        .see(declaration.span, "it is declared here");
        self.error(Code::WrongType, used, words);
        Typed::unknown()
    }

    /// `a[i]`, and `a[i, j]` for `a[i][j]`.
    pub(crate) fn index(&mut self, indexed: &ast::IndexExpr) -> Typed {
        let base = match indexed.base() {
            Some(base) => self.expr(&base, None),
            None => Typed::unknown(),
        };
        let indices: Vec<ast::Expr> = indexed.indices().collect();
        if indices.is_empty() {
            return Typed::unknown().being(base.constness);
        }
        let indices = (0..).zip(&indices);
        indices.fold(base, |base, (at, index)| {
            self.part_at((indexed, at), base, index)
        })
    }

    /// What the indices before `at` lead to, as a message speaks of it.
    pub(crate) fn before_index(&self, (indexed, at): Indexed<'_>) -> String {
        let base = indexed.base();
        let base = base.map_or_else(String::new, |base| self.quoted(&base));
        if at == 0 {
            return base;
        }
        let indices = indexed.indices().take(at);
        let indices = indices.map(|index| self.quoted(&index).trim_matches('`').to_owned());
        let indices: Vec<String> = indices.collect();
        format!("`{}[{}]`", base.trim_matches('`'), indices.join(", "))
    }

    fn part_at(&mut self, place: Indexed<'_>, base: Typed, index: &ast::Expr) -> Typed {
        if let Ty::List(list) = base.ty.clone() {
            return self.list_element(place, base, index, &list);
        }
        let Ty::Array(array) = base.ty.clone() else {
            let typed = self.expr(index, None);
            if !base.ty.is_unknown() {
                self.not_an_array(place, &base.ty);
            }
            return Typed::unknown().being(base.constness.max(typed.constness));
        };
        let typed = self.array_index(place, index, &array);
        let constness = base.constness.max(typed.constness);
        if typed.ty.is_unknown() {
            return Typed::opaque(array.cell.clone()).being(constness);
        }
        if let Some(failure) = outside_array(&typed, &array) {
            // Told by `array_index`.
            return Typed::new(
                array.cell.clone(),
                Expr::Fail(failure),
                typed.known,
                constness,
            );
        }
        let lo = array.range.lo;
        let cell = array.cell.clone();
        self.folded(place.0, cell, vec![base, typed], |mut parts| {
            let index = Box::new(parts.remove(1));
            Expr::Cell {
                array: Box::new(parts.remove(0)),
                lo,
                index,
            }
        })
    }

    /// Reads the index of an array; one of unknown type where it has a mistake.
    pub(crate) fn array_index(
        &mut self,
        place: Indexed<'_>,
        index: &ast::Expr,
        array: &ArrayTy,
    ) -> Typed {
        let typed = self.expr(index, Some(&array.index));
        let base = self.before_index(place);
        if !self.fits(index, &typed, &array.index, &format!("the index of {base}")) {
            return Typed::unknown().being(typed.constness);
        }
        self.only_within(&typed, array.range);
        if let (Some(failure), Some(decided)) = (outside_array(&typed, array), typed.known)
            && decided == Decided::Text
            && self.is_evaluated()
        {
            self.index_fails(index, &failure, &base, &array.index_shape);
        }
        typed
    }

    pub(crate) fn not_an_array(&mut self, place: Indexed<'_>, is: &Ty) {
        let mend = match is {
            Ty::Set(_) => "whether a value is in it is asked by `e in s`",
            _ => "without the index it can stand here",
        };
        let message = format!(
            "only an array has cells, but {} is {}; {mend}",
            self.before_index(place),
            self.described(is)
        );
        self.error(Code::WrongType, self.span(place.0), message);
    }

    /// The value of an enumeration that is written as `Lamp.green`.
    fn value_behind_type(&mut self, base: &ast::Expr, field: &ast::FieldExpr) -> Option<String> {
        let ast::Expr::Name(base) = base else {
            return None;
        };
        let base = base.name_ref()?.text();
        let is_local = self.env.lookup(&base).is_some();
        let enumeration = self
            .declared_name(self.env.file, &base)
            .filter(|_| !is_local)?;
        let value = field.field()?.text();
        let value_id = self.declared_name(self.env.file, &value)?;
        let kinds = [enumeration, value_id].map(|id| self.declaration(id).clone());
        for declaration in &kinds {
            self.mark_read(declaration.span);
        }
        let is_value = matches!(
            (&kinds[0].kind, &kinds[1].kind),
            (DeclarationKind::Enumeration(_), DeclarationKind::EnumerationValue(of, _)) if *of == enumeration
        );
        is_value.then_some(value)
    }

    pub(crate) fn field(&mut self, field: &ast::FieldExpr) -> Typed {
        let Some(base) = field.base() else {
            return Typed::unknown();
        };
        if self.is_instance(&base) {
            return self.local_of_instance(field, &base);
        }
        if let Some(name) = self.value_behind_type(&base, field) {
            let message =
                format!("a value of an enumeration stands without its type; write `{name}`");
            let words = Words::instead(message, Some(name));
            self.error(Code::WrongType, self.span(field), words);
            return Typed::unknown();
        }
        let typed = self.expr(&base, None);
        let Some(name) = field.field() else {
            return Typed::unknown();
        };
        let Some((position, ty)) = self.field_of(&base, &typed.ty, &name) else {
            return Typed::unknown().being(typed.constness);
        };
        self.folded(field, ty, vec![typed], |mut parts| {
            Expr::field(parts.remove(0), position)
        })
    }

    /// Which field of the type the name is; a message where there is none.
    pub(crate) fn field_of(
        &mut self,
        base: &ast::Expr,
        ty: &Ty,
        name: &ast::NameRef,
    ) -> Option<(u32, Ty)> {
        let text = name.text();
        if ty.is_unknown() || text.is_empty() {
            return None;
        }
        let span = self.span(name);
        let Ty::Record(fields) = ty else {
            let mend = match ty {
                Ty::Array(_) => {
                    String::from("how many cells it has is said by its type, and one is `a[i]`")
                }
                _ => format!("without `.{text}` it can stand here"),
            };
            let message = format!(
                "only a record has fields, but {} is {}; {mend}",
                self.quoted(base),
                self.described(ty)
            );
            self.error(Code::WrongType, span, message);
            return None;
        };
        let found = fields.iter().position(|(field, _)| *field == text);
        if let Some(position) = found {
            return Some((position as u32, fields[position].1.clone()));
        }
        let names = fields.iter().map(|(field, _)| field.as_str());
        let near = self.nearest(&text, names.clone());
        let mend = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has `{}`", names.collect::<Vec<_>>().join("`, `")),
        };
        let message = format!("{} has no field `{text}`; {mend}", self.quoted(base));
        self.error(Code::UnknownName, span, Words::instead(message, near));
        None
    }
}

/// The failure of an index that is known to be outside its array.
pub(crate) fn outside_array(index: &Typed, array: &ArrayTy) -> Option<Failure> {
    let value = index.scalar()?;
    let len = usize::try_from(array.range.size()).unwrap_or(usize::MAX);
    match position(value, array.range.lo, len) {
        Some(_) => None,
        None => Some(Failure::OutsideArray {
            index: value,
            lo: array.range.lo,
            hi: array.range.hi,
        }),
    }
}
