//! Conclusions at the end of a search about the properties that it has not refuted.

use std::ops::ControlFlow;

use super::observations::Observations;
use super::verdicts::nothing_decided;
use crate::graph::Edges;
use crate::graph::components::BYTES_PER_STATE;
use crate::graph::lasso;
use crate::graph::reach::out_of_reach;
use crate::properties::{Conclusion, Goals};
use crate::runs::evidence::Evidence;
use crate::search::recurrence::{AT_ONCE, Marked};
use crate::search::{Listener, Monitored, Recurrence, Run, Stop};
use crate::store::exact::Exact;
use crate::verdict::{Reason, Verdict};

/// Search with numbered states that decides properties.
pub(super) type Numbered<'v, 'a, M> = Run<'v, 'a, M, Exact, Observations<'v, 'a>>;

/// Concludes from a search that has taken every step: what it has not refuted holds, or is decided
/// by the graph.
pub(super) fn conclude<M: Monitored>(run: &mut Numbered<'_, '_, M>) -> ControlFlow<Stop> {
    for property in run.listener.undecided() {
        let is_proved = match run.listener.verdicts.conclusion(property) {
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
    let about_graph = |property: &usize| run.listener.needs_graph(*property);
    let about_graph: Vec<usize> = run.listener.undecided().filter(about_graph).collect();
    if !about_graph.is_empty() {
        let edges = edges_of(run)?;
        for property in about_graph {
            if !is_violated_by_graph(run, property, &edges)? {
                run.listener.decide(property, Verdict::Holds, &run.space);
            }
        }
    }
    by_labels(run, true)
}

/// Returns the edges of a search that has ended.
pub(super) fn edges_of<M: Monitored>(run: &mut Numbered<'_, '_, M>) -> ControlFlow<Stop, Edges> {
    if let Some(reason) = has_no_memory(run) {
        return ControlFlow::Break(Stop::Limit(reason));
    }
    match run.listener.take_edges(&run.space) {
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

/// Returns why memory does not suffice for a question about the graph, if it does not.
fn has_no_memory<M: Monitored>(run: &Numbered<'_, '_, M>) -> Option<Reason> {
    let needed = run.space.states() * BYTES_PER_STATE;
    run.meter.forbids(run.figures().bytes + needed)
}

/// Searches the graph for a violation of a property about it, which is decided if there is one.
fn is_violated_by_graph<M: Monitored>(
    run: &mut Numbered<'_, '_, M>,
    property: usize,
    edges: &Edges,
) -> ControlFlow<Stop, bool> {
    let figures = run.space.figures(run.listener.bytes() + edges.bytes());
    let meter = &mut *run.meter;
    let mut poll = || meter.poll(figures);
    let seen = &run.listener;
    let (finding, evidence) = match seen.verdicts.conclusion(property) {
        Conclusion::Reaching(goals, finding) => {
            let path = out_of_reach(edges, seen.goals(property, goals), &mut poll)?;
            (finding, path.map(Evidence::path))
        }
        Conclusion::Avoiding(finding) => {
            let goals = seen.goals(property, Goals::Expression);
            let lasso = lasso::avoiding(edges, goals, &seen.terminal, &mut poll)?;
            (finding, lasso.map(Evidence::from))
        }
        Conclusion::Holds | Conclusion::Recurring(_) | Conclusion::Apart => {
            debug_assert!(false, "it is not about the graph");
            return ControlFlow::Continue(false);
        }
    };
    if let Some(evidence) = &evidence {
        run.listener
            .violate(property, finding, evidence, &run.space);
    }
    ControlFlow::Continue(evidence.is_some())
}

/// Decides `must` properties after a limit on states has ended a search: a cycle of visited states
/// that avoids the goal is a cycle of the model. Reports the shortest one.
pub(super) fn by_graph_so_far<M: Monitored>(run: &mut Numbered<'_, '_, M>) -> ControlFlow<Stop> {
    let avoids = |property: &usize| {
        let conclusion = run.listener.verdicts.conclusion(*property);
        matches!(conclusion, Conclusion::Avoiding(_))
    };
    let open: Vec<usize> = run.listener.undecided().filter(avoids).collect();
    if open.is_empty() || has_no_memory(run).is_some() {
        return ControlFlow::Continue(());
    }
    if let Some(edges) = run.listener.take_edges(&run.space) {
        for property in open {
            is_violated_by_graph(run, property, &edges)?;
        }
    }
    ControlFlow::Continue(())
}

/// Decides the properties of steps on cycles. That the search has found no execution of some kind
/// proves that there is none only if it `is_complete`.
pub(super) fn by_labels<M: Monitored>(
    run: &mut Numbered<'_, '_, M>,
    is_complete: bool,
) -> ControlFlow<Stop> {
    let packed = run.listener.verdicts.packed();
    let open = run.listener.undecided();
    let recurring = open.filter_map(|property| {
        let kind = run.listener.verdicts.kind(property);
        let recurring = kind.recurring(packed.system())?;
        match kind.conclusion() {
            Conclusion::Recurring(finding) => Some((property, finding, recurring)),
            _ => None,
        }
    });
    let open: Vec<_> = recurring.collect();
    for together in open.chunks(AT_ONCE) {
        let questions = together.iter().map(|(_, _, recurring)| Recurrence {
            packed,
            recurring: recurring.clone(),
        });
        let marked = Marked::collect(run, &mut questions.collect::<Vec<_>>())?;
        for (nth, (property, finding, _)) in together.iter().enumerate() {
            let figures = run.space.figures(run.listener.bytes() + marked.bytes());
            let meter = &mut *run.meter;
            let lasso = marked.answer(nth, &mut || meter.poll(figures))?;
            let (listener, space) = (&mut run.listener, &run.space);
            match lasso.map(Evidence::from) {
                None if is_complete => listener.decide(*property, Verdict::Holds, space),
                None => {}
                Some(evidence) => listener.violate(*property, finding.clone(), &evidence, space),
            }
        }
    }
    ControlFlow::Continue(())
}
