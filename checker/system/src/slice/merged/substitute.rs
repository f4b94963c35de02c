//! What variables have after the effects of a step, said by what there was when its guard was evaluated.

use std::collections::HashMap;

use crate::footprint::{Thing, of_effects, things_read};
use crate::slice::bits::Bits;
use crate::slice::own_values::{Taking, Values};
use crate::system::{Communication, Effect, Expr, Step, VariableRef};
use crate::walk::{for_children_mut, for_subexpressions};

/// No condition is made larger than so many expressions.
const MOST_PARTS: usize = 128;

/// Of each variable that the effects assign to what it then has; `None` where that cannot be said.
pub struct Afterwards(HashMap<VariableRef, Option<Expr>>);

impl Afterwards {
    /// `known` holds when the guard was true, `written` has the variables of the instance that others
    /// assign to.
    pub fn of(taking: &Taking<'_>, step: &Step, known: &Values, written: &Bits) -> Afterwards {
        let mut all = Afterwards(HashMap::new());
        let mut now = Some(known.clone());
        for effect in &step.effects {
            let value = match (effect, &now) {
                (Effect::Assign { place, ty, value }, Some(now)) if place.path.is_empty() => {
                    let bounds = taking.ranges(now, &step.choices).of(value);
                    let is_sure = bounds.is_some_and(|bounds| bounds.are_in(ty));
                    let is_same = is_sure && is_same_before(taking, step, value, written);
                    let value = is_same.then(|| all.before(value)).flatten();
                    Some((place.variable, value))
                }
                _ => None,
            };
            match value {
                Some((variable, value)) => {
                    all.0.insert(variable, value);
                }
                None => of_effects(std::slice::from_ref(effect), &mut |touch| {
                    if let (true, Thing::Variable(variable)) = (touch.writes, touch.thing) {
                        all.0.insert(variable, None);
                    }
                }),
            }
            let effect = std::slice::from_ref(effect);
            now = now.and_then(|now| taking.perform(effect, &step.choices, &now).after);
        }
        all
    }

    /// The expression about what there was before, that has the value which this one has afterwards.
    pub fn before(&self, expr: &Expr) -> Option<Expr> {
        let mut before = expr.clone();
        if !self.put_in(&mut before) {
            return None;
        }
        let mut parts = 0;
        for_subexpressions(&before, &mut |_| parts += 1);
        (parts <= MOST_PARTS).then_some(before)
    }

    fn put_in(&self, expr: &mut Expr) -> bool {
        if let Expr::Variable(variable) = expr {
            match self.0.get(variable) {
                None => {}
                Some(None) => return false,
                Some(Some(value)) => *expr = value.clone(),
            }
            return true;
        }
        let mut is_said = true;
        for_children_mut(expr, &mut |child| is_said &= self.put_in(child));
        is_said
    }
}

/// Whether the value that an effect of the step assigns, but for what effects before have changed, is that
/// which the expression has where the guard is evaluated. What is sent or received has changed a channel by
/// then, and the participants of a joint step before this one have had their effects.
fn is_same_before(taking: &Taking<'_>, step: &Step, value: &Expr, written: &Bits) -> bool {
    let mut is_same = true;
    for_subexpressions(value, &mut |part| {
        is_same &= !matches!(part, Expr::Choice(_))
    });
    things_read(value, &mut |thing| {
        is_same &= match (&step.communication, thing) {
            (None, _) => true,
            (Some(Communication::Send { .. } | Communication::Receive(..)), thing) => {
                !matches!(thing, Thing::Channel(_))
            }
            (Some(Communication::On { .. }), Thing::Variable(VariableRef::Local(of, variable))) => {
                of == taking.instance && !written.contains(variable as usize)
            }
            (Some(Communication::On { .. }), _) => false,
        };
    });
    is_same
}
