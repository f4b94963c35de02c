//! Values that are written out: numbers, truth values, arrays and records.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, HasName, LiteralValue};

use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::names::symbols::SymbolKind;
use crate::problem::{Code, Words};
use crate::types::{ArrayTy, Domain, Ty};
use stubborn_system::source::Span;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{Expr, Range, Value};

impl Elaborator<'_> {
    pub(crate) fn literal(&mut self, literal: &ast::Literal) -> Typed {
        match literal.value() {
            Some(LiteralValue::Bool(value)) => {
                Typed::constant(Ty::Bool, Value::Int(i64::from(value)), Decided::Text)
            }
            Some(LiteralValue::Int(value)) => match i64::try_from(value) {
                Ok(value) => Typed::constant(Ty::Int, Value::Int(value), Decided::Text),
                // The parser says so of 2^63 without a `-`.
                Err(_) => Typed::opaque(Ty::Int),
            },
            None => Typed::unknown(),
        }
    }

    /// `[e, e]`: indexed as its place asks for, else from 0.
    pub(crate) fn array_literal(&mut self, array: &ast::ArrayExpr, expected: Option<&Ty>) -> Typed {
        let asked = match expected {
            Some(Ty::Array(asked)) => Some(asked.clone()),
            Some(Ty::List(list)) => return self.list_literal(array, list),
            _ => None,
        };
        let elements: Vec<ast::Expr> = array.elements().collect();
        let mut cell = asked.as_ref().map(|asked| asked.cell.clone());
        let mut parts = Vec::new();
        if elements.is_empty() {
            self.is_empty(array, expected);
            return Typed::unknown();
        }
        let mut faulty = false;
        for element in &elements {
            let typed = self.expr(element, cell.as_ref());
            match &cell {
                Some(cell) if !typed.ty.fits(cell) => {
                    faulty = true;
                    if asked.is_some() {
                        self.does_not_fit(element, &typed.ty, cell, "a cell of this array");
                    } else {
                        self.different_types(
                            element,
                            [(&elements[0], cell), (element, &typed.ty)],
                            "the cells of an array are of one type",
                        );
                    }
                }
                Some(_) => {}
                None => cell = Some(typed.ty.clone()),
            }
            faulty |= typed.ty.is_unknown();
            parts.push(typed);
        }
        if let Some(asked) = &asked
            && asked.range.size() != elements.len() as u64
            && !elements.is_empty()
        {
            let shape = &asked.index_shape;
            let message = format!(
                "an array with the indices {}..{} has {} cells, but these are {}",
                shape.scalar(asked.range.lo),
                shape.scalar(asked.range.hi),
                asked.range.size(),
                elements.len()
            );
            self.error(Code::WrongType, self.span(array), message);
            return Typed::unknown();
        }
        if faulty {
            return Typed::unknown();
        }
        let ty = match asked {
            Some(asked) => Ty::Array(asked),
            None => Ty::Array(Arc::new(ArrayTy {
                index: Ty::Int,
                range: Range::new(0, elements.len() as i64 - 1),
                index_shape: Shape::Int,
                cell: cell.unwrap_or(Ty::Unknown),
            })),
        };
        self.cells(array, ty, parts)
    }

    /// `[]` where no list is asked for.
    fn is_empty(&mut self, array: &ast::ArrayExpr, expected: Option<&Ty>) {
        let message = match expected {
            // What is asked for is not known, which has been told.
            Some(Ty::Unknown) => return,
            Some(Ty::Array(asked)) => format!(
                "an array has a cell for each index, here {}; an empty one is none",
                asked.range.size()
            ),
            Some(Ty::Set(_)) => String::from("an empty set is written `{}`"),
            _ => String::from(
                "which list this is is not known here; give it a name with a type, `const l: list[2] of 0..3 = []`, say",
            ),
        };
        self.error(Code::WrongType, self.span(array), message);
    }

    /// `[x in I: e]`
    pub(crate) fn comprehension(
        &mut self,
        array: &ast::ComprehensionExpr,
        expected: Option<&Ty>,
    ) -> Typed {
        let asked = match expected {
            Some(Ty::Array(asked)) => Some(asked.cell.clone()),
            _ => None,
        };
        let (Some(binding), Some(body)) = (array.binding(), array.body()) else {
            return Typed::unknown();
        };
        let mut parts: Vec<Typed> = Vec::new();
        let mut fit = true;
        let domain = self.each_bound(&binding, "the index of an array", &mut |this| {
            let typed = this.expr(&body, asked.as_ref());
            if let Some(cell) = &asked {
                fit = this.fits(&body, &typed, cell, "a cell of this array");
            }
            parts.push(typed);
            fit
        });
        let Some(domain) = domain.filter(|_| fit) else {
            return Typed::unknown();
        };
        let unknown = parts.iter().any(|part| part.ty.is_unknown());
        let cell = parts.first().map_or(Ty::Unknown, |part| part.ty.clone());
        if unknown || !domain.known || parts.iter().any(|part| !part.ty.fits(&cell)) {
            let constness = parts.iter().map(|part| part.constness).max();
            return Typed::unknown().being(constness.unwrap_or(Constness::Opaque));
        }
        let ty = Ty::Array(Arc::new(ArrayTy {
            index: domain.ty,
            range: domain.range,
            index_shape: domain.shape,
            cell,
        }));
        self.cells(array, ty, parts)
    }

    /// Calls `each` for each value of `x in T`, as long as it says so. `None` where the name is missing.
    pub(super) fn each_bound(
        &mut self,
        binding: &ast::Binding,
        place: &str,
        each: &mut dyn FnMut(&mut Self) -> bool,
    ) -> Option<Domain> {
        let domain = match binding.ty() {
            Some(ty) => self.listed_domain(&ty, place),
            None => Domain::unknown(),
        };
        self.declare_bound(binding, &domain, SymbolKind::Bound);
        let name = binding.name()?;
        let span = self.span(&name);
        for value in domain.bindings() {
            let env = self.env.with(name.text(), span, value);
            if !self.in_scope(&env, &mut *each) {
                break;
            }
        }
        Some(domain)
    }

    pub(crate) fn given_twice(&mut self, field: &str, span: Span, first: Span) {
        let words = Words::from(format!(
            "the field `{field}` is given twice; once is enough"
        ));
        let words = words.see(first, "it is given here first");
        self.error(Code::DuplicateName, span, words);
    }

    /// `{f: e, g: e}`: in the order that its place asks for, else in its own.
    pub(crate) fn record_literal(
        &mut self,
        record: &ast::RecordExpr,
        expected: Option<&Ty>,
    ) -> Typed {
        let asked = match expected {
            Some(Ty::Record(fields)) => Some(fields.clone()),
            _ => None,
        };
        let mut given: Vec<(String, Typed)> = Vec::new();
        let mut seen: FxHashMap<String, Span> = FxHashMap::default();
        let mut faulty = false;
        for field in record.fields() {
            let Some(name) = field.name_ref() else {
                faulty = true;
                continue;
            };
            let (text, span) = (name.text(), self.span(&name));
            let wanted = asked
                .as_ref()
                .and_then(|fields| fields.iter().find(|(name, _)| *name == text));
            faulty |= self.is_pattern(&field);
            let typed = match field.value() {
                Some(value) => {
                    let typed = self.expr(&value, wanted.map(|(_, ty)| ty));
                    if let Some((_, ty)) = wanted {
                        faulty |= !self.fits(&value, &typed, ty, &format!("`{text}`"));
                    }
                    typed
                }
                None => Typed::unknown(),
            };
            if let Some(first) = seen.get(&text) {
                self.given_twice(&text, span, *first);
                faulty = true;
                continue;
            }
            if let Some(fields) = &asked
                && wanted.is_none()
            {
                self.no_such_field(&name, fields);
                faulty = true;
            }
            faulty |= typed.ty.is_unknown();
            seen.insert(text.clone(), span);
            given.push((text, typed));
        }
        if faulty || given.is_empty() {
            return Typed::unknown();
        }
        let Some(fields) = asked else {
            let ty = given
                .iter()
                .map(|(name, typed)| (name.clone(), typed.ty.clone()));
            let ty = Ty::Record(ty.collect());
            let parts = given.into_iter().map(|(_, typed)| typed).collect();
            return self.cells(record, ty, parts);
        };
        let missing: Vec<&str> = fields
            .iter()
            .map(|(name, _)| name.as_str())
            .filter(|name| !seen.contains_key(*name))
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "the record that is asked for here has `{}` too; every field is given a value",
                missing.join("`, `")
            );
            self.error(Code::WrongType, self.span(record), message);
            return Typed::unknown();
        }
        let position = |name: &String| fields.iter().position(|(field, _)| field == name);
        given.sort_by_key(|(name, _)| position(name));
        let parts = given.into_iter().map(|(_, typed)| typed).collect();
        self.cells(record, Ty::Record(fields), parts)
    }

    /// A field that the record which its place asks for does not have.
    pub(crate) fn no_such_field(&mut self, name: &ast::NameRef, fields: &[(String, Ty)]) {
        let text = name.text();
        let names = fields.iter().map(|(name, _)| name.as_str());
        let near = self.nearest(&text, names.clone());
        let mend = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has `{}`", names.collect::<Vec<_>>().join("`, `")),
        };
        let message = format!("the record that is asked for here has no field `{text}`; {mend}");
        let words = Words::instead(message, near);
        self.error(Code::UnknownName, self.span(name), words);
    }

    /// Whether a field takes a value instead of having one, with a message: it does so only in a pattern.
    pub(super) fn is_pattern(&mut self, field: &ast::RecordField) -> bool {
        let (span, sign, mend) = match (field.bind_arg(), field.wild_arg()) {
            (Some(bind), _) => (self.span(&bind), "?", "write the value without `?`"),
            (_, Some(wild)) => (self.span(&wild), "*", "write the value of the field"),
            _ => return false,
        };
        let message = format!(
            "`{sign}` takes a value, among the arguments of `receive` and `on` alone; {mend}"
        );
        self.error(Code::Misplaced, span, message);
        true
    }

    fn cells(&mut self, node: &impl ast::AstNode, ty: Ty, parts: Vec<Typed>) -> Typed {
        self.folded(node, ty, parts, Expr::Cells)
    }
}
