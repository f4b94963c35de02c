//! Instances that assign to each variable.

use rustc_hash::FxHashMap;
use stubborn_system::footprint::{Part, Thing, of_step};
use stubborn_system::system::{InstanceId, System, Type, VariableIndex, VariableRef};

use super::{MOST_SCALARS, scalars};

/// A part of more scalars than this counts as the whole variable.
const MOST_AT_ONCE: usize = 64;

/// Instances that assign to something: one, or several (`None`).
type Writer = Option<InstanceId>;

/// Instances that assign to each variable to which one does.
pub struct Writers(FxHashMap<VariableRef, OfVariable>);

struct OfVariable {
    /// Of any part of it.
    any: Writer,
    /// Of all of it, or of a part that is not known, if there are any.
    whole: Option<Writer>,
    /// Of parts by their scalars, if there are any; of a shared variable without too many.
    scalars: Vec<Option<Writer>>,
}

impl Writers {
    /// Costs memory in proportion to the scalars of the System.
    pub fn of(system: &System) -> Writers {
        let mut all: FxHashMap<VariableRef, OfVariable> = FxHashMap::default();
        for (instance, number) in system.instances.iter().zip(0..) {
            for step in &instance.steps {
                of_step(number, step, &mut |touch| {
                    let (true, Thing::Variable(variable)) = (touch.writes, touch.thing) else {
                        return;
                    };
                    let ty = match variable {
                        VariableRef::Shared(shared) => Some(&system.variables[shared as usize].ty),
                        VariableRef::Local(..) => None,
                    };
                    let ty = ty.filter(|ty| scalars(ty) <= MOST_SCALARS);
                    let of = all.entry(variable).or_insert_with(|| OfVariable {
                        any: Some(number),
                        whole: None,
                        scalars: vec![None; ty.map_or(0, scalars)],
                    });
                    of.add(number, ty.and_then(|ty| part(ty, &touch.path)));
                });
            }
        }
        Writers(all)
    }

    /// Whether no other instance assigns to any part of a variable.
    pub fn is_own(&self, instance: InstanceId, variable: VariableRef) -> bool {
        let of = self.0.get(&variable);
        of.is_none_or(|of| of.any == Some(instance))
    }

    /// Whether no two instances assign to one scalar of a shared variable, as far as that is known.
    pub fn is_owned(&self, shared: VariableIndex) -> bool {
        let of = self.0.get(&VariableRef::Shared(shared));
        of.is_none_or(OfVariable::is_owned)
    }
}

impl OfVariable {
    fn add(&mut self, by: InstanceId, part: Option<(usize, usize)>) {
        let add = |known: &mut Option<Writer>| {
            *known = Some(known.map_or(Some(by), |one| one.filter(|one| *one == by)));
        };
        self.any = self.any.filter(|one| *one == by);
        let of_part = part.filter(|(_, count)| *count <= MOST_AT_ONCE);
        match of_part.and_then(|(first, count)| self.scalars.get_mut(first..first + count)) {
            Some(scalars) => scalars.iter_mut().for_each(add),
            None => add(&mut self.whole),
        }
    }

    fn is_owned(&self) -> bool {
        let mut scalars = self.scalars.iter().flatten();
        let is_of_one =
            |writer: &Writer| writer.is_some() && self.whole.is_none_or(|whole| whole == *writer);
        self.whole != Some(None) && scalars.all(is_of_one)
    }
}

/// First scalar of a part and the number of its scalars, if that is known.
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

    /// Whether the cells of an array of two have one owner each, if the first instance assigns to the
    /// first cell and the second to this one.
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
        Writers::of(&system).is_owned(0)
    }

    fn number(value: i64) -> Expr {
        Expr::Const(Value::Int(value))
    }

    #[test]
    fn a_variable_is_owned_if_no_two_instances_assign_to_one_part() {
        assert!(is_owned(number(2)));
        assert!(!is_owned(number(1)));
        // The cell is not known.
        assert!(!is_owned(Expr::Variable(VariableRef::Shared(1))));
    }
}
