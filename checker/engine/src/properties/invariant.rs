//! `invariant`: an expression is true in every reachable state.

use stubborn_system::system::{Expr, Failure, System};

use super::kind::{AtEnd, Conclusion, End, InState, Kind, LooksAt, Preserved};
use crate::interpreter::{evaluate, holds};
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct Invariant<'p>(pub &'p Expr);

impl Kind for Invariant<'_> {
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
        Some(StateCheck::Falsehood)
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
        match finding {
            Finding::InvariantFalse => holds(system, trace.last(), self.0) == Ok(false),
            Finding::ExpressionFails(failure) => {
                evaluate(system, trace.last(), self.0).as_ref() == Err(failure)
            }
            _ => false,
        }
    }
}

/// What a state shows in which the invariant has this value.
fn shown(value: Result<bool, Failure>) -> InState {
    match value {
        Ok(true) => InState::Nothing,
        Ok(false) => InState::Violation(Finding::InvariantFalse),
        Err(failure) => InState::Violation(Finding::ExpressionFails(failure)),
    }
}
