//! All steps of a state.

use std::ops::ControlFlow;

use stubborn_system::system::{Communication, Expr, Failure, InstanceId, System, Value};

use super::evaluate::Scope;
use super::occurrence::{Occurrence, Visit};
use super::{joint, local};
use crate::state::State;

/// All steps of a state, failing ones too, in the forward order: instances, then their steps, then
/// messages of a bag and values; a joint step stands at its first participant, where those of one
/// step go by the action's values, then by the steps of the others, then by what is chosen.
pub fn steps(system: &System, state: &State) -> Vec<Occurrence> {
    let mut all = Vec::new();
    let _ = visit(system, state, &mut |occurrence| {
        all.push(occurrence);
        ControlFlow::Continue(())
    });
    all
}

/// Goes through the [`steps`] of a state, one by one, until the visitor breaks off.
pub fn visit_steps(
    system: &System,
    state: &State,
    visitor: &mut dyn FnMut(Occurrence) -> ControlFlow<()>,
) -> ControlFlow<()> {
    visit(system, state, visitor)
}

/// As [`steps`], the first `most` of them; and whether there are more.
pub fn first_steps(system: &System, state: &State, most: usize) -> (Vec<Occurrence>, bool) {
    let mut first = Vec::new();
    let cut = visit_steps(system, state, &mut |occurrence| {
        if first.len() == most {
            return ControlFlow::Break(());
        }
        first.push(occurrence);
        ControlFlow::Continue(())
    });
    (first, cut.is_break())
}

/// Whether the state has no step, not even a failing one, and none is cut off.
pub fn is_terminal(system: &System, state: &State) -> bool {
    is_inside(system, state) && visit(system, state, &mut |_| ControlFlow::Break(())).is_continue()
}

/// Whether every bound of the system is true in the state.
pub fn is_inside(system: &System, state: &State) -> bool {
    let mut bounds = system.bounds.iter();
    bounds.all(|bound| holds(system, state, bound) == Ok(true))
}

/// The value of an expression in a state.
///
/// # Errors
/// Where its evaluation fails.
pub fn evaluate(system: &System, state: &State, expr: &Expr) -> Result<Value, Failure> {
    Scope::new(system, state, &[]).value(expr)
}

/// The value in a state of a part of an expression, which stands within lets that have the values
/// `bound`, the innermost last.
///
/// # Errors
/// Where its evaluation fails.
pub fn evaluate_within(
    system: &System,
    state: &State,
    bound: &[Value],
    expr: &Expr,
) -> Result<Value, Failure> {
    Scope::new(system, state, &[]).within(bound).value(expr)
}

/// Whether a truth value is true in a state.
///
/// # Errors
/// Where its evaluation fails.
pub fn holds(system: &System, state: &State, expr: &Expr) -> Result<bool, Failure> {
    Scope::new(system, state, &[]).truth(expr)
}

fn visit(system: &System, state: &State, visit: &mut Visit<'_>) -> ControlFlow<()> {
    if !is_inside(system, state) {
        return ControlFlow::Continue(());
    }
    for (i, instance) in system.instances.iter().enumerate() {
        let location = state.instances[i].location as usize;
        for &step in &instance.locations[location].steps {
            match instance.steps[step as usize].communication {
                Some(Communication::On { .. }) => {
                    joint::visit(system, state, i as InstanceId, step, visit)?;
                }
                _ => local::visit(system, state, i as InstanceId, step, visit)?,
            }
        }
    }
    ControlFlow::Continue(())
}
