//! The state space of a system as the reference interpreter gives it, with nothing left out.

use std::collections::HashMap;

use stubborn_engine::State;
use stubborn_engine::interpreter::{Occurrence, evaluate, holds, steps};
use stubborn_system::system::{ActionId, Argument, Communication, Expr, InstanceId, System, Value};

/// A step of a state.
#[derive(Clone, Debug)]
pub struct Taken {
    /// With which values of an action it can occur; none where it is no joint step. Several where
    /// an argument fails, which then matches every value.
    pub actions: Vec<(ActionId, Vec<i64>)>,
    /// `None` where it fails.
    pub target: Option<u32>,
}

#[derive(Debug)]
pub struct Space {
    pub states: Vec<State>,
    /// Of each state.
    pub steps: Vec<Vec<Taken>>,
}

impl Space {
    /// Every reachable state, unless there are more than `most`.
    pub fn of(system: &System, most: usize) -> Option<Space> {
        let initial = State::initial(system);
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut space = Space {
            states: vec![initial],
            steps: vec![],
        };
        while space.steps.len() < space.states.len() {
            let state = space.states[space.steps.len()].clone();
            let mut taken = Vec::new();
            for occurrence in steps(system, &state) {
                let actions = actions(system, &state, &occurrence);
                let target = occurrence.outcome.ok().map(|after| {
                    let next = space.states.len() as u32;
                    *numbers.entry(after).or_insert_with_key(|after| {
                        space.states.push(after.clone());
                        next
                    })
                });
                taken.push(Taken { actions, target });
            }
            space.steps.push(taken);
            if space.states.len() > most {
                return None;
            }
        }
        Some(space)
    }

    /// Whether a run ends there: no step is enabled, not even one that fails.
    pub fn ends(&self, state: u32) -> bool {
        self.steps[state as usize].is_empty()
    }

    /// Where the steps of a state lead, failing ones left out.
    pub fn next(&self, state: u32) -> impl Iterator<Item = u32> + '_ {
        let steps = &self.steps[state as usize];
        steps.iter().filter_map(|taken| taken.target)
    }

    /// The states that some maximal run goes through: not those from which nothing leads but to
    /// states whose steps all fail.
    pub fn are_on_runs(&self) -> Vec<bool> {
        let mut on_run = vec![true; self.states.len()];
        loop {
            let mut changed = false;
            for state in 0..self.states.len() as u32 {
                let stuck = !self.ends(state) && !self.next(state).any(|t| on_run[t as usize]);
                if stuck && on_run[state as usize] {
                    on_run[state as usize] = false;
                    changed = true;
                }
            }
            if !changed {
                return on_run;
            }
        }
    }

    /// Which of some conditions hold in each state, bit `i` for the `i`th; `None` where one fails
    /// in some state.
    pub fn valuations(&self, system: &System, conditions: &[Expr]) -> Option<Vec<u64>> {
        let of = |state| valuation(system, state, conditions);
        self.states.iter().map(of).collect()
    }
}

pub fn valuation(system: &System, state: &State, conditions: &[Expr]) -> Option<u64> {
    let mut bits = 0;
    for (bit, condition) in conditions.iter().enumerate() {
        bits |= u64::from(holds(system, state, condition).ok()?) << bit;
    }
    Some(bits)
}

/// The values with which a step can occur.
fn actions(system: &System, state: &State, occurrence: &Occurrence) -> Vec<(ActionId, Vec<i64>)> {
    let Some((action, values)) = &occurrence.action else {
        return vec![];
    };
    // For each participant what each argument must be, `None` where it may be anything.
    let mut demands: Vec<Vec<Option<i64>>> = Vec::new();
    let mut fails = false;
    for (instance, step) in &occurrence.participants {
        let step = &system.instances[*instance as usize].steps[*step as usize];
        let Some(Communication::On { arguments, .. }) = &step.communication else {
            continue;
        };
        let ranges = &system.actions[*action as usize].arguments;
        // Without a `?` a false guard keeps an argument that fails from counting.
        let stores = arguments.iter().any(|a| matches!(a, Argument::Bind(_)));
        let guard = step.guard.as_ref();
        let is_barred = !stores && guard.is_some_and(|e| holds(system, state, e) == Ok(false));
        let demand = arguments
            .iter()
            .zip(ranges)
            .map(|(argument, range)| match argument {
                Argument::Match(e) => match evaluate(system, state, e) {
                    // A value outside the argument's type fails too.
                    Ok(Value::Int(value)) if range.contains(value) => Some(value),
                    _ => {
                        fails |= !is_barred;
                        None
                    }
                },
                Argument::Bind(_) | Argument::Skip => None,
            });
        demands.push(demand.collect());
    }
    if !fails || occurrence.outcome.is_ok() {
        return vec![(*action, values.clone())];
    }
    let matches = |values: &Vec<i64>| {
        demands.iter().all(|demand| {
            let mut pairs = demand.iter().zip(values);
            pairs.all(|(demand, value)| demand.is_none_or(|wanted| wanted == *value))
        }) && participants(system, *action, values).eq(occurrence
            .participants
            .iter()
            .map(|(instance, _)| *instance))
    };
    let all = all_values(system, *action).into_iter().filter(matches);
    all.map(|values| (*action, values)).collect()
}

/// The instances that have the action with these values in their alphabet.
fn participants<'a>(
    system: &'a System,
    action: ActionId,
    values: &'a [i64],
) -> impl Iterator<Item = InstanceId> + 'a {
    (0..system.instances.len() as InstanceId).filter(move |instance| {
        let alphabet = &system.instances[*instance as usize].alphabet;
        alphabet.iter().any(|pattern| {
            let mut pairs = pattern.arguments.iter().zip(values);
            pattern.action == action && pairs.all(|(a, value)| a.is_none_or(|a| a == *value))
        })
    })
}

fn all_values(system: &System, action: ActionId) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for range in &system.actions[action as usize].arguments {
        let longer = |values: &Vec<i64>| {
            let values = values.clone();
            (range.lo..=range.hi).map(move |v| [values.as_slice(), &[v]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
