//! Refinement: from a specification to the tester that finds what it does not allow.
//!
//! "A finite state process can be converted to a tester algorithmically, by applying finite
//! automaton determinization construction, and the canonical tester theory" (Valmari 1993, section
//! 3). The steps of this are: all states of the specification ([`lts`]), the sets of states that it
//! may be in after each trace ([`determinise`]), one state for those that are alike ([`minimise`]),
//! and the states and marks of the tester ([`canonical`]).

mod canonical;
mod determinise;
mod events;
mod hitting;
mod lts;
mod minimise;

use stubborn_automata::{NotMade, Work};
use stubborn_system::property::{Refinement, Tester};
use stubborn_system::system::System;

use crate::trace::MonitorState;
use crate::verdict::Reason;

use canonical::{Asked, canonical};
use determinise::Deterministic;
use events::Events;
use lts::Lts;
use minimise::minimise;

/// The canonical tester of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// It names no event that never occurs in the model.
    pub tester: Tester,
    /// For each of its states the locations (ascending) at which the specification may then be; none
    /// where the specification cannot do what has been done, or where nothing is looked for any
    /// more.
    pub shown: Vec<MonitorState>,
}

/// The tester that a system violates if and only if it does something that the specification cannot
/// do in the refinement's semantics.
///
/// Costs time and memory in proportion to the tester and to the subset construction, which may be
/// exponential in the specification; both are bounded.
///
/// # Errors
/// [`Reason::MonitorTooLarge`] and [`Reason::AlphabetTooLarge`], and where the work has been stopped.
pub fn tester_of(
    system: &System,
    refinement: &Refinement,
    work: &Work<'_>,
) -> Result<Canonical, NotMade<Reason>> {
    let specification = &refinement.specification;
    let events = Events::new(system, &specification.alphabet, work)?;
    let alone = System {
        actions: system.actions.clone(),
        instances: vec![specification.clone()],
        ..System::default()
    };
    let lts = Lts::new(&alone, &events, work)?;
    let mut all = Deterministic::new(&lts, &events, work)?;
    Asked::of(refinement.semantics).forget_others(&mut all);
    canonical(&minimise(&all, work)?, &events, refinement.semantics, work)
}
