//! Into which branches of their effects steps go, as the reference interpreter takes them: each branch first says so
//! in a variable of its own.

use std::collections::BTreeMap;

use stubborn_engine::State;
use stubborn_engine::coverage::Taken;
use stubborn_engine::interpreter::steps;
use stubborn_system::system::{
    Effect, Expr, Place, System, Type, Value, Variable, VariableIndex, VariableRef,
};

/// A system whose branches tell that they are gone into.
pub struct Witness {
    system: System,
    /// How many shared variables the system itself has.
    own: usize,
    /// Of each `if` its instance, its step, and its number there, in the order of the variables; each has two.
    tests: Vec<(u32, u32, u32)>,
    pub gone: BTreeMap<(u32, u32, u32), Taken>,
}

impl Witness {
    pub fn of(system: &System) -> Witness {
        let mut witness = Witness {
            system: system.clone(),
            own: system.variables.len(),
            tests: Vec::new(),
            gone: BTreeMap::new(),
        };
        let mut instances = std::mem::take(&mut witness.system.instances);
        for (instance, who) in instances.iter_mut().zip(0..) {
            for (step, at) in instance.steps.iter_mut().zip(0..) {
                let mut next = 0;
                witness.tell((who, at), &mut step.effects, &mut next);
            }
        }
        witness.system.instances = instances;
        witness
    }

    fn tell(&mut self, step: (u32, u32), effects: &mut [Effect], next: &mut u32) {
        for effect in effects {
            let Effect::If(_, then, otherwise) = effect else {
                continue;
            };
            let test = (step.0, step.1, *next);
            *next += 1;
            self.tests.push(test);
            self.gone.insert(test, Taken::default());
            let first = self.variable();
            let second = self.variable();
            self.tell(step, then, next);
            self.tell(step, otherwise, next);
            then.insert(0, first);
            otherwise.insert(0, second);
        }
    }

    /// The effect that says it, in a new variable.
    fn variable(&mut self) -> Effect {
        let number = self.system.variables.len() as VariableIndex;
        self.system.variables.push(Variable {
            ty: Type::BOOL,
            initial: Value::Int(0),
        });
        Effect::Assign {
            place: Place {
                variable: VariableRef::Shared(number),
                path: vec![],
                ty: Type::BOOL,
            },
            ty: Type::BOOL,
            value: Expr::Const(Value::Int(1)),
        }
    }

    /// Takes all steps of a state of the system.
    pub fn look_at(&mut self, state: &State) {
        if self.tests.is_empty() {
            return;
        }
        let mut state = state.clone();
        let many = self.system.variables.len();
        state.shared.resize(many, Value::Int(0));
        for step in steps(&self.system, &state) {
            let Ok(next) = &step.outcome else { continue };
            let told = next.shared[self.own..].chunks_exact(2);
            for (test, told) in self.tests.iter().zip(told) {
                let gone = self.gone.entry(*test).or_default();
                gone.then |= told[0] == Value::Int(1);
                gone.otherwise |= told[1] == Value::Int(1);
            }
        }
    }
}
