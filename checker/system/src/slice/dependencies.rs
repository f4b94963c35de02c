//! What the steps of a System depend on, read off once for all its properties.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::arrays::{ChannelArrays, Needed};
use super::bounds::{Bounds, Ranges};
use super::layout::Layout;
use crate::footprint::{Read, Thing, read_by};
use crate::system::{
    ActionPattern, Argument, ChannelRef, Communication, Effect, Expr, InstanceId, Place, Range,
    Step, System, Target, Type, VariableRef,
};
use crate::walk::for_indices;

/// So many steps or things are looked at between two looks up from the work.
pub(super) const BETWEEN_LOOKS: usize = 512;

/// Who reads and writes what.
#[derive(Clone, Debug)]
pub struct Dependencies<'a> {
    pub(super) system: &'a System,
    pub(super) layout: Arc<Layout>,
    /// Of each instance, what its steps need whatever becomes of their assignments: what decides
    /// whether and where they lead, what they send and receive, and what they assign to where that
    /// may fail.
    pub(super) always: Vec<Vec<Needed>>,
    /// Of each variable that is assigned to, by whom, and what the values and the indices and the
    /// conditions on the way to it read.
    pub(super) assigned: HashMap<VariableRef, Assigned>,
    /// Of each channel, who sends to it or receives from it and means no other.
    pub(super) users: Vec<Vec<InstanceId>>,
    /// Those that are meant by an index.
    pub(super) arrays: ChannelArrays,
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
    pub reads: Vec<Needed>,
}

impl<'a> Dependencies<'a> {
    /// Costs time in proportion to the size of the System.
    pub fn new(system: &'a System) -> Dependencies<'a> {
        let mut goes_on = || ControlFlow::<Infallible>::Continue(());
        let ControlFlow::Continue(all) = Dependencies::within(system, &mut goes_on);
        all
    }

    /// As [`new`](Dependencies::new), while `goes_on` does not break off; it is asked now and then.
    pub fn within<Stop>(
        system: &'a System,
        goes_on: &mut dyn FnMut() -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop, Dependencies<'a>> {
        let mut all = Dependencies {
            system,
            layout: Arc::new(Layout::new(system)),
            always: Vec::with_capacity(system.instances.len()),
            assigned: HashMap::new(),
            users: vec![Vec::new(); system.channels.len()],
            arrays: ChannelArrays::new(system.channels.len()),
            alphabets: vec![Alphabet::default(); system.actions.len()],
        };
        let mut since_look = 0;
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
                since_look += 1;
                if since_look == BETWEEN_LOOKS {
                    since_look = 0;
                    goes_on()?;
                }
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
        let of_arrays = all.arrays.all.iter_mut().map(|array| &mut array.users);
        for users in all.users.iter_mut().chain(of_arrays) {
            users.dedup();
        }
        ControlFlow::Continue(all)
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

    /// How many patterns are compared with the wanted one.
    pub fn looked_at(&self, wanted: &ActionPattern) -> usize {
        match wanted.arguments.iter().all(Option::is_some) {
            true => 1 + self.open.len(),
            false => self.exact.len() + self.open.len(),
        }
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
    always: Vec<Needed>,
    all: &'d mut Dependencies<'a>,
}

impl OfInstance<'_, '_> {
    fn step(&mut self, step: &Step) {
        let system = self.all.system;
        let ranges = Ranges::of_types(system, &step.choices);
        if let Some(guard) = &step.guard {
            self.needs(guard);
        }
        if let Target::Test(condition, _, _) = &step.target {
            self.needs(condition);
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
                    self.needs(value);
                }
            }
            Some(Communication::Receive(channel, arguments, onward)) => {
                self.channel(channel);
                if let Some(onward) = onward {
                    self.channel(&onward.channel);
                    onward.values.iter().for_each(|value| self.needs(value));
                }
                let arrays = &mut self.all.arrays;
                let given: Vec<Given<'_>> = (arguments.iter().enumerate())
                    .map(|(part, argument)| (argument, arrays.received(system, channel, part)))
                    .collect();
                let is_sure = ranges.is_sure_channel(channel);
                self.arguments(&ranges, &given, step.guard.is_some(), is_sure);
            }
        }
        self.effects(&ranges, &step.effects, &mut Vec::new());
    }

    /// What the expression reads is needed.
    fn needs(&mut self, expr: &Expr) {
        reads(expr, &mut self.all.arrays, &mut self.always);
    }

    fn channel(&mut self, channel: &ChannelRef) {
        let arrays = &mut self.all.arrays;
        let needed = arrays.meant_by(channel);
        self.always.push(needed);
        let users = match needed {
            Needed::Array(array) => Some(&mut arrays.all[array].users),
            Needed::Thing(Thing::Channel(channel)) => self.all.users.get_mut(channel as usize),
            Needed::Thing(_) => None,
        };
        if let Some(users) = users {
            users.push(self.instance);
        }
        for index in channel.index_expressions() {
            self.needs(index);
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
                Argument::Match(expr) => self.needs(expr),
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
    fn effects(&mut self, ranges: &Ranges<'_>, effects: &[Effect], conditions: &mut Vec<Needed>) {
        for effect in effects {
            match effect {
                Effect::Assign { place, ty, value } => {
                    let is_sure = is_sure_assignment(ranges, place, ty, value);
                    self.assignment(place, is_sure, conditions, Some(value));
                }
                Effect::If(condition, then, otherwise) => {
                    let outside = conditions.len();
                    reads(condition, &mut self.all.arrays, conditions);
                    if !ranges.cannot_fail(condition) {
                        self.always.extend_from_slice(conditions);
                    }
                    self.effects(ranges, then, conditions);
                    self.effects(ranges, otherwise, conditions);
                    conditions.truncate(outside);
                }
                Effect::Assert(condition) => {
                    self.always.extend_from_slice(conditions);
                    self.needs(condition);
                }
            }
        }
    }

    fn assignment(
        &mut self,
        place: &Place,
        is_sure: bool,
        conditions: &[Needed],
        value: Option<&Expr>,
    ) {
        // Where it may fail the step depends on it, whoever reads the variable.
        if !is_sure {
            let variable = Thing::Variable(place.variable);
            self.always.push(Needed::Thing(variable));
        }
        let Dependencies {
            assigned, arrays, ..
        } = &mut *self.all;
        let assigned = assigned.entry(place.variable).or_default();
        assigned.by.push(self.instance);
        assigned.reads.extend_from_slice(conditions);
        for_indices(place, &mut |index| {
            reads(index, arrays, &mut assigned.reads)
        });
        if let Some(value) = value {
            reads(value, arrays, &mut assigned.reads);
        }
    }
}

/// Adds what the expression reads.
fn reads(expr: &Expr, arrays: &mut ChannelArrays, into: &mut Vec<Needed>) {
    read_by(expr, &mut |read| {
        into.push(match read {
            Read::Thing(thing) => Needed::Thing(thing),
            Read::Channels(channel) => arrays.meant_by(channel),
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::property::Property;
    use crate::system::{Channel, ChannelIndex, Instance, Order, Value, Variable};

    const INDEX: VariableRef = VariableRef::Shared(0);

    /// `senders` that each send so often to a channel of an array of so many, which is chosen by the
    /// one variable, and wait until that channel is empty.
    fn senders(senders: u32, sends: u32, channels: u32) -> System {
        let bit = Range { lo: 0, hi: 1 };
        let channel = || ChannelRef::Indexed {
            first: 0,
            indices: Box::new([ChannelIndex {
                lo: 0,
                len: channels,
                index: Expr::Variable(INDEX),
            }]),
        };
        let step = |_| Step {
            communication: Some(Communication::Send {
                channel: channel(),
                values: vec![Expr::int(0)],
            }),
            guard: Some(Expr::IsEmpty(channel())),
            choices: vec![],
            effects: vec![],
            target: Target::To(0),
        };
        let sender = Instance {
            process: 0,
            locals: vec![],
            steps: (0..sends).map(step).collect(),
            locations: vec![],
            initial: 0,
            alphabet: vec![],
        };
        let index = Variable {
            ty: Type::scalar(0, i64::from(channels) - 1),
            initial: Value::Int(0),
        };
        let channel = Channel {
            order: Order::Queue,
            capacity: 1,
            message: vec![bit],
            initial: vec![],
        };
        System {
            variables: vec![index],
            channels: vec![channel; channels as usize],
            instances: vec![sender; senders as usize],
            ..System::default()
        }
    }

    #[test]
    fn an_array_of_channels_is_one_thing_to_all_who_choose_from_it() {
        let system = senders(3, 20, 100);
        let dependencies = Dependencies::new(&system);
        let variable = Needed::Thing(Thing::Variable(INDEX));
        for always in &dependencies.always {
            assert_eq!(always[..], [variable, Needed::Array(0)]);
        }
        assert_eq!(dependencies.arrays.all[0].users, [0, 1, 2]);
        assert!(dependencies.users.iter().all(Vec::is_empty));
        let cone = dependencies.cone([&Property::Invariant(Expr::Variable(INDEX))]);
        assert_eq!(cone.instances().count(), 0, "nobody assigns to it");
        let channel = Expr::Length(ChannelRef::One(50));
        let cone = dependencies.cone([&Property::Invariant(channel)]);
        assert!(dependencies.is_whole(&cone));
        assert_eq!(cone.channels().count(), 100);
    }

    #[test]
    fn what_is_received_from_an_array_is_of_one_type_where_its_channels_are() {
        let system = senders(1, 1, 100);
        let mut arrays = ChannelArrays::new(system.channels.len());
        let mut of = |channel: &ChannelRef, part| arrays.received(&system, channel, part);
        let Some(Expr::IsEmpty(array)) = &system.instances[0].steps[0].guard else {
            panic!("they look at the array");
        };
        let received =
            [(array, 0), (&ChannelRef::One(7), 0), (array, 1)].map(|(c, part)| of(c, part));
        let bit = Range { lo: 0, hi: 1 };
        assert_eq!(received, [vec![bit], vec![bit], vec![]]);
    }

    #[test]
    fn whoever_reads_off_dependencies_hears_that_it_is_to_end() {
        let system = senders(1, 10 * BETWEEN_LOOKS as u32, 2);
        let mut asked = 0;
        let found = Dependencies::within(&system, &mut || {
            asked += 1;
            match asked == 3 {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        assert!(found.is_break());
        assert_eq!(asked, 3);
    }
}
