//! Ranges of the values that variables and messages have in reachable states, and types narrowed to
//! them.
//!
//! An abstract interpretation over intervals (P. Cousot and R. Cousot, POPL 1977) that does not
//! tell the locations of an instance apart: it begins with the initial values, and all steps are
//! gone through until no more values are added. A step counts only if its guard may be true, and a
//! branch if its condition may, where the variables have values known so far (M. N. Wegman and F.
//! K. Zadeck, "Constant Propagation with Conditional Branches", TOPLAS 13, 1991).
//!
//! What is left at the end is so in every reachable state, by induction on the steps to it. A
//! variable that may be assigned, and a message part that may be sent or compared with, a value
//! outside its type keeps its type, so that whatever fails fails with the same message. So nothing
//! changes when types are narrowed: states take fewer bits, and whatever depends on the number of
//! values of a type depends on those that occur.
//!
//! A variable with a single value is a constant: whatever reads it is worked out, and its
//! assignments go. Other types are narrowed only if they are wide, and then alike in all instances
//! of a process and all channels of an array, so that what is symmetric stays so.

use std::collections::HashMap;

use super::bounds::{Bounds, Intervals};
use super::own_values::{Taking, Values, is_surely};
use crate::system::{
    Argument, ChannelIndex, ChannelRef, Communication, Effect, Expr, Instance, InstanceId, Place,
    Range, Step, System, Type, Value, Variable, VariableRef,
};

/// Rounds through all steps in which intervals grow as little as they have to, and those in which
/// they double; then one that still grows becomes the type.
const EXACT_ROUNDS: u32 = 3;
const MOST_ROUNDS: u32 = 16;
/// Types with fewer values are narrowed only to a single value, and others only to at most half of
/// their values.
const WIDE: u64 = 17;

/// Narrows types to the values that occur, and gives how many. Costs time in proportion to the
/// System. There are none once `goes_on`, which is asked for each instance, does not.
pub(super) fn with_values(system: &mut System, goes_on: &mut dyn FnMut() -> bool) -> usize {
    let Some(growing) = Growing::of(system, goes_on) else {
        return 0;
    };
    let narrow = growing.narrow();
    let Growing { messages, .. } = growing;
    let channels = narrowed_channels(system, &messages);
    if narrow.is_empty() && channels.is_empty() {
        return 0;
    }
    let count = narrow.len() + channels.len();
    for (channel, part, range) in channels {
        system.channels[channel].message[part] = range;
    }
    let typed = |variable: &mut Variable, number: VariableRef| {
        if let Some(interval) = narrow.get(&number) {
            variable.ty = variable.ty.within(*interval);
        }
    };
    for (variable, number) in system.variables.iter_mut().zip(0..) {
        typed(variable, VariableRef::Shared(number));
    }
    for (instance, i) in system.instances.iter_mut().zip(0..) {
        for (variable, number) in instance.locals.iter_mut().zip(0..) {
            typed(variable, VariableRef::Local(i, number));
        }
        for step in &mut instance.steps {
            if let Some(
                Communication::On { arguments, .. } | Communication::Receive(_, arguments, _),
            ) = &mut step.communication
            {
                for argument in arguments {
                    if let Argument::Bind(place) = argument {
                        narrow_place(place, &narrow);
                    }
                }
            }
            let old = std::mem::take(&mut step.effects);
            step.effects = narrowed(old, &narrow);
        }
    }
    count
}

fn narrow_place(place: &mut Place, narrow: &Intervals) {
    if let Some(interval) = narrow.get(&place.variable) {
        place.ty = place.ty.within(*interval);
    }
}

/// The effects with narrower types, but for assignments to constants.
fn narrowed(effects: Vec<Effect>, narrow: &Intervals) -> Vec<Effect> {
    let effect = |effect| match effect {
        Effect::Assign {
            mut place,
            ty,
            value,
        } => match narrow.get(&place.variable) {
            Some((lo, hi)) if lo == hi && place.path.is_empty() && ty.scalars() == 1 => None,
            Some(interval) => {
                narrow_place(&mut place, narrow);
                let ty = ty.within(*interval);
                Some(Effect::Assign { place, ty, value })
            }
            None => Some(Effect::Assign { place, ty, value }),
        },
        Effect::If(condition, then, otherwise) => Some(Effect::If(
            condition,
            narrowed(then, narrow),
            narrowed(otherwise, narrow),
        )),
        effect @ Effect::Assert(_) => Some(effect),
    };
    effects.into_iter().filter_map(effect).collect()
}

/// The range of all scalars of a type without records.
fn range_of(ty: &Type) -> Option<Range> {
    match ty {
        Type::Scalar { lo, hi } => Some(Range { lo: *lo, hi: *hi }),
        Type::Array { cell, .. } => range_of(cell),
        Type::Record(_) => None,
    }
}

fn of_value(value: &Value) -> Option<(i64, i64)> {
    match value {
        Value::Int(value) => Some((*value, *value)),
        Value::Cells(cells) => cells.iter().map(of_value).reduce(|a, b| join(a?, b?))?,
    }
}

fn of_bounds(bounds: &Bounds) -> Option<(i64, i64)> {
    match bounds {
        Bounds::Scalar { lo, hi } => Some((*lo, *hi)),
        Bounds::Array(_, cell) => of_bounds(cell),
        Bounds::Cells(cells) => cells.iter().map(of_bounds).reduce(|a, b| join(a?, b?))?,
    }
}

fn join(a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    Some((a.0.min(b.0), a.1.max(b.1)))
}

/// Whether it pays to narrow a type to these values.
fn is_narrower((lo, hi): (i64, i64), than: Range) -> bool {
    than.size() >= WIDE && Range { lo, hi }.size() <= than.size() / 2
}

/// The parts of messages that are narrowed, with their ranges.
fn narrowed_channels(system: &System, messages: &[Vec<Messages>]) -> Vec<(usize, usize, Range)> {
    let mut narrow = Vec::new();
    // Channels of one array follow each other, and are declared alike.
    let all: Vec<usize> = (0..system.channels.len()).collect();
    let arrays = all.chunk_by(|a, b| {
        let (a, b) = (&system.channels[*a], &system.channels[*b]);
        (a.order, a.capacity, &a.message) == (b.order, b.capacity, &b.message)
    });
    for array in arrays {
        for (part, range) in system.channels[array[0]].message.iter().enumerate() {
            let of_all = array.iter().filter_map(|channel| messages[*channel][part]);
            // Of a channel that is never used any value will do.
            let interval = of_all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
            let (lo, hi) = interval.unwrap_or((range.lo, range.lo));
            if is_narrower((lo, hi), *range) {
                narrow.extend(
                    array
                        .iter()
                        .map(|channel| (*channel, part, Range { lo, hi })),
                );
            }
        }
    }
    narrow
}

/// The values of a part of a channel's messages; none as long as none are sent.
type Messages = Option<(i64, i64)>;

/// Values known so far.
struct Growing<'a> {
    system: &'a System,
    /// Of the variables without records whose values are fewer than those of their types.
    variables: Intervals,
    messages: Vec<Vec<Messages>>,
    round: u32,
    has_grown: bool,
}

impl<'a> Growing<'a> {
    fn of(system: &'a System, goes_on: &mut dyn FnMut() -> bool) -> Option<Growing<'a>> {
        let mut variables = Intervals::new();
        let mut begin = |variable: &Variable, number| {
            if let (Some(range), Some(interval)) =
                (range_of(&variable.ty), of_value(&variable.initial))
                && interval != (range.lo, range.hi)
            {
                variables.insert(number, interval);
            }
        };
        for (variable, number) in system.variables.iter().zip(0..) {
            begin(variable, VariableRef::Shared(number));
        }
        for (instance, i) in system.instances.iter().zip(0..) {
            for (variable, number) in instance.locals.iter().zip(0..) {
                begin(variable, VariableRef::Local(i, number));
            }
        }
        let messages = system.channels.iter().map(|channel| {
            let parts = 0..channel.message.len();
            let of_part = |part: usize| {
                let values = channel.initial.iter().map(|message| message[part]);
                values
                    .map(|value| (value, value))
                    .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            };
            parts.map(of_part).collect()
        });
        let mut growing = Growing {
            system,
            variables,
            messages: messages.collect(),
            round: 0,
            has_grown: true,
        };
        while growing.has_grown {
            growing.has_grown = false;
            let count = system.instances.len();
            for number in 0..count {
                // What goes from one to the next may go either way.
                let number = match growing.round % 2 {
                    0 => number,
                    _ => count - 1 - number,
                };
                if !goes_on() {
                    return None;
                }
                growing.instance(number as InstanceId);
            }
            growing.round += 1;
        }
        Some(growing)
    }

    /// The variables that are narrowed, with their values.
    fn narrow(&self) -> Intervals {
        let mut narrow = Intervals::new();
        for (variable, number) in self.system.variables.iter().zip(0..) {
            let number = VariableRef::Shared(number);
            if let (Some(range), Some(interval)) =
                (range_of(&variable.ty), self.variables.get(&number))
                && (is_constant(variable, *interval) || is_narrower(*interval, range))
            {
                narrow.insert(number, *interval);
            }
        }
        // By process and variable, over all instances; none where one has all values of its type.
        let mut alike: HashMap<(u32, usize), Option<(i64, i64)>> = HashMap::new();
        let locals = |instance: &'a Instance, i| {
            let locals = instance.locals.iter().enumerate();
            locals.map(move |(v, local)| (v, local, VariableRef::Local(i, v as u32)))
        };
        for (instance, i) in self.system.instances.iter().zip(0..) {
            for (v, _, number) in locals(instance, i) {
                let interval = self.variables.get(&number).copied();
                let all = alike.entry((instance.process, v)).or_insert(interval);
                *all = all.zip(interval).and_then(|(a, b)| join(a, b));
            }
        }
        for (instance, i) in self.system.instances.iter().zip(0..) {
            for (v, local, number) in locals(instance, i) {
                let (Some(range), Some(own)) = (range_of(&local.ty), self.variables.get(&number))
                else {
                    continue;
                };
                if is_constant(local, *own) {
                    narrow.insert(number, *own);
                } else if let Some(all) = alike[&(instance.process, v)]
                    && is_narrower(all, range)
                {
                    narrow.insert(number, all);
                }
            }
        }
        narrow
    }

    fn instance(&mut self, number: InstanceId) {
        let instance = &self.system.instances[number as usize];
        let listed = instance
            .locations
            .iter()
            .flat_map(|location| &location.steps);
        for step in listed {
            let step = &instance.steps[*step as usize];
            if self.may_matter(step) {
                self.step(number, step);
            }
        }
    }

    /// Whether a step may add values to what is followed.
    fn may_matter(&self, step: &Step) -> bool {
        let communicates = match &step.communication {
            Some(Communication::Send { .. } | Communication::Receive(..)) => true,
            Some(Communication::On { .. }) | None => false,
        };
        communicates
            || step
                .bound()
                .any(|place| self.variables.contains_key(&place.variable))
            || self.assigns(&step.effects)
    }

    fn assigns(&self, effects: &[Effect]) -> bool {
        effects.iter().any(|effect| match effect {
            Effect::Assign { place, .. } => self.variables.contains_key(&place.variable),
            Effect::If(_, then, otherwise) => self.assigns(then) || self.assigns(otherwise),
            Effect::Assert(_) => false,
        })
    }

    fn step(&mut self, number: InstanceId, step: &Step) {
        let instance = &self.system.instances[number as usize];
        let mut values: Values = vec![None; instance.locals.len()];
        for (v, local) in instance.locals.iter().enumerate() {
            if let Type::Scalar { lo, hi } = local.ty {
                let known = self.variables.get(&VariableRef::Local(number, v as u32));
                values[v] = Some(known.copied().unwrap_or((lo, hi)));
            }
        }
        if let Some(Communication::Receive(channel, arguments, _)) = &step.communication
            && !self.receive(channel, arguments, step, &values, number)
        {
            return;
        }
        if let Some(Communication::On { arguments, action }) = &step.communication {
            let ranges = &self.system.actions[*action as usize].arguments;
            for (argument, range) in arguments.iter().zip(ranges) {
                if let Argument::Bind(place) = argument {
                    self.bind(place, (range.lo, range.hi));
                }
            }
        }
        // A value that is bound is not the one before.
        for place in step.bound() {
            if let VariableRef::Local(i, v) = place.variable
                && i == number
                && values[v as usize].is_some()
            {
                values[v as usize] = Some(self.all_values(place.variable));
            }
        }
        if let Some(guard) = &step.guard {
            let taking = self.taking(number);
            if !taking.refine(guard, true, &mut values) {
                return;
            }
        }
        if let Some(Communication::On { .. }) = &step.communication {
            // Others may have taken their parts of the step before.
            for (v, value) in values.iter_mut().enumerate() {
                if value.is_some() {
                    *value = Some(self.all_values(VariableRef::Local(number, v as u32)));
                }
            }
        }
        if let Some(Communication::Send {
            channel,
            values: sent,
        }) = &step.communication
        {
            self.send(channel, sent, step, &values, number);
        }
        if let Some(Communication::Receive(_, _, Some(onward))) = &step.communication {
            self.send(&onward.channel, &onward.values, step, &values, number);
        }
        self.effects(&step.effects, step, &mut values, number);
    }

    fn taking(&self, instance: InstanceId) -> Taking<'_> {
        Taking {
            system: self.system,
            instance,
            intervals: Some(&self.variables),
        }
    }

    fn bounds(&self, expr: &Expr, step: &Step, values: &Values, who: InstanceId) -> Option<Bounds> {
        self.taking(who).ranges(values, &step.choices).of(expr)
    }

    /// Whether there may be a message.
    fn receive(
        &mut self,
        channel: &ChannelRef,
        arguments: &[Argument],
        step: &Step,
        values: &Values,
        who: InstanceId,
    ) -> bool {
        let mut there = vec![None; arguments.len()];
        for channel in self.channels(channel, step, values, who) {
            for (part, argument) in arguments.iter().enumerate() {
                // A value that is asked for must stay in the range of the message.
                if let Argument::Match(expr) = argument {
                    let asked = self.bounds(expr, step, values, who);
                    self.add_message(channel, part, asked.as_ref().and_then(of_bounds));
                }
                let known = self.messages[channel][part];
                there[part] = there[part].map_or(known, |a| known.map_or(Some(a), |b| join(a, b)));
            }
        }
        for (argument, part) in arguments.iter().zip(&there) {
            let Some(part) = part else {
                return false;
            };
            if let Argument::Bind(place) = argument {
                self.bind(place, *part);
            }
        }
        true
    }

    fn channels(
        &self,
        channel: &ChannelRef,
        step: &Step,
        values: &Values,
        who: InstanceId,
    ) -> Vec<usize> {
        let mut meant = vec![channel.first() as usize];
        let mut indices = channel.indices();
        while let Some((index, others)) = indices.split_first() {
            let all = 0..index.len as usize;
            let offsets = match self.bounds(&index.index, step, values, who) {
                Some(Bounds::Scalar { lo: least, hi }) => {
                    let offset = |value: i64| {
                        let offset = i128::from(value) - i128::from(index.lo);
                        offset.clamp(0, i128::from(index.len)) as usize
                    };
                    offset(least)..(offset(hi) + 1).min(all.end)
                }
                _ => all,
            };
            let apart = ChannelIndex::channels(others) as usize;
            let of_each = |first: usize| offsets.clone().map(move |at| first + at * apart);
            meant = meant.into_iter().flat_map(of_each).collect();
            indices = others;
        }
        meant
    }

    fn send(
        &mut self,
        channel: &ChannelRef,
        sent: &[Expr],
        step: &Step,
        values: &Values,
        who: InstanceId,
    ) {
        let channels = self.channels(channel, step, values, who);
        for (part, value) in sent.iter().enumerate() {
            let value = self.bounds(value, step, values, who);
            let value = value.as_ref().and_then(of_bounds);
            for channel in channels.clone() {
                self.add_message(channel, part, value);
            }
        }
    }

    /// Adds values of a part of a channel's messages; all where they are not known.
    fn add_message(&mut self, channel: usize, part: usize, new: Option<(i64, i64)>) {
        let range = self.system.channels[channel].message[part];
        let known = self.messages[channel][part];
        let grown = match new.filter(|new| range.lo <= new.0 && new.1 <= range.hi) {
            None => (range.lo, range.hi),
            Some(new) => match known {
                None => new,
                Some(known) => self.grown(known, new, range),
            },
        };
        if known != Some(grown) {
            self.messages[channel][part] = Some(grown);
            self.has_grown = true;
        }
    }

    /// Adds values of a variable; all where they are not known, or may not fit its type.
    fn add(&mut self, variable: VariableRef, new: Option<(i64, i64)>, ty: &Type) {
        let Some(&known) = self.variables.get(&variable) else {
            return;
        };
        let fits = |new: &(i64, i64)| {
            range_of(ty).is_some_and(|range| range.lo <= new.0 && new.1 <= range.hi)
        };
        let range = range_of(&self.system.variable(variable).ty);
        let grown = range.zip(new.filter(fits)).and_then(|(range, new)| {
            let grown = self.grown(known, new, range);
            let is_all = grown == (range.lo, range.hi);
            // Of a narrow type it matters only whether it is a constant.
            let is_useless = range.size() < WIDE && grown != known;
            (!is_all && !is_useless).then_some(grown)
        });
        if grown == Some(known) {
            return;
        }
        self.has_grown = true;
        match grown {
            Some(grown) => self.variables.insert(variable, grown),
            None => self.variables.remove(&variable),
        };
    }

    fn grown(&self, known: (i64, i64), new: (i64, i64), range: Range) -> (i64, i64) {
        let both = (known.0.min(new.0), known.1.max(new.1));
        match self.round {
            _ if both == known => known,
            0..EXACT_ROUNDS => both,
            EXACT_ROUNDS..MOST_ROUNDS => {
                let doubled = |distance: i128| {
                    let distance = distance.unsigned_abs() + 1;
                    distance.next_power_of_two() as i128 - 1
                };
                let (lo, hi) = (i128::from(range.lo), i128::from(range.hi));
                let least = match both.0 < known.0 {
                    true => (hi - doubled(hi - i128::from(both.0))).max(lo) as i64,
                    false => both.0,
                };
                let most = match both.1 > known.1 {
                    true => (lo + doubled(i128::from(both.1) - lo)).min(hi) as i64,
                    false => both.1,
                };
                (least, most)
            }
            _ => (range.lo, range.hi),
        }
    }

    fn bind(&mut self, place: &Place, values: (i64, i64)) {
        self.add(place.variable, Some(values), &place.ty);
    }

    fn all_values(&self, variable: VariableRef) -> (i64, i64) {
        match (
            self.variables.get(&variable),
            &self.system.variable(variable).ty,
        ) {
            (Some(known), _) => *known,
            (None, Type::Scalar { lo, hi }) => (*lo, *hi),
            (None, _) => (i64::MIN, i64::MAX),
        }
    }

    fn effects(&mut self, effects: &[Effect], step: &Step, values: &mut Values, who: InstanceId) {
        for effect in effects {
            match effect {
                Effect::Assign { place, ty, value } => {
                    if self.variables.contains_key(&place.variable) {
                        let value = self.bounds(value, step, values, who);
                        self.add(place.variable, value.as_ref().and_then(of_bounds), ty);
                    }
                    // From here on it has another value than the guard has looked at.
                    if let VariableRef::Local(i, v) = place.variable
                        && i == who
                        && values[v as usize].is_some()
                    {
                        values[v as usize] = Some(self.all_values(place.variable));
                    }
                }
                Effect::If(condition, then, otherwise) => {
                    let is = |growing: &Self, value| {
                        let taking = growing.taking(who);
                        is_surely(&taking.ranges(values, &step.choices), condition, value)
                    };
                    let (always, never) = (is(self, true), is(self, false));
                    if !never {
                        self.effects(then, step, values, who);
                    }
                    if !always {
                        self.effects(otherwise, step, values, who);
                    }
                }
                Effect::Assert(_) => {}
            }
        }
    }
}

/// Whether it is a scalar that always has one value.
fn is_constant(variable: &Variable, (lo, hi): (i64, i64)) -> bool {
    lo == hi && matches!(variable.ty, Type::Scalar { .. })
}
