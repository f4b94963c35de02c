//! Names of steps: their actions, or who takes them.

use stubborn_engine::interpreter::fixed_values;
use stubborn_engine::{State, TraceStep};
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::{ActionId, ActionPattern, InstanceId, StepId, System};

use super::place::Texts;

/// The action of a step that is taken in a state, `enter(1)`. A step that fails for an argument of it has
/// no value there, unless another participant gives one: `enter(*)`.
pub(super) fn action(
    system: &System,
    map: &SourceMap,
    before: &State,
    step: &TraceStep,
) -> Option<String> {
    let (action, values) = step.action.as_ref()?;
    let fixed = step
        .failure
        .as_ref()
        .and_then(|_| fixed_values(system, before, &step.participants));
    Some(match fixed {
        Some(arguments) => map.action_pattern(&ActionPattern {
            action: *action,
            arguments,
        }),
        None => map.action(*action, values),
    })
}

/// Label of an edge of the state space: its action or `tau`.
pub fn action_label(map: &SourceMap, action: Option<(ActionId, &[i64])>) -> String {
    match action {
        Some((action, values)) => map.action(action, values),
        None => "tau".to_owned(),
    }
}

/// Label of an edge of the state space by its participants: `customer(1) line 12`, or each of
/// several.
pub fn step_label(map: &SourceMap, texts: &Texts, participants: &[(InstanceId, StepId)]) -> String {
    let told: Vec<String> = participants
        .iter()
        .map(|(instance, step)| {
            let line = texts.line(map.step(*instance, *step));
            format!("{} line {line}", map.instance(*instance))
        })
        .collect();
    told.join(", ")
}
