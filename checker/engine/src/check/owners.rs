//! Which shared variables have no part that two instances assign to.

use stubborn_system::footprint::{Part, Thing, of_step};
use stubborn_system::system::{InstanceId, System, Type, VariableRef};

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

/// Of each shared variable whether every scalar of it is assigned to by one instance at the most; of those
/// that nobody asks about it is said that it is not so. Costs memory in proportion to the scalars of the
/// others.
pub fn owned(system: &System, asked: impl Iterator<Item = bool>) -> Vec<bool> {
    let all = system.variables.iter().zip(asked);
    let mut all: Vec<Writers> = all
        .map(|(variable, is_asked)| match is_asked {
            true => Writers {
                whole: Writer::Nobody,
                scalars: vec![Writer::Nobody; scalars(&variable.ty)],
            },
            false => Writers {
                whole: Writer::Several,
                scalars: Vec::new(),
            },
        })
        .collect();
    for (instance, number) in system.instances.iter().zip(0..) {
        for step in &instance.steps {
            of_step(number, step, &mut |touch| {
                if let (true, Thing::Variable(VariableRef::Shared(variable))) =
                    (touch.writes, touch.thing)
                {
                    let ty = &system.variables[variable as usize].ty;
                    all[variable as usize].add(number, part(ty, &touch.path));
                }
            });
        }
    }
    all.iter().map(Writers::is_owned).collect()
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

    use stubborn_system::system::{
        Access, Effect, Expr, Instance, Place, Step, Target, Value, Variable,
    };

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
        let of = |is_asked| owned(&system, [is_asked].into_iter())[0];
        assert!(!of(false));
        of(true)
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
