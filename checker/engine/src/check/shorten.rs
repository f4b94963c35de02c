//! Shorter traces of violations that some other search has found: a reduction may have left out the
//! nearest violation, and a depth-first search finds the states in any order.
//!
//! A plain breadth-first search decides the same properties once more. Where a state or a step
//! shows the violation it finds the nearest one no farther from the initial state than the trace is
//! long. Where the whole graph shows it (a goal that is out of reach, a cycle) it has to come to an
//! end first; if the budget does not allow that, a shortest path leads to the same last state, or
//! into the same cycle.
//!
//! The budget is counted in states and edges, never by the clock, so that traces repeat: as many
//! states as [`for_shortening`] says, and some edges for each. Where it suffices a trace that
//! ends in a state, in an end or in a failing step is a shortest one; one with a cycle has the
//! fewest steps of path and cycle together ([`lasso`](crate::graph::lasso)). Where it does not
//! suffice, or a limit is reached, the trace stays as it was.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::conclude::conclude;
use super::verdicts::{Next, Verdicts};
use crate::caller::Caller;
use crate::error::CheckError;
use crate::options::{Limits, Options, Search};
use crate::packed::Packed;
use crate::properties::kind_of;
use crate::runs::evidence::{Evidence, recorded};
use crate::runs::limits::{Limited, for_shortening};
use crate::search::{Alone, Meter, Monitored, Run, Space, Ways, breadth_first};
use crate::successors::{AnyModel, Erased, Successors as _};
use crate::trace::Trace;
use crate::verdict::{Finding, Outcome, Reason, Verdict};

/// A state with an `any` of a large type has more steps than are worth taking.
const EDGES_FOR_EACH_STATE: u64 = 50;

/// What a search for shorter traces may cost.
pub struct Budget<'a> {
    /// States that the search generated which found the violations.
    pub generated: u64,
    /// Memory that it still holds, in bytes.
    pub held: u64,
    /// Options of the search.
    pub options: &'a Options,
    /// Its observer receives nothing.
    pub caller: Caller<'a>,
}

/// Gives the violations of some properties the shortest traces that a plain breadth-first search
/// finds within the budget, if they are no longer than those that they have. The finding may change
/// with the trace: a nearer step may fail for another reason.
///
/// Where the plain search comes to an end and does not violate a property, the violation was none:
/// that is a defect of the search that found it, and the verdict says so.
pub fn shorten(
    packed: &Packed<'_>,
    properties: &[Property],
    outcomes: &mut [Option<Outcome>],
    may_be_longer: impl Fn(usize) -> bool,
    budget: &Budget<'_>,
) {
    let outcomes = properties.iter().zip(outcomes).enumerate();
    let mut open: Vec<(&Property, &mut Verdict)> = outcomes
        .filter(|(number, _)| may_be_longer(*number))
        .filter_map(|(_, (property, outcome))| Some((property, &mut outcome.as_mut()?.verdict)))
        .filter(|(_, verdict)| verdict.steps() > 0)
        .collect();
    if open.is_empty() {
        return;
    }
    let asked: Vec<Property> = open
        .iter()
        .map(|(property, _)| (*property).clone())
        .collect();
    let again = look_again(packed, &asked, budget);
    for ((property, verdict), nearest) in open.iter_mut().zip(again.verdicts) {
        match nearest {
            Some(Verdict::Holds) => **verdict = contradiction(),
            Some(nearest) => replace_if_no_longer(verdict, nearest),
            None => {}
        }
        if !again.is_whole {
            let limited = Limited::new(budget.of_search().budget, again.space.bytes());
            let led = led_to_its_end((packed, property), verdict, &again.space, &limited);
            led.into_iter()
                .for_each(|led| replace_if_no_longer(verdict, led));
        }
    }
}

/// Returns the verdicts that a plain breadth-first search of a system finds within the budget, for
/// violations that were found in another system, where traces have other lengths. `None` where the
/// budget does not suffice; `Undecided` where the search does not violate the property.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn nearest(
    system: &System,
    violated: &[Property],
    budget: &Budget<'_>,
) -> Result<Vec<Option<Verdict>>, CheckError> {
    let packed = Packed::new(system)?;
    let again = look_again(&packed, violated, budget);
    let verdicts = again.verdicts.into_iter().map(|verdict| match verdict {
        Some(Verdict::Holds) => Some(contradiction()),
        Some(verdict @ Verdict::Violated { .. }) => Some(verdict),
        Some(Verdict::Undecided(_)) | None => None,
    });
    Ok(verdicts.collect())
}

fn contradiction() -> Verdict {
    let contradiction = "a search has found a violation that the plain one has not";
    Verdict::Undecided(Reason::Internal(contradiction.to_owned()))
}

/// What a plain breadth-first search has found.
struct Again {
    verdicts: Vec<Option<Verdict>>,
    space: Space,
    /// It has come to an end.
    is_whole: bool,
}

fn look_again(packed: &Packed<'_>, properties: &[Property], budget: &Budget<'_>) -> Again {
    let caller = budget.of_search();
    let limits = caller.budget.limits;
    let mut meter = Meter::new(caller);
    meter.most_edges = meter.most_states().saturating_mul(EDGES_FOR_EACH_STATE);
    let next = Next {
        search: Search::Breadth,
        reduced: false,
        numbered: true,
    };
    let options = Options {
        limits,
        ..*budget.options
    };
    let mut found = Verdicts::new(packed, properties, &options, caller, next);
    let erased = Erased(packed);
    let model = Alone::<AnyModel<'_>>::new(&erased);
    let space = Space::new(model.words(), model.initials());
    let order = budget.options.order;
    let mut run = Run::new(&model, order, &mut meter, space, &mut found);
    let flow = match breadth_first::search(&mut run) {
        ControlFlow::Continue(()) => conclude(&mut run),
        stopped => stopped,
    };
    let space = run.space;
    if flow.is_break() {
        found.settle_for_dead_ends(&space);
    }
    Again {
        verdicts: found.verdicts,
        space,
        is_whole: flow.is_continue(),
    }
}

impl<'a> Budget<'a> {
    /// Returns the caller of the plain search.
    fn of_search(&self) -> Caller<'a> {
        let limits = for_shortening(self.options, self.options.limits, self.generated);
        self.caller.quiet().with(Limits {
            max_memory: limits.max_memory.map(|most| most.saturating_sub(self.held)),
            ..limits
        })
    }
}

fn replace_if_no_longer(verdict: &mut Verdict, by: Verdict) {
    if by.is_violated() && by.steps() <= verdict.steps() {
        *verdict = by;
    }
}

/// Returns the violation with a shortest path of a search to the last state of the trace, or to the
/// nearest of its cycle, where it is not that state itself that shows the violation.
fn led_to_its_end(
    (packed, property): (&Packed<'_>, &Property),
    verdict: &Verdict,
    space: &Space,
    limited: &Limited<'_>,
) -> Option<Verdict> {
    let Verdict::Violated { finding, trace } = verdict else {
        return None;
    };
    let is_lost = matches!(
        finding,
        Finding::NoTerminalReachable | Finding::GoalOutOfReach
    );
    if !is_lost && trace.cycle().is_empty() {
        return None;
    }
    // The states at which the path may end, each with the steps of the cycle that lead there.
    let mut ends: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    let mut walk = trace.walk();
    while walk.advance().is_some() {
        if let Some(on_cycle) = walk.taken().checked_sub(trace.steps().len()) {
            ends.insert(packed.pack(walk.state()), on_cycle);
        }
    }
    let mut state = vec![0; packed.words()];
    let (nearest, on_cycle) = (0..space.len()).find_map(|number| {
        space.copy(number, &mut state);
        Some((number, *ends.get(&state)?))
    })?;
    let mut cycle = trace.cycle().to_vec();
    cycle.rotate_left(on_cycle % trace.cycle().len().max(1));
    let evidence = Evidence::path(space.path(nearest));
    let kind = kind_of(property);
    let poll = &mut |bytes| limited.poll(bytes);
    let path = recorded((packed, None), &*kind, &evidence, space, poll).ok()?;
    let trace = Trace::new(path.start().clone(), path.steps().to_vec(), cycle);
    Some(Verdict::Violated {
        finding: finding.clone(),
        trace: Arc::new(trace),
    })
}
