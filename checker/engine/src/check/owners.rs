//! Which shared variables have no part that two instances assign to.

use stubborn_system::footprint::{Part, of_place};
use stubborn_system::system::{
    Argument, Communication, Effect, InstanceId, Place, Step, System, Type, VariableRef,
};

use crate::seen::scalars;

/// A part of more scalars than this counts as the whole variable.
const MOST_AT_ONCE: usize = 64;

/// Who assigns to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writer {
    Nobody,
    One(InstanceId),
    Several,
}

impl Writer {
    fn and(self, other: Writer) -> Writer {
        match (self, other) {
            (Writer::Nobody, one) | (one, Writer::Nobody) => one,
            (one, other) if one == other => one,
            _ => Writer::Several,
        }
    }
}

/// The writers of one variable.
struct Writers {
    /// Of all of it, or of a part that is not known.
    whole: Writer,
    scalars: Vec<Writer>,
}

/// Of each shared variable whether every scalar of it is assigned to by one instance at the most; of one
/// with more than `most` scalars it is said that it is not so.
pub fn owned(system: &System, most: usize) -> Vec<bool> {
    let all = system.variables.iter();
    let mut all: Vec<Writers> = all
        .map(|variable| match scalars(&variable.ty) {
            count if count <= most => Writers {
                whole: Writer::Nobody,
                scalars: vec![Writer::Nobody; count],
            },
            _ => Writers {
                whole: Writer::Several,
                scalars: Vec::new(),
            },
        })
        .collect();
    for (instance, number) in system.instances.iter().zip(0..) {
        for step in &instance.steps {
            for_places(step, &mut |place| {
                if let VariableRef::Shared(variable) = place.variable {
                    let ty = &system.variables[variable as usize].ty;
                    let part = part(ty, &of_place(place).path);
                    all[variable as usize].add(number, part);
                }
            });
        }
    }
    all.iter().map(Writers::is_owned).collect()
}

/// Calls with all places that the step may assign to.
fn for_places<'s>(step: &'s Step, then: &mut dyn FnMut(&'s Place)) {
    if let Some(Communication::On { arguments, .. } | Communication::Receive { arguments, .. }) =
        &step.communication
    {
        for argument in arguments {
            if let Argument::Bind(place) = argument {
                then(place);
            }
        }
    }
    of_effects(&step.effects, then);
}

fn of_effects<'s>(effects: &'s [Effect], then: &mut dyn FnMut(&'s Place)) {
    for effect in effects {
        match effect {
            Effect::Assign { place, .. } => then(place),
            Effect::If {
                then: one,
                otherwise,
                ..
            } => {
                of_effects(one, then);
                of_effects(otherwise, then);
            }
            Effect::Assert(_) => {}
        }
    }
}

impl Writers {
    fn add(&mut self, by: InstanceId, part: Option<(usize, usize)>) {
        let by = Writer::One(by);
        let of_part = part.filter(|(_, count)| *count <= MOST_AT_ONCE);
        match of_part.and_then(|(first, count)| self.scalars.get_mut(first..first + count)) {
            Some(scalars) => scalars.iter_mut().for_each(|one| *one = one.and(by)),
            None => self.whole = self.whole.and(by),
        }
    }

    fn is_owned(&self) -> bool {
        let mut scalars = self.scalars.iter();
        self.whole != Writer::Several
            && scalars.all(|writer| writer.and(self.whole) != Writer::Several)
    }
}

/// Where a part begins and how many scalars it has, if that is known.
fn part(ty: &Type, path: &[Part]) -> Option<(usize, usize)> {
    let mut ty = ty;
    let mut first = 0;
    for step in path {
        match (ty, step) {
            (Type::Record(fields), Part::Field(field)) => {
                let before = fields.get(..*field as usize)?;
                first += before.iter().map(scalars).sum::<usize>();
                ty = fields.get(*field as usize)?;
            }
            (Type::Array { lo, len, cell }, Part::Cell(Some(index))) => {
                let at = u32::try_from(index.checked_sub(*lo)?).ok()?;
                if at >= *len {
                    return None;
                }
                first += at as usize * scalars(cell);
                ty = cell;
            }
            _ => return None,
        }
    }
    Some((first, scalars(ty)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use stubborn_system::system::{Access, Expr, Instance, Target, Value, Variable};

    use super::*;

    fn assign(index: Expr) -> Step {
        let place = Place {
            variable: VariableRef::Shared(0),
            path: vec![Access::Cell {
                lo: 1,
                len: 2,
                index,
            }],
            ty: Type::BOOL,
        };
        Step {
            communication: None,
            guard: None,
            choices: vec![],
            effects: vec![Effect::Assign {
                place,
                ty: Type::BOOL,
                value: Expr::Const(Value::Int(1)),
            }],
            target: Target::To(0),
        }
    }

    /// Whether the cells of an array of two have one owner each, where the first instance assigns to
    /// the first cell and the second to this one.
    fn is_owned(second: Expr) -> bool {
        let ty = Type::Array {
            lo: 1,
            len: 2,
            cell: Arc::new(Type::BOOL),
        };
        let instance = |step| Instance {
            process: 0,
            locals: vec![],
            steps: vec![step],
            locations: vec![],
            initial: 0,
            alphabet: vec![],
        };
        let system = System {
            variables: vec![Variable {
                initial: ty.least(),
                ty,
            }],
            instances: vec![instance(assign(number(1))), instance(assign(second))],
            ..System::default()
        };
        let owned = owned(&system, 2);
        assert_eq!(super::owned(&system, 1), [false]);
        owned[0]
    }

    fn number(value: i64) -> Expr {
        Expr::Const(Value::Int(value))
    }

    #[test]
    fn a_variable_is_owned_where_nobody_assigns_to_what_another_assigns_to() {
        assert!(is_owned(number(2)));
        assert!(!is_owned(number(1)));
        // Which cell it is is not known.
        assert!(!is_owned(Expr::Variable(VariableRef::Shared(1))));
    }
}
