//! Conclusions of a search with stubborn sets about the properties that it has not refuted, by the
//! [`theorems`](crate::plan::theorems).
//!
//! The rest is left open: recurrences for a search with a cycle condition, may- and must-progress
//! for one of the plain state space.

use std::ops::ControlFlow;

use super::conclude::{Numbered, by_labels, conclude, edges_of};
use super::verdicts::Verdicts;
use crate::coverage::Extent;
use crate::graph::reach::out_of_reach;
use crate::plan::theorems::{Condition, Shown};
use crate::reduction::Stubborn;
use crate::reduction::cycles::unbroken;
use crate::reduction::ignoring::{Processes, ignored};
use crate::related::Related;
use crate::runs::evidence::Evidence;
use crate::search::breadth_first::make_up_for;
use crate::search::{Figures, Listener, Monitored, Stop};
use crate::verdict::Verdict;

/// Decides properties after a search with stubborn sets, and returns the extent of its coverage.
/// Examines the ignoring problem only if a property needs it.
pub fn conclude_reduced<M: Monitored>(
    run: &mut Numbered<'_, '_, M>,
    stubborn: &Stubborn<Related<'_>>,
) -> ControlFlow<Stop, Extent> {
    if run.space.is_plain() {
        return conclude(run).map_continue(|()| Extent::Whole);
    }
    decide(run, |verdicts, one| {
        verdicts.is_always_decided_in_passing(one)
    });
    let verdicts = &*run.listener.verdicts;
    if !(run.listener.undecided()).any(|property| verdicts.is_reducible(property)) {
        return ControlFlow::Continue(Extent::Part);
    }
    let is_terminating = match run.listener.is_terminating() {
        Some(known) => known,
        None => decide_termination(run)?,
    };
    run.listener.settle_for_dead_ends(&run.space);
    if is_terminating {
        decide(run, |verdicts, property| {
            verdicts.shown(Condition::Terminating, property) == Some(Shown::ByAbsence)
        });
        return by_labels(run, true).map_continue(|()| Extent::Local);
    }
    // A violating execution is one of the model, but there may be others.
    by_labels(run, false)?;
    let is_safety = |verdicts: &Verdicts<'_>, property| {
        verdicts
            .shown(Condition::NothingIgnored, property)
            .is_some()
    };
    let mut extent = Extent::Part;
    while run
        .listener
        .undecided()
        .any(|property| is_safety(run.listener.verdicts, property))
    {
        let edges = edges_of(run)?;
        let of_same = match run.listener.verdicts.orbits() {
            Some(_) => Processes::ChangePlaces,
            None => Processes::KeepTheirs,
        };
        let figures = run.space.figures(run.listener.bytes() + edges.bytes());
        let meter = &mut *run.meter;
        let again = ignored(stubborn, of_same, &edges, &run.space, &mut |held| {
            let bytes = figures.bytes + held;
            meter.poll(Figures { bytes, ..figures })
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
        return conclude(run).map_continue(|()| Extent::Whole);
    }
    ControlFlow::Continue(extent)
}

/// Decides whether a terminal state can be reached from every state.
fn decide_termination<M: Monitored>(run: &mut Numbered<'_, '_, M>) -> ControlFlow<Stop, bool> {
    let edges = edges_of(run)?;
    let figures = run.space.figures(run.listener.bytes() + edges.bytes());
    let meter = &mut *run.meter;
    let terminal = &run.listener.terminal;
    let path = out_of_reach(&edges, terminal, &mut || meter.poll(figures))?;
    let is_terminating = path.is_none();
    if let Some(path) = path {
        let evidence = Evidence::path(path);
        run.listener.violate_termination(&evidence, &run.space);
    }
    ControlFlow::Continue(is_terminating)
}

/// Concludes about recurrences in a model that need not terminate: takes more steps until the cycle
/// proviso holds ([`unbroken`]).
pub fn conclude_cycles<M: Monitored>(run: &mut Numbered<'_, '_, M>) -> ControlFlow<Stop> {
    loop {
        let again = states_to_expand(run)?;
        if again.is_empty() {
            return by_labels(run, true);
        }
        make_up_for(run, &again)?;
    }
}

/// Concludes about recurrences after a search without the cycle proviso. Returns whether the
/// proviso holds anyway, so that everything is decided.
pub fn conclude_if_closed<M: Monitored>(run: &mut Numbered<'_, '_, M>) -> ControlFlow<Stop, bool> {
    let is_closed = states_to_expand(run)?.is_empty();
    by_labels(run, is_closed).map_continue(|()| is_closed)
}

/// Returns states in which further steps have to be taken for the cycle proviso.
fn states_to_expand<M: Monitored>(run: &mut Numbered<'_, '_, M>) -> ControlFlow<Stop, Vec<u32>> {
    let edges = edges_of(run)?;
    let figures = run.space.figures(run.listener.bytes() + edges.bytes());
    let meter = &mut *run.meter;
    unbroken(&edges, &run.space, &mut || meter.poll(figures))
}

fn decide<M: Monitored>(
    run: &mut Numbered<'_, '_, M>,
    which: impl Fn(&Verdicts<'_>, usize) -> bool,
) {
    for property in run.listener.undecided() {
        if which(run.listener.verdicts, property) {
            run.listener.decide(property, Verdict::Holds, &run.space);
        }
    }
}
