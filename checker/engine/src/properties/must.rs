//! `progress … must`: from every reachable state every maximal path meets a goal (AG AF).

use stubborn_system::system::{Expr, Failure, System};

use super::kind::{AtEnd, Conclusion, End, InState, Kind, LooksAt, Preserved};
use crate::interpreter::{evaluate, holds, is_terminal};
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct MustProgress<'p>(pub &'p Expr);

impl Kind for MustProgress<'_> {
    fn looks_at(&self) -> LooksAt<'_> {
        LooksAt::States(self.0, InState::of_goal)
    }

    fn at_end(&self, end: &mut dyn End) -> AtEnd {
        if end.is_goal() {
            return AtEnd::Nothing;
        }
        AtEnd::Violation(Finding::GoalAvoidedByEnd)
    }

    fn at_failing_step(&self, _: &Failure) -> Option<Finding> {
        None
    }

    fn state_check(&self) -> Option<StateCheck> {
        None
    }

    fn conclusion(&self) -> Conclusion {
        Conclusion::Avoiding(Finding::GoalAvoidedByCycle)
    }

    fn preserved(&self) -> Preserved {
        Preserved::Never
    }

    fn suits_bitstate(&self) -> bool {
        false
    }

    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool {
        let last = trace.last();
        match finding {
            Finding::GoalAvoidedByEnd => {
                is_terminal(system, last) && holds(system, last, self.0) == Ok(false)
            }
            Finding::GoalAvoidedByCycle => {
                let mut walk = trace.walk();
                let mut is_avoided = !trace.cycle().is_empty();
                while walk.advance().is_some() {
                    let is_on_cycle = walk.taken() >= trace.steps().len();
                    is_avoided &= !is_on_cycle || holds(system, walk.state(), self.0) == Ok(false);
                }
                is_avoided
            }
            Finding::ExpressionFails(failure) => {
                evaluate(system, last, self.0).as_ref() == Err(failure)
            }
            _ => false,
        }
    }
}
