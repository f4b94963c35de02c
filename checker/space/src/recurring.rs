//! The steps of a recurrence.

use rustc_hash::FxHashSet;
use stubborn_system::property::{StepPattern, StepSet};
use stubborn_system::system::{ActionPattern, InstanceId, LocationId, StepId, System};

use crate::successors::Label;

/// Two sets of steps, `A` and `B`. A recurrence is violated by an execution with infinitely many
/// steps of `A` and finitely many of `B`.
#[derive(Clone)]
pub struct Recurring {
    infinitely: Steps,
    implies: Steps,
}

/// Part that a step may have in a cycle which is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The cycle does not have it.
    Forbidden,
    Allowed,
    /// The cycle has it or another one that is wanted.
    Wanted,
}

/// A set of steps, prepared for searches.
#[derive(Clone)]
struct Steps {
    actions: Vec<ActionPattern>,
    /// For some instances, ascending, whether the set has their steps at each location.
    places: Vec<(InstanceId, Vec<bool>)>,
    /// Steps that the set has wherever they are taken.
    taken: FxHashSet<(InstanceId, StepId)>,
}

impl Recurring {
    pub fn new(system: &System, infinitely: &StepSet, implies: &StepSet) -> Recurring {
        Recurring {
            infinitely: Steps::new(system, infinitely),
            implies: Steps::new(system, implies),
        }
    }

    /// Whether a violating execution takes steps like this one infinitely often.
    #[inline]
    pub fn wants(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> bool {
        self.infinitely.contains(label, at) && self.allows(label, at)
    }

    /// Returns the part that a step may have in a cycle of a violating execution.
    pub fn step(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> Step {
        match self.allows(label, at) {
            false => Step::Forbidden,
            true if self.infinitely.contains(label, at) => Step::Wanted,
            true => Step::Allowed,
        }
    }

    /// Whether a recurrence depends on how often the step is taken.
    #[inline]
    pub fn is_visible(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> bool {
        self.infinitely.contains(label, at) || self.implies.contains(label, at)
    }

    /// Whether a violating execution may take the step infinitely often.
    #[inline]
    pub fn allows(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> bool {
        !self.implies.contains(label, at)
    }
}

impl Steps {
    fn new(system: &System, set: &StepSet) -> Steps {
        let mut steps = Steps {
            actions: Vec::new(),
            places: Vec::new(),
            taken: FxHashSet::default(),
        };
        for pattern in &set.patterns {
            match pattern {
                StepPattern::Action(pattern) => steps.actions.push(pattern.clone()),
                StepPattern::At(instance, locations) => {
                    let place = steps.places.binary_search_by_key(instance, |(i, _)| *i);
                    let place = place.unwrap_or_else(|place| {
                        let count = system.instances[*instance as usize].locations.len();
                        steps.places.insert(place, (*instance, vec![false; count]));
                        place
                    });
                    for location in locations {
                        steps.places[place].1[*location as usize] = true;
                    }
                }
                StepPattern::Taken(instance, taken) => {
                    let of_instance = taken.iter().map(|step| (*instance, *step));
                    steps.taken.extend(of_instance);
                }
            }
        }
        steps
    }

    fn contains(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> bool {
        let of_action = label.action.is_some_and(|(action, values)| {
            let is_it =
                |pattern: &ActionPattern| pattern.action == action && has_values(pattern, values);
            self.actions.iter().any(is_it)
        });
        let is_place = |(instance, _): &(InstanceId, _)| {
            let place = self.places.binary_search_by_key(instance, |(i, _)| *i);
            place.is_ok_and(|place| self.places[place].1[at(*instance) as usize])
        };
        of_action
            || !self.places.is_empty() && label.participants.iter().any(is_place)
            || !self.taken.is_empty() && label.participants.iter().any(|it| self.taken.contains(it))
    }
}

/// Whether a joint step of the pattern's action with these values matches the pattern.
#[inline]
pub fn has_values(pattern: &ActionPattern, values: &[i64]) -> bool {
    let mut pairs = pattern.arguments.iter().zip(values);
    pairs.all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
}
