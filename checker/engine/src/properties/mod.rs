//! The kinds of property, one module each: what a kind looks at in a state, at an end and at a step,
//! what is concluded when every step was taken, which reduction preserves it, and what its trace must
//! show.
//!
//! [`kind_of`] is the one place where kinds are told apart, by a match without a wildcard: a kind that
//! nobody has thought about does not compile, and none holds by default.

mod deadlock;
mod errors;
mod invariant;
mod kind;
mod may;
mod monitored;
mod must;
mod recurrence;
mod termination;

use stubborn_system::property::Property;

pub use kind::{AtEnd, Conclusion, End, Goals, InState, Kind, LooksAt, Preserved};

/// The kind of a property.
pub fn kind_of(property: &Property) -> Box<dyn Kind + '_> {
    match property {
        Property::Errors => Box::new(errors::Errors),
        Property::Deadlock { allowed } => Box::new(deadlock::Deadlock(allowed.as_ref())),
        Property::Termination => Box::new(termination::Termination),
        Property::Invariant(e) => Box::new(invariant::OneState::against(e)),
        Property::MayProgress(e) => Box::new(may::MayProgress(e)),
        Property::MustProgress(e) => Box::new(must::MustProgress(e)),
        Property::Reachable(e) => Box::new(invariant::OneState::to_reach(e)),
        Property::Recurrence(infinitely, implies) => Box::new(recurrence::Recurrence {
            infinitely,
            implies,
        }),
        Property::Ltl(_)
        | Property::Tester(_)
        | Property::Buchi(_)
        | Property::Testing(_)
        | Property::Refinement(_)
        | Property::Fair(_) => Box::new(monitored::Monitored),
    }
}
