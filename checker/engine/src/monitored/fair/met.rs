//! Whether a run meets assumptions of fairness, by the reference interpreter, and how.

use std::ops::ControlFlow;

use stubborn_system::property::Assumption;
use stubborn_system::system::{InstanceId, System};

use crate::interpreter::{is_terminal, steps};
use crate::runs::no_trace::{NoTrace, Poll, polled};
use crate::search::fair::Assumed;
use crate::state::State;
use crate::successors::Label;
use crate::trace::Trace;
use crate::verdict::{Finding, Verdict, Violation};

/// How a run that goes on for ever meets an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// A step of it is taken again and again: the one with this number on the cycle is the first.
    Taken(usize),
    /// No step of it is possible after this many steps of the cycle: there is none, or the one that
    /// there is `fails`.
    NotPossible { after: usize, fails: bool },
    /// No step of it is possible on the cycle, where there is none, or one `fails`.
    NeverPossible { fails: bool },
    /// It is not.
    Not,
}

/// How each of the assumptions is met on the cycle of a run that the interpreter has taken.
///
/// Costs the steps of each state on the cycle.
///
/// # Errors
/// Where a limit is reached.
fn met(
    system: &System,
    assumptions: &[Assumption],
    trace: &Trace,
    poll: Poll<'_>,
) -> Result<Vec<Met>, NoTrace> {
    let assumed = Assumed::new(system, assumptions);
    let mut taken = vec![None; assumptions.len()];
    let mut not_possible = vec![None; assumptions.len()];
    let mut is_possible = vec![false; assumptions.len()];
    let mut walk = trace.walk();
    let before = trace.steps().len();
    let bytes = trace.bytes();
    while let Some(step) = walk.next_step() {
        if let Some(nth) = walk.taken().checked_sub(before) {
            let state = walk.state();
            let set = of_step(&assumed, state, step.label());
            let (here, failing) = possible(system, &assumed, state, &mut || polled(poll, bytes))?;
            for number in 0..assumptions.len() {
                if contains(&set, number) {
                    taken[number].get_or_insert(nth);
                }
                match contains(&here, number) {
                    true => is_possible[number] = true,
                    false => {
                        let fails = contains(&failing, number);
                        not_possible[number].get_or_insert((nth, fails));
                    }
                }
            }
        }
        walk.advance();
    }
    let how =
        |(number, assumption): (usize, &Assumption)| match (taken[number], not_possible[number]) {
            (Some(nth), _) => Met::Taken(nth),
            (None, Some((_, fails))) if !is_possible[number] => Met::NeverPossible { fails },
            (None, Some((after, fails))) if !assumption.is_strong => {
                Met::NotPossible { after, fails }
            }
            _ => Met::Not,
        };
    Ok(assumptions.iter().enumerate().map(how).collect())
}

/// How each of the assumptions is met on the cycle of a run that the interpreter has taken.
/// `on_the_way` is called for each step of the cycle, and may unwind.
///
/// Costs the steps of each state on the cycle.
pub fn how_met(
    system: &System,
    assumptions: &[Assumption],
    trace: &Trace,
    on_the_way: &dyn Fn(),
) -> Vec<Met> {
    let told = met(system, assumptions, trace, &mut |_| {
        on_the_way();
        ControlFlow::Continue(())
    });
    told.unwrap_or_else(|_| unreachable!("nothing limits it"))
}

/// Whether a run is fair that the interpreter has taken: it ends, or its cycle meets all
/// assumptions.
///
/// # Errors
/// Where a limit is reached.
pub fn is_fair(
    system: &System,
    assumptions: &[Assumption],
    trace: &Trace,
    poll: Poll<'_>,
) -> Result<bool, NoTrace> {
    if trace.cycle().is_empty() {
        return Ok(is_terminal(system, trace.last()));
    }
    let all = met(system, assumptions, trace, poll)?;
    Ok(!all.contains(&Met::Not))
}

/// Whether the run of a violation is fair, as far as that can be seen of it: where a state shows
/// the violation in which an expression has no value, it need not be, and where an automaton has
/// rejected, how the run goes on was looked at when it was found.
///
/// # Errors
/// Where a limit is reached.
pub fn meets(
    system: &System,
    assumptions: &[Assumption],
    verdict: &Verdict,
    poll: Poll<'_>,
) -> Result<bool, NoTrace> {
    match verdict {
        Verdict::Violated {
            finding: Finding::ExpressionFails(_) | Finding::Watched(Violation::Reject),
            ..
        }
        | Verdict::Holds
        | Verdict::Undecided(_) => Ok(true),
        Verdict::Violated { trace, .. } => is_fair(system, assumptions, trace, poll),
    }
}

/// The assumptions that have a step in a state which does not fail, and those that have one which
/// does.
fn possible(
    system: &System,
    assumed: &Assumed,
    state: &State,
    goes_on: &mut dyn FnMut() -> Result<(), NoTrace>,
) -> Result<(Vec<u64>, Vec<u64>), NoTrace> {
    let [mut possible, mut failing] = [(); 2].map(|()| vec![0; assumed.words()]);
    for step in steps(system, state) {
        goes_on()?;
        let label = Label::new(&step.participants, &step.action);
        let at = |instance: InstanceId| state.instances[instance as usize].location;
        let set = match step.outcome {
            Ok(_) => &mut possible,
            Err(_) => &mut failing,
        };
        assumed.add(label, &at, set);
    }
    Ok((possible, failing))
}

fn of_step(assumed: &Assumed, state: &State, label: Label<'_>) -> Vec<u64> {
    let mut set = vec![0; assumed.words()];
    let at = |instance: InstanceId| state.instances[instance as usize].location;
    assumed.add(label, &at, &mut set);
    set
}

fn contains(set: &[u64], number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 != 0
}
