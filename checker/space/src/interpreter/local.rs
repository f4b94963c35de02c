//! Steps of one instance.

use std::ops::ControlFlow;

use stubborn_system::system::{
    Argument, Communication, Effect, Expr, Failure, InstanceId, Order, Range, Step, StepId, System,
    Target,
};

use super::arguments::{Wanted, bind, in_range, matches, wanted};
use super::evaluate::{Scope, must_be_in};
use super::occurrence::{Occurrence, Visit};
use crate::state::State;

/// The steps of the instance that its step `step` gives, which is not `on`; the instance is at a
/// location that lists it.
pub(super) fn visit(
    system: &System,
    state: &State,
    instance: InstanceId,
    step: StepId,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let mut tell = |outcome| {
        visit(Occurrence {
            participants: vec![(instance, step)],
            action: None,
            outcome,
        })
    };
    let body = &system.instances[instance as usize].steps[step as usize];
    let ready = match &body.communication {
        None => after_guard(system, state, body),
        Some(Communication::Send { channel, values }) => {
            after_send(system, state, body, channel, values)
        }
        Some(Communication::Receive(channel, arguments, _)) => {
            after_receive(system, state, body, channel, arguments)
        }
        Some(Communication::On { .. }) => unreachable!("joint steps are not of one instance"),
    };
    match ready {
        Err(failure) => tell(Err(failure)),
        Ok(ready) => {
            for before in ready {
                match before {
                    Err(failure) => tell(Err(failure))?,
                    Ok(before) => for_each_choice(&body.choices, &mut |choices| {
                        tell(finish(
                            system,
                            state,
                            before.clone(),
                            instance,
                            body,
                            choices,
                        ))
                    })?,
                }
            }
            ControlFlow::Continue(())
        }
    }
}

/// The states from which the effects go on, each with its failure if it has one; none where the
/// step cannot be taken. Fails where the step fails once for all of them.
type Ready = Result<Vec<Result<State, Failure>>, Failure>;

fn after_guard(system: &System, state: &State, step: &Step) -> Ready {
    if guard(system, state, step)? {
        Ok(vec![Ok(state.clone())])
    } else {
        Ok(vec![])
    }
}

pub(super) fn guard(system: &System, state: &State, step: &Step) -> Result<bool, Failure> {
    match &step.guard {
        None => Ok(true),
        Some(guard) => Scope::new(system, state, &[]).truth(guard),
    }
}

/// Whether an argument or an index of the step that fails does not count: its guard, which no `?`
/// of the step can change, is false.
pub(super) fn is_kept_by_guard(system: &System, state: &State, step: &Step) -> bool {
    step.is_protected() && guard(system, state, step) == Ok(false)
}

fn after_send(
    system: &System,
    state: &State,
    step: &Step,
    channel: &stubborn_system::system::ChannelRef,
    values: &[Expr],
) -> Ready {
    if !guard(system, state, step)? {
        return Ok(vec![]);
    }
    Ok(sent(system, state, channel, values)?
        .map(Ok)
        .into_iter()
        .collect())
}

/// The state with a message sent, which is evaluated in the state as it is; none where there is no room.
fn sent(
    system: &System,
    state: &State,
    channel: &stubborn_system::system::ChannelRef,
    values: &[Expr],
) -> Result<Option<State>, Failure> {
    let mut scope = Scope::new(system, state, &[]);
    let channel = scope.channel(channel)?;
    if scope.is_full(channel) {
        return Ok(None);
    }
    let kind = &system.channels[channel as usize];
    let mut message = Vec::new();
    for (value, range) in values.iter().zip(&kind.message) {
        let value = scope.scalar(value)?;
        in_range(value, *range)?;
        message.push(value);
    }
    let mut after = state.clone();
    let messages = &mut after.channels[channel as usize];
    messages.push(message);
    if kind.order == Order::Bag {
        messages.sort();
    }
    Ok(Some(after))
}

fn after_receive(
    system: &System,
    state: &State,
    step: &Step,
    channel: &stubborn_system::system::ChannelRef,
    arguments: &[Argument],
) -> Ready {
    let mut scope = Scope::new(system, state, &[]);
    let channel = match scope.channel(channel) {
        Ok(channel) => channel,
        Err(_) if is_kept_by_guard(system, state, step) => return Ok(vec![]),
        Err(failure) => return Err(failure),
    };
    let messages = &state.channels[channel as usize];
    if messages.is_empty() {
        return Ok(vec![]);
    }
    let kind = &system.channels[channel as usize];
    let parts = wanted(system, state, arguments, &kind.message);
    let mut candidates: Vec<usize> = vec![0];
    if kind.order == Order::Bag {
        // The messages of a bag ascend, so equal ones stand beside each other.
        candidates.extend((1..messages.len()).filter(|&at| messages[at] != messages[at - 1]));
    }
    candidates.retain(|at| matches(&parts, &messages[*at]));
    let failure = parts.iter().find_map(|part| match part {
        Wanted::Fails(failure) => Some(failure.clone()),
        _ => None,
    });
    if let (Some(failure), false) = (failure, candidates.is_empty()) {
        return if is_kept_by_guard(system, state, step) {
            Ok(vec![])
        } else {
            Err(failure)
        };
    }
    let mut ready = Vec::new();
    for at in candidates {
        match take(system, state, step, channel as usize, at, &parts) {
            Ok(None) => {}
            Ok(Some(after)) => ready.push(Ok(after)),
            Err(failure) => ready.push(Err(failure)),
        }
    }
    Ok(ready)
}

/// The state after the message `at`, which matches, was received, if it passes the guard; and with what the
/// step sends then, if there is room.
fn take(
    system: &System,
    state: &State,
    step: &Step,
    channel: usize,
    at: usize,
    parts: &[Wanted],
) -> Result<Option<State>, Failure> {
    let mut after = state.clone();
    bind(parts, &mut after, &state.channels[channel][at])?;
    if !guard(system, &after, step)? {
        return Ok(None);
    }
    after.channels[channel].remove(at);
    match step.onward() {
        None => Ok(Some(after)),
        Some(onward) => sent(system, &after, &onward.channel, &onward.values),
    }
}

/// Calls with every combination of values, the first of which varies slowest.
pub(super) fn for_each_choice(
    ranges: &[Range],
    then: &mut dyn FnMut(&[i64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    fn go(
        ranges: &[Range],
        chosen: &mut Vec<i64>,
        then: &mut dyn FnMut(&[i64]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match ranges.split_first() {
            None => then(chosen),
            Some((range, rest)) => {
                for value in range.lo..=range.hi {
                    chosen.push(value);
                    let go_on = go(rest, chosen, then);
                    chosen.pop();
                    go_on?;
                }
                ControlFlow::Continue(())
            }
        }
    }
    go(ranges, &mut Vec::new(), then)
}

/// The effects of a step without an action, and then its target.
fn finish(
    system: &System,
    before: &State,
    mut state: State,
    instance: InstanceId,
    step: &Step,
    choices: &[i64],
) -> Result<State, Failure> {
    perform(system, &mut state, &step.effects, choices)?;
    arrive(system, before, &mut state, instance, &step.target)?;
    Ok(state)
}

/// Changes the location. A test is evaluated where a guard would be, in the state `before`.
pub(super) fn arrive(
    system: &System,
    before: &State,
    state: &mut State,
    instance: InstanceId,
    target: &Target,
) -> Result<(), Failure> {
    state.instances[instance as usize].location = match target {
        Target::To(location) => *location,
        Target::Test(condition, then, otherwise) => {
            if Scope::new(system, before, &[]).truth(condition)? {
                *then
            } else {
                *otherwise
            }
        }
    };
    Ok(())
}

pub(super) fn perform(
    system: &System,
    state: &mut State,
    effects: &[Effect],
    choices: &[i64],
) -> Result<(), Failure> {
    for effect in effects {
        match effect {
            Effect::Assign { place, ty, value } => {
                let mut scope = Scope::new(system, state, choices);
                let spot = scope.place(place)?;
                let value = scope.value(value)?;
                must_be_in(&value, ty)?;
                spot.assign(state, value);
            }
            Effect::If(condition, then, otherwise) => {
                let branch = if Scope::new(system, state, choices).truth(condition)? {
                    then
                } else {
                    otherwise
                };
                perform(system, state, branch, choices)?;
            }
            Effect::Assert(condition) => {
                if !Scope::new(system, state, choices).truth(condition)? {
                    return Err(Failure::Assertion);
                }
            }
        }
    }
    Ok(())
}
