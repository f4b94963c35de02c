//! Names that run through the elements of a set or a list: `exists m in log: m == 3`
//! (`language.md` §10). Each element that there may be is read once, with the condition that it is there.

use std::ops::ControlFlow;

use stubborn_syntax::ast::{self, HasName, TypeExpr};

use super::lists::{CELLS, LENGTH};
use super::pieces::size;
use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::names::symbols::SymbolKind;
use crate::names::{Binding, DeclarationKind};
use crate::problem::Code;
use crate::types::{Domain, Ty};
use stubborn_system::system::{Binary, Expr};

impl Elaborator<'_> {
    /// Whether a quantifier says the same of every value of its types: it has no `where` and goes through
    /// no set and no list.
    pub(crate) fn goes_through_types(&mut self, quantifier: &ast::QuantifierExpr) -> bool {
        quantifier.where_clause().is_none()
            && quantifier.bindings().all(|one| !self.is_of_elements(&one))
    }

    /// Whether what is bound is an element of a set or a list.
    fn is_of_elements(&mut self, binding: &ast::Binding) -> bool {
        binding.over().is_some() || self.collection(binding).is_some()
    }

    /// The set or the list whose elements are bound; `None` for the values of a type.
    pub(super) fn collection(&mut self, binding: &ast::Binding) -> Option<Typed> {
        if let Some(over) = binding.over() {
            let typed = self.expr(&over, None);
            if !matches!(typed.ty, Ty::Set(_) | Ty::List(_) | Ty::Unknown) {
                let (quoted, is) = (self.quoted(&over), self.described(&typed.ty));
                let message = format!(
                    "{quoted} is {is}, and a name is bound to the values of a type or to the elements of \
                     a set or a list; write `x in T`, or a set or a list"
                );
                self.error(Code::WrongType, self.span(&over), message);
                return Some(Typed::unknown().being(typed.constness));
            }
            return Some(typed);
        }
        let Some(TypeExpr::Named(named)) = binding.ty() else {
            return None;
        };
        let name = named.name_ref()?.text();
        let is_value = match self.env.lookup(&name) {
            Some(_) => true,
            None => {
                let declared = self.declared_name(self.env.file, &name);
                declared.is_some_and(|id| {
                    matches!(
                        self.declaration(id).kind,
                        DeclarationKind::Variable(..)
                            | DeclarationKind::Constant(_)
                            | DeclarationKind::Definition(_)
                    )
                })
            }
        };
        // What is neither has its message where it is read as a type.
        let typed = is_value.then(|| self.expr(&named.as_value(), None))?;
        matches!(typed.ty, Ty::Set(_) | Ty::List(_)).then_some(typed)
    }

    /// As [`for_each_value`](Elaborator::for_each_value), for each element that the collection may have;
    /// whether it is there is the last of [`Elaborator::memberships`].
    pub(super) fn for_each_element(
        &mut self,
        (binding, rest): (&ast::Binding, &[ast::Binding]),
        collection: &Typed,
        place: &str,
        each: &mut dyn FnMut(&mut Self) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(name) = binding.name() else {
            return self.for_each_value(rest, place, each);
        };
        let span = self.span(&name);
        let name = name.text();
        if collection.constness == Constness::Constant && collection.known.is_none() {
            self.instances_differ();
        }
        let (domain, count) = match &collection.ty {
            Ty::Set(set) => {
                let domain = Domain {
                    ty: set.index.clone(),
                    range: set.range,
                    shape: set.index_shape.clone(),
                    known: true,
                };
                (domain, set.range.size())
            }
            Ty::List(list) => {
                let elements = list.elements(self.shape_of(&list.element));
                (elements.domain(), u64::from(list.capacity))
            }
            _ => (Domain::unknown(), 1),
        };
        self.declare_bound(binding, &domain, SymbolKind::Bound);
        let written = (size(&collection.expr) as u64).saturating_mul(count);
        if !self.spend(written, span) {
            return ControlFlow::Break(());
        }
        let mut flow = ControlFlow::Continue(());
        for number in 0..count as i64 {
            let (is_there, bound) = self.element(binding, collection, &domain, number);
            // A constant set has few of the values of its type.
            if is_there.scalar() == Some(0) {
                continue;
            }
            let env = self.env.with(&*name, span, bound);
            self.memberships.push(is_there);
            flow = self.in_scope(&env, |this| this.for_each_value(rest, place, each));
            self.memberships.pop();
            if self.interrupt.is_due() {
                flow = ControlFlow::Break(());
            }
            if flow.is_break() {
                break;
            }
        }
        flow
    }

    /// Whether the element with this number, from 0, is there, and what its name is bound to.
    fn element(
        &mut self,
        binding: &ast::Binding,
        collection: &Typed,
        domain: &Domain,
        number: i64,
    ) -> (Typed, Binding) {
        let whole = || vec![collection.clone()];
        match &collection.ty {
            Ty::Set(set) => {
                let (lo, value) = (set.range.lo, set.range.lo + number);
                let is_in = self.folded(binding, Ty::Bool, whole(), |mut parts| {
                    Expr::cell(parts.remove(0), lo, Expr::int(value))
                });
                let bound = Binding::Constant {
                    value,
                    domain: domain.clone(),
                    decided: Decided::Instance,
                };
                (is_in, bound)
            }
            Ty::List(list) => {
                let is_there = self.folded(binding, Ty::Bool, whole(), |mut parts| {
                    let length = Expr::field(parts.remove(0), LENGTH);
                    Expr::binary(Binary::Less, Expr::int(number), length)
                });
                let typed = self.folded(binding, list.element.clone(), whole(), |mut parts| {
                    let cells = Expr::field(parts.remove(0), CELLS);
                    Expr::cell(cells, 0, Expr::int(number))
                });
                let depth = self.env.depth;
                (is_there, Binding::Expression { typed, depth })
            }
            _ => {
                let unknown = Typed::opaque(Ty::Bool).being(collection.constness);
                (unknown, Binding::opaque(domain.clone()))
            }
        }
    }
}
