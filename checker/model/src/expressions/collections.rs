//! What is asked of a set or a list, and made of two of them: `e in s`, `s + t`.

use stubborn_syntax::ast::{self, BinaryOp};

use super::operators::is_comparison;
use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::names::declarations::DeclarationKind;
use crate::problem::Code;
use crate::types::{Declared, Ty};
use stubborn_system::system::{Expr, Failure};

/// The elements of a set or a list that is written out.
pub(super) struct ElementsRead {
    pub elements: Vec<Typed>,
    /// Which of them are known to be values that there may be.
    pub are_within: Vec<bool>,
    pub is_faulty: bool,
    pub constness: Constness,
    /// The first that is known to be none, and why it fails.
    outside: Option<(Option<Decided>, Failure)>,
}

impl ElementsRead {
    /// What the whole is where one element is known to be outside.
    pub fn failed(&self, ty: &Ty) -> Option<Typed> {
        let (known, failure) = self.outside.clone()?;
        Some(Typed::new(
            ty.clone(),
            Expr::Fail(failure),
            known,
            self.constness,
        ))
    }
}

impl Elaborator<'_> {
    /// Reads elements that are written out, each of which is to be a value of the type.
    pub(super) fn elements_read(
        &mut self,
        written: &[ast::Expr],
        declared: &Declared,
        what: &str,
    ) -> ElementsRead {
        let range = declared.domain().range;
        let mut read = ElementsRead {
            elements: Vec::with_capacity(written.len()),
            are_within: Vec::with_capacity(written.len()),
            is_faulty: false,
            constness: Constness::Constant,
            outside: None,
        };
        for element in written {
            let typed = self.checked_value(element, declared, what);
            read.is_faulty |= typed.ty.is_unknown();
            read.constness = read.constness.max(typed.constness);
            if let Some(value) = typed.scalar().filter(|value| !range.contains(*value)) {
                let (lo, hi) = (range.lo, range.hi);
                let failure = Failure::OutsideType { value, lo, hi };
                read.outside.get_or_insert((typed.known, failure));
            }
            let is_within = self.is_within(element, &typed, (&declared.ty, range));
            read.are_within.push(is_within);
            read.elements.push(typed);
        }
        read
    }

    /// An operator between two sets or two lists.
    pub(super) fn of_collections(
        &mut self,
        binary: &ast::BinaryExpr,
        op: BinaryOp,
        written: [&ast::Expr; 2],
        [a, b]: [Typed; 2],
    ) -> Typed {
        let lost = Typed::unknown().being(a.constness.max(b.constness));
        if a.ty.is_unknown() || b.ty.is_unknown() {
            return lost;
        }
        let token = binary.op_token();
        let sign = token.as_ref().map_or("", |token| token.text());
        let is_of_set = !matches!(op, BinaryOp::Div | BinaryOp::Rem);
        match (a.ty.clone(), b.ty.clone()) {
            (Ty::Set(ty), Ty::Set(_)) if a.ty.fits(&b.ty) && is_of_set => {
                self.of_sets(binary, op, &ty, [a, b])
            }
            (Ty::List(ty), Ty::List(_)) if a.ty.fits(&b.ty) && op == BinaryOp::Add => {
                self.concatenation(binary, &ty, [a, b])
            }
            (is, other) => {
                let text = |at: usize| self.quoted(written[at]).trim_matches('`').to_owned();
                let one = text(1);
                // What is written out beside it would be one of its kind between other brackets.
                let is_written = |at: usize| {
                    let bare = written[at].clone().without_parens();
                    matches!(bare, Some(ast::Expr::Array(_) | ast::Expr::Set(_)))
                };
                let between = |at: usize, [open, close]: [&str; 2]| {
                    let text = text(at);
                    let inner = text.trim_start_matches(['(', '[', '{']);
                    format!("{open}{}{close}", inner.trim_end_matches([')', ']', '}']))
                };
                let mend = match (&is, &other) {
                    (Ty::Set(_), Ty::Array(_) | Ty::List(_)) if is_of_set && is_written(1) => {
                        format!("; a set is written `{}`", between(1, ["{", "}"]))
                    }
                    (Ty::Array(_) | Ty::List(_), Ty::Set(_)) if is_of_set && is_written(0) => {
                        format!("; a set is written `{}`", between(0, ["{", "}"]))
                    }
                    (Ty::List(_), Ty::Set(_)) if op == BinaryOp::Add && is_written(1) => {
                        format!("; a list is written `{}`", between(1, ["[", "]"]))
                    }
                    (Ty::Set(_), Ty::List(_)) if op == BinaryOp::Add && is_written(0) => {
                        format!("; a list is written `{}`", between(0, ["[", "]"]))
                    }
                    (Ty::Set(set), other) if other.fits(&set.index) && is_of_set => {
                        format!("; a set with this element alone is `{{{one}}}`")
                    }
                    (Ty::List(list), other) if other.fits(&list.element) && op == BinaryOp::Add => {
                        format!("; a list with this element alone is `[{one}]`")
                    }
                    (Ty::List(_), _) if op != BinaryOp::Add => {
                        String::from("; lists have `+`, `==`, `!=`, `len(l)` and parts `l[0..1]`")
                    }
                    _ => String::new(),
                };
                let message = format!(
                    "`{sign}` takes two integers{}, but {} is {} and {} is {}{mend}",
                    match op {
                        BinaryOp::Add => ", two sets or two lists of one type",
                        _ if is_of_set => " or two sets of one type",
                        _ => "",
                    },
                    self.quoted(written[0]),
                    self.described(&is),
                    self.quoted(written[1]),
                    self.described(&other),
                );
                self.error(Code::WrongType, self.span(binary), message);
                lost
            }
        }
    }

    /// `e in s` of a set or a list.
    fn in_whole(
        &mut self,
        membership: &ast::InExpr,
        element: &ast::Expr,
        whole: &ast::Expr,
    ) -> Typed {
        if membership.members().len() > 1 {
            // That a range is no set has been told.
            self.expr(element, None);
            return Typed::unknown();
        }
        if let Some(ty) = self.named_type_in(whole) {
            let message = format!(
                "`{ty}` is a type, and `in` asks whether a value is in a set or a list; for a range write `lo <= x and x <= hi`"
            );
            self.error(Code::WrongType, self.span(whole), message);
            self.expr(element, None);
            return Typed::opaque(Ty::Bool);
        }
        let collection = self.expr(whole, None);
        let of = match &collection.ty {
            Ty::Set(set) => Some(set.index.clone()),
            Ty::List(list) => Some(list.element.clone()),
            _ => None,
        };
        let first = self.expr(element, of.as_ref());
        let lost = Typed::opaque(Ty::Bool).being(first.constness.max(collection.constness));
        let Some(of) = of else {
            if !collection.ty.is_unknown() {
                let mend = match &collection.ty {
                    Ty::Array(_) => {
                        let array = self.quoted(whole).trim_matches('`').to_owned();
                        format!("; what an array has is asked by `exists i in I: {array}[i] == e`")
                    }
                    _ => String::from("; one of some values is `e in {e, e}`"),
                };
                let message = format!(
                    "`in` asks whether a value is in a set or a list, but {} is {}{mend}",
                    self.quoted(whole),
                    self.described(&collection.ty)
                );
                self.error(Code::WrongType, self.span(whole), message);
            }
            return lost;
        };
        if !first.ty.fits(&of) {
            self.different_types(
                element,
                [(whole, &collection.ty), (element, &first.ty)],
                "`in` asks for a value of the type of the elements",
            );
            return lost;
        }
        if first.ty.is_unknown() {
            return lost;
        }
        match collection.ty.clone() {
            Ty::Set(set) => self.in_set(membership, (element, first), collection, &set),
            Ty::List(list) => self.in_list(membership, [first, collection], list.capacity),
            _ => lost,
        }
    }

    /// The name of a type that stands where a value should.
    fn named_type_in(&mut self, expr: &ast::Expr) -> Option<String> {
        let ast::Expr::Name(name) = expr else {
            return None;
        };
        let name = name.name_ref()?;
        let text = name.text();
        if self.env.lookup(&text).is_some() {
            return None;
        }
        let id = self.declared_name(self.env.file, &text)?;
        let is_type = matches!(
            self.declaration(id).kind,
            DeclarationKind::Type(_) | DeclarationKind::Enumeration(_)
        );
        // It is used, and what it stands for is shown.
        is_type.then(|| self.resolve(&name));
        is_type.then_some(text)
    }

    pub(crate) fn membership(&mut self, membership: &ast::InExpr) -> Typed {
        let Some(element) = membership.element() else {
            return Typed::opaque(Ty::Bool);
        };
        if let Some(whole) = membership.whole()
            && !is_comparison(&element)
        {
            return self.in_whole(membership, &element, &whole);
        }
        let first = self.expr(&element, None);
        if is_comparison(&element) {
            for member in membership.members() {
                self.expr(&member, None);
            }
            return Typed::unknown();
        }
        let mut parts = vec![first];
        for member in membership.members() {
            let ty = parts[0].ty.clone();
            let typed = self.expr(&member, Some(&ty));
            if !typed.ty.fits(&ty) {
                self.different_types(
                    &member,
                    [(&element, &ty), (&member, &typed.ty)],
                    "`in` compares values of one type",
                );
                parts.push(Typed::unknown().being(typed.constness));
            } else {
                parts.push(typed);
            }
        }
        self.folded(membership, Ty::Bool, parts, |mut exprs| {
            let others = exprs.split_off(1);
            Expr::OneOf(Box::new(exprs.remove(0)), others)
        })
    }
}
