//! Deciding claims.

use std::fmt;
use std::ops::ControlFlow;

use stubborn_model::claim::Claim;
use stubborn_model::system::System;

use crate::claims::Claims;
use crate::graph::components::{BYTES_PER_STATE, on_cycles};
use crate::graph::path::{shortest, to_nearest};
use crate::graph::reach::{can_reach, may_avoid};
use crate::graph::recurrence::{AT_ONCE, Lasso, Marked, Question};
use crate::graph::revisit::revisit;
use crate::graph::{Edges, StateSet};
use crate::options::{Options, Reduction, Search, Watch};
use crate::packed::Packed;
use crate::search::{Observer, Pace, Space, Stop, search};
use crate::successors::Successors;
use crate::trace::Evidence;
use crate::verdict::{Finding, Outcome, Reason, Verdict};

/// Why there is no answer at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// One state takes this many bits, more than can be searched.
    StateTooLarge { bits: u64 },
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::StateTooLarge { bits } => write!(
                f,
                "one state of this model takes {bits} bits, more than can be searched; smaller \
                 types, channels or numbers of instances would mend it"
            ),
        }
    }
}

impl std::error::Error for CheckError {}

/// Decides the claims in one search, and gives an outcome for each, in their order.
///
/// A claim that is decided early stays decided; the search ends when all are. Costs time and
/// memory in proportion to the number of states and, for termination and progress, of edges.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn check(
    system: &System,
    claims: &[Claim],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    let mut pace = Pace::new(options.limits, watch);
    let packed = Packed::new(system)?;
    let mut space = Space::new(&packed);
    let mut found = Claims::new(&packed, claims, watch, options.search == Search::Breadth);
    for (claim, form) in claims.iter().enumerate() {
        if let Claim::NotBuilt(form) = form {
            found.decide(claim, Verdict::Undecided(Reason::NotBuilt(*form)), &space);
        }
    }
    if found.undecided().next().is_some() {
        let flow = search(&packed, options, &mut pace, &mut space, &mut found);
        let flow = match flow {
            ControlFlow::Continue(()) => conclude(&packed, &mut found, &space, &mut pace),
            stopped => stopped,
        };
        if let ControlFlow::Break(stop) = flow {
            found.settle_for_dead_ends(&space);
            for claim in found.undecided() {
                let reason = match &stop {
                    Stop::Limit(reason) => reason.clone(),
                    Stop::Decided => Reason::Internal("the search ended too early".to_owned()),
                };
                found.decide(claim, Verdict::Undecided(reason), &space);
            }
        }
    }
    let seconds = pace.seconds();
    let verdicts = found.verdicts.into_iter().zip(claims);
    let outcomes = verdicts.filter_map(|(verdict, claim)| {
        let is_searched = !matches!(claim, Claim::NotBuilt(_));
        Some(Outcome {
            verdict: verdict?,
            states: if is_searched { space.states() } else { 0 },
            edges: if is_searched { space.edges } else { 0 },
            full: is_searched && space.full,
            reduction: Reduction::None,
            seconds: if is_searched { seconds } else { 0.0 },
        })
    });
    let outcomes: Vec<Outcome> = outcomes.collect();
    debug_assert_eq!(outcomes.len(), claims.len(), "every claim has an outcome");
    Ok(outcomes)
}

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
        let is_proved =
            *claims.claim(claim) != Claim::Termination || claims.is_terminating() == Some(true);
        let verdict = if is_proved {
            Verdict::Holds
        } else {
            let defect = "a search has ended and not found out about termination";
            Verdict::Undecided(Reason::Internal(defect.to_owned()))
        };
        claims.decide(claim, verdict, space);
    }
    if claims.undecided().any(|claim| claims.needs_graph(claim)) {
        by_graph(packed, claims, space, pace)?;
    }
    by_labels(packed, packed, claims, space, pace)
}

/// Decides what is about the state space as a graph.
fn by_graph(
    packed: &Packed<'_>,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop> {
    let out_of_memory =
        pace.forbids(space.bytes() + claims.bytes() + space.states() * BYTES_PER_STATE);
    if let Some(reason) = out_of_memory {
        return ControlFlow::Break(Stop::Limit(reason));
    }
    claims.close_edges(space);
    let edges = match claims.edges.take() {
        Some(edges) => edges,
        None if claims.edges_were_dropped => {
            let bytes = pace.max_memory().unwrap_or(u64::MAX);
            return ControlFlow::Break(Stop::Limit(Reason::Memory(bytes)));
        }
        None => {
            let held = claims.bytes() + space.states() * BYTES_PER_STATE;
            let mut edges = Edges::default();
            revisit(packed, space, held, pace, &mut edges)?;
            edges
        }
    };
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

type Violation = Option<(Finding, Evidence)>;

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

fn nearest_outside(
    edges: &Edges,
    reaching: &StateSet,
    finding: Finding,
) -> ControlFlow<Stop, Violation> {
    let path = to_nearest(edges, |state| !reaching.contains(state));
    ControlFlow::Continue(path.map(|path| (finding, Evidence::path(path))))
}

/// Decides what is about the steps of infinite executions. `successors` are those of the search.
fn by_labels<S: Successors>(
    packed: &Packed<'_>,
    successors: &S,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop> {
    let open: Vec<usize> = claims.undecided().collect();
    for open in open.chunks(AT_ONCE) {
        let questions = open.iter().filter_map(|claim| match claims.claim(*claim) {
            Claim::Recurrence {
                infinitely,
                implies,
            } => Some(Question::new(packed.system(), infinitely, implies)),
            _ => None,
        });
        let questions: Vec<Question> = questions.collect();
        debug_assert_eq!(questions.len(), open.len(), "all others are decided");
        let at = |state: &[u64], instance| packed.location(state, instance);
        let held = claims.bytes();
        let marked = Marked::collect(successors, at, &questions, space, held, pace)?;
        for (nth, claim) in open.iter().enumerate() {
            let held = claims.bytes() + marked.bytes();
            let found = marked.answer(nth, &mut || pace.look(space, held))?;
            match found {
                None => claims.decide(*claim, Verdict::Holds, space),
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
