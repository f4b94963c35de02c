//! `r with { f: e, g: e }`: a record with other values in some of its fields.

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;
use stubborn_system::source::Span;
use stubborn_system::system::{Binary, Expr};

use super::pieces::{cannot_fail, size};
use crate::elaborate::Elaborator;
use crate::expressions::typed::Typed;
use crate::problem::Code;
use crate::template::Condition;
use crate::types::Ty;

impl Elaborator<'_> {
    /// The record, field by field: what is said, and else the field of the record that stands before `with`, which is
    /// written out for each of these.
    pub(crate) fn with(&mut self, with: &ast::WithExpr, expected: Option<&Ty>) -> Typed {
        let Some(before) = with.base() else {
            return Typed::unknown();
        };
        let base = self.expr(&before, expected);
        let fields = match &base.ty {
            Ty::Record(fields) => fields.clone(),
            ty if ty.is_unknown() => {
                for value in with.fields().iter().filter_map(ast::RecordField::value) {
                    self.expr(&value, None);
                }
                return Typed::unknown().being(base.constness);
            }
            ty => {
                let message = format!(
                    "only a record has fields to be given other values, but {} is {}",
                    self.quoted(&before),
                    self.described(ty)
                );
                self.error(Code::WrongType, self.span(&before), message);
                return Typed::unknown();
            }
        };
        if base.failure().is_some() {
            return base;
        }
        let mut given: Vec<Option<Typed>> = vec![None; fields.len()];
        let mut seen: FxHashMap<String, Span> = FxHashMap::default();
        let mut is_faulty = false;
        for field in with.fields() {
            let Some(name) = field.name_ref() else {
                is_faulty = true;
                continue;
            };
            is_faulty |= self.is_pattern(&field);
            let found = self.field_of(&before, &base.ty, &name);
            let typed = field.value().map(|value| {
                let ty = found.as_ref().map(|(_, ty)| ty);
                let typed = self.expr(&value, ty);
                if let Some(ty) = ty {
                    let what = format!("`{}`", name.text());
                    is_faulty |= !self.fits(&value, &typed, ty, &what);
                }
                typed
            });
            let (Some((position, _)), Some(typed)) = (found, typed) else {
                is_faulty = true;
                continue;
            };
            let span = self.span(&name);
            if let Some(first) = seen.insert(name.text(), span) {
                self.given_twice(&name.text(), span, first);
                is_faulty = true;
                continue;
            }
            is_faulty |= typed.ty.is_unknown();
            given[position as usize] = Some(typed);
        }
        if seen.is_empty() && !is_faulty && with.record().is_some() {
            let message =
                "no field is given another value here; say which, or leave the `with` out";
            self.error(Code::WrongType, self.span(with), message);
            is_faulty = true;
        }
        let kept = given.iter().filter(|given| given.is_none()).count();
        let size = size(&base.expr).saturating_mul(kept.max(2));
        if is_faulty || given.is_empty() || !self.spend(size as u64, self.span(with)) {
            return Typed::unknown().being(base.constness);
        }
        let parts_of_base = parts(&base.expr).map(<[Expr]>::to_vec);
        let parts = given.into_iter().enumerate().map(|(position, given)| {
            given.unwrap_or_else(|| Typed {
                ty: fields[position].1.clone(),
                expr: match &parts_of_base {
                    Some(parts) => parts[position].clone(),
                    None => Expr::field(base.expr.clone(), position as u32),
                },
                ..base.clone()
            })
        });
        let mut parts: Vec<Typed> = parts.collect();
        if kept == 0 && !cannot_fail(&base.expr) && parts_of_base.is_none() {
            // It is evaluated all the same, for it may fail.
            self.only_if(&base.expr, Condition::MayFail);
            let first = Expr::field(base.expr.clone(), 0);
            let same = Expr::binary(Binary::Equal, first.clone(), first.clone());
            let given = std::mem::replace(&mut parts[0].expr, Expr::int(0));
            parts[0].expr = Expr::If(Box::new(same), Box::new(given), Box::new(first));
            parts[0].known = None;
            parts[0].constness = parts[0].constness.max(base.constness);
        }
        self.folded(with, Ty::Record(fields), parts, Expr::Cells)
    }
}

/// The parts of a record that is written out, none of which can fail, so that those that are not wanted need not be
/// evaluated.
fn parts(expr: &Expr) -> Option<&[Expr]> {
    match expr {
        Expr::Cells(parts) if parts.iter().all(cannot_fail) => Some(parts),
        _ => None,
    }
}
