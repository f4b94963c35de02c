//! The effects of one step, gone through one after the other as they were when it was taken: what they have assigned
//! to, and which of them has failed.
//!
//! A run says only what a step comes to. What is not known of it, the values that `any` has chosen in a step that does not
//! fail and a message that a bag has given, ends the way through.

use stubborn_engine::interpreter::evaluate;
use stubborn_engine::{State, TraceStep};
use stubborn_system::system::{
    Access, Argument, ChannelRef, Communication, Effect, Expr, Failure, Order, Place, Range, Step,
    System, Type, Value, VariableRef,
};
use stubborn_system::walk::{for_children_mut, for_expressions, for_subexpressions};

/// A variable, and which part of which part of it.
pub(super) type Spot = (VariableRef, Vec<u32>);

/// What the effects of a step have done.
#[derive(Debug, Default)]
pub(super) struct Gone<'s> {
    /// What was assigned to, in the order of the assignments.
    pub assigned: Vec<Spot>,
    /// Whether all that was done before the end, or before what fails, is known.
    pub is_known: bool,
    pub fails: Option<Fails<'s>>,
}

impl Fails<'_> {
    /// Whether both are the same effect of the same participant.
    fn is_at(&self, other: &Fails<'_>) -> bool {
        let are_one = match (self.effect, other.effect) {
            (Some(one), Some(other)) => std::ptr::eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        are_one && self.participant == other.participant
    }
}

/// What has failed.
#[derive(Debug)]
pub(super) struct Fails<'s> {
    /// Whose it is: a number among the participants.
    pub participant: usize,
    /// The assignment or the assertion; `None` where a `?` has failed.
    pub effect: Option<&'s Effect>,
    /// What has got a value that it cannot have, where it is that.
    pub outside: Option<Spot>,
    why: Failure,
}

/// So many values of `any` are tried at the most to find out which of the effects has failed.
const MOST_TRIED: usize = 256;

/// Goes through the `?` and the effects of all who take a step. Where it has failed behind an `any` the values are tried that
/// may have been chosen: if with all of those that lead to this failure the same effect fails, it is that.
pub(super) fn go_through<'s>(system: &'s System, before: &State, taken: &TraceStep) -> Gone<'s> {
    let (gone, range) = gone_with(system, before, taken, &[]);
    let Some(range) = range.filter(|_| taken.failure.is_some()) else {
        return gone;
    };
    let Some(mut open) = extended(&[], range) else {
        return gone;
    };
    let (mut tried, mut failing) = (0, None::<Gone<'s>>);
    while let Some(values) = open.pop() {
        tried += 1;
        if tried + open.len() > MOST_TRIED {
            return gone;
        }
        let (next, range) = gone_with(system, before, taken, &values);
        if let Some(range) = range {
            match extended(&values, range) {
                Some(more) => open.extend(more),
                None => return gone,
            }
            continue;
        }
        match (&failing, &next.fails) {
            (_, None) => {}
            (None, Some(_)) => failing = Some(next),
            (Some(known), Some(other)) => {
                if !known.fails.as_ref().is_some_and(|one| one.is_at(other)) {
                    return gone;
                }
            }
        }
    }
    failing.unwrap_or(gone)
}

/// Each value of a range behind others, the first one last; none where there are too many.
fn extended(values: &[i64], range: Range) -> Option<Vec<Vec<i64>>> {
    let Range { lo, hi } = range;
    if hi.abs_diff(lo) >= MOST_TRIED as u64 {
        return None;
    }
    let each = (lo..=hi).rev().map(|value| {
        let mut values = values.to_vec();
        values.push(value);
        values
    });
    Some(each.collect())
}

/// With what the first `any`s have chosen; and what the next one may choose, if there is one.
fn gone_with<'s>(
    system: &'s System,
    before: &State,
    taken: &TraceStep,
    chosen: &[i64],
) -> (Gone<'s>, Option<Range>) {
    let mut going = Going {
        system,
        before,
        taken,
        state: before.clone(),
        gone: Gone::default(),
        participant: 0,
        chosen: chosen.to_vec(),
        choices: 0,
    };
    let ended = going.all();
    let mut gone = going.gone;
    let mut range = None;
    match ended {
        Ok(()) => gone.is_known = true,
        Err(Ended::Fails(fails)) => {
            // Another failure than the run's was not the one that it met.
            let is_it = Some(&fails.why) == taken.failure.as_ref();
            gone.is_known = is_it;
            gone.fails = is_it.then_some(*fails);
        }
        Err(Ended::Chooses(of)) => range = Some(of),
        Err(Ended::Unknown) => {}
    }
    (gone, range)
}

enum Ended<'s> {
    Fails(Box<Fails<'s>>),
    /// It is not known what an `any` has chosen.
    Chooses(Range),
    Unknown,
}

struct Going<'s, 'a> {
    system: &'s System,
    before: &'a State,
    taken: &'a TraceStep,
    state: State,
    gone: Gone<'s>,
    participant: usize,
    /// What each `any` has chosen, as far as it is known, and how many were met.
    chosen: Vec<i64>,
    choices: usize,
}

impl<'s> Going<'s, '_> {
    fn all(&mut self) -> Result<(), Ended<'s>> {
        for (at, (instance, step)) in self.taken.participants.iter().enumerate() {
            self.participant = at;
            let system = self.system;
            let step = &system.instances[*instance as usize].steps[*step as usize];
            self.stored(step)?;
            self.effects(step, &step.effects)?;
        }
        Ok(())
    }

    /// What the `?` of a step have stored.
    fn stored(&mut self, step: &'s Step) -> Result<(), Ended<'s>> {
        let (arguments, values) = match &step.communication {
            None => return Ok(()),
            Some(Communication::On { arguments, .. }) => {
                let values = self.taken.action.as_ref().map(|(_, values)| values);
                (arguments, values.cloned().unwrap_or_default())
            }
            Some(Communication::Send { .. }) => {
                return if asks_channels(step) {
                    Err(Ended::Unknown)
                } else {
                    Ok(())
                };
            }
            Some(Communication::Receive(channel, arguments, onward)) => {
                if onward.is_some() && asks_channels(step) {
                    return Err(Ended::Unknown);
                }
                let channel = self.channel(channel).ok_or(Ended::Unknown)?;
                let message = self.received(channel).ok_or(Ended::Unknown)?;
                let messages = &mut self.state.channels[channel];
                if let Some(at) = messages.iter().position(|one| *one == message) {
                    messages.remove(at);
                }
                (arguments, message)
            }
        };
        for (argument, value) in arguments.iter().zip(values) {
            if let Argument::Bind(place) = argument {
                let spot = spot_of(self.system, self.before, place);
                let spot = spot.map_err(|_| Ended::Unknown)?;
                self.assign(spot, &place.ty, Value::Int(value), None)?;
            }
        }
        Ok(())
    }

    fn channel(&self, channel: &ChannelRef) -> Option<usize> {
        match channel {
            ChannelRef::One(channel) => Some(*channel as usize),
            ChannelRef::Indexed { first, indices } => {
                let at = indices.iter().try_fold(0, |at, one| {
                    let Ok(Value::Int(index)) = evaluate(self.system, self.before, &one.index)
                    else {
                        return None;
                    };
                    Some(at * one.len + one.offset(index)?)
                });
                Some((first + at?) as usize)
            }
        }
    }

    /// The message that was received, where it can only be one.
    fn received(&self, channel: usize) -> Option<Vec<i64>> {
        let messages = self.before.channels.get(channel)?;
        let first = messages.first()?;
        let is_queue = self.system.channels.get(channel)?.order == Order::Queue;
        (is_queue || messages.iter().all(|one| one == first)).then(|| first.clone())
    }

    fn effects(&mut self, step: &'s Step, effects: &'s [Effect]) -> Result<(), Ended<'s>> {
        for effect in effects {
            match effect {
                Effect::Assign { place, ty, value } => {
                    let spot = spot_of(self.system, &self.state, place);
                    let spot = spot.map_err(|why| self.fails(Some(effect), None, why))?;
                    let value = match has_choice(value) {
                        true => {
                            let value = self.with_choices(step, value)?;
                            self.value(effect, &value)?
                        }
                        false => self.value(effect, value)?,
                    };
                    self.assign(spot, ty, value, Some(effect))?;
                }
                Effect::If(condition, then, otherwise) => {
                    let is_true = self.value(effect, condition)? != Value::Int(0);
                    self.effects(step, if is_true { then } else { otherwise })?;
                }
                Effect::Assert(condition) => {
                    if self.value(effect, condition)? == Value::Int(0) {
                        return Err(self.fails(Some(effect), None, Failure::Assertion));
                    }
                }
            }
        }
        Ok(())
    }

    /// The expression with the values that its choices have; they stand in the order of the choices.
    fn with_choices(&mut self, step: &Step, expr: &Expr) -> Result<Expr, Ended<'s>> {
        if let Expr::Choice(k) = expr {
            self.choices += 1;
            let chosen = self.chosen.get(self.choices - 1);
            let value = chosen.ok_or(Ended::Chooses(step.choices[*k as usize]))?;
            return Ok(Expr::int(*value));
        }
        let mut expr = expr.clone();
        let mut ended = Ok(());
        for_children_mut(&mut expr, &mut |child| {
            if ended.is_ok() && has_choice(child) {
                match self.with_choices(step, child) {
                    Ok(value) => *child = value,
                    Err(why) => ended = Err(why),
                }
            }
        });
        ended.map(|()| expr)
    }

    fn value(&self, effect: &'s Effect, expr: &Expr) -> Result<Value, Ended<'s>> {
        let value = evaluate(self.system, &self.state, expr);
        value.map_err(|why| self.fails(Some(effect), None, why))
    }

    fn assign(
        &mut self,
        (variable, mut path): Spot,
        ty: &Type,
        value: Value,
        effect: Option<&'s Effect>,
    ) -> Result<(), Ended<'s>> {
        let whole = path.len();
        if let Err(why) = must_be_in(&value, ty, &mut path) {
            return Err(self.fails(effect, Some((variable, path)), why));
        }
        path.truncate(whole);
        let part = self.state.part_mut(variable, &path);
        *part.ok_or(Ended::Unknown)? = value;
        self.gone.assigned.push((variable, path));
        Ok(())
    }

    fn fails(&self, effect: Option<&'s Effect>, outside: Option<Spot>, why: Failure) -> Ended<'s> {
        Ended::Fails(Box::new(Fails {
            participant: self.participant,
            effect,
            outside,
            why,
        }))
    }
}

/// Whether the effects ask how much is in channels.
fn asks_channels(step: &Step) -> bool {
    let mut asks = false;
    for effect in &step.effects {
        for_expressions(effect, &mut |expr| {
            for_subexpressions(expr, &mut |part| {
                asks |= matches!(part, Expr::Length(_) | Expr::IsEmpty(_) | Expr::IsFull(_));
            });
        });
    }
    asks
}

/// The place at which something is in a state.
pub(super) fn spot_of(system: &System, state: &State, place: &Place) -> Result<Spot, Failure> {
    let mut path = Vec::with_capacity(place.path.len());
    for access in &place.path {
        path.push(match access {
            Access::Field(field) => *field,
            Access::Cell { lo, len, index } => {
                let index = match evaluate(system, state, index)? {
                    Value::Int(index) => index,
                    Value::Cells(_) => 0,
                };
                let at = index.checked_sub(*lo).and_then(|at| u32::try_from(at).ok());
                match at.filter(|at| at < len) {
                    Some(at) => at,
                    None => {
                        let (lo, hi) = (*lo, lo.saturating_add(i64::from(*len) - 1));
                        return Err(Failure::OutsideArray { index, lo, hi });
                    }
                }
            }
        });
    }
    Ok((place.variable, path))
}

/// Fails at the first scalar that is not in its type, to which the path then leads.
fn must_be_in(value: &Value, ty: &Type, path: &mut Vec<u32>) -> Result<(), Failure> {
    match (value, ty) {
        (Value::Int(value), Type::Scalar { lo, hi }) => {
            let (value, lo, hi) = (*value, *lo, *hi);
            if value < lo || value > hi {
                return Err(Failure::OutsideType { value, lo, hi });
            }
        }
        (Value::Cells(parts), Type::Array { cell, .. }) => {
            for (part, at) in parts.iter().zip(0..) {
                path.push(at);
                must_be_in(part, cell, path)?;
                path.pop();
            }
        }
        (Value::Cells(parts), Type::Record(fields)) => {
            for ((part, field), at) in parts.iter().zip(fields.iter()).zip(0..) {
                path.push(at);
                must_be_in(part, field, path)?;
                path.pop();
            }
        }
        // A value that is not of its type does not occur.
        _ => {}
    }
    Ok(())
}

/// The assignments and assertions among effects, in the order of the text.
pub(super) fn leaves(effects: &[Effect]) -> Vec<&Effect> {
    let mut found = Vec::new();
    for effect in effects {
        match effect {
            Effect::Assign { .. } | Effect::Assert(_) => found.push(effect),
            Effect::If(_, then, otherwise) => {
                found.extend(leaves(then));
                found.extend(leaves(otherwise));
            }
        }
    }
    found
}

/// Whether a value depends on what the step chooses.
fn has_choice(expr: &Expr) -> bool {
    let mut has_one = false;
    for_subexpressions(expr, &mut |inner| {
        has_one |= matches!(inner, Expr::Choice(_))
    });
    has_one
}
