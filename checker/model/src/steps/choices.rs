//! `x = any T`: one step for each value of a type.

use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{self, AstNode};

use crate::elaborate::Elaborator;
use crate::problem::Code;
use crate::spans::first_token;
use crate::types::{Declared, ListTy, Ty};
use stubborn_system::system::{Effect, Expr, Place, Range, Type, Value};

use super::Drawn;
use super::effects::Inside;

/// A type that `any` chooses from has no more values.
const MOST_VALUES: u64 = 1_000_000;

/// The values of a list, in a record or an array or alone, are written out; no more of them are.
const MOST_LISTS: u64 = 10_000;

impl Drawn {
    /// The effect that assigns any value of a type to the place.
    pub(super) fn any(
        &mut self,
        elaborator: &mut Elaborator,
        assignment: &ast::Assignment,
        any: &ast::AnyValue,
        place: Option<(Place, Declared)>,
        inside: Inside,
    ) -> Option<Vec<Effect>> {
        let span = first_token(elaborator.env.file, any);
        let written = any.ty()?;
        let chosen = elaborator.declared(&written);
        let (place, declared) = place?;
        if inside != Inside::Nothing {
            self.refuse_inside(elaborator, any, inside);
            return None;
        }
        if !declared.ty.fits(&chosen.ty) {
            let quoted = elaborator.quoted(&assignment.place()?);
            let (has, wanted) = (
                elaborator.described(&declared.ty),
                elaborator.described(&chosen.ty),
            );
            let message = format!("{quoted} is {has}, and `any` gives it {wanted}");
            elaborator.error(Code::WrongType, elaborator.span(&written), message);
            return None;
        }
        if !chosen.known || chosen.ty.is_unknown() {
            return None;
        }
        if values(&chosen.ty, &chosen.system) > MOST_VALUES {
            let message = format!(
                "`any` chooses from at most {MOST_VALUES} values, and this type has more; \
                 assign to its parts one by one, or make the type smaller"
            );
            elaborator.error(Code::TooLarge, span, message);
            return None;
        }
        if !elaborator.spend(written_out(&chosen.ty, &chosen.system), span) {
            return None;
        }
        let Some(value) = self.any_of(&chosen.ty, &chosen.system) else {
            let message = format!(
                "`any` chooses from lists with at most {MOST_LISTS} values, and this type has \
                 more; make the lists shorter"
            );
            elaborator.error(Code::TooLarge, span, message);
            return None;
        };
        Some(vec![Effect::Assign {
            ty: declared.system,
            place,
            value,
        }])
    }

    /// A message, unless the grammar has one: it knows what is inside an `if` in the text of one `do`.
    fn refuse_inside(&self, elaborator: &mut Elaborator, any: &ast::AnyValue, inside: Inside) {
        let mut around = any.syntax().ancestors();
        let is_told = around.any(|around| around.kind() == SyntaxKind::DO_CLAUSE);
        let what = match inside {
            Inside::If if is_told => return,
            Inside::If => "an `if`",
            Inside::Where => "a `for` whose `where` depends on the state",
            Inside::Nothing => return,
        };
        let message = format!(
            "`any` may not stand inside {what}: each of its values gives a step; choose before it, \
             and use the value in it"
        );
        elaborator.error(
            Code::Misplaced,
            first_token(elaborator.env.file, any),
            message,
        );
    }

    /// Any value of a type: each scalar in it is chosen by itself. `None` where lists have too many.
    fn any_of(&mut self, ty: &Ty, system: &Type) -> Option<Expr> {
        Some(match (ty, system) {
            (Ty::List(list), _) => self.any_list(list, system)?,
            (_, Type::Scalar { lo, hi }) => self.chosen(Range { lo: *lo, hi: *hi }),
            (Ty::Array(array), Type::Array { len, cell, .. }) => {
                let cells = (0..*len).map(|_| self.any_of(&array.cell, cell));
                Expr::Cells(cells.collect::<Option<_>>()?)
            }
            (Ty::Record(fields), Type::Record(types)) => {
                let parts = fields.iter().zip(types.iter());
                let parts = parts.map(|((_, ty), system)| self.any_of(ty, system));
                Expr::Cells(parts.collect::<Option<_>>()?)
            }
            // A set has a truth value for each element.
            (_, Type::Array { len, .. }) => Expr::Cells(
                (0..*len)
                    .map(|_| self.chosen(Range { lo: 0, hi: 1 }))
                    .collect(),
            ),
            (_, Type::Record(_)) => return None,
        })
    }

    fn chosen(&mut self, range: Range) -> Expr {
        self.choices.push(range);
        Expr::Choice(self.choices.len() as u32 - 1)
    }

    /// The cells behind the length of a list have one value, so that they are not chosen by
    /// themselves: a number is, which the value belongs to.
    fn any_list(&mut self, list: &ListTy, system: &Type) -> Option<Expr> {
        let count = lists(list);
        if count > MOST_LISTS {
            return None;
        }
        let Value::Cells(least) = system.least() else {
            return None;
        };
        let Some(Value::Cells(unused)) = least.get(1) else {
            return None;
        };
        let of = list.range.lo..=list.range.hi;
        let mut elements: Vec<Vec<i64>> = vec![Vec::new()];
        let mut cases = Vec::new();
        for length in 0..=i64::from(list.capacity) {
            cases.extend(elements.iter().map(|elements| {
                let mut cells = unused.clone();
                for (cell, element) in cells.iter_mut().zip(elements) {
                    *cell = Value::Int(*element);
                }
                Expr::Const(Value::Cells(vec![Value::Int(length), Value::Cells(cells)]))
            }));
            if cases.len() as u64 >= count {
                break;
            }
            let longer = elements.iter().flat_map(|elements| {
                let of = of.clone();
                of.map(move |element| [elements.as_slice(), &[element]].concat())
            });
            elements = longer.collect();
        }
        let index = self.chosen(Range {
            lo: 0,
            hi: count as i64 - 1,
        });
        Some(Expr::Select {
            lo: 0,
            index: Box::new(index),
            cases,
        })
    }
}

/// How much is written out for any value of a type. Saturates.
fn written_out(ty: &Ty, system: &Type) -> u64 {
    match (ty, system) {
        (Ty::List(list), _) => lists(list).min(MOST_LISTS) * (u64::from(list.capacity) + 1),
        (Ty::Array(array), Type::Array { len, cell, .. }) => {
            written_out(&array.cell, cell).saturating_mul(u64::from(*len))
        }
        (Ty::Record(fields), Type::Record(types)) => {
            let parts = fields.iter().zip(types.iter());
            parts.fold(0, |all, ((_, ty), system)| {
                all.saturating_add(written_out(ty, system))
            })
        }
        (_, system) => system.scalars(),
    }
}

/// The number of lists of a type. Saturates.
fn lists(list: &ListTy) -> u64 {
    let size = list.range.size();
    let of_length = std::iter::successors(Some(1_u64), |count| Some(count.saturating_mul(size)));
    let of_lengths = of_length.take(list.capacity as usize + 1);
    of_lengths.fold(0, u64::saturating_add)
}

/// The number of values of a type. Saturates.
fn values(ty: &Ty, system: &Type) -> u64 {
    let power = |base: u64, count: u32| base.checked_pow(count).unwrap_or(u64::MAX);
    match (ty, system) {
        (Ty::List(list), _) => lists(list),
        (_, Type::Scalar { lo, hi }) => Range { lo: *lo, hi: *hi }.size(),
        (Ty::Array(array), Type::Array { len, cell, .. }) => power(values(&array.cell, cell), *len),
        (Ty::Record(fields), Type::Record(types)) => {
            let parts = fields.iter().zip(types.iter());
            parts.fold(1, |all, ((_, ty), system)| {
                all.saturating_mul(values(ty, system))
            })
        }
        (_, Type::Array { len, .. }) => power(2, *len),
        (_, Type::Record(_)) => u64::MAX,
    }
}
