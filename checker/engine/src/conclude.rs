//! What the end of a search says of the claims that it has not refuted.

use std::ops::ControlFlow;

use stubborn_model::claim::Claim;

use crate::claims::Claims;
use crate::graph::components::{BYTES_PER_STATE, on_cycles};
use crate::graph::path::{shortest, to_nearest};
use crate::graph::reach::{can_reach, may_avoid};
use crate::graph::recurrence::{AT_ONCE, Lasso, Marked, Question};
use crate::graph::revisit::revisit;
use crate::graph::{Edges, StateSet};
use crate::packed::Packed;
use crate::search::{Observer, Pace, Space, Stop};
use crate::successors::Successors;
use crate::trace::Evidence;
use crate::verdict::{Finding, Reason, Verdict};

/// Every step was taken: what was not refuted in passing holds, or is a matter of the graph.
pub(crate) fn conclude(
    packed: &Packed<'_>,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop> {
    for claim in claims.undecided() {
        if claims.needs_graph(claim) || claims.needs_labels(claim) {
            continue;
        }
        let is_proved = match claims.claim(claim) {
            Claim::Termination => claims.is_terminating() == Some(true),
            claim => !claim.is_monitored(),
        };
        let verdict = if is_proved {
            Verdict::Holds
        } else {
            let defect = "a search has ended and not found out about a claim";
            Verdict::Undecided(Reason::Internal(defect.to_owned()))
        };
        claims.decide(claim, verdict, space);
    }
    if claims.undecided().any(|claim| claims.needs_graph(claim)) {
        by_graph(packed, claims, space, pace)?;
    }
    by_labels(packed, packed, claims, space, pace, true)
}

/// The edges of a search that has taken every step; `successors` are its own.
pub(crate) fn edges_of<S: Successors>(
    successors: &S,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop, Edges> {
    let out_of_memory =
        pace.forbids(space.bytes() + claims.bytes() + space.states() * BYTES_PER_STATE);
    if let Some(reason) = out_of_memory {
        return ControlFlow::Break(Stop::Limit(reason));
    }
    claims.close_edges(space);
    match claims.edges.take() {
        Some(edges) => ControlFlow::Continue(edges),
        None if claims.edges_were_dropped => {
            let bytes = pace.max_memory().unwrap_or(u64::MAX);
            ControlFlow::Break(Stop::Limit(Reason::Memory(bytes)))
        }
        None => {
            let held = claims.bytes() + space.states() * BYTES_PER_STATE;
            let mut edges = Edges::default();
            revisit(successors, space, held, pace, &mut edges)?;
            ControlFlow::Continue(edges)
        }
    }
}

/// Decides what is about the state space as a graph.
fn by_graph(
    packed: &Packed<'_>,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop> {
    let edges = edges_of(packed, claims, space, pace)?;
    for claim in claims.undecided() {
        if !claims.needs_graph(claim) {
            continue;
        }
        let violation = {
            let held = claims.bytes() + edges.bytes();
            let mut look = || pace.look(space, held);
            violation_in_graph(claims, claim, &edges, &mut look)?
        };
        match violation {
            None => claims.decide(claim, Verdict::Holds, space),
            Some((finding, evidence)) => claims.violate(claim, finding, evidence, space),
        }
    }
    ControlFlow::Continue(())
}

pub(crate) type Violation = Option<(Finding, Evidence)>;

/// What the graph has against a claim about it.
fn violation_in_graph(
    claims: &Claims<'_>,
    claim: usize,
    edges: &Edges,
    look: &mut dyn FnMut() -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Violation> {
    let goals = &claims.goals[claim];
    match claims.claim(claim) {
        Claim::Termination => {
            let reaching = can_reach(edges, &claims.terminal, look)?;
            nearest_outside(edges, &reaching, Finding::NoTerminalReachable)
        }
        Claim::MayProgress(_) => {
            let reaching = can_reach(edges, goals, look)?;
            nearest_outside(edges, &reaching, Finding::GoalOutOfReach)
        }
        _ => {
            let avoiding = may_avoid(edges, goals, &claims.terminal, look)?;
            let cyclic = on_cycles(edges, &avoiding, look)?;
            let path = to_nearest(edges, |state| cyclic.contains(state));
            ControlFlow::Continue(path.and_then(|path| {
                let last = path[path.len() - 1];
                let without_goal = |state: u32| avoiding.contains(state);
                let cycle = shortest(edges, last, without_goal, |state| state == last)?;
                let evidence = Evidence {
                    cycle,
                    ..Evidence::path(path)
                };
                Some((Finding::GoalAvoidedByCycle, evidence))
            }))
        }
    }
}

pub(crate) fn nearest_outside(
    edges: &Edges,
    reaching: &StateSet,
    finding: Finding,
) -> ControlFlow<Stop, Violation> {
    let path = to_nearest(edges, |state| !reaching.contains(state));
    ControlFlow::Continue(path.map(|path| (finding, Evidence::path(path))))
}

/// Decides what is about the steps of infinite executions. `successors` are those of the search;
/// an execution that is not in its space exists nowhere only if `is_complete`.
pub(crate) fn by_labels<S: Successors>(
    packed: &Packed<'_>,
    successors: &S,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
    is_complete: bool,
) -> ControlFlow<Stop> {
    let open = claims
        .undecided()
        .filter(|claim| claims.needs_labels(*claim));
    let open: Vec<usize> = open.collect();
    for open in open.chunks(AT_ONCE) {
        let questions = open.iter().filter_map(|claim| match claims.claim(*claim) {
            Claim::Recurrence {
                infinitely,
                implies,
            } => Some(Question::new(packed.system(), infinitely, implies)),
            _ => None,
        });
        let questions: Vec<Question> = questions.collect();
        let at = |state: &[u64], instance| packed.location(state, instance);
        let held = claims.bytes();
        let marked = Marked::collect(successors, at, &questions, space, held, pace)?;
        for (nth, claim) in open.iter().enumerate() {
            let held = claims.bytes() + marked.bytes();
            let found = marked.answer(nth, &mut || pace.look(space, held))?;
            match found {
                None if is_complete => claims.decide(*claim, Verdict::Holds, space),
                None => {}
                Some(Lasso { path, cycle }) => {
                    let evidence = Evidence {
                        cycle,
                        ..Evidence::path(path)
                    };
                    claims.violate(*claim, Finding::RecurrenceViolated, evidence, space);
                }
            }
        }
    }
    ControlFlow::Continue(())
}
