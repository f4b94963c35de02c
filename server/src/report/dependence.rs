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
pub(super) fn for_each<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a Expr)) {
    visit(expr);
    match expr {
        Expr::Const(_)
        | Expr::Variable(_)
        | Expr::Choice(_)
        | Expr::At(..)
        | Expr::Bound(_)
        | Expr::Fail(_) => {}
        Expr::Cell { array, index, .. } => {
            for_each(array, visit);
            for_each(index, visit);
        }
        Expr::Field { record, .. } => for_each(record, visit),
        Expr::Unary(_, operand) => for_each(operand, visit),
        Expr::Binary(_, left, right) => {
            for_each(left, visit);
            for_each(right, visit);
        }
        Expr::Cells(parts)
        | Expr::All(parts)
        | Expr::Any(parts)
        | Expr::Count(parts)
        | Expr::Sum(parts)
        | Expr::Min(parts)
        | Expr::Max(parts) => parts.iter().for_each(|part| for_each(part, visit)),
        Expr::If(condition, then, otherwise) => {
            for_each(condition, visit);
            for_each(then, visit);
            for_each(otherwise, visit);
        }
        Expr::OneOf(one, of) => {
            for_each(one, visit);
            of.iter().for_each(|part| for_each(part, visit));
        }
        Expr::Select { index, cases, .. } => {
            for_each(index, visit);
            cases.iter().for_each(|case| for_each(case, visit));
        }
        Expr::Let { value, body, .. } => {
            for_each(value, visit);
            for_each(body, visit);
        }
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            if let ChannelRef::Indexed { index, .. } = channel {
                for_each(index, visit);
            }
        }
    }
}
