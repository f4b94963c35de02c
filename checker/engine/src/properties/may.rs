//! `progress … may`: from every reachable state one with a goal can be reached (AG EF).

use stubborn_system::system::{Expr, Failure, System};

use super::kind::{AtEnd, Conclusion, End, Goals, InState, Kind, LooksAt, Preserved};
use crate::interpreter::{evaluate, holds};
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct MayProgress<'p>(pub &'p Expr);

impl Kind for MayProgress<'_> {
    fn looks_at(&self) -> LooksAt<'_> {
        LooksAt::States(self.0, InState::of_goal)
    }

    fn at_end(&self, end: &mut dyn End) -> AtEnd {
        if end.is_goal() {
            return AtEnd::Nothing;
        }
        AtEnd::DeadEnd(Finding::GoalOutOfReach)
    }

    fn at_failing_step(&self, _: &Failure) -> Option<Finding> {
        None
    }

    fn state_check(&self) -> Option<StateCheck> {
        Some(StateCheck::Failure)
    }

    fn conclusion(&self) -> Conclusion {
        Conclusion::Reaching(Goals::Expression, Finding::GoalOutOfReach)
    }

    fn preserved(&self) -> Preserved {
        Preserved::WhereTerminating
    }

    fn suits_bitstate(&self) -> bool {
        false
    }

    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool {
        match finding {
            Finding::GoalOutOfReach => holds(system, trace.last(), self.0) == Ok(false),
            Finding::ExpressionFails(failure) => {
                evaluate(system, trace.last(), self.0).as_ref() == Err(failure)
            }
            _ => false,
        }
    }
}
