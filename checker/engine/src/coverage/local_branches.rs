//! The `if`s among the effects of a step that the local state of its instance decides: its location
//! and what no other instance assigns to, with what the step itself has chosen.

use rustc_hash::FxHashSet;
use stubborn_system::footprint::{Thing, things_read};
use stubborn_system::system::{Effect, Expr, InstanceId, Step, VariableRef};
use stubborn_system::walk::for_expressions;

use super::writers::Writers;

/// Whether it decides each `if` of a step. An instance that takes such a step twice in the same
/// local state takes the same branches, unless it fails.
pub fn local_branches(writers: &Writers, number: InstanceId, step: &Step) -> Vec<bool> {
    let mut deciding = Deciding {
        writers,
        number,
        // Received from other instances.
        foreign: step.bound().map(|place| place.variable).collect(),
        own: Vec::new(),
    };
    deciding.effects(&step.effects, true);
    deciding.own
}

struct Deciding<'a> {
    writers: &'a Writers,
    number: InstanceId,
    /// Variables to which the step has assigned values that depend on other instances.
    foreign: FxHashSet<VariableRef>,
    own: Vec<bool>,
}

impl Deciding<'_> {
    fn is_own(&self, expr: &Expr) -> bool {
        let mut is_own = true;
        things_read(expr, &mut |thing| {
            is_own &= match thing {
                Thing::Variable(variable) => {
                    let is_own = self.writers.is_own(self.number, variable);
                    is_own && !self.foreign.contains(&variable)
                }
                Thing::Instance(instance) => instance == self.number,
                Thing::Channel(_) => false,
            };
        });
        is_own
    }

    /// `decided` says whether the local state decides that these are reached.
    fn effects(&mut self, effects: &[Effect], decided: bool) {
        for effect in effects {
            match effect {
                Effect::If(condition, then, otherwise) => {
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
                // The branches of a step that fails stay unknown.
                Effect::Assert(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::{
        Argument, Communication, Instance, Place, System, Target, Type, Value,
    };

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
        Effect::If(condition, then, vec![])
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

    /// Whether the first of two instances decides each of its tests; the second assigns to the
    /// shared variable.
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
        local_branches(&Writers::of(&system), 0, &system.instances[0].steps[0])
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
