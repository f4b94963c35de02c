//! What the steps of a System depend on, read off once for all its properties.

use std::collections::HashMap;

use super::bounds::{Bounds, Ranges};
use crate::footprint::{Thing, for_channels, things_read, things_read_by_indices};
use crate::system::{
    ActionPattern, Argument, ChannelRef, Communication, Effect, Expr, InstanceId, Place, Range,
    Step, System, Target, Type, VariableRef,
};
use crate::walk::channel_index;

/// Who reads and writes what.
#[derive(Clone, Debug)]
pub struct Dependencies<'a> {
    pub(super) system: &'a System,
    /// Of each instance, what its steps need whatever becomes of their assignments: what decides
    /// whether and where they lead, what they send and receive, and what they assign to where that
    /// may fail.
    pub(super) always: Vec<Vec<Thing>>,
    /// Of each variable that is assigned to, by whom, and what the values and the indices and the
    /// conditions on the way to it read.
    pub(super) assigned: HashMap<VariableRef, Assigned>,
    /// Of each channel, who sends to it or receives from it.
    pub(super) users: Vec<Vec<InstanceId>>,
    /// Of each action, who has it in the alphabet.
    pub(super) alphabets: Vec<Alphabet<'a>>,
}

/// Who has an action in the alphabet, by the values.
#[derive(Clone, Debug, Default)]
pub(super) struct Alphabet<'a> {
    /// With all values fixed.
    exact: HashMap<&'a [Option<i64>], Vec<InstanceId>>,
    /// With some value left open.
    open: HashMap<&'a [Option<i64>], Vec<InstanceId>>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Assigned {
    /// Ascending.
    pub by: Vec<InstanceId>,
    pub reads: Vec<Thing>,
}

impl<'a> Dependencies<'a> {
    /// Costs time in proportion to the size of the System.
    pub fn new(system: &'a System) -> Dependencies<'a> {
        let mut all = Dependencies {
            system,
            always: Vec::with_capacity(system.instances.len()),
            assigned: HashMap::new(),
            users: vec![Vec::new(); system.channels.len()],
            alphabets: vec![Alphabet::default(); system.actions.len()],
        };
        for (i, instance) in system.instances.iter().enumerate() {
            let instance_id = i as InstanceId;
            for pattern in &instance.alphabet {
                all.alphabets[pattern.action as usize].add(instance_id, &pattern.arguments);
            }
            let mut of_instance = OfInstance {
                instance: instance_id,
                always: Vec::new(),
                all: &mut all,
            };
            for step in &instance.steps {
                of_instance.step(step);
            }
            let mut always = of_instance.always;
            always.sort_unstable();
            always.dedup();
            all.always.push(always);
        }
        for assigned in all.assigned.values_mut() {
            assigned.by.dedup();
            assigned.reads.sort_unstable();
            assigned.reads.dedup();
        }
        for users in &mut all.users {
            users.dedup();
        }
        all
    }

    /// Whether a step assigns to the variable, and it has more values than one.
    pub(super) fn varies(&self, variable: VariableRef, ty: &Type) -> bool {
        self.assigned.contains_key(&variable) && bits(ty) > 0.0
    }
}

impl<'a> Alphabet<'a> {
    fn add(&mut self, instance: InstanceId, arguments: &'a [Option<i64>]) {
        let alike = match arguments.iter().all(Option::is_some) {
            true => &mut self.exact,
            false => &mut self.open,
        };
        alike.entry(arguments).or_default().push(instance);
    }

    /// Calls with the instances that take part in some action that the pattern stands for.
    pub fn participants(&self, wanted: &ActionPattern, then: &mut dyn FnMut(InstanceId)) {
        let wanted = wanted.arguments.as_slice();
        let alike =
            |(arguments, _): &(&&[Option<i64>], &Vec<InstanceId>)| overlap(arguments, wanted);
        let open = self.open.iter().filter(alike);
        if wanted.iter().all(Option::is_some) {
            let exact = self.exact.get_key_value(wanted);
            let found = open.chain(exact).flat_map(|(_, instances)| instances);
            found.copied().for_each(then);
        } else {
            let exact = self.exact.iter().filter(alike);
            let found = open.chain(exact).flat_map(|(_, instances)| instances);
            found.copied().for_each(then);
        }
    }
}

/// Whether two patterns of one action have values in common.
fn overlap(one: &[Option<i64>], other: &[Option<i64>]) -> bool {
    let mut arguments = one.iter().zip(other);
    arguments.all(|(a, b)| a.is_none() || b.is_none() || a == b)
}

/// The logarithm to the base 2 of the number of a type's values.
pub(super) fn bits(ty: &Type) -> f64 {
    match ty {
        Type::Scalar { lo, hi } => (Range { lo: *lo, hi: *hi }.size() as f64).log2(),
        Type::Array { len, cell, .. } => f64::from(*len) * bits(cell),
        Type::Record(fields) => fields.iter().map(bits).sum(),
    }
}

/// Whether an effect that the step does without can be left out: it does not fail, whatever the
/// state is.
pub(super) fn is_sure_assignment(
    ranges: &Ranges<'_>,
    place: &Place,
    ty: &Type,
    value: &Expr,
) -> bool {
    ranges.is_sure(place) && ranges.of(value).is_some_and(|bounds| bounds.are_in(ty))
}

/// An argument, with the ranges of the values that it may be given.
type Given<'s> = (&'s Argument, Vec<Range>);

/// Whether all values within the bounds are in each of the ranges.
fn are_all(bounds: &Bounds, ranges: &[Range]) -> bool {
    let mut ranges = ranges.iter();
    ranges.all(|Range { lo, hi }| bounds.are_in(&Type::Scalar { lo: *lo, hi: *hi }))
}

struct OfInstance<'d, 'a> {
    instance: InstanceId,
    always: Vec<Thing>,
    all: &'d mut Dependencies<'a>,
}

impl OfInstance<'_, '_> {
    fn step(&mut self, step: &Step) {
        let system = self.all.system;
        let ranges = Ranges {
            system,
            choices: &step.choices,
        };
        let always = &mut self.always;
        if let Some(guard) = &step.guard {
            things_read(guard, &mut |thing| always.push(thing));
        }
        if let Target::Test { condition, .. } = &step.target {
            things_read(condition, &mut |thing| always.push(thing));
        }
        match &step.communication {
            None => {}
            Some(Communication::On { action, arguments }) => {
                let action = &system.actions[*action as usize];
                let given: Vec<Given<'_>> = (arguments.iter())
                    .zip(action.arguments.iter().map(|range| vec![*range]))
                    .collect();
                self.arguments(&ranges, &given, step.guard.is_some(), true);
            }
            Some(Communication::Send { channel, values }) => {
                self.channel(channel);
                for value in values {
                    things_read(value, &mut |thing| self.always.push(thing));
                }
            }
            Some(Communication::Receive { channel, arguments }) => {
                self.channel(channel);
                let mut meant = Vec::new();
                for_channels(channel, &mut |channel| meant.push(channel));
                let received = |part: usize| {
                    let message = |channel: &u32| {
                        let channel = system.channels.get(*channel as usize)?;
                        channel.message.get(part).copied()
                    };
                    meant.iter().filter_map(message).collect()
                };
                let given: Vec<Given<'_>> = (arguments.iter().enumerate())
                    .map(|(part, argument)| (argument, received(part)))
                    .collect();
                let is_sure = ranges.is_sure_channel(channel);
                self.arguments(&ranges, &given, step.guard.is_some(), is_sure);
            }
        }
        self.effects(&ranges, &step.effects, &mut Vec::new());
    }

    fn channel(&mut self, channel: &ChannelRef) {
        let (instance, users) = (self.instance, &mut self.all.users);
        let always = &mut self.always;
        for_channels(channel, &mut |channel| {
            always.push(Thing::Channel(channel));
            if let Some(users) = users.get_mut(channel as usize) {
                users.push(instance);
            }
        });
        if let Some(index) = channel_index(channel) {
            things_read(index, &mut |thing| always.push(thing));
        }
    }

    /// The arguments of an `on` or a `receive`. Where the step has a guard and one of them may fail,
    /// or the channel's index may (it `is_sure` otherwise), each `?` is needed, whoever reads what it
    /// assigns: without any, a false guard would keep that from counting
    /// ([`Step::is_protected`]).
    fn arguments(
        &mut self,
        ranges: &Ranges<'_>,
        given: &[Given<'_>],
        has_guard: bool,
        is_sure: bool,
    ) {
        let fits = |(argument, of): &Given<'_>| match argument {
            Argument::Match(expr) => ranges.of(expr).is_some_and(|bounds| are_all(&bounds, of)),
            Argument::Bind(_) | Argument::Skip => true,
        };
        let is_needed = has_guard && !(is_sure && given.iter().all(fits));
        for (argument, received) in given {
            match argument {
                Argument::Match(expr) => things_read(expr, &mut |thing| self.always.push(thing)),
                Argument::Skip => {}
                Argument::Bind(place) => {
                    let fits = |range: &Range| {
                        let Range { lo, hi } = *range;
                        Bounds::Scalar { lo, hi }.are_in(&place.ty)
                    };
                    let is_sure = ranges.is_sure(place) && received.iter().all(fits);
                    self.assignment(place, is_sure && !is_needed, &[], None);
                }
            }
        }
    }

    /// `conditions`: what the conditions around the effects read.
    fn effects(&mut self, ranges: &Ranges<'_>, effects: &[Effect], conditions: &mut Vec<Thing>) {
        for effect in effects {
            match effect {
                Effect::Assign { place, ty, value } => {
                    let is_sure = is_sure_assignment(ranges, place, ty, value);
                    self.assignment(place, is_sure, conditions, Some(value));
                }
                Effect::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    let outside = conditions.len();
                    things_read(condition, &mut |thing| conditions.push(thing));
                    if !ranges.cannot_fail(condition) {
                        self.always.extend_from_slice(conditions);
                    }
                    self.effects(ranges, then, conditions);
                    self.effects(ranges, otherwise, conditions);
                    conditions.truncate(outside);
                }
                Effect::Assert(condition) => {
                    self.always.extend_from_slice(conditions);
                    things_read(condition, &mut |thing| self.always.push(thing));
                }
            }
        }
    }

    fn assignment(
        &mut self,
        place: &Place,
        is_sure: bool,
        conditions: &[Thing],
        value: Option<&Expr>,
    ) {
        // Where it may fail the step depends on it, whoever reads the variable.
        if !is_sure {
            self.always.push(Thing::Variable(place.variable));
        }
        let assigned = self.all.assigned.entry(place.variable).or_default();
        assigned.by.push(self.instance);
        assigned.reads.extend_from_slice(conditions);
        let read = &mut assigned.reads;
        things_read_by_indices(place, &mut |thing| read.push(thing));
        if let Some(value) = value {
            things_read(value, &mut |thing| read.push(thing));
        }
    }
}
