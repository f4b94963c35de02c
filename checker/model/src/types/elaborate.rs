//! Reading types.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, AstNode, HasName};

use super::{ArrayTy, Declared, Domain, EnumerationId, Ty};
use crate::declarations::Enumeration;
use crate::elaborate::{Elaborator, MAX_EXPANSION};
use crate::expressions::set_shape;
use crate::expressions::typed::{Constness, Typed};
use crate::names::declarations::{DeclarationId, DeclarationKind};
use crate::names::env::{Binding, Found};
use crate::names::symbols::{Symbol, SymbolKind};
use crate::problem::Code;
use stubborn_system::source::Span;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{Range, Type};

impl Elaborator<'_> {
    /// The type that is written there; an unknown one where it has a mistake.
    pub fn declared(&mut self, written: &ast::TypeExpr) -> Declared {
        match written {
            ast::TypeExpr::Bool(_) => Declared::new(Ty::Bool, Type::BOOL, Shape::Bool, true),
            ast::TypeExpr::Range(range) => self.range_type(range),
            ast::TypeExpr::Named(named) => self.named_type(named),
            ast::TypeExpr::Array(array) => self.array_type(array),
            ast::TypeExpr::Record(record) => self.record_type(record),
            ast::TypeExpr::Set(set) => self.set_type(set),
            ast::TypeExpr::List(list) => self.list_type(list),
        }
    }

    /// The values of a scalar type, for a name that runs through them, or for the parts of messages
    /// and actions. `place` says what it is for: "a parameter".
    pub fn domain(&mut self, written: &ast::TypeExpr, place: &str) -> Domain {
        self.domain_or(written, place, &|_, _| String::new())
    }

    /// The same; `mend` says what else is written for an array or a record.
    pub fn domain_or(
        &mut self,
        written: &ast::TypeExpr,
        place: &str,
        mend: &dyn Fn(&Self, &Ty) -> String,
    ) -> Domain {
        let declared = self.declared(written);
        if !declared.ty.is_scalar() {
            let quoted = self.quoted(written);
            let message = format!(
                "{place} has a scalar type, a range, `bool` or an enumeration, and {quoted} is none of these{}",
                mend(self, &declared.ty)
            );
            self.error(Code::WrongType, self.span(written), message);
            return Domain::unknown();
        }
        declared.domain()
    }

    /// A domain whose values are all gone through when the text is written out; a message where
    /// there are too many.
    pub fn listed_domain(&mut self, written: &ast::TypeExpr, place: &str) -> Domain {
        let domain = self.domain(written, place);
        if !domain.known || domain.range.size() <= MAX_EXPANSION {
            return domain;
        }
        // Where the type has a name, a smaller one mends all its uses.
        let named = match written {
            ast::TypeExpr::Named(named) => named.name_ref(),
            _ => None,
        };
        let named = named.and_then(|name| self.declared_name(self.env.file, &name.text()));
        if named.is_some_and(|named| !self.too_many_values.insert(named)) {
            let owner = self.owner();
            self.reports.is_also_too_large(owner);
        } else {
            let message = format!(
                "these are {} values, too many to check; a smaller range would mend it",
                count(domain.range)
            );
            self.error(Code::TooLarge, self.span(written), message);
        }
        Domain {
            known: false,
            ..domain
        }
    }

    fn range_type(&mut self, range: &ast::RangeType) -> Declared {
        let ends = [range.low(), range.high()].map(|end| {
            end.map_or_else(Typed::unknown, |end| {
                self.constant_integer(&end, "an end of a range")
            })
        });
        let declared = |lo, hi, known| Declared {
            ty: Ty::Int,
            system: Type::Scalar { lo, hi },
            shape: Shape::Int,
            known,
        };
        if ends.iter().any(|end| end.ty.is_unknown()) {
            return Declared::unknown();
        }
        let (Some(lo), Some(hi)) = (ends[0].scalar(), ends[1].scalar()) else {
            return if ends.iter().any(|end| end.constness == Constness::State) {
                Declared::unknown()
            } else {
                declared(0, 0, false)
            };
        };
        if lo > hi {
            let quoted = self.quoted(range);
            let values = if quoted == format!("`{lo}..{hi}`") {
                String::new()
            } else {
                format!(" is {lo}..{hi} and")
            };
            let message = format!(
                "{quoted}{values} has no value, and every type has one; its lower end may not be above its upper end"
            );
            self.error(Code::EmptyType, self.span(range), message);
            return declared(0, 0, false);
        }
        declared(lo, hi, true)
    }

    fn named_type(&mut self, named: &ast::NamedType) -> Declared {
        let Some(name) = named.name_ref() else {
            return Declared::unknown();
        };
        let Some(found) = self.resolve_type(&name) else {
            return Declared::unknown();
        };
        let id = match found {
            Found::Declared(id) => id,
            Found::Bound(Binding::Variable { declared, .. }, _) if is_collection(&declared.ty) => {
                self.not_gone_through(self.span(&name), &name.text());
                return Declared::unknown();
            }
            Found::Bound(..) => {
                self.no_type(self.span(&name), &name.text(), "a value");
                return Declared::unknown();
            }
        };
        match self.declaration(id).kind.clone() {
            DeclarationKind::Type(_) => {
                let declared = self.type_alias(id);
                let (used, user) = (self.declaration(id).item, self.owner());
                self.reports.is_of_too_large(used, user);
                declared
            }
            DeclarationKind::Enumeration(_) => self.enumeration_type(id),
            kind => {
                let span = self.span(&name);
                if is_index(named)
                    && matches!(
                        kind,
                        DeclarationKind::Constant(_) | DeclarationKind::Param(_)
                    )
                {
                    self.no_index(span, &name.text(), kind.described());
                } else if matches!(kind, DeclarationKind::Variable(..))
                    && (self.variable_info(id)).is_some_and(|info| is_collection(&info.declared.ty))
                {
                    self.not_gone_through(span, &name.text());
                } else {
                    self.no_type(span, &name.text(), kind.described());
                }
                Declared::unknown()
            }
        }
    }

    fn no_type(&mut self, span: Span, name: &str, is: &str) {
        let message = format!(
            "`{name}` is {is}, not a type; a range `0..{name}`, `bool`, an enumeration or the name of a type can stand here"
        );
        self.error(Code::WrongType, span, message);
    }

    /// The same, of a set or a list whose elements were to be gone through.
    fn not_gone_through(&mut self, span: Span, name: &str) {
        let message = format!(
            "what is gone through are the values of a type, and `{name}` is a variable; which of them are in it is asked by `x in {name}`: `forall x in T: x in {name} implies e`, `for x in T when x in {name}`"
        );
        self.error(Code::WrongType, span, message);
    }

    /// The same, of what stands for the number of an array's cells.
    fn no_index(&mut self, span: Span, name: &str, is: &str) {
        let message = format!(
            "`{name}` is {is}, and an array has a type for its index, not a length; for {name} cells write `0..{name}-1`"
        );
        self.error(Code::WrongType, span, message);
    }

    pub(crate) fn type_alias(&mut self, id: DeclarationId) -> Declared {
        if let Some(known) = self.resolutions.types.get(&id) {
            return known.clone();
        }
        let declaration = self.declaration(id).clone();
        let DeclarationKind::Type(ast) = &declaration.kind else {
            return Declared::unknown();
        };
        let declared = self.working_out(id, |this| match ast.ty() {
            Some(ty) => this.declared(&ty),
            None => Declared::unknown(),
        });
        let declared = declared.unwrap_or_else(Declared::unknown);
        if !self.is_open(id) {
            let text = self.type_text(&declared);
            self.symbols.set_type(declaration.span, text);
            self.resolutions.types.insert(id, declared.clone());
        }
        declared
    }

    pub(crate) fn enumeration_type(&mut self, id: DeclarationId) -> Declared {
        let enumeration = self.enumeration_of(id);
        let values = self.enumeration(enumeration).values.clone();
        if values.is_empty() {
            let declaration = self.declaration(id).clone();
            self.owned_by(declaration.item, |this| {
                this.apart(|this| {
                    let message = format!(
                            "the enumeration `{0}` has no value, and every type has one: `enum {0} {{ a, b }}`",
                            declaration.name
                        );
                    this.error(Code::EmptyType, declaration.span, message);
                });
            });
            return Declared::unknown();
        }
        Declared {
            ty: Ty::Enumeration(enumeration),
            system: Type::scalar(0, values.len() as i64 - 1),
            shape: Shape::Enumeration(values),
            known: true,
        }
    }

    /// Gives all enumerations their numbers, which are then the same whoever mentions them first.
    pub(crate) fn number_enumerations(&mut self) {
        for number in 0..self.names.declarations.len() {
            let id = DeclarationId(number as u32);
            if matches!(self.declaration(id).kind, DeclarationKind::Enumeration(_)) {
                self.enumeration_of(id);
            }
        }
    }

    fn enumeration_of(&mut self, id: DeclarationId) -> EnumerationId {
        if let Some(known) = self.resolutions.enumerations.get(&id) {
            return *known;
        }
        let declaration = self.declaration(id).clone();
        let values = match &declaration.kind {
            DeclarationKind::Enumeration(ast) => {
                let names = ast.variants().filter_map(|variant| variant.name());
                names.map(|name| name.text()).collect()
            }
            _ => Vec::new(),
        };
        let text = declaration.name.clone();
        // They are declared directly after it.
        for value in &self.names.declarations[id.0 as usize + 1..] {
            if !matches!(value.kind, DeclarationKind::EnumerationValue(of, _) if of == id) {
                break;
            }
            self.symbols.set_type(value.span, text.clone());
        }
        let enumeration = self.enumerations.len() as EnumerationId;
        self.enumerations.push(Rc::new(Enumeration {
            name: declaration.name.to_string(),
            values: values.into(),
        }));
        self.resolutions.enumerations.insert(id, enumeration);
        enumeration
    }

    /// With several indices, an array of arrays.
    fn array_type(&mut self, array: &ast::ArrayType) -> Declared {
        let indices = array.indices();
        let indices = indices.map(|index| self.listed_domain(&index, "the index of an array"));
        let indices: Vec<Domain> = indices.collect();
        let cell = array
            .element()
            .map_or_else(Declared::unknown, |cell| self.declared(&cell));
        if indices.is_empty() {
            return Declared::unknown();
        }
        let span = self.span(array);
        let indices = indices.into_iter().rev();
        indices.fold(cell, |cell, index| self.array_of(index, cell, span))
    }

    fn array_of(&mut self, index: Domain, cell: Declared, span: Span) -> Declared {
        if index.ty.is_unknown() || cell.ty.is_unknown() {
            return Declared::unknown();
        }
        let known = index.known && cell.known;
        let len = if known { index.range.size() } else { 1 };
        let scalars = len.saturating_mul(cell.system.scalars());
        let mut declared = Declared {
            ty: Ty::Array(Arc::new(ArrayTy {
                index: index.ty,
                range: index.range,
                index_shape: index.shape.clone(),
                cell: cell.ty,
            })),
            system: Type::Array {
                lo: index.range.lo,
                len: u32::try_from(len).unwrap_or(u32::MAX),
                cell: Arc::new(cell.system),
            },
            shape: Shape::Array(Arc::new(index.shape), Arc::new(cell.shape)),
            known,
        };
        if !known {
            // What is indexed by it and how many cells it has cannot be compared.
            declared.ty = Ty::Unknown;
        }
        self.limit_size(declared, scalars, span)
    }

    fn record_type(&mut self, record: &ast::RecordType) -> Declared {
        let mut fields: Vec<(String, Declared)> = Vec::new();
        let mut seen: FxHashMap<String, Span> = FxHashMap::default();
        for field in record.fields() {
            let declared = field
                .ty()
                .map_or_else(Declared::unknown, |ty| self.declared(&ty));
            let Some(name) = field.name() else { continue };
            let span = self.span(&name);
            let text = name.text();
            if let Some(first) = seen.get(&text) {
                let message =
                    format!("the record already has a field `{text}`; another name would mend it");
                self.duplicate(span, *first, message);
                continue;
            }
            let ty = self.type_text(&declared);
            self.symbols
                .declare(Symbol::new(text.as_str(), SymbolKind::Field, span).with_type(ty));
            seen.insert(text.clone(), span);
            fields.push((text, declared));
        }
        if fields.is_empty() || fields.iter().any(|(_, field)| field.ty.is_unknown()) {
            return Declared::unknown();
        }
        let known = fields.iter().all(|(_, field)| field.known);
        let scalars = fields.iter().fold(0_u64, |sum, (_, field)| {
            sum.saturating_add(field.system.scalars())
        });
        let declared = Declared {
            ty: Ty::Record(
                fields
                    .iter()
                    .map(|(n, f)| (n.clone(), f.ty.clone()))
                    .collect(),
            ),
            system: Type::Record(fields.iter().map(|(_, f)| f.system.clone()).collect()),
            shape: Shape::Record(fields.into_iter().map(|(n, f)| (n, f.shape)).collect()),
            known,
        };
        self.limit_size(declared, scalars, self.span(record))
    }

    pub(super) fn limit_size(&mut self, declared: Declared, scalars: u64, span: Span) -> Declared {
        if scalars <= MAX_EXPANSION {
            return declared;
        }
        let number = if scalars == u64::MAX {
            format!("more than {}", u64::MAX - 1)
        } else {
            scalars.to_string()
        };
        let message = format!(
            "a value of this type has {number} parts, too many to check; smaller arrays would mend it"
        );
        self.error(Code::TooLarge, span, message);
        Declared::unknown()
    }

    /// How a value of the type is written.
    pub(crate) fn shape_of(&self, ty: &Ty) -> Shape {
        match ty {
            Ty::Bool => Shape::Bool,
            Ty::Int | Ty::Unknown => Shape::Int,
            Ty::Enumeration(id) => Shape::Enumeration(self.enumeration(*id).values.clone()),
            Ty::Array(array) => Shape::Array(
                Arc::new(array.index_shape.clone()),
                Arc::new(self.shape_of(&array.cell)),
            ),
            Ty::Set(set) => set_shape(set.index_shape.clone(), set.range.lo),
            Ty::List(list) => Shape::List(Arc::new(self.shape_of(&list.element))),
            Ty::Record(fields) => Shape::Record(
                fields
                    .iter()
                    .map(|(name, ty)| (name.clone(), self.shape_of(ty)))
                    .collect(),
            ),
        }
    }
}

fn is_collection(ty: &Ty) -> bool {
    matches!(ty, Ty::Set(_) | Ty::List(_))
}

/// Whether the type stands for the index of an array.
fn is_index(named: &ast::NamedType) -> bool {
    let around = named.syntax().parent().and_then(ast::ArrayType::cast);
    around.is_some_and(|array| {
        let mut indices = array.indices();
        indices.any(|index| index.syntax() == named.syntax())
    })
}

/// How many values, exactly.
pub(crate) fn count(range: Range) -> i128 {
    i128::from(range.hi) - i128::from(range.lo) + 1
}
