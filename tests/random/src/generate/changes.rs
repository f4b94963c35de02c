//! Effects on sets and lists by lot: the forms that change one element alone, forms that only look
//! like these, and new values of the whole.

use super::Generator;
use super::collections::{is_set, joined, length, rest, written};
use super::expressions::View;
use crate::model::*;
use crate::value::Type;

impl Generator {
    /// An effect on a set or a list.
    pub(super) fn collection_effect(&mut self, view: &View, is_joint: bool) -> Option<Effect> {
        let (place, ty) = self.target(view, Type::is_collection)?;
        if is_joint && !matches!(place.base, Base::Local(_)) && self.r.percent(50) {
            return None;
        }
        match is_set(&ty) {
            true => Some(self.set_effect(view, place, &ty)),
            false => Some(self.list_effect(view, place, &ty)),
        }
    }

    fn set_effect(&mut self, view: &View, place: Place, ty: &Type) -> Effect {
        use Operator::{Minus, Plus};
        let own = || place.clone().read();
        let e = self.element(view, ty);
        let one = || written(ty, vec![e.clone()]);
        let assign = |e| Effect::Assign(place.clone(), e);
        match self.r.below(11) {
            0..=2 => assign(Expr::binary(Plus, own(), one())),
            3 | 4 => assign(Expr::binary(Minus, own(), one())),
            5 => assign(Expr::binary(Plus, one(), own())),
            6 => {
                let f = self.element(view, ty);
                match self.r.below(4) {
                    0 => assign(Expr::binary(Plus, own(), written(ty, vec![e, f]))),
                    1 => assign(Expr::binary(Minus, own(), written(ty, vec![e, f]))),
                    2 => {
                        let less = Expr::binary(Minus, own(), one());
                        assign(Expr::binary(Plus, less, written(ty, vec![f])))
                    }
                    _ => {
                        let there = Collection::In(f, own()).expr();
                        let (more, less) = (
                            assign(Expr::binary(Plus, own(), one())),
                            assign(Expr::binary(Minus, own(), one())),
                        );
                        Effect::If(there, vec![less], vec![more])
                    }
                }
            }
            7 => {
                // Of another one, which may be the same.
                let other = self.known(view, |t| are_alike(t, ty));
                let other = other.map_or_else(own, |(other, _)| other);
                let op = if self.r.one_in(2) { Plus } else { Minus };
                assign(Expr::binary(op, other, one()))
            }
            8 => {
                let other = self.collected(view, ty, 1);
                assign(self.combined(ty, own(), other))
            }
            _ => assign(self.collected(view, ty, 1)),
        }
    }

    fn list_effect(&mut self, view: &View, place: Place, ty: &Type) -> Effect {
        let (most, _) = Collection::extent(ty);
        let own = || place.clone().read();
        let assign = |e| Effect::Assign(place.clone(), e);
        let e = self.element(view, ty);
        let one = |e: &Expr| written(ty, vec![e.clone()]);
        let full = || Collection::Size(Measure::Full, most, own()).expr();
        let lot = match self.risky {
            true => self.r.below(13),
            false => 4 + self.r.below(5),
        };
        match lot {
            0..=2 => assign(joined(ty, own(), one(&e))),
            3 => {
                let f = self.element(view, ty);
                match self.r.below(5) {
                    0 if most > 1 => assign(joined(ty, own(), written(ty, vec![e, f]))),
                    1 => assign(joined(ty, own(), own())),
                    2 => {
                        let first = Collection::Element(most, own(), Expr::int(0)).expr();
                        assign(joined(ty, own(), one(&first)))
                    }
                    3 => assign(joined(ty, joined(ty, own(), one(&e)), one(&f))),
                    _ => assign(joined(ty, one(&e), own())),
                }
            }
            4 => assign(rest(ty, own())),
            5 | 6 => {
                let otherwise = match self.r.below(3) {
                    0 => assign(written(ty, vec![])),
                    1 => assign(rest(ty, own())),
                    _ => assign(joined(ty, rest(ty, own()), one(&e))),
                };
                Effect::If(
                    full(),
                    vec![otherwise],
                    vec![assign(joined(ty, own(), one(&e)))],
                )
            }
            7 => {
                let k = self.r.below(most) as i64;
                let mut cell = place.clone();
                cell.path.push(Key::Element(Expr::int(k), most));
                let there = Expr::binary(Operator::Greater, length(ty, own()), Expr::int(k));
                Effect::If(there, vec![Effect::Assign(cell, e)], vec![])
            }
            8 => assign(self.collected(view, ty, 1)),
            9 | 10 => {
                let mut cell = place.clone();
                let at = self.element_index(view, &place, most);
                cell.path.extend(at.map(|at| Key::Element(at, most)));
                // Nothing but a constant may have none.
                Effect::Assign(cell, e)
            }
            11 => assign(self.slice(view, ty, own())),
            _ => {
                let other = self.known(view, |t| are_alike(t, ty));
                let other = other.map_or_else(own, |(other, _)| other);
                assign(joined(ty, other, one(&e)))
            }
        }
    }
}
