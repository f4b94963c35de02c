//! The steps that a recurrence speaks of.

use stubborn_system::property::{StepPattern, StepSet};
use stubborn_system::system::{ActionPattern, InstanceId, LocationId, System};

use crate::successors::Label;

/// The steps of two sets, `A` and `B`: is there an execution with infinitely many of `A`, but not
/// of `B`?
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

/// A set of steps, as a search can ask for it.
#[derive(Clone)]
struct Steps {
    actions: Vec<ActionPattern>,
    /// For some instances, ascending, whether all that they take at a location is meant.
    places: Vec<(InstanceId, Vec<bool>)>,
}

impl Recurring {
    pub fn new(system: &System, infinitely: &StepSet, implies: &StepSet) -> Recurring {
        Recurring {
            infinitely: Steps::new(system, infinitely),
            implies: Steps::new(system, implies),
        }
    }

    /// Whether a step is one that the execution takes infinitely often.
    #[inline]
    pub fn wants(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> bool {
        self.infinitely.contains(label, at) && self.allows(label, at)
    }

    /// Classifies a step for the search for a cycle.
    pub fn step(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> Step {
        match self.allows(label, at) {
            false => Step::Forbidden,
            true if self.infinitely.contains(label, at) => Step::Wanted,
            true => Step::Allowed,
        }
    }

    /// Whether it matters to the question how often the step is taken.
    #[inline]
    pub fn is_visible(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId) -> bool {
        self.infinitely.contains(label, at) || self.implies.contains(label, at)
    }

    /// Whether the execution may take the step infinitely often.
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
        of_action || !self.places.is_empty() && label.participants.iter().any(is_place)
    }
}

/// Whether a joint step of the pattern's action with these values is one of it.
#[inline]
pub fn has_values(pattern: &ActionPattern, values: &[i64]) -> bool {
    let mut pairs = pattern.arguments.iter().zip(values);
    pairs.all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
}
