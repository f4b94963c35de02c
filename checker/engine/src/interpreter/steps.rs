//! All steps of a state.

use std::ops::ControlFlow;

use stubborn_system::system::{
    ActionId, Communication, Expr, Failure, InstanceId, StepId, System, Value,
};

use super::evaluate::Scope;
use super::{joint, local};
use crate::state::State;

/// One step of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Who takes it, in the order of the instances, each with the step that it takes.
    pub participants: Vec<(InstanceId, StepId)>,
    /// Of a joint step, with the action's values.
    pub action: Option<(ActionId, Vec<i64>)>,
    /// The state that it leads to, or why it fails.
    pub outcome: Result<State, Failure>,
}

pub(super) type Visit<'a> = dyn FnMut(Occurrence) -> ControlFlow<()> + 'a;

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

/// Whether the state has no step, not even a failing one.
pub fn is_terminal(system: &System, state: &State) -> bool {
    visit(system, state, &mut |_| ControlFlow::Break(())).is_continue()
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
