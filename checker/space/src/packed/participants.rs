//! Who takes part in an action.

use rustc_hash::FxHashMap;
use stubborn_system::system::{InstanceId, Range, System};

/// The alphabets, seen from one action.
pub struct Participants {
    pub ranges: Box<[Range]>,
    /// The instances that take part whatever the values are, ascending.
    always: Vec<InstanceId>,
    /// For each set of arguments that a pattern fixes.
    masks: Vec<Mask>,
}

struct Mask {
    fixed: Vec<usize>,
    /// For each combination of values of these arguments, the instances, ascending.
    instances: FxHashMap<Vec<i64>, Vec<InstanceId>>,
}

impl Participants {
    /// For each action.
    pub fn of_system(system: &System) -> Vec<Participants> {
        let actions = system.actions.iter();
        let mut all: Vec<Participants> = actions
            .map(|action| Participants {
                ranges: action.arguments.clone().into(),
                always: Vec::new(),
                masks: Vec::new(),
            })
            .collect();
        for (instance, body) in system.instances.iter().enumerate() {
            for pattern in &body.alphabet {
                let action = &mut all[pattern.action as usize];
                action.add(instance as InstanceId, &pattern.arguments);
            }
        }
        all
    }

    fn add(&mut self, instance: InstanceId, arguments: &[Option<i64>]) {
        let fixed: Vec<usize> = (0..arguments.len())
            .filter(|at| arguments[*at].is_some())
            .collect();
        let instances = if fixed.is_empty() {
            &mut self.always
        } else {
            let at = self.masks.iter().position(|mask| mask.fixed == fixed);
            let at = at.unwrap_or_else(|| {
                self.masks.push(Mask {
                    fixed,
                    instances: FxHashMap::default(),
                });
                self.masks.len() - 1
            });
            let values = arguments.iter().copied().flatten().collect();
            self.masks[at].instances.entry(values).or_default()
        };
        if instances.last() != Some(&instance) {
            instances.push(instance);
        }
    }

    /// The instances that may have the action with some values in their alphabet of which these are
    /// known, ascending.
    pub fn possible(&self, values: &[Option<i64>], found: &mut Vec<InstanceId>) {
        found.clear();
        found.extend_from_slice(&self.always);
        for mask in &self.masks {
            let agrees =
                |(at, value): (&usize, &i64)| values[*at].is_none_or(|known| known == *value);
            for (of, instances) in &mask.instances {
                if mask.fixed.iter().zip(of).all(agrees) {
                    found.extend_from_slice(instances);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    /// The instances that have the action with these values in their alphabet, ascending; where
    /// some values are still open, those that have it whatever these are.
    pub fn of_values(&self, values: &[Option<i64>], found: &mut Vec<InstanceId>) {
        found.clear();
        found.extend_from_slice(&self.always);
        let mut is_sorted = true;
        for mask in &self.masks {
            let key: Option<Vec<i64>> = mask.fixed.iter().map(|at| values[*at]).collect();
            if let Some(instances) = key.and_then(|key| mask.instances.get(&key)) {
                is_sorted &= found.is_empty();
                found.extend_from_slice(instances);
            }
        }
        if !is_sorted {
            found.sort_unstable();
            found.dedup();
        }
    }
}
