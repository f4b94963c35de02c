//! What the end of a search with stubborn sets says of the claims that it has not refuted, by the
//! theorems of A. Valmari, "Stop It, and Be Stubborn!" (ACSD 2015).
//!
//! A violation that the search has met is one of the model whatever else holds. That there is none
//! follows
//! - for deadlocks, since the space has all terminal states (Theorem 1);
//! - for AG EF termination, which holds of the space if and only if it holds of the model
//!   (Theorem 3);
//! - in a model that is AG EF terminating for errors and invariants (Theorem 4), for may-progress,
//!   which then is a matter of terminal states (Theorem 5), and for recurrence (Theorem 6);
//! - in any other model for errors and invariants, if no step is put off for ever: see
//!   [`put_off`].
//!
//! The rest is left open: recurrences for a search with a cycle condition, may- and must-progress
//! for one of the plain state space.

use std::ops::ControlFlow;

use stubborn_model::claim::Claim;

use crate::claims::Claims;
use crate::conclude::{by_labels, conclude, edges_of, nearest_outside};
use crate::graph::StateSet;
use crate::graph::reach::can_reach;
use crate::options::Order;
use crate::packed::Packed;
use crate::reduction::Stubborn;
use crate::reduction::cycles::unbroken;
use crate::reduction::ignoring::put_off;
use crate::reduction::mutation::{Mutation, is_left_out};
use crate::search::{Observer, Pace, Space, Stop, make_up_for};
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
    stubborn: &Stubborn<'_>,
    (order, reach): (Order, &mut Reach),
    claims: &mut Claims<'_>,
    space: &mut Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop> {
    if space.is_plain() {
        return conclude(packed, claims, space, pace);
    }
    decide(claims, space, |claim| {
        matches!(claim, Claim::Deadlock { .. })
    });
    if claims.undecided().all(|claim| is_must(claims.claim(claim))) {
        return ControlFlow::Continue(());
    }
    let is_terminating = match claims.is_terminating() {
        Some(known) => known,
        None => decide_termination(stubborn, reach, claims, space, pace)?,
    };
    if is_terminating || is_left_out(Mutation::Termination) {
        return in_a_terminating_model(packed, stubborn, claims, space, pace);
    }
    claims.settle_for_dead_ends(space);
    // Such an execution is one of the model, but there may be others.
    by_labels(packed, stubborn, claims, space, pace, false)?;
    while claims
        .undecided()
        .any(|claim| is_safety(claims.claim(claim)))
    {
        claims.drop_order();
        let edges = edges_of(stubborn, claims, space, pace)?;
        let again = match is_left_out(Mutation::Ignoring) {
            true => Vec::new(),
            false => put_off(stubborn, &edges, space, &mut |held| {
                pace.look(space, edges.bytes() + held)
            })?,
        };
        drop(edges);
        if again.is_empty() {
            decide(claims, space, is_safety);
            break;
        }
        make_up_for(stubborn, order, &again, pace, space, claims)?;
    }
    if space.is_plain() {
        claims.drop_order();
        return conclude(packed, claims, space, pace);
    }
    ControlFlow::Continue(())
}

/// Whether a terminal state can be reached from every state, by a search backwards.
fn decide_termination(
    stubborn: &Stubborn<'_>,
    reach: &mut Reach,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop, bool> {
    let edges = edges_of(stubborn, claims, space, pace)?;
    let held = claims.bytes() + edges.bytes();
    let reaching = can_reach(&edges, &claims.terminal, &mut || pace.look(space, held))?;
    let violation = nearest_outside(&edges, &reaching, Finding::NoTerminalReachable)?;
    reach.0 = Some((reaching, space.store.len()));
    let is_terminating = violation.is_none();
    if let Some((finding, evidence)) = violation {
        for claim in claims.undecided() {
            if *claims.claim(claim) == Claim::Termination {
                claims.violate(claim, finding.clone(), evidence.clone(), space);
            }
        }
    }
    ControlFlow::Continue(is_terminating)
}

fn in_a_terminating_model(
    packed: &Packed<'_>,
    stubborn: &Stubborn<'_>,
    claims: &mut Claims<'_>,
    space: &Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop> {
    claims.settle_for_dead_ends(space);
    decide(claims, space, |claim| {
        is_safety(claim) || matches!(claim, Claim::Termination | Claim::MayProgress(_))
    });
    by_labels(packed, stubborn, claims, space, pace, true)
}

/// As [`conclude_reduced`], for recurrences in a model that need not terminate: takes steps until
/// the cycle condition holds ([`unbroken`]).
pub fn conclude_cycles(
    packed: &Packed<'_>,
    stubborn: &Stubborn<'_>,
    order: Order,
    claims: &mut Claims<'_>,
    space: &mut Space,
    pace: &mut Pace<'_>,
) -> ControlFlow<Stop> {
    while !is_left_out(Mutation::Cycles) {
        let edges = edges_of(stubborn, claims, space, pace)?;
        let held = claims.bytes() + edges.bytes();
        let again = unbroken(&edges, space, &mut || pace.look(space, held))?;
        drop(edges);
        if again.is_empty() {
            break;
        }
        claims.drop_order();
        make_up_for(stubborn, order, &again, pace, space, claims)?;
    }
    by_labels(packed, stubborn, claims, space, pace, true)
}

fn decide(claims: &mut Claims<'_>, space: &Space, which: impl Fn(&Claim) -> bool) {
    for claim in claims.undecided() {
        if which(claims.claim(claim)) {
            claims.decide(claim, Verdict::Holds, space);
        }
    }
}

fn is_safety(claim: &Claim) -> bool {
    matches!(claim, Claim::Errors | Claim::Invariant(_))
}

fn is_must(claim: &Claim) -> bool {
    matches!(claim, Claim::MustProgress(_))
}
