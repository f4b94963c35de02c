//! From the product states that a search has gone through to a run of the system alone.

use stubborn_system::system::System;

use super::product::{AutomatonProduct, WithTester};
use crate::packed::Packed;
use crate::runs::evidence::{NoTrace, Poll, polled, step_between};
use crate::search::found::Found;
use crate::state::State;
use crate::successors::{Label, Successors};
use crate::trace::{Recorder, Trace};
use crate::verdict::Violation;

/// The run of the system in what was found beside an automaton.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn of_automaton<M: Successors>(
    packed: &Packed<'_>,
    product: &AutomatonProduct<'_, M>,
    found: &Found,
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let mut scratch = packed.scratch();
    let mut now = product.system_words(first_of(found)?);
    let mut run = Recorder::new(packed.unpack(now));
    for state in found.path[1..].iter().chain(&found.cycle) {
        polled(poll, run.bytes())?;
        let next = product.system_words(state);
        let label = step_between(packed, &mut scratch, now, next, &|_| true)?;
        run.step(label.label(), packed.unpack(next));
        now = next;
    }
    Ok(run.finish((!found.cycle.is_empty()).then_some(found.path.len() - 1)))
}

/// The run of the system in what was found beside a tester: without the tester, and without the
/// moves that it makes by itself.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn of_tester(
    system: &System,
    packed: &Packed<'_>,
    with: &WithTester,
    found: &Found,
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let mut scratch = packed.scratch();
    let is_visible = |label: Label<'_>| {
        let last = label.participants.last();
        last.is_some_and(|(instance, _)| *instance == with.monitor)
    };
    let mut now = first_of(found)?;
    let mut run = Recorder::new(without_tester(system, packed.unpack(now)));
    let mut cycle = None;
    for (at, state) in found.path[1..].iter().chain(&found.cycle).enumerate() {
        polled(poll, run.bytes())?;
        let on_cycle = at >= found.path.len() - 1;
        if on_cycle {
            cycle.get_or_insert(run.len());
        }
        let location = packed.location(now, with.monitor);
        let marks = with.marks[location as usize];
        // Of several steps between two states it is one of these that the cycle goes by.
        let wanted = match found.violation {
            Violation::Livelock if on_cycle => Some(false),
            Violation::Infinite if on_cycle && marks.infinite => Some(true),
            _ => None,
        };
        let meant = |label: Label<'_>| wanted.is_none_or(|wanted| is_visible(label) == wanted);
        let label = step_between(packed, &mut scratch, now, state, &meant)
            .or_else(|_| step_between(packed, &mut scratch, now, state, &|_| true))?;
        now = state;
        let Label {
            participants,
            action,
        } = label.label();
        let is_monitor = participants
            .last()
            .is_some_and(|(last, _)| *last == with.monitor);
        let participants = &participants[..participants.len() - usize::from(is_monitor)];
        if participants.is_empty() {
            continue;
        }
        let label = Label {
            participants,
            action,
        };
        run.step(label, without_tester(system, packed.unpack(state)));
    }
    Ok(run.finish(cycle))
}

fn first_of(found: &Found) -> Result<&[u64], NoTrace> {
    let first = found.path.first().map(|state| &**state);
    first.ok_or_else(|| NoTrace::Defect("a search has found no state".to_owned()))
}

fn without_tester(system: &System, mut state: State) -> State {
    state.instances.truncate(system.instances.len());
    state
}
