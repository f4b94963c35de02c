//! Joint steps: an action occurs when every instance that has it in its alphabet takes part.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use stubborn_system::system::{
    ActionId, Communication, Failure, InstanceId, Range, StepId, System,
};

use super::arguments::{Wanted, bind, matches, wanted};
use super::local::{arrive, for_each_choice, guard, is_kept_by_guard, perform};
use super::occurrence::{Occurrence, Visit};
use crate::state::State;

/// Called with the steps of a combination of participants.
type Combine<'a> = dyn FnMut(&[(InstanceId, StepId)]) -> ControlFlow<()> + 'a;

/// What one step of an instance asks of the values of an action.
struct Alternative {
    step: StepId,
    parts: Vec<Wanted>,
}

/// Whether a participant is ready for the values of an action.
enum Readiness {
    Ready,
    /// Its guard is false.
    Waits,
    Fails(Failure),
}

/// The joint steps whose first participant is this instance, with this step, which is an `on` of
/// its location.
pub(super) fn visit(
    system: &System,
    state: &State,
    instance: InstanceId,
    step: StepId,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let body = &system.instances[instance as usize].steps[step as usize];
    let Some(Communication::On { action, .. }) = &body.communication else {
        unreachable!("only a step with an action is part of joint steps");
    };
    let action = *action;
    let own = alternative(system, state, instance, step);
    let mut failed = HashSet::new();
    for_each_value(
        system,
        state,
        action,
        &own,
        &mut Vec::new(),
        &mut |values| {
            let participants = participants(system, action, values);
            if participants.first() != Some(&instance) {
                return ControlFlow::Continue(());
            }
            let others = participants[1..].iter().map(|&other| {
                let alternatives = alternatives(system, state, other, action);
                let matching = alternatives
                    .into_iter()
                    .filter(|a| matches(&a.parts, values));
                matching.map(|a| (other, a.step)).collect::<Vec<_>>()
            });
            let others: Vec<Vec<(InstanceId, StepId)>> = others.collect();
            for_each_combination(&others, &mut vec![(instance, step)], &mut |combination| {
                match readiness(system, state, combination, values) {
                    Readiness::Waits => ControlFlow::Continue(()),
                    Readiness::Fails(failure) => {
                        let once = an_argument_fails(system, state, combination);
                        if !once || failed.insert(combination.to_vec()) {
                            visit(Occurrence {
                                participants: combination.to_vec(),
                                action: Some((action, values.to_vec())),
                                outcome: Err(failure),
                            })
                        } else {
                            ControlFlow::Continue(())
                        }
                    }
                    Readiness::Ready => {
                        visit_combination(system, state, combination, values, visit)
                    }
                }
            })
        },
    )
}

/// The steps of exactly these participants for an action with these values; none where they are
/// not those that take part in it, or not ready.
pub(super) fn visit_one(
    system: &System,
    state: &State,
    combination: &[(InstanceId, StepId)],
    (action, values): (ActionId, &[i64]),
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let expected = participants(system, action, values);
    let all_match = !expected.is_empty()
        && expected.len() == combination.len()
        && expected
            .iter()
            .zip(combination)
            .all(|(who, (instance, step))| {
                who == instance
                    && alternatives(system, state, *who, action)
                        .iter()
                        .any(|a| a.step == *step && matches(&a.parts, values))
            });
    if !all_match {
        return ControlFlow::Continue(());
    }
    match readiness(system, state, combination, values) {
        Readiness::Waits => ControlFlow::Continue(()),
        Readiness::Fails(failure) => visit(Occurrence {
            participants: combination.to_vec(),
            action: Some((action, values.to_vec())),
            outcome: Err(failure),
        }),
        Readiness::Ready => visit_combination(system, state, combination, values, visit),
    }
}

fn visit_combination(
    system: &System,
    state: &State,
    combination: &[(InstanceId, StepId)],
    values: &[i64],
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let steps = combination
        .iter()
        .map(|(i, s)| &system.instances[*i as usize].steps[*s as usize]);
    let choices: Vec<Range> = steps.flat_map(|step| step.choices.clone()).collect();
    let (instance, step) = combination[0];
    let first = &system.instances[instance as usize].steps[step as usize];
    let Some(Communication::On { action, .. }) = &first.communication else {
        unreachable!("only a step with an action is part of joint steps");
    };
    for_each_choice(&choices, &mut |choices| {
        visit(Occurrence {
            participants: combination.to_vec(),
            action: Some((*action, values.to_vec())),
            outcome: take(system, state, combination, values, choices),
        })
    })
}

/// All `?` and effects, participant by participant, then the locations.
fn take(
    system: &System,
    before: &State,
    combination: &[(InstanceId, StepId)],
    values: &[i64],
    mut choices: &[i64],
) -> Result<State, Failure> {
    let mut state = before.clone();
    for &(instance, step) in combination {
        let body = &system.instances[instance as usize].steps[step as usize];
        let parts = alternative(system, before, instance, step).parts;
        bind(&parts, &mut state, values)?;
        let (own, others) = choices.split_at(body.choices.len());
        choices = others;
        perform(system, &mut state, &body.effects, own)?;
    }
    for &(instance, step) in combination {
        let body = &system.instances[instance as usize].steps[step as usize];
        arrive(system, before, &mut state, instance, &body.target)?;
    }
    Ok(state)
}

/// Of several failures the first participant's is told.
fn readiness(
    system: &System,
    state: &State,
    combination: &[(InstanceId, StepId)],
    values: &[i64],
) -> Readiness {
    let mut waits = false;
    for &(instance, step) in combination {
        let body = &system.instances[instance as usize].steps[step as usize];
        if is_kept_by_guard(system, state, body) {
            waits = true;
            continue;
        }
        let mut seen = state.clone();
        let parts = alternative(system, state, instance, step).parts;
        let passes = bind(&parts, &mut seen, values).and_then(|()| guard(system, &seen, body));
        match passes {
            Ok(true) => {}
            Ok(false) => waits = true,
            Err(failure) => return Readiness::Fails(failure),
        }
    }
    if waits {
        Readiness::Waits
    } else {
        Readiness::Ready
    }
}

/// Whether an argument of one of the steps fails and counts: it then matches every value and counts
/// once.
fn an_argument_fails(system: &System, state: &State, combination: &[(InstanceId, StepId)]) -> bool {
    combination.iter().any(|&(instance, step)| {
        let body = &system.instances[instance as usize].steps[step as usize];
        let parts = alternative(system, state, instance, step).parts;
        parts.iter().any(|part| matches!(part, Wanted::Fails(_)))
            && !is_kept_by_guard(system, state, body)
    })
}

/// Of steps of which an argument fails, so that they do for whatever it matches, what the other
/// arguments say of the action's values; `None` where no argument fails.
pub fn fixed_values(
    system: &System,
    state: &State,
    combination: &[(InstanceId, StepId)],
) -> Option<Vec<Option<i64>>> {
    if !an_argument_fails(system, state, combination) {
        return None;
    }
    let mut fixed = Vec::new();
    for &(instance, step) in combination {
        let parts = alternative(system, state, instance, step).parts;
        fixed.resize(parts.len(), None);
        for (value, part) in fixed.iter_mut().zip(parts) {
            if let Wanted::Equals(wanted) = part {
                *value = Some(wanted);
            }
        }
    }
    Some(fixed)
}

/// The instances whose alphabet has the action with these values.
fn participants(system: &System, action: ActionId, values: &[i64]) -> Vec<InstanceId> {
    let takes_part = |i: &InstanceId| {
        system.instances[*i as usize]
            .alphabet
            .iter()
            .any(|pattern| {
                pattern.action == action
                    && pattern
                        .arguments
                        .iter()
                        .zip(values)
                        .all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
            })
    };
    (0..system.instances.len() as InstanceId)
        .filter(takes_part)
        .collect()
}

/// What the `on` steps of the instance's location ask of the action's values.
fn alternatives(
    system: &System,
    state: &State,
    instance: InstanceId,
    action: ActionId,
) -> Vec<Alternative> {
    let body = &system.instances[instance as usize];
    let location = state.instances[instance as usize].location as usize;
    let is_on = |step: &&StepId| {
        matches!(&body.steps[**step as usize].communication,
            Some(Communication::On { action: a, .. }) if *a == action)
    };
    let steps = body.locations[location].steps.iter().filter(is_on);
    steps
        .map(|&step| alternative(system, state, instance, step))
        .collect()
}

fn alternative(system: &System, state: &State, instance: InstanceId, step: StepId) -> Alternative {
    let body = &system.instances[instance as usize].steps[step as usize];
    let Some(Communication::On { action, arguments }) = &body.communication else {
        unreachable!("only a step with an action is part of joint steps");
    };
    let ranges = &system.actions[*action as usize].arguments;
    Alternative {
        step,
        parts: wanted(system, state, arguments, ranges),
    }
}

/// All values of the action that `own` matches, ascending. Values are left out that an instance
/// which takes part whatever the values are does not match: there may be too many to try.
fn for_each_value(
    system: &System,
    state: &State,
    action: ActionId,
    own: &Alternative,
    values: &mut Vec<i64>,
    then: &mut dyn FnMut(&[i64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let ranges = &system.actions[action as usize].arguments;
    let at = values.len();
    if at == ranges.len() {
        return then(values);
    }
    let mut go_on = |value: i64, values: &mut Vec<i64>| {
        values.push(value);
        let go_on = for_each_value(system, state, action, own, values, then);
        values.pop();
        go_on
    };
    if let Wanted::Equals(value) = own.parts[at] {
        return go_on(value, values);
    }
    match possible(system, state, action, at) {
        Some(values_there) => {
            for value in values_there {
                go_on(value, values)?;
            }
        }
        None => {
            for value in ranges[at].lo..=ranges[at].hi {
                go_on(value, values)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The only values of an argument that some instance, which takes part whatever the values are,
/// can match now; `None` where there is no such instance.
fn possible(system: &System, state: &State, action: ActionId, at: usize) -> Option<BTreeSet<i64>> {
    (0..system.instances.len()).find_map(|i| {
        let always = system.instances[i]
            .alphabet
            .iter()
            .any(|p| p.action == action && p.arguments.iter().all(Option::is_none));
        if !always {
            return None;
        }
        alternatives(system, state, i as InstanceId, action)
            .iter()
            .map(|a| match a.parts[at] {
                Wanted::Equals(value) => Some(value),
                _ => None,
            })
            .collect()
    })
}

fn for_each_combination(
    others: &[Vec<(InstanceId, StepId)>],
    chosen: &mut Vec<(InstanceId, StepId)>,
    then: &mut Combine<'_>,
) -> ControlFlow<()> {
    match others.split_first() {
        None => then(chosen),
        Some((alternatives, rest)) => {
            for &alternative in alternatives {
                chosen.push(alternative);
                let go_on = for_each_combination(rest, chosen, then);
                chosen.pop();
                go_on?;
            }
            ControlFlow::Continue(())
        }
    }
}
