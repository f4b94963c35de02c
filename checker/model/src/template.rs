//! Reading a process once for all its instances.
//!
//! An instance's parameters are constants in it (`language.md` §3), so that its text means something
//! else in each. To read it anew for each of a thousand instances takes a thousand times as long,
//! though nearly all of the work is the same: finding what names stand for, and checking types. So a
//! process of several instances is read once more with its parameters *open*, constants without a
//! value ([`Binding::Open`](crate::names::Binding::Open)); each instance is then this **template**
//! with its values put in and folded, which gives what reading it would have given
//! ([`instantiate`](crate::instantiate)).
//!
//! It is not so wherever the value decides more than that: the bounds of a type, whether a constant
//! fails, whether an argument of `on` is in its range. The first kind is noticed on the way, and all
//! instances are read one by one. The second kind is noted as a [`Condition`]: an instance that does
//! not meet all of them is read by itself.
//!
//! What the template is for rests on the first instance having been read before: the template tells
//! nothing, and where it would have something new to tell it is not used.

mod trial;

use stubborn_system::system::{Expr, InstanceId, Range};
use stubborn_system::walk::for_subexpressions;

/// The instance that a template speaks of when it speaks of its own variables.
pub(crate) const OWN: InstanceId = InstanceId::MAX - 1;

/// How many open parameters there may be at most.
const MOST_OPEN: u32 = 1_000;

/// An open parameter in an expression, counted from 0: no [`Expr::Let`] is so deep.
pub(crate) fn open(number: u32) -> Expr {
    Expr::Bound(u32::MAX - number)
}

/// Which open parameter the expression is.
pub(crate) fn opened(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Bound(number) if *number > u32::MAX - MOST_OPEN => Some((u32::MAX - number) as usize),
        _ => None,
    }
}

/// The template stands for an instance only if, with its values,
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// the expression is in the range or depends on the state;
    Within(Expr, Range),
    /// the expression may have no value in some state, as it may where nothing is known of its parameters.
    MayFail(Expr),
    /// the expression depends on the state.
    OfState(Expr),
}

/// What is noted while a template is read.
#[derive(Debug)]
pub(crate) struct Trial {
    /// Of the open parameters.
    domains: Vec<Range>,
    conditions: Vec<Condition>,
    /// The instances differ in more than what can be put in.
    differs: bool,
}

/// Whether it is a constant in every instance, as nothing but open parameters and constants stands in it. One in which it has
/// no value is read by itself.
pub(crate) fn is_known_in_instances(expr: &Expr) -> bool {
    fn is_of_constants(expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) => true,
            Expr::Unary(_, operand) => is_of_constants(operand),
            Expr::Binary(_, a, b) => is_of_constants(a) && is_of_constants(b),
            Expr::All(parts) | Expr::Any(parts) => parts.iter().all(is_of_constants),
            Expr::If(condition, a, b) => [condition, a, b].iter().all(|part| is_of_constants(part)),
            expr => opened(expr).is_some(),
        }
    }
    is_of_constants(expr) && is_open(expr)
}

/// Whether an open parameter stands in it.
pub(crate) fn is_open(expr: &Expr) -> bool {
    let mut found = false;
    for_subexpressions(expr, &mut |inner| found |= opened(inner).is_some());
    found
}
