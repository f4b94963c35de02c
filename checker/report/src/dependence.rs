//! Whose steps can change whether a step is enabled, as far as the text alone tells.

use std::collections::BTreeSet;

use stubborn_engine::State;
use stubborn_engine::interpreter::evaluate;
use stubborn_system::footprint::{self, Thing};
use stubborn_system::system::{
    Access, ActionId, ActionPattern, Argument, Binary, Communication, Effect, Expr, InstanceId,
    Place, Step, System, Type, Unary, Value, VariableRef,
};

use super::effects::leaves;

/// The instances, `of` itself among them perhaps, whose steps can enable the step: they write what
/// its guard reads, use its channel, or take part in its action.
pub(super) fn influences(system: &System, of: InstanceId, step: &Step) -> BTreeSet<InstanceId> {
    let mut read: BTreeSet<Thing> = BTreeSet::new();
    if let Some(guard) = &step.guard {
        footprint::things_read(guard, &mut |thing| {
            read.insert(thing);
        });
    }
    let mut action = None;
    match &step.communication {
        Some(Communication::On {
            action: on,
            arguments,
        }) => {
            let values = arguments.iter().map(|argument| match argument {
                Argument::Match(Expr::Const(Value::Int(value))) => Some(*value),
                _ => None,
            });
            action = Some((*on, values.collect::<Vec<_>>()));
        }
        Some(Communication::Send { .. } | Communication::Receive(..)) | None => {}
    }
    for channel in step.channels() {
        footprint::for_channels(channel, &mut |channel| {
            read.insert(Thing::Channel(channel));
        });
    }
    let changes = |instance: InstanceId| {
        let mut any = false;
        for step in &system.instances[instance as usize].steps {
            footprint::of_step(instance, step, &mut |touch| {
                any |= touch.writes && read.contains(&touch.thing);
            });
        }
        any
    };
    (0..system.instances.len() as InstanceId)
        .filter(|other| {
            let alphabet = &system.instances[*other as usize].alphabet;
            let action = action.as_ref();
            let takes_part = action.is_some_and(|(on, values)| matches(alphabet, *on, values));
            *other != of && (takes_part || changes(*other))
        })
        .collect()
}

/// Whether an alphabet has an action with these values, `None` standing for one that is not known.
pub(super) fn matches(
    alphabet: &[ActionPattern],
    action: ActionId,
    values: &[Option<i64>],
) -> bool {
    alphabet.iter().any(|pattern| {
        let agree = |(a, b): (&Option<i64>, &Option<i64>)| match (a, b) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        pattern.action == action && pattern.arguments.iter().zip(values).all(agree)
    })
}

/// Of those that [influence](influences) a step which waits for its guard alone, the ones that could make a difference
/// to it in a state: they can give something a value there for which a number or a truth value in the guard comes out
/// otherwise. Where it waits for more than that, or too much would have to be tried, all of them.
pub(super) fn helpers(
    system: &System,
    state: &State,
    of: InstanceId,
    step: &Step,
) -> BTreeSet<InstanceId> {
    let mut all = influences(system, of, step);
    let takes_part = |other: InstanceId| match &step.communication {
        None => false,
        Some(Communication::On { action, .. }) => {
            let alphabet = &system.instances[other as usize].alphabet;
            alphabet.iter().any(|pattern| pattern.action == *action)
        }
        Some(Communication::Send { .. } | Communication::Receive(..)) => true,
    };
    if let Some(guard) = &step.guard {
        let mut operands = Vec::new();
        operands_of(guard, &mut operands);
        let values = |state: &State| -> Vec<Option<Value>> {
            let values = operands.iter();
            values
                .map(|one| evaluate(system, state, one).ok())
                .collect()
        };
        let asked = Asked {
            state,
            now: values(state),
            values: &values,
        };
        all.retain(|other| {
            let steps = &system.instances[*other as usize].steps;
            takes_part(*other) || steps.iter().any(|step| asked.may_differ_after(step))
        });
    }
    all
}

/// The sides of the comparisons of a condition, and what else it is made of.
fn operands_of<'e>(condition: &'e Expr, found: &mut Vec<&'e Expr>) {
    match condition {
        Expr::All(parts) | Expr::Any(parts) => {
            parts.iter().for_each(|part| operands_of(part, found));
        }
        Expr::Unary(Unary::Not, operand) => operands_of(operand, found),
        Expr::Binary(
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual,
            left,
            right,
        ) => found.extend([&**left, &**right]),
        other => found.push(other),
    }
}

/// So many values of a variable are tried where it is not known what is assigned.
const MOST_TRIED: i64 = 16;

/// A condition in a state.
struct Asked<'a> {
    state: &'a State,
    now: Vec<Option<Value>>,
    values: &'a dyn Fn(&State) -> Vec<Option<Value>>,
}

impl Asked<'_> {
    fn may_differ_after(&self, step: &Step) -> bool {
        let effects = leaves(&step.effects);
        let assigned = effects.into_iter().filter_map(|effect| match effect {
            Effect::Assign { place, value, .. } => Some((place, Some(value))),
            Effect::If(..) | Effect::Assert(_) => None,
        });
        let mut assigned = assigned.chain(step.bound().map(|place| (place, None)));
        assigned.any(|(place, value)| match path_of(place) {
            Some(path) => self.may_differ_with(place.variable, path, &place.ty, value),
            None => true,
        })
    }

    /// Whether it may with a value of this type at the end of a path.
    fn may_differ_with(
        &self,
        variable: VariableRef,
        path: Vec<u32>,
        ty: &Type,
        value: Option<&Expr>,
    ) -> bool {
        let differs = |value: i64| {
            let mut after = self.state.clone();
            match after.part_mut(variable, &path) {
                Some(scalar @ Value::Int(_)) => *scalar = Value::Int(value),
                _ => return true,
            }
            (self.values)(&after) != self.now
        };
        let within = |at: usize| [&path[..], &[at as u32]].concat();
        match (value, ty) {
            (Some(Expr::If(_, then, otherwise)), _) => [then, otherwise]
                .into_iter()
                .any(|one| self.may_differ_with(variable, path.clone(), ty, Some(&**one))),
            (Some(Expr::Const(Value::Int(value))), Type::Scalar { .. }) => differs(*value),
            (_, Type::Scalar { lo, hi }) => {
                hi.saturating_sub(*lo) >= MOST_TRIED || (*lo..=*hi).any(differs)
            }
            (_, Type::Record(fields)) => (0..fields.len()).any(|at| {
                let field = match value {
                    Some(Expr::Cells(cells)) => cells.get(at),
                    _ => None,
                };
                self.may_differ_with(variable, within(at), &fields[at], field)
            }),
            (_, Type::Array { .. }) => true,
        }
    }
}

/// Where a place is in every state.
fn path_of(place: &Place) -> Option<Vec<u32>> {
    let at = |access: &Access| match access {
        Access::Field(field) => Some(*field),
        Access::Cell { lo, index, .. } => match index {
            Expr::Const(Value::Int(index)) => u32::try_from(index.checked_sub(*lo)?).ok(),
            _ => None,
        },
    };
    place.path.iter().map(at).collect()
}
