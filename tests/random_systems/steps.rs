//! The steps that are enabled in a state, failing ones too, as `language.md` §4 defines them.
//!
//! Where that section can be read in more than one way, this is the reading:
//! - A joint step is one choice of a step by every participant, and values for the action. An
//!   argument that fails stands for all values, and then the choice counts once, whatever other
//!   values could go with it. A `?x` that cannot hold a value fails for that value alone.
//! - An argument of `receive` that fails matches whatever comes; the others must still match.
//! - Where the step has no `?x` (`*` is none) and its guard is false, an argument or an index that
//!   fails does not count: in a joint step it matches all values, of a participant that waits.
//! - The test of an `if` or `while` that fails is one failing step, not one for each outcome.

use std::collections::HashSet;

use super::evaluate::{Failure, Outcome, Scope, Spot, assign};
use super::expand;
use super::points::{PointMove, What};
use super::state::{GlobalState, System, product};
use stubborn_random::model::{Argument, Effect, Expr, Onward, Step, Sync};
use stubborn_random::value::{Type, Value};

/// One enabled step of a state.
#[derive(Clone, Debug)]
pub struct Move {
    /// The instances that take it, in order.
    pub by: Vec<usize>,
    /// The action with its values; what values fail to show is left out of a failing step.
    pub action: Option<(usize, Vec<Value>)>,
    /// Where the first participant's step stands.
    pub trail: Vec<usize>,
    /// Where it leads, or nowhere.
    pub next: Option<GlobalState>,
}

/// What one participant does, once its arguments and its guard have been passed.
struct Part<'a> {
    instance: usize,
    scope: Scope<'a>,
    stores: Vec<(Spot, Type, Value)>,
    effects: Vec<Effect>,
    target: usize,
}

pub fn of(system: &System, state: &GlobalState) -> Vec<Move> {
    let mut found = Vec::new();
    for (instance, here) in state.instances.iter().enumerate() {
        let process = system.instances[instance].process;
        for m in &system.points[process][here.point].moves {
            alone(system, state, instance, m, &mut found);
        }
    }
    joint(system, state, &mut found);
    found
}

/// The steps that an instance takes by itself.
fn alone(
    system: &System,
    state: &GlobalState,
    instance: usize,
    m: &PointMove,
    found: &mut Vec<Move>,
) {
    let mut scope = system.scope(state, instance);
    scope.bound.extend(m.bound.iter().cloned());
    let mut add = |next| {
        let (by, trail) = (vec![instance], m.trail.clone());
        found.push(Move {
            by,
            action: None,
            trail,
            next,
        });
    };
    let (step, target) = match &m.what {
        What::Test(condition, then, otherwise) => {
            add(scope.truth(condition).ok().map(|holds| {
                let mut next = state.clone();
                next.instances[instance].point = if holds { *then } else { *otherwise };
                next
            }));
            return;
        }
        What::Step(step, target) => (step, *target),
    };
    let part = |state, stores| Part {
        instance,
        scope: Scope {
            state,
            ..scope.clone()
        },
        stores,
        effects: step.effects.clone(),
        target,
    };
    match &step.sync {
        Sync::On(..) => {}
        Sync::Free => match guard(&scope, step) {
            Err(Failure) => add(None),
            Ok(false) => {}
            Ok(true) => run(state, vec![part(state, vec![])])
                .into_iter()
                .for_each(add),
        },
        Sync::Send(c, index, values) => match send(&scope, step, *c, index.as_ref(), values) {
            Err(Failure) => add(None),
            Ok(None) => {}
            Ok(Some(sent)) => {
                run(&sent, vec![part(state, vec![])])
                    .into_iter()
                    .for_each(add);
            }
        },
        Sync::Receive(c, index, arguments, onward) => {
            let onward = onward.as_deref();
            for received in receive(&scope, step, *c, index.as_ref(), arguments, onward) {
                match received {
                    Err(Failure) => add(None),
                    Ok((without, stores)) => {
                        run(&without, vec![part(state, stores)])
                            .into_iter()
                            .for_each(&mut add);
                    }
                }
            }
        }
    }
}

/// Whether the guard is false whatever the step is given: what fails before it does not count.
fn is_surely_barred(scope: &Scope, step: &Step, arguments: &[Argument]) -> bool {
    let stores = |a: &Argument| matches!(a, Argument::Into(_));
    !arguments.iter().any(stores) && guard(scope, step) == Ok(false)
}

fn guard(scope: &Scope, step: &Step) -> Outcome<bool> {
    step.guard.as_ref().map_or(Ok(true), |e| scope.truth(e))
}

/// The state with the message in the channel, or nothing where the step has to wait. The guard
/// comes before the index and the values, and these only where there is room.
fn send(
    scope: &Scope,
    step: &Step,
    channel: usize,
    index: Option<&Expr>,
    values: &[Expr],
) -> Outcome<Option<GlobalState>> {
    if !guard(scope, step)? {
        return Ok(None);
    }
    let mut next = scope.state.clone();
    Ok(put(scope, channel, index, values, &mut next)?.then_some(next))
}

/// Puts what is sent, evaluated in the scope, into the channel, where there is room.
fn put(
    scope: &Scope,
    channel: usize,
    index: Option<&Expr>,
    values: &[Expr],
    next: &mut GlobalState,
) -> Outcome<bool> {
    let declared = &scope.system.model.channels[channel];
    let (c, k) = scope.channel(channel, index)?;
    if scope.state.channels[c][k].len() == declared.capacity {
        return Ok(false);
    }
    let mut message = Vec::new();
    for (e, ty) in values.iter().zip(&declared.fields) {
        let v = scope.value(e)?;
        if !ty.contains(&v) {
            return Err(Failure);
        }
        message.push(v);
    }
    next.channels[c][k].push(message);
    if declared.is_bag {
        next.channels[c][k].sort();
    }
    Ok(true)
}

/// What an argument of `on` or `receive` asks for.
enum Wanted {
    Exactly(Value),
    Anything,
    Store(Spot, Type),
    /// Working it out failed.
    Fails,
}

impl Wanted {
    fn of(scope: &Scope, argument: &Argument, ty: &Type) -> Wanted {
        match argument {
            Argument::Any => Wanted::Anything,
            Argument::Into(place) => match scope.spot(place) {
                Ok(spot) => {
                    let ty = scope.type_of(&spot);
                    Wanted::Store(spot, ty)
                }
                Err(Failure) => Wanted::Fails,
            },
            Argument::Value(e) => match scope.value(e) {
                Ok(v) if ty.contains(&v) => Wanted::Exactly(v),
                _ => Wanted::Fails,
            },
        }
    }

    fn matches(&self, value: &Value) -> bool {
        !matches!(self, Wanted::Exactly(v) if v != value)
    }
}

/// What `?x` stores, and the state that the step's own guard sees.
fn stores(
    scope: &Scope,
    wanted: &[Wanted],
    values: &[Value],
) -> (Vec<(Spot, Type, Value)>, Outcome<GlobalState>) {
    let mut seen = scope.state.clone();
    let mut list = Vec::new();
    let mut outcome = Ok(());
    for (w, v) in wanted.iter().zip(values) {
        if let Wanted::Store(spot, ty) = w {
            outcome = outcome.and(assign(&mut seen, scope.me.unwrap(), spot, ty, v.clone()));
            list.push((spot.clone(), ty.clone(), v.clone()));
        }
    }
    (list, outcome.map(|()| seen))
}

type Received = Outcome<(GlobalState, Vec<(Spot, Type, Value)>)>;

/// The state without the message, and what is stored of it: for a queue once at the most, for a
/// bag once for each different message that matches.
fn receive(
    scope: &Scope,
    step: &Step,
    channel: usize,
    index: Option<&Expr>,
    arguments: &[Argument],
    onward: Option<&Onward>,
) -> Vec<Received> {
    if is_surely_barred(scope, step, arguments) {
        return vec![];
    }
    let declared = &scope.system.model.channels[channel];
    let Ok((c, k)) = scope.channel(channel, index) else {
        return vec![Err(Failure)];
    };
    let messages = &scope.state.channels[c][k];
    let mut candidates: Vec<usize> = (0..messages.len()).collect();
    if declared.is_bag {
        candidates.retain(|n| *n == 0 || messages[*n] != messages[*n - 1]);
    } else {
        candidates.truncate(1);
    }
    let wanted = arguments.iter().zip(&declared.fields);
    let wanted: Vec<_> = wanted.map(|(a, ty)| Wanted::of(scope, a, ty)).collect();
    candidates.retain(|n| wanted.iter().zip(&messages[*n]).all(|(w, v)| w.matches(v)));
    if wanted.iter().any(|w| matches!(w, Wanted::Fails)) {
        return candidates
            .first()
            .map(|_| Err(Failure))
            .into_iter()
            .collect();
    }
    let one = |n: usize| -> Option<Received> {
        let (list, seen) = stores(scope, &wanted, &messages[n]);
        let mut next = scope.state.clone();
        let passes = seen.and_then(|mut seen| {
            let within = |seen: &GlobalState| -> Outcome<bool> {
                let scope = Scope {
                    state: seen,
                    ..scope.clone()
                };
                guard(&scope, step)
            };
            if !within(&seen)? {
                return Ok(false);
            }
            next.channels[c][k].remove(n);
            seen.channels[c][k].remove(n);
            let scope = Scope {
                state: &seen,
                ..scope.clone()
            };
            onward.map_or(Ok(true), |o| {
                put(&scope, o.channel, o.index.as_ref(), &o.values, &mut next)
            })
        });
        match passes {
            Err(Failure) => Some(Err(Failure)),
            Ok(false) => None,
            Ok(true) => Some(Ok((next, list))),
        }
    };
    candidates.into_iter().filter_map(one).collect()
}

/// The joint steps: for each action with its values, every choice of one step by each instance
/// that has it in its alphabet.
fn joint(system: &System, state: &GlobalState, found: &mut Vec<Move>) {
    // A choice of which an argument fails is counted once, whatever the values.
    let mut failed: HashSet<Vec<(usize, usize)>> = HashSet::new();
    for ground in &system.ground {
        let offers: Vec<Vec<(usize, usize)>> = (ground.participants.iter())
            .map(|i| {
                let process = system.instances[*i].process;
                let moves = &system.points[process][state.instances[*i].point].moves;
                let on = |m: &PointMove| match &m.what {
                    What::Step(step, _) => {
                        matches!(step.sync, Sync::On(a, _) if a == ground.action)
                    }
                    What::Test(..) => false,
                };
                (0..moves.len())
                    .filter(|k| on(&moves[*k]))
                    .map(|k| (*i, k))
                    .collect()
            })
            .collect();
        for choice in product(&offers) {
            let mut asked = Vec::new();
            for (instance, k) in &choice {
                let process = system.instances[*instance].process;
                let m = &system.points[process][state.instances[*instance].point].moves[*k];
                let What::Step(step, target) = &m.what else {
                    unreachable!()
                };
                let Sync::On(action, arguments) = &step.sync else {
                    unreachable!()
                };
                let mut scope = system.scope(state, *instance);
                scope.bound.extend(m.bound.iter().cloned());
                let types = &system.model.actions[*action].arguments;
                let wanted = arguments.iter().zip(types);
                let wanted: Vec<_> = wanted.map(|(a, ty)| Wanted::of(&scope, a, ty)).collect();
                let barred = is_surely_barred(&scope, step, arguments);
                asked.push((scope, wanted, step, *target, m.trail.clone(), barred));
            }
            let all_match = asked.iter().all(|(_, wanted, ..)| {
                wanted.iter().zip(&ground.values).all(|(w, v)| w.matches(v))
            });
            if !all_match {
                continue;
            }
            let by: Vec<_> = choice.iter().map(|(i, _)| *i).collect();
            let trail = asked[0].4.clone();
            let action = Some((ground.action, ground.values.clone()));
            let mut add = |next| {
                let (by, trail, action) = (by.clone(), trail.clone(), action.clone());
                found.push(Move {
                    by,
                    action,
                    trail,
                    next,
                });
            };
            let fails = |w: &Wanted| matches!(w, Wanted::Fails);
            let counts = |(_, wanted, .., barred): &(_, Vec<Wanted>, _, _, _, bool)| {
                !barred && wanted.iter().any(fails)
            };
            if asked.iter().any(counts) {
                if failed.insert(choice.clone()) {
                    add(None);
                }
                continue;
            }
            let mut passes = Ok(true);
            let mut parts = Vec::new();
            for (scope, wanted, step, target, ..) in &asked {
                let (list, seen) = stores(scope, wanted, &ground.values);
                let mine = seen.and_then(|seen| {
                    guard(
                        &Scope {
                            state: &seen,
                            ..scope.clone()
                        },
                        step,
                    )
                });
                passes = match (passes, mine) {
                    (Ok(a), Ok(b)) => Ok(a && b),
                    _ => Err(Failure),
                };
                parts.push(Part {
                    instance: scope.me.unwrap(),
                    scope: scope.clone(),
                    stores: list,
                    effects: step.effects.clone(),
                    target: *target,
                });
            }
            match passes {
                Err(Failure) => add(None),
                Ok(false) => {}
                Ok(true) => run(state, parts).into_iter().for_each(&mut add),
            }
        }
    }
}

/// What the effects lead to, once for each choice of the values of `any`, failing ones too.
fn run(start: &GlobalState, parts: Vec<Part>) -> Vec<Option<GlobalState>> {
    let model = &parts[0].scope.system.model;
    let parts: Vec<_> = parts
        .into_iter()
        .map(|p| {
            let mut effects = Vec::new();
            for e in &p.effects {
                flatten(model, e, &mut effects);
            }
            Part { effects, ..p }
        })
        .collect();
    let mut choices = Vec::new();
    for part in &parts {
        for effect in &part.effects {
            if let Effect::Choose(_, ty) = effect {
                choices.push(ty.values());
            }
        }
    }
    product(&choices)
        .into_iter()
        .map(|chosen| outcome(start, &parts, chosen).ok())
        .collect()
}

/// The calls of macros at the top of a list of effects expanded, where `any` may stand.
fn flatten(model: &stubborn_random::model::Model, effect: &Effect, into: &mut Vec<Effect>) {
    match effect {
        Effect::Call(m, arguments) => {
            for e in expand::as_effects(&model.macros[*m], arguments) {
                flatten(model, &e, into);
            }
        }
        other => into.push(other.clone()),
    }
}

fn outcome(start: &GlobalState, parts: &[Part], chosen: Vec<Value>) -> Outcome<GlobalState> {
    let mut next = start.clone();
    for part in parts {
        for (spot, ty, value) in &part.stores {
            assign(&mut next, part.instance, spot, ty, value.clone())?;
        }
    }
    let mut chosen = chosen.into_iter();
    for part in parts {
        for effect in &part.effects {
            apply(&mut next, part, &part.scope.bound, effect, &mut chosen)?;
        }
    }
    for part in parts {
        next.instances[part.instance].point = part.target;
    }
    for (c, channel) in parts[0].scope.system.model.channels.iter().enumerate() {
        if channel.is_bag {
            next.channels[c]
                .iter_mut()
                .for_each(|messages| messages.sort());
        }
    }
    Ok(next)
}

fn apply(
    next: &mut GlobalState,
    part: &Part,
    bound: &[(String, Value)],
    effect: &Effect,
    chosen: &mut impl Iterator<Item = Value>,
) -> Outcome<()> {
    let system = part.scope.system;
    let now = |state| Scope {
        system,
        state,
        me: Some(part.instance),
        bound: bound.to_vec(),
    };
    match effect {
        Effect::Assign(place, e) => {
            let (spot, ty, value) = {
                let scope = now(&*next);
                let spot = scope.spot(place)?;
                (spot.clone(), scope.type_of(&spot), scope.value(e)?)
            };
            assign(next, part.instance, &spot, &ty, value)
        }
        Effect::Choose(place, _) => {
            let value = chosen.next().expect("a value was chosen for each `any`");
            let (spot, ty) = {
                let scope = now(&*next);
                let spot = scope.spot(place)?;
                (spot.clone(), scope.type_of(&spot))
            };
            assign(next, part.instance, &spot, &ty, value)
        }
        Effect::If(condition, then, otherwise) => {
            let holds = now(&*next).truth(condition)?;
            let list = if holds { then } else { otherwise };
            list.iter()
                .try_for_each(|e| apply(next, part, bound, e, chosen))
        }
        Effect::For(name, ty, body) => ty.values().into_iter().try_for_each(|v| {
            let mut inner = bound.to_vec();
            inner.push((name.clone(), v));
            body.iter()
                .try_for_each(|e| apply(next, part, &inner, e, chosen))
        }),
        Effect::Assert(e) => match now(&*next).truth(e)? {
            true => Ok(()),
            false => Err(Failure),
        },
        Effect::Call(m, arguments) => {
            let effects = expand::as_effects(&system.model.macros[*m], arguments);
            effects
                .iter()
                .try_for_each(|e| apply(next, part, bound, e, chosen))
        }
    }
}
