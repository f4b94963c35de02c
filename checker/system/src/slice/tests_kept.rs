//! Which `if`s among the effects of a step are in a slice: what is known of their branches is known by their numbers
//! ([`for_tests`](crate::walk::for_tests)).

use super::bounds::Ranges;
use super::stays::Cone;
use super::translate::Slice;
use crate::system::{Effect, Step, System, VariableRef};

impl Cone {
    /// By their numbers in the slice, the numbers that they have in the step of the whole System.
    pub fn tests_kept(&self, system: &System, step: &Step) -> Vec<u32> {
        kept(system, step, &|variable| self.has(variable))
    }
}

impl Slice {
    /// The same of the slice. What makes it simpler leaves all of them, and behind those that a step has there may
    /// be more, which are none of the text's.
    pub fn tests_kept(&self, system: &System, step: &Step) -> Vec<u32> {
        kept(system, step, &|variable| match variable {
            VariableRef::Shared(shared) => self.variables.binary_search(&shared).is_ok(),
            VariableRef::Local(instance, local) => {
                let at = self.instances.binary_search(&instance);
                at.is_ok_and(|at| self.locals[at].binary_search(&local).is_ok())
            }
        })
    }
}

fn kept(system: &System, step: &Step, has: &dyn Fn(VariableRef) -> bool) -> Vec<u32> {
    let mut keeping = Keeping {
        has,
        ranges: Ranges::of_types(system, &step.choices),
        next: 0,
        kept: Vec::new(),
    };
    keeping.effects(&step.effects);
    keeping.kept
}

struct Keeping<'a> {
    has: &'a dyn Fn(VariableRef) -> bool,
    ranges: Ranges<'a>,
    next: u32,
    kept: Vec<u32>,
}

impl Keeping<'_> {
    /// Whether any of the effects stay.
    fn effects(&mut self, effects: &[Effect]) -> bool {
        let mut any = false;
        for effect in effects {
            any |= match effect {
                Effect::Assign { place, .. } => (self.has)(place.variable),
                Effect::Assert(_) => true,
                Effect::If(condition, then, otherwise) => {
                    let before = self.kept.len();
                    self.kept.push(self.next);
                    self.next += 1;
                    let does_something = self.effects(then) | self.effects(otherwise);
                    let stays = does_something || !self.ranges.cannot_fail(condition);
                    if !stays {
                        self.kept.truncate(before);
                    }
                    stays
                }
            };
        }
        any
    }
}
