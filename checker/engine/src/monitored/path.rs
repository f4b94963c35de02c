//! From the product states that a search has gone through to a run of the system alone.

use stubborn_system::system::System;

use super::product::{AutomatonProduct, WithTester};
use super::search::Found;
use crate::interpreter::state::State;
use crate::packed::Packed;
use crate::successors::{Label, Successors};
use crate::trace::step_between;
use crate::verdict::{Trace, TraceStep, Violation};

/// The run of the system in what was found beside an automaton.
///
/// # Errors
/// Where a step that the search has taken is not found again.
pub fn of_automaton<M: Successors>(
    packed: &Packed<'_>,
    product: &AutomatonProduct<'_, M>,
    found: &Found,
) -> Result<Trace, String> {
    let mut scratch = packed.scratch();
    let start = found.path.first().ok_or("a search has found no state")?;
    let mut now = product.system_words(start);
    let mut steps = Vec::new();
    for state in found.path[1..].iter().chain(&found.cycle) {
        let next = product.system_words(state);
        steps.push(step_between(packed, &mut scratch, now, next, &|_| true)?);
        now = next;
    }
    let cycle = steps.split_off(found.path.len() - 1);
    Ok(Trace {
        start: packed.unpack(product.system_words(start)),
        steps,
        cycle,
        monitor: None,
    })
}

/// The run of the system in what was found beside a tester: without the tester, and without the
/// moves that it makes by itself.
///
/// # Errors
/// Where a step that the search has taken is not found again.
pub fn of_tester(
    system: &System,
    packed: &Packed<'_>,
    with: &WithTester,
    found: &Found,
) -> Result<Trace, String> {
    let mut scratch = packed.scratch();
    let start = found.path.first().ok_or("a search has found no state")?;
    let is_visible = |label: Label<'_>| {
        let last = label.participants.last();
        last.is_some_and(|(instance, _)| *instance == with.monitor)
    };
    let mut now = start;
    let mut steps = Vec::new();
    for (at, state) in found.path[1..].iter().chain(&found.cycle).enumerate() {
        let on_cycle = at >= found.path.len() - 1;
        let location = packed.location(now, with.monitor);
        let marks = with.marks[location as usize];
        // Of several steps between two states it is one of these that the cycle goes by.
        let wanted = match found.violation {
            Violation::Livelock if on_cycle => Some(false),
            Violation::Infinite if on_cycle && marks.infinite => Some(true),
            _ => None,
        };
        let meant = |label: Label<'_>| wanted.is_none_or(|wanted| is_visible(label) == wanted);
        let step = step_between(packed, &mut scratch, now, state, &meant)
            .or_else(|_| step_between(packed, &mut scratch, now, state, &|_| true))?;
        steps.push((on_cycle, step));
        now = state;
    }
    let mut trace = Trace {
        start: without_tester(system, packed.unpack(start)),
        steps: Vec::new(),
        cycle: Vec::new(),
        monitor: None,
    };
    for (on_cycle, mut step) in steps {
        step.participants
            .retain(|(instance, _)| *instance != with.monitor);
        if step.participants.is_empty() {
            continue;
        }
        let step = TraceStep {
            after: without_tester(system, step.after),
            ..step
        };
        match on_cycle {
            true => trace.cycle.push(step),
            false => trace.steps.push(step),
        }
    }
    Ok(trace)
}

fn without_tester(system: &System, mut state: State) -> State {
    state.instances.truncate(system.instances.len());
    state
}
