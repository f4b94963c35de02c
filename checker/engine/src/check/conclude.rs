//! Conclusions at the end of a search about the properties that it has not refuted.

use std::ops::ControlFlow;

use super::verdicts::{Verdicts, nothing_decided};
use crate::graph::Edges;
use crate::graph::components::BYTES_PER_STATE;
use crate::graph::lasso;
use crate::graph::path::to_nearest;
use crate::graph::reach::can_reach;
use crate::properties::{Conclusion, Goals};
use crate::runs::evidence::Evidence;
use crate::search::recurrence::{AT_ONCE, Marked};
use crate::search::{Listener, Monitored, Recurrence, Run, Stop};
use crate::store::exact::Exact;
use crate::verdict::{Reason, Verdict};

/// Search whose listener decides properties.
pub(super) type Searching<'r, 'a, 'm, M, V> = &'r mut Run<'a, 'm, M, Exact, V>;

/// Concludes from a search that has taken every step: what it has not refuted holds, or is decided
/// by the graph.
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

/// Searches the graph for a violation of a property about it, which is decided if there is one.
fn is_violated_by_graph<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
    property: usize,
    edges: &Edges,
) -> ControlFlow<Stop, bool> {
    let figures = run.space.figures(run.listener.bytes() + edges.bytes());
    let meter = &mut *run.meter;
    let mut poll = || meter.poll(figures);
    let verdicts = &*run.listener;
    let (finding, evidence) = match verdicts.kind(property).conclusion() {
        Conclusion::Reaching(goals, finding) => {
            let reaching = can_reach(edges, verdicts.goals(property, goals), &mut poll)?;
            let path = to_nearest(edges, |state| !reaching.contains(state));
            (finding, path.map(Evidence::path))
        }
        Conclusion::Avoiding(finding) => {
            let goals = verdicts.goals(property, Goals::Expression);
            let lasso = lasso::avoiding(edges, goals, verdicts.terminal_states(), &mut poll)?;
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
pub(super) fn by_graph_so_far<M: Monitored>(
    run: Searching<'_, '_, '_, M, &mut Verdicts<'_>>,
) -> ControlFlow<Stop> {
    let verdicts = &*run.listener;
    let avoids = |property: &usize| {
        matches!(
            verdicts.kind(*property).conclusion(),
            Conclusion::Avoiding(_)
        )
    };
    let open: Vec<usize> = verdicts.undecided().filter(avoids).collect();
    let needed = run.space.states() * BYTES_PER_STATE;
    if open.is_empty() || run.meter.forbids(run.figures().bytes + needed).is_some() {
        return ControlFlow::Continue(());
    }
    run.listener.close_edges(&run.space);
    if let Some(edges) = run.listener.edges.take() {
        for property in open {
            is_violated_by_graph(run, property, &edges)?;
        }
    }
    ControlFlow::Continue(())
}

/// Decides the properties of steps on cycles. That the search has found no execution of some kind
/// proves that there is none only if it `is_complete`.
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
            let (listener, space) = (&mut *run.listener, &run.space);
            match lasso.map(Evidence::from) {
                None if is_complete => listener.decide(*property, Verdict::Holds, space),
                None => {}
                Some(evidence) => listener.violate(*property, finding.clone(), &evidence, space),
            }
        }
    }
    ControlFlow::Continue(())
}
