//! Conclusions of a search with stubborn sets about the properties that it has not refuted, by the
//! [`theorems`](crate::plan::theorems).
//!
//! The rest is left open: recurrences for a search with a cycle condition, may- and must-progress
//! for one of the plain state space.

use std::ops::ControlFlow;

use super::conclude::{Searching, by_labels, conclude, edges_of};
use super::verdicts::Verdicts;
use crate::coverage::Extent;
use crate::graph::path::to_nearest;
use crate::graph::reach::can_reach;
use crate::plan::theorems::{Condition, Shown, is_reducible, shown};
use crate::properties::{Conclusion, Goals};
use crate::reduction::Stubborn;
use crate::reduction::cycles::unbroken;
use crate::reduction::ignoring::{Processes, ignored};
use crate::related::Related;
use crate::runs::evidence::Evidence;
use crate::search::breadth_first::make_up_for;
use crate::search::{Listener, Monitored, Stop};
use crate::verdict::Verdict;

/// Decides properties after a search with stubborn sets, and returns the extent of its coverage. The
/// ignoring problem is examined only if a property needs it.
pub fn conclude_reduced<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
    stubborn: &Stubborn<Related<'_>>,
) -> ControlFlow<Stop, Extent> {
    if run.space.is_plain() {
        return conclude(run).map_continue(|()| Extent::Whole);
    }
    let holds_by_now = |verdicts: &Verdicts<'_>, property| {
        shown(Condition::Always, verdicts.preserved(property)).is_some()
            && verdicts.kind(property).conclusion() == Conclusion::Holds
    };
    decide(run, holds_by_now);
    let mut open = run.listener.undecided();
    if open.all(|property| !is_reducible(run.listener.preserved(property))) {
        return ControlFlow::Continue(Extent::Part);
    }
    let is_terminating = match run.listener.is_terminating() {
        Some(known) => known,
        None => decide_termination(run)?,
    };
    if is_terminating {
        run.listener.settle_for_dead_ends(&run.space);
        decide(run, |verdicts, property| {
            shown(Condition::Terminating, verdicts.preserved(property)) == Some(Shown::ByAbsence)
        });
        return by_labels(run, true).map_continue(|()| Extent::Local);
    }
    run.listener.settle_for_dead_ends(&run.space);
    // A violating execution is one of the model, but there may be others.
    by_labels(run, false)?;
    let is_safety = |verdicts: &Verdicts<'_>, property| {
        shown(Condition::NothingIgnored, verdicts.preserved(property)).is_some()
    };
    let mut extent = Extent::Part;
    while run
        .listener
        .undecided()
        .any(|property| is_safety(run.listener, property))
    {
        run.listener.drop_order();
        let edges = edges_of(run)?;
        let of_same = match run.listener.is_turned() {
            true => Processes::ChangePlaces,
            false => Processes::KeepTheirs,
        };
        let figures = run.space.figures(run.listener.bytes() + edges.bytes());
        let meter = &mut *run.meter;
        let again = ignored(stubborn, of_same, &edges, &run.space, &mut |held| {
            let bytes = figures.bytes + held;
            meter.poll(crate::search::Figures { bytes, ..figures })
        })?;
        drop(edges);
        if again.is_empty() {
            extent = Extent::Local;
            decide(run, is_safety);
            break;
        }
        make_up_for(run, &again)?;
    }
    if run.space.is_plain() {
        run.listener.drop_order();
        return conclude(run).map_continue(|()| Extent::Whole);
    }
    ControlFlow::Continue(extent)
}

/// Decides whether a terminal state can be reached from every state.
fn decide_termination<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop, bool> {
    let edges = edges_of(run)?;
    let figures = run.space.figures(run.listener.bytes() + edges.bytes());
    let meter = &mut *run.meter;
    let terminal = run.listener.terminal_states();
    let reaching = can_reach(&edges, terminal, &mut || meter.poll(figures))?;
    let path = to_nearest(&edges, |state| !reaching.contains(state));
    let evidence = path.map(Evidence::path);
    if let Some(evidence) = &evidence {
        for property in run.listener.undecided() {
            let conclusion = run.listener.kind(property).conclusion();
            if let Conclusion::Reaching(Goals::Terminal, finding) = conclusion {
                run.listener
                    .violate(property, finding, evidence, &run.space);
            }
        }
    }
    ControlFlow::Continue(evidence.is_none())
}

/// Concludes about recurrences in a model that need not terminate: takes more steps until the cycle
/// proviso holds ([`unbroken`]).
pub fn conclude_cycles<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop> {
    loop {
        let again = states_to_expand(run)?;
        if again.is_empty() {
            return by_labels(run, true);
        }
        run.listener.drop_order();
        make_up_for(run, &again)?;
    }
}

/// Concludes about recurrences after a search without the cycle proviso. Returns whether the
/// proviso holds anyway, so that everything is decided.
pub fn conclude_if_closed<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop, bool> {
    let is_closed = states_to_expand(run)?.is_empty();
    by_labels(run, is_closed).map_continue(|()| is_closed)
}

/// Returns states in which further steps have to be taken for the cycle proviso.
fn states_to_expand<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop, Vec<u32>> {
    let edges = edges_of(run)?;
    let figures = run.space.figures(run.listener.bytes() + edges.bytes());
    let meter = &mut *run.meter;
    unbroken(&edges, &run.space, &mut || meter.poll(figures))
}

fn decide<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
    which: impl Fn(&Verdicts<'_>, usize) -> bool,
) {
    for property in run.listener.undecided() {
        if which(run.listener, property) {
            run.listener.decide(property, Verdict::Holds, &run.space);
        }
    }
}
