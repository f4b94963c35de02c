//! Variables that always have the value that they had at first.
//!
//! The usual propagation of constants (G. A. Kildall, "A Unified Approach to Global Program Optimization",
//! POPL 1973), which begins with the hope that all variables are constant and gives up those that a step
//! may give another value, until no more have to be given up (M. N. Wegman and F. K. Zadeck, "Constant
//! Propagation with Conditional Branches", TOPLAS 13, 1991: a step counts only if its guard may be true, and
//! a branch if its condition may, where what is still hoped for is so).
//!
//! What is left at the end is so in every reachable state, by induction on the steps to it: each step to
//! which that much applies gives a constant, if it gives it any value, the value that it has. So nothing
//! changes when the type of a constant is that one value: a state has no bits for it, and whatever reads it
//! is worked out. Its assignments go; they cannot fail.

use super::bounds::{Bounds, Constants, Ranges};
use super::own_values::is_surely;
use crate::system::{Effect, Step, System, Type, Value, Variable, VariableRef};

/// So often all steps are gone through before all hope is given up: each time something is.
const MOST_ROUNDS: usize = 16;

/// Makes one value the type of each scalar that never has another, and gives how many there are. Costs time in
/// proportion to the System. There are none once `goes_on`, which is asked for each instance, does not.
pub(super) fn with_constants(system: &mut System, goes_on: &mut dyn FnMut() -> bool) -> usize {
    let constants = constants(system, goes_on);
    if constants.is_empty() {
        return 0;
    }
    let narrow = |variable: &mut Variable, number: VariableRef| {
        if let Some(&value) = constants.get(&number) {
            variable.ty = Type::scalar(value, value);
        }
    };
    for (variable, number) in system.variables.iter_mut().zip(0..) {
        narrow(variable, VariableRef::Shared(number));
    }
    for (instance, i) in system.instances.iter_mut().zip(0..) {
        for (variable, number) in instance.locals.iter_mut().zip(0..) {
            narrow(variable, VariableRef::Local(i, number));
        }
        for step in &mut instance.steps {
            let old = std::mem::take(&mut step.effects);
            step.effects = without(old, &constants);
        }
    }
    constants.len()
}

/// The effects but for assignments to constants.
fn without(effects: Vec<Effect>, constants: &Constants) -> Vec<Effect> {
    let left = effects.into_iter().filter_map(|effect| match effect {
        Effect::Assign { place, .. } if constants.contains_key(&place.variable) => None,
        Effect::If(condition, then, otherwise) => Some(Effect::If(
            condition,
            without(then, constants),
            without(otherwise, constants),
        )),
        effect => Some(effect),
    });
    left.collect()
}

fn constants(system: &System, goes_on: &mut dyn FnMut() -> bool) -> Constants {
    let mut constants = Constants::new();
    let mut hope = |variable: &Variable, number| {
        if let (Type::Scalar { lo, hi }, Value::Int(value)) = (&variable.ty, &variable.initial)
            && lo < hi
        {
            constants.insert(number, *value);
        }
    };
    for (variable, number) in system.variables.iter().zip(0..) {
        hope(variable, VariableRef::Shared(number));
    }
    for (instance, i) in system.instances.iter().zip(0..) {
        for (variable, number) in instance.locals.iter().zip(0..) {
            hope(variable, VariableRef::Local(i, number));
        }
    }
    for _ in 0..MOST_ROUNDS {
        let mut given_up = Vec::new();
        for instance in &system.instances {
            if !goes_on() {
                return Constants::new();
            }
            let listed = instance
                .locations
                .iter()
                .flat_map(|location| &location.steps);
            for &step in listed {
                let step = &instance.steps[step as usize];
                let taking = Taking {
                    ranges: Ranges {
                        system,
                        choices: &step.choices,
                        known: None,
                        constants: Some(&constants),
                    },
                    constants: &constants,
                };
                taking.step(step, &mut |variable| given_up.push(variable));
            }
        }
        if given_up.is_empty() {
            return constants;
        }
        for variable in given_up {
            constants.remove(&variable);
        }
    }
    Constants::new()
}

struct Taking<'a> {
    ranges: Ranges<'a>,
    constants: &'a Constants,
}

impl Taking<'_> {
    /// Calls with the variables that may have another value behind the step.
    fn step(&self, step: &Step, then: &mut dyn FnMut(VariableRef)) {
        for place in step.bound() {
            if self.constants.contains_key(&place.variable) {
                then(place.variable);
            }
        }
        let mut changed = Vec::new();
        self.effects(&step.effects, &mut |variable| changed.push(variable));
        // Guards may be large, and few steps come so far.
        let is_never = |guard| is_surely(&self.ranges, guard, false);
        if !changed.is_empty() && !step.guard.as_ref().is_some_and(is_never) {
            changed.into_iter().for_each(then);
        }
    }

    fn effects(&self, effects: &[Effect], then: &mut dyn FnMut(VariableRef)) {
        for effect in effects {
            match effect {
                Effect::Assign { place, value, ty } => {
                    let Some(&constant) = self.constants.get(&place.variable) else {
                        continue;
                    };
                    let is_it = |value: Bounds| {
                        let same = Bounds::Scalar {
                            lo: constant,
                            hi: constant,
                        };
                        value == same && value.are_in(ty)
                    };
                    if !self.ranges.of(value).is_some_and(is_it) {
                        then(place.variable);
                    }
                }
                Effect::If(condition, yes, no) => {
                    if !is_surely(&self.ranges, condition, false) {
                        self.effects(yes, then);
                    }
                    if !is_surely(&self.ranges, condition, true) {
                        self.effects(no, then);
                    }
                }
                Effect::Assert(_) => {}
            }
        }
    }
}
