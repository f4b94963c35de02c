//! What the end of a search with stubborn sets says of the properties that it has not refuted, by the
//! theorems of A. Valmari, "Stop It, and Be Stubborn!" (ACSD 2015).
//!
//! A violation that the search has met is one of the model whatever else holds. That there is none
//! follows
//! - for deadlocks, since the space has all terminal states (Theorem 1);
//! - for AG EF termination, which holds of the space if and only if it holds of the model
//!   (Theorem 3);
//! - in a model that is AG EF terminating for errors and invariants (Theorem 4), for may-progress,
//!   which then is a matter of terminal states (Theorem 5), and for recurrence (Theorem 6);
//! - in any other model for errors and invariants, if no step is ignored for ever (the ignoring
//!   problem): see
//!   [`ignored`].
//!
//! The rest is left open: recurrences for a search with a cycle proviso, may- and must-progress
//! for one of the plain state space.

use std::ops::ControlFlow;

use stubborn_system::property::Property;

use crate::conclude::{by_labels, conclude, edges_of, nearest_outside};
use crate::graph::StateSet;
use crate::graph::reach::can_reach;
use crate::options::Order;
use crate::packed::Packed;
use crate::properties::Properties;
use crate::reduction::Stubborn;
use crate::reduction::cycles::{Seen, unbroken};
use crate::reduction::ignoring::ignored;
use crate::reduction::mutation::{Mutation, is_left_out};
use crate::related::Related;
use crate::search::{Meter, Observer, Space, Stop, make_up_for};
use crate::verdict::{Finding, Verdict};

/// From which states a terminal one can be reached, as far as it was found out.
#[derive(Default)]
pub struct Reach(Option<(StateSet, u32)>);

impl Reach {
    /// No terminal state can be reached from this one.
    pub fn ends_nowhere(&self, state: u32) -> bool {
        let known = self.0.as_ref();
        known.is_some_and(|(reaching, states)| state < *states && !reaching.contains(state))
    }
}

/// Every step was taken that was not left out.
pub fn conclude_reduced(
    packed: &Packed<'_>,
    stubborn: &Stubborn<Related<'_>>,
    (order, reach): (Order, &mut Reach),
    properties: &mut Properties<'_>,
    space: &mut Space,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop> {
    if space.is_plain() {
        return conclude(packed, properties, space, meter);
    }
    decide(properties, space, |property| {
        matches!(property, Property::Deadlock { .. })
    });
    if properties
        .undecided()
        .all(|property| is_must(properties.property(property)))
    {
        return ControlFlow::Continue(());
    }
    let is_terminating = match properties.is_terminating() {
        Some(known) => known,
        None => decide_termination(stubborn, reach, properties, space, meter)?,
    };
    if is_terminating || is_left_out(Mutation::Termination) {
        return in_a_terminating_model(packed, stubborn, properties, space, meter);
    }
    properties.settle_for_dead_ends(space);
    // Such an execution is one of the model, but there may be others.
    by_labels(packed, stubborn, properties, space, meter, false)?;
    while properties
        .undecided()
        .any(|property| is_safety(properties.property(property)))
    {
        properties.drop_order();
        let edges = edges_of(stubborn, properties, space, meter)?;
        let again = match is_left_out(Mutation::Ignoring) {
            true => Vec::new(),
            false => ignored(stubborn, &edges, space, &mut |held| {
                meter.look(space, edges.bytes() + held)
            })?,
        };
        drop(edges);
        if again.is_empty() {
            decide(properties, space, is_safety);
            break;
        }
        make_up_for(stubborn, order, &again, meter, space, properties)?;
    }
    if space.is_plain() {
        properties.drop_order();
        return conclude(packed, properties, space, meter);
    }
    ControlFlow::Continue(())
}

/// Whether a terminal state can be reached from every state, by a search backwards.
fn decide_termination(
    stubborn: &Stubborn<Related<'_>>,
    reach: &mut Reach,
    properties: &mut Properties<'_>,
    space: &Space,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, bool> {
    let edges = edges_of(stubborn, properties, space, meter)?;
    let held = properties.bytes() + edges.bytes();
    let reaching = can_reach(&edges, &properties.terminal, &mut || {
        meter.look(space, held)
    })?;
    let violation = nearest_outside(&edges, &reaching, Finding::NoTerminalReachable)?;
    reach.0 = Some((reaching, space.store.len()));
    let is_terminating = violation.is_none();
    if let Some((finding, evidence)) = violation {
        for property in properties.undecided() {
            if *properties.property(property) == Property::Termination {
                properties.violate(property, finding.clone(), evidence.clone(), space);
            }
        }
    }
    ControlFlow::Continue(is_terminating)
}

fn in_a_terminating_model(
    packed: &Packed<'_>,
    stubborn: &Stubborn<Related<'_>>,
    properties: &mut Properties<'_>,
    space: &Space,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop> {
    properties.settle_for_dead_ends(space);
    decide(properties, space, |property| {
        is_safety(property) || matches!(property, Property::Termination | Property::MayProgress(_))
    });
    by_labels(packed, stubborn, properties, space, meter, true)
}

/// As [`conclude_reduced`], for recurrences in a model that need not terminate: takes steps until
/// the cycle proviso holds ([`unbroken`]).
pub fn conclude_cycles(
    packed: &Packed<'_>,
    stubborn: &Stubborn<Related<'_>, Seen>,
    order: Order,
    properties: &mut Properties<'_>,
    space: &mut Space,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop> {
    while !is_left_out(Mutation::Cycles) {
        let edges = edges_of(stubborn, properties, space, meter)?;
        let held = properties.bytes() + edges.bytes();
        let again = unbroken(&edges, space, &mut || meter.look(space, held))?;
        drop(edges);
        if again.is_empty() {
            break;
        }
        properties.drop_order();
        make_up_for(stubborn, order, &again, meter, space, properties)?;
    }
    by_labels(packed, stubborn, properties, space, meter, true)
}

fn decide(properties: &mut Properties<'_>, space: &Space, which: impl Fn(&Property) -> bool) {
    for property in properties.undecided() {
        if which(properties.property(property)) {
            properties.decide(property, Verdict::Holds, space);
        }
    }
}

fn is_safety(property: &Property) -> bool {
    matches!(property, Property::Errors | Property::Invariant(_))
}

fn is_must(property: &Property) -> bool {
    matches!(property, Property::MustProgress(_))
}
