//! What the end of a search says of the properties that it has not refuted.

use std::ops::ControlFlow;

use stubborn_system::property::Property;

use crate::graph::components::{BYTES_PER_STATE, on_cycles};
use crate::graph::path::{shortest, to_nearest};
use crate::graph::reach::{can_reach, may_avoid};
use crate::graph::recurrence::{AT_ONCE, Lasso, Marked, Question};
use crate::graph::revisit::revisit;
use crate::graph::{Edges, StateSet};
use crate::packed::Packed;
use crate::properties::Properties;
use crate::search::{Meter, Observer, Space, Stop};
use crate::successors::Successors;
use crate::trace::Evidence;
use crate::verdict::{Finding, Reason, Verdict};

/// Every step was taken: what was not refuted in passing holds, or is a matter of the graph.
pub(crate) fn conclude(
    packed: &Packed<'_>,
    properties: &mut Properties<'_>,
    space: &Space,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop> {
    for property in properties.undecided() {
        if properties.needs_graph(property) || properties.needs_labels(property) {
            continue;
        }
        let is_proved = match properties.property(property) {
            Property::Termination => properties.is_terminating() == Some(true),
            property => !property.is_monitored(),
        };
        let verdict = if is_proved {
            Verdict::Holds
        } else {
            let defect = "a search has ended and not found out about a property";
            Verdict::Undecided(Reason::Internal(defect.to_owned()))
        };
        properties.decide(property, verdict, space);
    }
    if properties
        .undecided()
        .any(|property| properties.needs_graph(property))
    {
        by_graph(packed, properties, space, meter)?;
    }
    by_labels(packed, packed, properties, space, meter, true)
}

/// The edges of a search that has taken every step; `successors` are its own.
pub(crate) fn edges_of<S: Successors>(
    successors: &S,
    properties: &mut Properties<'_>,
    space: &Space,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Edges> {
    let out_of_memory =
        meter.forbids(space.bytes() + properties.bytes() + space.states() * BYTES_PER_STATE);
    if let Some(reason) = out_of_memory {
        return ControlFlow::Break(Stop::Limit(reason));
    }
    properties.close_edges(space);
    match properties.edges.take() {
        Some(edges) => ControlFlow::Continue(edges),
        None if properties.edges_were_dropped => {
            let bytes = meter.max_memory().unwrap_or(u64::MAX);
            ControlFlow::Break(Stop::Limit(Reason::Memory(bytes)))
        }
        None => {
            let held = properties.bytes() + space.states() * BYTES_PER_STATE;
            let mut edges = Edges::default();
            revisit(successors, space, held, meter, &mut edges)?;
            ControlFlow::Continue(edges)
        }
    }
}

/// Decides what is about the state space as a graph.
fn by_graph(
    packed: &Packed<'_>,
    properties: &mut Properties<'_>,
    space: &Space,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop> {
    let edges = edges_of(packed, properties, space, meter)?;
    for property in properties.undecided() {
        if !properties.needs_graph(property) {
            continue;
        }
        let violation = {
            let held = properties.bytes() + edges.bytes();
            let mut look = || meter.look(space, held);
            violation_in_graph(properties, property, &edges, &mut look)?
        };
        match violation {
            None => properties.decide(property, Verdict::Holds, space),
            Some((finding, evidence)) => properties.violate(property, finding, evidence, space),
        }
    }
    ControlFlow::Continue(())
}

pub(crate) type Violation = Option<(Finding, Evidence)>;

/// What the graph has against a property about it.
fn violation_in_graph(
    properties: &Properties<'_>,
    property: usize,
    edges: &Edges,
    look: &mut dyn FnMut() -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Violation> {
    let goals = &properties.goals[property];
    match properties.property(property) {
        Property::Termination => {
            let reaching = can_reach(edges, &properties.terminal, look)?;
            nearest_outside(edges, &reaching, Finding::NoTerminalReachable)
        }
        Property::MayProgress(_) => {
            let reaching = can_reach(edges, goals, look)?;
            nearest_outside(edges, &reaching, Finding::GoalOutOfReach)
        }
        _ => {
            let avoiding = may_avoid(edges, goals, &properties.terminal, look)?;
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
    properties: &mut Properties<'_>,
    space: &Space,
    meter: &mut Meter<'_>,
    is_complete: bool,
) -> ControlFlow<Stop> {
    let open = properties
        .undecided()
        .filter(|property| properties.needs_labels(*property));
    let open: Vec<usize> = open.collect();
    for open in open.chunks(AT_ONCE) {
        let questions = open
            .iter()
            .filter_map(|property| match properties.property(*property) {
                Property::Recurrence {
                    infinitely,
                    implies,
                } => Some(Question::new(packed.system(), infinitely, implies)),
                _ => None,
            });
        let questions: Vec<Question> = questions.collect();
        let at = |state: &[u64], instance| packed.location(state, instance);
        let held = properties.bytes();
        let marked = Marked::collect(successors, at, &questions, space, held, meter)?;
        for (nth, property) in open.iter().enumerate() {
            let held = properties.bytes() + marked.bytes();
            let found = marked.answer(nth, &mut || meter.look(space, held))?;
            match found {
                None if is_complete => properties.decide(*property, Verdict::Holds, space),
                None => {}
                Some(Lasso { path, cycle }) => {
                    let evidence = Evidence {
                        cycle,
                        ..Evidence::path(path)
                    };
                    properties.violate(*property, Finding::RecurrenceViolated, evidence, space);
                }
            }
        }
    }
    ControlFlow::Continue(())
}
