//! Assumptions drawn by lot over a system, and which steps they are about.

use stubborn_engine::State;
use stubborn_random::random::Random;
use stubborn_system::property::{Assumption, StepPattern, StepSet};
use stubborn_system::system::{ActionId, ActionPattern, InstanceId, StepId, System};

/// One for each instance, all of one strength, or one to three of any steps.
pub fn draw(system: &System, r: &mut Random) -> Vec<Assumption> {
    if system.instances.len() <= 4 && r.one_in(2) {
        let is_strong = r.one_in(2);
        let all = (0..).zip(&system.instances);
        let of_all = all.map(|(number, instance)| {
            let locations = 0..instance.locations.len() as u32;
            let patterns = vec![StepPattern::At(number, locations.collect())];
            Assumption {
                is_strong,
                steps: StepSet { patterns },
            }
        });
        return of_all.collect();
    }
    let count = 1 + r.below(3);
    let one = |_| {
        let is_strong = r.one_in(2);
        let patterns = (0..1 + r.below(2)).map(|_| pattern(system, r)).collect();
        Assumption {
            is_strong,
            steps: StepSet { patterns },
        }
    };
    (0..count).map(one).collect()
}

fn pattern(system: &System, r: &mut Random) -> StepPattern {
    if !system.actions.is_empty() && r.one_in(2) {
        let action = r.below(system.actions.len());
        let ranges = &system.actions[action].arguments;
        let arguments = ranges.iter().map(|range| {
            let value = r.between(range.lo, range.hi);
            r.one_in(2).then_some(value)
        });
        return StepPattern::Action(ActionPattern {
            action: action as ActionId,
            arguments: arguments.collect(),
        });
    }
    let instance = r.below(system.instances.len());
    let count = system.instances[instance].locations.len() as u32;
    if r.one_in(4) {
        let steps = 0..system.instances[instance].steps.len() as StepId;
        let steps = steps.filter(|_| r.one_in(3)).collect();
        return StepPattern::Taken(instance as InstanceId, steps);
    }
    let is_whole = r.one_in(2);
    let locations = (0..count).filter(|_| is_whole || r.one_in(3));
    StepPattern::At(instance as InstanceId, locations.collect())
}

/// Whether a step taken in a state is one of the set.
pub fn is_of(
    set: &StepSet,
    state: &State,
    participants: &[(InstanceId, StepId)],
    action: &Option<(ActionId, Vec<i64>)>,
) -> bool {
    set.patterns.iter().any(|pattern| match pattern {
        StepPattern::Action(pattern) => action.as_ref().is_some_and(|(action, values)| {
            let same = |(wanted, value): (&Option<i64>, &i64)| wanted.is_none_or(|w| w == *value);
            *action == pattern.action && pattern.arguments.iter().zip(values).all(same)
        }),
        StepPattern::Taken(instance, steps) => {
            let mut taken = participants.iter().filter(|(i, _)| i == instance);
            taken.any(|(_, step)| steps.contains(step))
        }
        StepPattern::At(instance, locations) => {
            let takes_part = participants.iter().any(|(i, _)| i == instance);
            takes_part && locations.contains(&state.instances[*instance as usize].location)
        }
    })
}
