//! Assumptions of fairness, as a search asks for them.

use rustc_hash::FxHashMap;
use stubborn_space::recurring::has_values;
use stubborn_space::successors::Label;
use stubborn_system::property::{Assumption, StepPattern};
use stubborn_system::system::{ActionId, ActionPattern, InstanceId, LocationId, StepId, System};

/// Assumptions, by the steps that they are about. A set of some of them is a bit for each, in
/// words.
pub struct Assumed {
    words: usize,
    weak: Box<[u64]>,
    strong: Box<[u64]>,
    /// Those that are about what an instance takes at some of its locations.
    of_places: FxHashMap<InstanceId, Vec<(u32, Vec<bool>)>>,
    /// Those that are about certain steps of an instance.
    of_steps: FxHashMap<(InstanceId, StepId), Vec<u32>>,
    /// Those about joint steps with certain values,
    of_values: FxHashMap<(ActionId, Vec<i64>), Vec<u32>>,
    /// and with any in some places.
    of_actions: FxHashMap<ActionId, Vec<(u32, ActionPattern)>>,
}

impl Assumed {
    pub fn new(system: &System, assumptions: &[Assumption]) -> Assumed {
        let words = assumptions.len().div_ceil(64).max(1);
        let none = || vec![0; words].into_boxed_slice();
        let mut assumed = Assumed {
            words,
            weak: none(),
            strong: none(),
            of_places: FxHashMap::default(),
            of_steps: FxHashMap::default(),
            of_values: FxHashMap::default(),
            of_actions: FxHashMap::default(),
        };
        for (number, assumption) in (0_u32..).zip(assumptions) {
            let of_its_strength = match assumption.is_strong {
                true => &mut assumed.strong,
                false => &mut assumed.weak,
            };
            insert(of_its_strength, number);
            for pattern in &assumption.steps.patterns {
                match pattern {
                    StepPattern::Action(pattern) => {
                        let values: Option<Vec<i64>> = pattern.arguments.iter().copied().collect();
                        if let Some(values) = values {
                            let of = (pattern.action, values);
                            assumed.of_values.entry(of).or_default().push(number);
                            continue;
                        }
                        let all = assumed.of_actions.entry(pattern.action).or_default();
                        all.push((number, pattern.clone()));
                    }
                    StepPattern::At(instance, locations) => {
                        let count = system.instances[*instance as usize].locations.len();
                        let mut places = vec![false; count];
                        for location in locations {
                            places[*location as usize] = true;
                        }
                        let all = assumed.of_places.entry(*instance).or_default();
                        all.push((number, places));
                    }
                    StepPattern::Taken(instance, steps) => {
                        for step in steps {
                            let all = assumed.of_steps.entry((*instance, *step)).or_default();
                            all.push(number);
                        }
                    }
                }
            }
        }
        assumed
    }

    /// How many words a set takes.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The weak ones.
    pub fn weak(&self) -> &[u64] {
        &self.weak
    }

    /// The strong ones.
    pub fn strong(&self) -> &[u64] {
        &self.strong
    }

    /// Adds those that a step, taken where the instances are at these locations, is one of.
    pub fn add(&self, label: Label<'_>, at: &dyn Fn(InstanceId) -> LocationId, set: &mut [u64]) {
        if let Some((action, values)) = label.action {
            if !self.of_values.is_empty()
                && let Some(all) = self.of_values.get(&(action, values.to_vec()))
            {
                all.iter().for_each(|number| insert(set, *number));
            }
            for (number, pattern) in self.of_actions.get(&action).into_iter().flatten() {
                if has_values(pattern, values) {
                    insert(set, *number);
                }
            }
        }
        for participant in label.participants {
            let instance = &participant.0;
            for number in self.of_steps.get(participant).into_iter().flatten() {
                insert(set, *number);
            }
            for (number, places) in self.of_places.get(instance).into_iter().flatten() {
                if places[at(*instance) as usize] {
                    insert(set, *number);
                }
            }
        }
    }
}

fn insert(set: &mut [u64], number: u32) {
    set[number as usize / 64] |= 1 << (number % 64);
}
