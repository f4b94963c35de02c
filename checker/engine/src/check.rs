//! Deciding claims.

use std::fmt;
use std::ops::ControlFlow;

use stubborn_model::claim::Claim;
use stubborn_model::system::{Failure, System};

use crate::claims::Claims;
use crate::graph::components::{BYTES_PER_STATE, on_cycles};
use crate::graph::path::{shortest, to_nearest};
use crate::graph::reach::{can_reach, may_avoid};
use crate::graph::{Edges, StateSet};
use crate::options::{Options, Reduction, Search, Watch};
use crate::packed::Packed;
use crate::search::{Observer, Pace, Space, Stop, search};
use crate::successors::{Label, Successors, Visit};
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
        if !claims.needs_graph(claim) {
            claims.decide(claim, Verdict::Holds, space);
        }
    }
    if claims.undecided().next().is_none() {
        return ControlFlow::Continue(());
    }
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
        None => edges_of(packed, claims, space, pace)?,
    };
    for claim in claims.undecided() {
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

/// Takes every step of every state again, for a search that does not take them in order.
fn edges_of(
    packed: &Packed<'_>,
    claims: &Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop, Edges> {
    struct Collector<'a, 'w> {
        edges: Edges,
        space: &'a Space,
        pace: &'a mut Pace<'w>,
        held: u64,
        stop: Option<Stop>,
    }
    impl Visit for Collector<'_, '_> {
        fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
            if let Ok(state) = outcome {
                let store = &self.space.store;
                if let Ok(target) = store.find(store.hash(state), state) {
                    self.edges.push(target);
                }
            }
            ControlFlow::Continue(())
        }
        fn pulse(&mut self) -> ControlFlow<()> {
            let held = self.held + self.edges.bytes();
            let flow = match self.pace.forbids(self.space.bytes() + held) {
                Some(reason) => ControlFlow::Break(Stop::Limit(reason)),
                None => self.pace.look(self.space, held),
            };
            match flow {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(stop) => {
                    self.stop = Some(stop);
                    ControlFlow::Break(())
                }
            }
        }
    }
    let mut scratch = packed.scratch();
    let mut collector = Collector {
        edges: Edges::default(),
        space,
        pace,
        held: claims.bytes() + space.states() * BYTES_PER_STATE,
        stop: None,
    };
    for state in 0..space.store.len() {
        let _ = packed.visit(space.store.get(state), &mut scratch, &mut collector);
        if state % 256 == 0 && collector.stop.is_none() {
            let _ = collector.pulse();
        }
        if let Some(stop) = collector.stop {
            return ControlFlow::Break(stop);
        }
        collector.edges.end_state();
    }
    ControlFlow::Continue(collector.edges)
}
