//! Instances that assign to each variable.

use rustc_hash::FxHashMap;
use stubborn_system::footprint::{Thing, Touch, of_step};
use stubborn_system::system::{InstanceId, System, VariableRef};

/// The parts of each variable that are assigned to, and by which instance; `None` if by several.
pub struct Writers(FxHashMap<VariableRef, FxHashMap<Touch, Option<InstanceId>>>);

impl Writers {
    pub fn of(system: &System) -> Writers {
        let mut all = Writers(FxHashMap::default());
        for (instance, number) in system.instances.iter().zip(0..) {
            for step in &instance.steps {
                of_step(number, step, &mut |touch| {
                    if let (true, Thing::Variable(variable)) = (touch.writes, touch.thing) {
                        let parts = all.0.entry(variable).or_default();
                        let writer = parts.entry(touch).or_insert(Some(number));
                        *writer = writer.filter(|writer| *writer == number);
                    }
                });
            }
        }
        all
    }

    /// Whether no other instance assigns to any part of a variable.
    pub fn is_own(&self, instance: InstanceId, variable: VariableRef) -> bool {
        let mut parts = self.0.get(&variable).into_iter().flatten();
        parts.all(|(_, writer)| *writer == Some(instance))
    }

    /// Whether no two instances assign to one scalar of a variable, as far as indices are constant.
    /// Costs time in proportion to the square of its parts.
    pub fn is_owned(&self, variable: VariableRef) -> bool {
        let parts = self.0.get(&variable).into_iter().flatten();
        let parts: Vec<(&Touch, &Option<InstanceId>)> = parts.collect();
        parts.iter().enumerate().all(|(at, (part, writer))| {
            let mut others = parts[..at].iter();
            writer.is_some() && others.all(|(other, of)| of == writer || !other.meets(part))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use stubborn_system::system::{
        Access, Effect, Expr, Instance, Place, Step, Target, Type, Value, Variable,
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

    /// Whether the cells of an array of two have one owner each, if the first instance assigns to
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
        Writers::of(&system).is_owned(VariableRef::Shared(0))
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
