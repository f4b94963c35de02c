//! What the end of a search says of the properties that it has not refuted.

use std::ops::ControlFlow;

use super::verdicts::{Verdicts, nothing_decided};
use crate::graph::components::BYTES_PER_STATE;
use crate::graph::lasso::{self, Lasso};
use crate::graph::path::to_nearest;
use crate::graph::reach::can_reach;
use crate::graph::{Edges, Poll, StateSet};
use crate::properties::{Conclusion, Goals};
use crate::runs::evidence::Evidence;
use crate::search::recurrence::{AT_ONCE, Marked};
use crate::search::{Listener, Monitored, Recurrence, Run, Stop};
use crate::store::exact::Exact;
use crate::verdict::{Finding, Reason, Verdict};

/// A search whose listener finds out about properties.
pub(super) type Searching<'r, 'a, 'm, M, V> = &'r mut Run<'a, 'm, M, Exact, V>;

/// Every step was taken: what was not refuted in passing holds, or is a matter of the graph.
pub(super) fn conclude<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop> {
    for property in run.listener.undecided() {
        let is_proved = match run.listener.kind(property).conclusion() {
            Conclusion::Holds => true,
            Conclusion::Reaching(Goals::Terminal, _) if !run.listener.needs_graph(property) => {
                run.listener.is_terminating() == Some(true)
            }
            Conclusion::Reaching(..) | Conclusion::Avoiding(_) | Conclusion::Recurring(_) => {
                continue;
            }
            Conclusion::Apart => false,
        };
        let verdict = if is_proved {
            Verdict::Holds
        } else {
            Verdict::Undecided(nothing_decided())
        };
        run.listener.decide(property, verdict, &run.space);
    }
    let mut open = run.listener.undecided();
    if open.any(|property| run.listener.needs_graph(property)) {
        by_graph(run)?;
    }
    by_labels(run, true)
}

/// The edges of a search that has taken every step.
pub(super) fn edges_of<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop, Edges> {
    let needed = run.space.states() * BYTES_PER_STATE;
    if let Some(reason) = run.meter.forbids(run.figures().bytes + needed) {
        return ControlFlow::Break(Stop::Limit(reason));
    }
    run.listener.close_edges(&run.space);
    match run.listener.edges.take() {
        Some(edges) => ControlFlow::Continue(edges),
        None if run.listener.edges_were_dropped => {
            let bytes = run.meter.max_memory().unwrap_or(u64::MAX);
            ControlFlow::Break(Stop::Limit(Reason::Memory(bytes)))
        }
        None => {
            let marked = Marked::collect::<_, _, Recurrence<'_>>(run, &mut [])?;
            ControlFlow::Continue(marked.edges)
        }
    }
}

/// Decides what is about the state space as a graph.
fn by_graph<M: Monitored>(run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>) -> ControlFlow<Stop> {
    let edges = edges_of(run)?;
    for property in run.listener.undecided() {
        if !run.listener.needs_graph(property) {
            continue;
        }
        if !is_violated_by_graph(run, property, &edges)? {
            run.listener.decide(property, Verdict::Holds, &run.space);
        }
    }
    ControlFlow::Continue(())
}

/// Whether the graph has something against a property about it, which it is violated by then.
fn is_violated_by_graph<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
    property: usize,
    edges: &Edges,
) -> ControlFlow<Stop, bool> {
    let figures = run.space.figures(run.listener.bytes() + edges.bytes());
    let meter = &mut *run.meter;
    let mut poll = || meter.poll(figures);
    let found = violation_in_graph(run.listener, property, edges, &mut poll)?;
    let is_violated = found.is_some();
    if let Some((finding, lasso)) = found {
        let evidence = Evidence::from(lasso);
        run.listener
            .violate(property, finding, &evidence, &run.space);
    }
    ControlFlow::Continue(is_violated)
}

/// A path from an initial state, and perhaps a cycle from its last state back to it, by numbers.
pub(super) type Violation = Option<(Finding, Lasso)>;

/// What a search that a limit on states has ended shows all the same: a run that never comes to what it must may go
/// round among the states that were gone through, whose edges are ones of the model. One of the fewest steps
/// among these is told; where there is none nothing is.
pub(super) fn by_graph_so_far<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop> {
    let avoids = |verdicts: &Verdicts<'_>, property| {
        matches!(
            verdicts.kind(property).conclusion(),
            Conclusion::Avoiding(_)
        )
    };
    let mut open = run.listener.undecided();
    let needed = run.space.states() * BYTES_PER_STATE;
    if !open.any(|property| avoids(run.listener, property))
        || run.meter.forbids(run.figures().bytes + needed).is_some()
    {
        return ControlFlow::Continue(());
    }
    run.listener.close_edges(&run.space);
    let Some(edges) = run.listener.edges.take() else {
        return ControlFlow::Continue(());
    };
    for property in run.listener.undecided() {
        if avoids(run.listener, property) {
            is_violated_by_graph(run, property, &edges)?;
        }
    }
    ControlFlow::Continue(())
}

/// What the graph has against a property about it.
fn violation_in_graph(
    verdicts: &Verdicts<'_>,
    property: usize,
    edges: &Edges,
    poll: Poll<'_, Stop>,
) -> ControlFlow<Stop, Violation> {
    match verdicts.kind(property).conclusion() {
        Conclusion::Reaching(goals, finding) => {
            let reaching = can_reach(edges, verdicts.goals(property, goals), poll)?;
            ControlFlow::Continue(nearest_outside(edges, &reaching, finding))
        }
        Conclusion::Avoiding(finding) => {
            let goals = verdicts.goals(property, Goals::Expression);
            let lasso = lasso::avoiding(edges, goals, verdicts.terminal_states(), poll)?;
            ControlFlow::Continue(lasso.map(|lasso| (finding, lasso)))
        }
        Conclusion::Holds | Conclusion::Recurring(_) | Conclusion::Apart => {
            debug_assert!(false, "it is not about the graph");
            ControlFlow::Continue(None)
        }
    }
}

pub(super) fn nearest_outside(edges: &Edges, reaching: &StateSet, finding: Finding) -> Violation {
    let path = to_nearest(edges, |state| !reaching.contains(state))?;
    let cycle = Vec::new();
    Some((finding, Lasso { path, cycle }))
}

/// Decides what is about the steps of infinite executions. An execution that is not in the space of
/// the search exists nowhere only if `is_complete`.
pub(super) fn by_labels<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
    is_complete: bool,
) -> ControlFlow<Stop> {
    let packed = run.listener.packed();
    let open = run.listener.undecided();
    let recurring = open.filter_map(|property| {
        let kind = run.listener.kind(property);
        let recurring = kind.recurring(packed.system())?;
        match kind.conclusion() {
            Conclusion::Recurring(finding) => Some((property, finding, recurring)),
            _ => None,
        }
    });
    let mut open: Vec<_> = recurring.collect();
    while !open.is_empty() {
        let now = open.drain(..open.len().min(AT_ONCE));
        let mut asked = Vec::new();
        let mut questions = Vec::new();
        for (property, finding, recurring) in now {
            asked.push((property, finding));
            questions.push(Recurrence { packed, recurring });
        }
        let marked = Marked::collect(run, &mut questions)?;
        for (nth, (property, finding)) in asked.into_iter().enumerate() {
            let figures = run.space.figures(run.listener.bytes() + marked.bytes());
            let meter = &mut *run.meter;
            match marked.answer(nth, &mut || meter.poll(figures))? {
                None if is_complete => run.listener.decide(property, Verdict::Holds, &run.space),
                None => {}
                Some(lasso) => {
                    let evidence = Evidence::from(lasso);
                    run.listener
                        .violate(property, finding, &evidence, &run.space);
                }
            }
        }
    }
    ControlFlow::Continue(())
}
