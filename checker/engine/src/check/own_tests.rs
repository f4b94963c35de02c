//! Which `if`s among the effects of a step are decided by the local state of its instance: by where it is and what
//! nobody else assigns to, with what the step itself has chosen.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_system::footprint::{Thing, of_step, things_read};
use stubborn_system::system::{Effect, Expr, InstanceId, Step, System, VariableRef};
use stubborn_system::walk::for_expressions;

/// Of each step of each instance, of each `if` among its effects, whether it is. An instance that comes to such a step
/// twice in the same local state goes into the same branches, unless it fails.
pub fn own_tests(system: &System) -> Vec<Vec<Vec<bool>>> {
    let writers = Writers::of(system);
    let instances = system.instances.iter().zip(0..);
    instances
        .map(|(instance, number)| {
            let steps = instance.steps.iter();
            steps.map(|step| of_one(&writers, number, step)).collect()
        })
        .collect()
}

fn of_one(writers: &Writers, number: InstanceId, step: &Step) -> Vec<bool> {
    let mut deciding = Deciding {
        writers,
        number,
        // What others have sent or given.
        foreign: step.bound().map(|place| place.variable).collect(),
        own: Vec::new(),
    };
    deciding.effects(&step.effects, true);
    deciding.own
}

/// Who assigns to each variable: one instance, or several.
struct Writers(FxHashMap<VariableRef, Option<InstanceId>>);

impl Writers {
    fn of(system: &System) -> Writers {
        let mut all: FxHashMap<VariableRef, Option<InstanceId>> = FxHashMap::default();
        for (instance, number) in system.instances.iter().zip(0..) {
            for step in &instance.steps {
                of_step(number, step, &mut |touch| {
                    if let (true, Thing::Variable(variable)) = (touch.writes, touch.thing) {
                        let writer = all.entry(variable).or_insert(Some(number));
                        *writer = writer.filter(|writer| *writer == number);
                    }
                });
            }
        }
        Writers(all)
    }

    fn is_own(&self, number: InstanceId, thing: Thing) -> bool {
        match thing {
            Thing::Variable(variable) => {
                let writer = self.0.get(&variable);
                writer.is_none_or(|writer| *writer == Some(number))
            }
            Thing::Instance(instance) => instance == number,
            Thing::Channel(_) => false,
        }
    }
}

struct Deciding<'a> {
    writers: &'a Writers,
    number: InstanceId,
    /// The variables that the step has given values which depend on others.
    foreign: FxHashSet<VariableRef>,
    own: Vec<bool>,
}

impl Deciding<'_> {
    fn is_own(&self, expr: &Expr) -> bool {
        let mut is_own = true;
        things_read(expr, &mut |thing| {
            is_own &= self.writers.is_own(self.number, thing);
            if let Thing::Variable(variable) = thing {
                is_own &= !self.foreign.contains(&variable);
            }
        });
        is_own
    }

    /// `decided` says whether it depends on nobody else that these are come to.
    fn effects(&mut self, effects: &[Effect], decided: bool) {
        for effect in effects {
            match effect {
                Effect::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let decided = decided && self.is_own(condition);
                    self.own.push(decided);
                    self.effects(then, decided);
                    self.effects(otherwise, decided);
                }
                Effect::Assign { place, .. } => {
                    let mut is_own = decided;
                    for_expressions(effect, &mut |expr| is_own &= self.is_own(expr));
                    if !is_own {
                        self.foreign.insert(place.variable);
                    }
                }
                // Where it fails nothing is told of the step.
                Effect::Assert(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::{Argument, Communication, Instance, Place, Target, Type, Value};

    use super::*;

    const MINE: VariableRef = VariableRef::Local(0, 0);
    const OTHER: VariableRef = VariableRef::Local(0, 1);
    const SHARED: VariableRef = VariableRef::Shared(0);

    fn assign(variable: VariableRef, value: Expr) -> Effect {
        Effect::Assign {
            place: place(variable),
            ty: Type::BOOL,
            value,
        }
    }

    fn place(variable: VariableRef) -> Place {
        Place {
            variable,
            path: vec![],
            ty: Type::BOOL,
        }
    }

    fn read(variable: VariableRef) -> Expr {
        Expr::Variable(variable)
    }

    fn test(condition: Expr, then: Vec<Effect>) -> Effect {
        Effect::If {
            condition,
            then,
            otherwise: vec![],
        }
    }

    fn step(effects: Vec<Effect>) -> Step {
        Step {
            communication: None,
            guard: None,
            choices: vec![],
            effects,
            target: Target::To(0),
        }
    }

    /// Of the first of two instances, which of its tests are decided by itself; the second assigns to the shared
    /// variable.
    fn own(step_of_first: Step) -> Vec<bool> {
        let of = |step| Instance {
            process: 0,
            locals: vec![],
            steps: vec![step],
            locations: vec![],
            initial: 0,
            alphabet: vec![],
        };
        let second = step(vec![assign(SHARED, Expr::Const(Value::Int(1)))]);
        let system = System {
            instances: vec![of(step_of_first), of(second)],
            ..System::default()
        };
        own_tests(&system)[0][0].clone()
    }

    #[test]
    fn what_nobody_else_assigns_to_decides_and_what_another_does_not() {
        let tests = [MINE, SHARED].map(|one| test(read(one), vec![]));
        assert_eq!(own(step(tests.to_vec())), [true, false]);
    }

    #[test]
    fn a_value_that_was_taken_from_others_is_theirs() {
        let tests = || [MINE, OTHER].map(|one| test(read(one), vec![]));
        let mut taking = vec![assign(MINE, read(SHARED))];
        taking.extend(tests());
        assert_eq!(own(step(taking)), [false, true]);
        let received = Step {
            communication: Some(Communication::On {
                action: 0,
                arguments: vec![Argument::Bind(place(OTHER))],
            }),
            ..step(tests().to_vec())
        };
        assert_eq!(own(received), [true, false]);
    }

    #[test]
    fn what_depends_on_others_by_what_is_around_it_is_theirs_too() {
        let inside = test(
            read(SHARED),
            vec![
                test(read(MINE), vec![]),
                assign(OTHER, Expr::Const(Value::Int(1))),
            ],
        );
        let effects = vec![inside, test(read(OTHER), vec![]), test(read(MINE), vec![])];
        assert_eq!(own(step(effects)), [false, false, false, true]);
    }
}
