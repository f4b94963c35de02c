//! What expressions and effects are made of.
//!
//! Whoever goes through an expression, whatever they look for in it, does so by these functions: a
//! new form of [`Expr`] or [`Effect`] is added to them here, by exhaustive matches, and nowhere else.
//! The rest is those who give an expression a meaning or a text, and must know each form.

use crate::system::{
    Access, Argument, ChannelRef, Communication, Effect, Expr, Place, Step, Target,
};

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
            channel.index().into_iter().for_each(then);
        }
    }
}

/// Likewise, to change them.
pub fn for_children_mut(expr: &mut Expr, then: &mut dyn FnMut(&mut Expr)) {
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
        | Expr::Max(parts) => parts.iter_mut().for_each(then),
        Expr::If(condition, yes, no) => {
            then(condition);
            then(yes);
            then(no);
        }
        Expr::OneOf(first, others) => {
            then(first);
            others.iter_mut().for_each(then);
        }
        Expr::Select { index, cases, .. } => {
            then(index);
            cases.iter_mut().for_each(then);
        }
        Expr::Let { value, body, .. } => {
            then(value);
            then(body);
        }
        Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) => {
            if let ChannelRef::Indexed { index, .. } = channel {
                then(index);
            }
        }
    }
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

/// Calls with the direct expressions of a step: what it sends and receives, its guard, its effects and
/// its test.
pub fn for_expressions_of_step<'a>(step: &'a Step, then: &mut dyn FnMut(&'a Expr)) {
    match &step.communication {
        None => {}
        Some(Communication::On { arguments, .. }) => for_expressions_of_arguments(arguments, then),
        Some(Communication::Send { channel, values }) => {
            channel.index().into_iter().for_each(&mut *then);
            values.iter().for_each(&mut *then);
        }
        Some(Communication::Receive(channel, arguments, _)) => {
            channel.index().into_iter().for_each(&mut *then);
            for_expressions_of_arguments(arguments, then);
        }
    }
    step.guard.iter().for_each(&mut *then);
    if let Some(onward) = step.onward() {
        onward.expressions().for_each(&mut *then);
    }
    for effect in &step.effects {
        for_expressions(effect, then);
    }
    match &step.target {
        Target::To(_) => {}
        Target::Test(condition, _, _) => then(condition),
    }
}

fn for_expressions_of_arguments<'a>(arguments: &'a [Argument], then: &mut dyn FnMut(&'a Expr)) {
    for argument in arguments {
        match argument {
            Argument::Match(expr) => then(expr),
            Argument::Bind(place) => for_indices(place, then),
            Argument::Skip => {}
        }
    }
}
