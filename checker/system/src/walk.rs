//! What expressions and effects are made of.
//!
//! Code that goes through an expression does so by these functions: a new form of [`Expr`] or
//! [`Effect`] is added to their exhaustive matches, and nowhere else. Only code that gives an
//! expression a meaning or a text matches on each form by itself.

use crate::system::{
    Access, Argument, ChannelRef, Communication, Effect, Expr, Onward, Place, Step, Target,
};

/// The match over the direct operands, by reference or by mutable reference.
macro_rules! for_children {
    ($expr:expr, $then:expr, $iter:ident, $index:ident) => {
        match $expr {
            Expr::Const(_)
            | Expr::Variable(_)
            | Expr::Choice(_)
            | Expr::At(..)
            | Expr::Bound(_)
            | Expr::Fail(_) => {}
            Expr::Field { record: one, .. } | Expr::Unary(_, one) => $then(one),
            Expr::Cell {
                array: one,
                index: other,
                ..
            }
            | Expr::Binary(_, one, other)
            | Expr::Let {
                value: one,
                body: other,
                ..
            } => {
                $then(one);
                $then(other);
            }
            Expr::Cells(parts)
            | Expr::All(parts)
            | Expr::Any(parts)
            | Expr::Count(parts)
            | Expr::Sum(parts)
            | Expr::Min(parts)
            | Expr::Max(parts) => parts.$iter().for_each($then),
            Expr::If(condition, yes, no) => {
                $then(condition);
                $then(yes);
                $then(no);
            }
            Expr::OneOf(first, others)
            | Expr::Select {
                index: first,
                cases: others,
                ..
            } => {
                $then(first);
                others.$iter().for_each($then);
            }
            Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
                channel.$index().for_each($then);
            }
        }
    };
}

/// Calls with the direct operands, from left to right.
pub fn for_children<'a>(expr: &'a Expr, then: &mut dyn FnMut(&'a Expr)) {
    for_children!(expr, then, iter, index_expressions);
}

/// Calls with the direct operands, to change them.
pub fn for_children_mut(expr: &mut Expr, then: &mut dyn FnMut(&mut Expr)) {
    for_children!(expr, then, iter_mut, index_expressions_mut);
}

/// Calls with an expression and all expressions inside it, from the outside in, from left to right.
pub fn for_subexpressions<'a>(expr: &'a Expr, then: &mut dyn FnMut(&'a Expr)) {
    then(expr);
    for_children(expr, &mut |child| for_subexpressions(child, then));
}

/// Calls with the direct expressions of an effect and of the effects inside it: indices, values and
/// conditions, in the order in which they would be evaluated.
pub fn for_expressions<'a>(effect: &'a Effect, then: &mut dyn FnMut(&'a Expr)) {
    match effect {
        Effect::Assign { place, value, .. } => {
            for_indices(place, then);
            then(value);
        }
        Effect::If(condition, yes, no) => {
            then(condition);
            for effect in yes.iter().chain(no) {
                for_expressions(effect, then);
            }
        }
        Effect::Assert(condition) => then(condition),
    }
}

/// Calls with the condition of each `if` among the effects, with those in it behind it, the first branch before the
/// second: so they are numbered where the branches of a step are told apart.
pub fn for_tests<'a>(effects: &'a [Effect], then: &mut dyn FnMut(&'a Expr)) {
    for effect in effects {
        if let Effect::If(condition, yes, no) = effect {
            then(condition);
            for_tests(yes, then);
            for_tests(no, then);
        }
    }
}

/// How many there are.
pub fn tests(effects: &[Effect]) -> usize {
    let mut many = 0;
    for_tests(effects, &mut |_| many += 1);
    many
}

/// Calls with the indices in a place, from the outside in.
pub fn for_indices<'a>(place: &'a Place, then: &mut dyn FnMut(&'a Expr)) {
    for access in &place.path {
        match access {
            Access::Field(_) => {}
            Access::Cell { index, .. } => then(index),
        }
    }
}

/// Use of an expression or a place by a step.
pub enum Use<'a> {
    Reads(&'a Expr),
    Assigns(&'a Place),
}

/// Calls with what a step does before its effects and its test, in this order: it reads indices, values
/// and arguments, assigns to each `?`, and reads its guard and what it sends on.
pub fn for_uses_before_effects<'a>(step: &'a Step, then: &mut dyn FnMut(Use<'a>)) {
    let channel = step.channels().next().into_iter();
    let indices = channel.flat_map(ChannelRef::index_expressions);
    indices.for_each(|index| then(Use::Reads(index)));
    match &step.communication {
        None => {}
        Some(Communication::Send { values, .. }) => {
            values.iter().for_each(|value| then(Use::Reads(value)));
        }
        Some(Communication::On { arguments, .. } | Communication::Receive(_, arguments, _)) => {
            for argument in arguments {
                match argument {
                    Argument::Match(expr) => then(Use::Reads(expr)),
                    Argument::Bind(place) => for_indices(place, &mut |at| then(Use::Reads(at))),
                    Argument::Skip => {}
                }
            }
        }
    }
    step.bound().for_each(|place| then(Use::Assigns(place)));
    let onward = step.onward().into_iter().flat_map(Onward::expressions);
    let read = step.guard.iter().chain(onward);
    read.for_each(|expr| then(Use::Reads(expr)));
}

/// Calls with the direct expressions of a step: what it sends and receives, its guard, its effects and
/// its test.
pub fn for_expressions_of_step<'a>(step: &'a Step, then: &mut dyn FnMut(&'a Expr)) {
    for_uses_before_effects(step, &mut |one| match one {
        Use::Reads(expr) => then(expr),
        Use::Assigns(_) => {}
    });
    for effect in &step.effects {
        for_expressions(effect, then);
    }
    match &step.target {
        Target::To(_) => {}
        Target::Test(condition, _, _) => then(condition),
    }
}
