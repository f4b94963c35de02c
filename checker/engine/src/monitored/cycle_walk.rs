//! Walk round a cycle, among states of which other processes know which are left.
//!
//! From every state that is left a wanted step can be reached between such states. So from the
//! target of one wanted step the nearest next one is searched for, until a target occurs again:
//! states are finite.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use crate::search::whole::cycles::Step;
use crate::successors::{Label, Successors};
use crate::verdict::Reason;

/// A state, whole.
type State = Box<[u64]>;

/// States before a cycle, and those of the cycle.
pub type Round = (Vec<State>, Vec<State>);

/// Returns which states are left.
pub type Which<'w> = &'w mut dyn FnMut(&[Vec<u64>]) -> Result<Vec<bool>, Reason>;

/// Classifies a step.
pub type Kinds<'k> = &'k mut dyn FnMut(&[u64], Label<'_>, &[u64]) -> Step;

/// Returns the states after `from`, which is left, up to a cycle, and those of the cycle, whose
/// last one is where it begins.
///
/// # Errors
/// If `which` fails, or its answers contradict each other.
pub fn round<S: Successors + ?Sized>(
    model: &S,
    from: &[u64],
    kinds: Kinds<'_>,
    which: Which<'_>,
) -> Result<Round, Reason> {
    let mut scratch = model.scratch();
    let mut run: Vec<State> = Vec::new();
    // Targets of wanted steps, and the length of the run there.
    let mut ends: HashMap<State, usize> = HashMap::from([(from.into(), 0)]);
    loop {
        let begin = run.last().map_or(from, |last| last).to_vec();
        run.extend(to_next(model, &mut scratch, &begin, kinds, which)?);
        let end = run[run.len() - 1].clone();
        if let Some(before) = ends.insert(end, run.len()) {
            let cycle = run.split_off(before);
            return Ok((run, cycle));
        }
    }
}

/// Returns the states after one, up to the target of the nearest wanted step.
fn to_next<S: Successors + ?Sized>(
    model: &S,
    scratch: &mut S::Scratch,
    from: &[u64],
    kinds: Kinds<'_>,
    which: Which<'_>,
) -> Result<Vec<State>, Reason> {
    let mut before: HashMap<State, Option<State>> = HashMap::from([(from.into(), None)]);
    let mut layer: Vec<State> = vec![from.into()];
    while !layer.is_empty() {
        let mut steps: Vec<(State, Vec<u64>, bool)> = Vec::new();
        for state in layer {
            let mut allowed = |label: Label<'_>, outcome: Result<&[u64], &Failure>| {
                if let Ok(to) = outcome {
                    let step = kinds(&state, label, to);
                    if step != Step::Forbidden {
                        steps.push((state.clone(), to.to_vec(), step == Step::Wanted));
                    }
                }
                ControlFlow::Continue(())
            };
            let _ = model.visit(&state, scratch, &mut allowed);
        }
        let ends: Vec<Vec<u64>> = steps.iter().map(|(_, to, _)| to.clone()).collect();
        let are_left = which(&ends)?;
        let left = steps.into_iter().zip(are_left);
        let left: Vec<_> = left
            .filter(|(_, is_left)| *is_left)
            .map(|(step, _)| step)
            .collect();
        if let Some((state, to, _)) = left.iter().find(|(_, _, is_wanted)| *is_wanted) {
            let mut way: Vec<State> = vec![to.clone().into(), state.clone()];
            while let Some(Some(last)) = before.get(&way[way.len() - 1]) {
                way.push(last.clone());
            }
            // The last one is `from`.
            way.pop();
            way.reverse();
            return Ok(way);
        }
        layer = Vec::new();
        for (state, to, _) in left {
            let to: State = to.into();
            if !before.contains_key(&to) {
                before.insert(to.clone(), Some(state));
                layer.push(to);
            }
        }
    }
    let defect = "no step that is wanted can be reached from a state that is left";
    Err(Reason::Internal(defect.to_owned()))
}
