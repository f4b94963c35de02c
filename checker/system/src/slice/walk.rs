//! What expressions are made of, and what they read.

use crate::system::{Access, ChannelRef, Expr, InstanceId, Place, VariableRef};

/// Something that a step or a property may depend on, as a whole: an array is one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Thing {
    Variable(VariableRef),
    /// The content of a channel.
    Channel(u32),
    /// Where an instance is.
    Instance(InstanceId),
}

/// Calls with everything that evaluating the expression may read.
pub fn reads(expr: &Expr, found: &mut dyn FnMut(Thing)) {
    match expr {
        Expr::Variable(variable) => found(Thing::Variable(*variable)),
        Expr::At(instance, _) => found(Thing::Instance(*instance)),
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            channels(channel, found);
        }
        _ => {}
    }
    for_children(expr, &mut |child| reads(child, found));
}

/// Calls with the channels that the reference may mean.
pub fn channels(channel: &ChannelRef, found: &mut dyn FnMut(Thing)) {
    let (first, len) = match channel {
        ChannelRef::One(channel) => (*channel, 1),
        ChannelRef::Indexed { first, len, .. } => (*first, *len),
    };
    for channel in first..first.saturating_add(len) {
        found(Thing::Channel(channel));
    }
}

/// Calls with everything that finding the place may read: what its indices do.
pub fn place_reads(place: &Place, found: &mut dyn FnMut(Thing)) {
    for access in &place.path {
        if let Access::Cell { index, .. } = access {
            reads(index, found);
        }
    }
}

/// The index of an array of channels.
pub fn channel_index(channel: &ChannelRef) -> Option<&Expr> {
    match channel {
        ChannelRef::One(_) => None,
        ChannelRef::Indexed { index, .. } => Some(index),
    }
}

/// Calls with the direct operands, from left to right.
pub fn for_children<'a>(expr: &'a Expr, then: &mut dyn FnMut(&'a Expr)) {
    match expr {
        Expr::Const(_)
        | Expr::Variable(_)
        | Expr::Choice(_)
        | Expr::At(..)
        | Expr::Bound(_)
        | Expr::Fail(_) => {}
        Expr::Cell { array, index, .. } => {
            then(array);
            then(index);
        }
        Expr::Field {
            record: operand, ..
        }
        | Expr::Unary(_, operand) => then(operand),
        Expr::Binary(_, left, right) => {
            then(left);
            then(right);
        }
        Expr::Cells(parts)
        | Expr::All(parts)
        | Expr::Any(parts)
        | Expr::Count(parts)
        | Expr::Sum(parts)
        | Expr::Min(parts)
        | Expr::Max(parts) => parts.iter().for_each(then),
        Expr::If(condition, yes, no) => {
            then(condition);
            then(yes);
            then(no);
        }
        Expr::OneOf(first, others) => {
            then(first);
            others.iter().for_each(then);
        }
        Expr::Select { index, cases, .. } => {
            then(index);
            cases.iter().for_each(then);
        }
        Expr::Let { value, body, .. } => {
            then(value);
            then(body);
        }
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            channel_index(channel).into_iter().for_each(then);
        }
    }
}
