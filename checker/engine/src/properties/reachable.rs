//! `reachable`: an expression is true in some reachable state (EF).
//!
//! What is searched for is such a state: what is found is a witness, and where nothing is, no reachable state is one.
//! That is an invariant's search, of which the contrary is told: all that is said there of stubborn sets, slices and
//! merged steps holds here, the expression being true in the place of false.

use stubborn_system::system::{Expr, Failure, System};

use super::kind::{AtEnd, Conclusion, End, InState, Kind, LooksAt, Preserved};
use crate::interpreter::holds;
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct Reachable<'p>(pub &'p Expr);

impl Kind for Reachable<'_> {
    fn looks_at(&self) -> LooksAt<'_> {
        LooksAt::States(self.0, shown)
    }

    fn at_end(&self, _: &mut dyn End) -> AtEnd {
        AtEnd::Nothing
    }

    fn at_failing_step(&self, _: &Failure) -> Option<Finding> {
        None
    }

    fn state_check(&self) -> Option<StateCheck> {
        Some(StateCheck::Truth)
    }

    fn conclusion(&self) -> Conclusion {
        Conclusion::Holds
    }

    fn preserved(&self) -> Preserved {
        Preserved::WithoutIgnoring
    }

    fn suits_bitstate(&self) -> bool {
        true
    }

    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool {
        *finding == Finding::Reached && holds(system, trace.last(), self.0) == Ok(true)
    }
}

/// What a state shows in which the expression has this value; where it fails it is not true.
fn shown(value: Result<bool, Failure>) -> InState {
    match value {
        Ok(true) => InState::Violation(Finding::Reached),
        Ok(false) | Err(_) => InState::Nothing,
    }
}
