//! Whose steps can change whether a step is enabled, as far as the text alone tells.

use std::collections::BTreeSet;

use stubborn_system::system::{
    ActionId, ActionPattern, Argument, ChannelRef, Communication, Effect, Expr, InstanceId, Place,
    Step, System, VariableRef,
};

/// What a step looks at, or changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Variable(VariableRef),
    Location(InstanceId),
    Channel(u32),
}

/// The instances, `of` itself among them perhaps, whose steps can enable the step: they write what
/// its guard reads, use its channel, or take part in its action.
pub(super) fn influences(system: &System, of: InstanceId, step: &Step) -> BTreeSet<InstanceId> {
    let mut read = BTreeSet::new();
    if let Some(guard) = &step.guard {
        reads(guard, &mut read);
    }
    let mut action = None;
    match &step.communication {
        Some(Communication::On { action: on, .. }) => action = Some(*on),
        Some(Communication::Send { channel, .. } | Communication::Receive { channel, .. }) => {
            read.extend(channels(channel));
        }
        None => {}
    }
    let changes = |instance: InstanceId| {
        system.instances[instance as usize]
            .steps
            .iter()
            .any(|step| {
                let mut written = BTreeSet::from([Thing::Location(instance)]);
                writes(step, &mut written);
                !written.is_disjoint(&read)
            })
    };
    (0..system.instances.len() as InstanceId)
        .filter(|other| {
            let alphabet = &system.instances[*other as usize].alphabet;
            let takes_part = |action| alphabet.iter().any(|pattern| pattern.action == action);
            *other != of && (action.is_some_and(takes_part) || changes(*other))
        })
        .collect()
}

/// Whether an alphabet has an action with these values, `None` standing for one that is not known.
pub(super) fn matches(
    alphabet: &[ActionPattern],
    action: ActionId,
    values: &[Option<i64>],
) -> bool {
    alphabet.iter().any(|pattern| {
        let agree = |(a, b): (&Option<i64>, &Option<i64>)| match (a, b) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        pattern.action == action && pattern.arguments.iter().zip(values).all(agree)
    })
}

/// The channels that a reference may mean.
fn channels(channel: &ChannelRef) -> impl Iterator<Item = Thing> + use<> {
    let (first, len) = match channel {
        ChannelRef::One(channel) => (*channel, 1),
        ChannelRef::Indexed { first, len, .. } => (*first, *len),
    };
    (first..first.saturating_add(len)).map(Thing::Channel)
}

fn writes(step: &Step, written: &mut BTreeSet<Thing>) {
    let mut place = |place: &Place| {
        written.insert(Thing::Variable(place.variable));
    };
    if let Some(Communication::On { arguments, .. } | Communication::Receive { arguments, .. }) =
        &step.communication
    {
        for argument in arguments {
            if let Argument::Bind(bound) = argument {
                place(bound);
            }
        }
    }
    effects_write(&step.effects, &mut place);
    if let Some(Communication::Send { channel, .. } | Communication::Receive { channel, .. }) =
        &step.communication
    {
        written.extend(channels(channel));
    }
}

fn effects_write(effects: &[Effect], place: &mut impl FnMut(&Place)) {
    for effect in effects {
        match effect {
            Effect::Assign {
                place: assigned, ..
            } => place(assigned),
            Effect::If {
                then, otherwise, ..
            } => {
                effects_write(then, place);
                effects_write(otherwise, place);
            }
            Effect::Assert(_) => {}
        }
    }
}

fn reads(expr: &Expr, read: &mut BTreeSet<Thing>) {
    for_each(expr, &mut |expr| match expr {
        Expr::Variable(variable) => {
            read.insert(Thing::Variable(*variable));
        }
        Expr::At(instance, _) => {
            read.insert(Thing::Location(*instance));
        }
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            read.extend(channels(channel));
        }
        _ => {}
    });
}

/// Visits an expression and all its parts, from the outside in, from left to right.
fn for_each<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    visit(expr);
    for_each_part(expr, &mut |part| for_each(part, visit));
}

/// Visits the parts of an expression, from left to right, but not the parts of these.
pub(super) fn for_each_part<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match expr {
        Expr::Const(_)
        | Expr::Variable(_)
        | Expr::Choice(_)
        | Expr::At(..)
        | Expr::Bound(_)
        | Expr::Fail(_) => {}
        Expr::Cell { array, index, .. } => {
            visit(array);
            visit(index);
        }
        Expr::Field { record, .. } => visit(record),
        Expr::Unary(_, operand) => visit(operand),
        Expr::Binary(_, left, right) => {
            visit(left);
            visit(right);
        }
        Expr::Cells(parts)
        | Expr::All(parts)
        | Expr::Any(parts)
        | Expr::Count(parts)
        | Expr::Sum(parts)
        | Expr::Min(parts)
        | Expr::Max(parts) => parts.iter().for_each(visit),
        Expr::If(condition, then, otherwise) => {
            visit(condition);
            visit(then);
            visit(otherwise);
        }
        Expr::OneOf(one, of) => {
            visit(one);
            of.iter().for_each(visit);
        }
        Expr::Select { index, cases, .. } => {
            visit(index);
            cases.iter().for_each(visit);
        }
        Expr::Let { value, body, .. } => {
            visit(value);
            visit(body);
        }
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            if let ChannelRef::Indexed { index, .. } = channel {
                visit(index);
            }
        }
    }
}
