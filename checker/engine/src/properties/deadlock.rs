//! `deadlock`: in every terminal state every instance is at a final location, or what allows it holds.

use stubborn_system::system::{Expr, Failure, System};

use super::kind::{AtEnd, Conclusion, End, Kind, LooksAt, Preserved};
use crate::interpreter::{evaluate, holds, is_terminal};
use crate::related::StateCheck;
use crate::state::State;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct Deadlock<'p>(pub Option<&'p Expr>);

impl Kind for Deadlock<'_> {
    fn looks_at(&self) -> LooksAt<'_> {
        self.0.map_or(LooksAt::Nothing, LooksAt::Ends)
    }

    fn at_end(&self, end: &mut dyn End) -> AtEnd {
        if end.is_final() {
            return AtEnd::Nothing;
        }
        match end.value() {
            Some(Ok(true)) => AtEnd::Nothing,
            None | Some(Ok(false)) => AtEnd::Violation(Finding::Deadlock),
            Some(Err(failure)) => AtEnd::Violation(Finding::ExpressionFails(failure)),
        }
    }

    fn at_failing_step(&self, _: &Failure) -> Option<Finding> {
        None
    }

    fn state_check(&self) -> Option<StateCheck> {
        None
    }

    fn conclusion(&self) -> Conclusion {
        Conclusion::Holds
    }

    fn preserved(&self) -> Preserved {
        Preserved::Always
    }

    fn suits_bitstate(&self) -> bool {
        true
    }

    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool {
        let last = trace.last();
        let is_shown = match (finding, self.0) {
            (Finding::Deadlock, None) => true,
            (Finding::Deadlock, Some(e)) => holds(system, last, e) == Ok(false),
            (Finding::ExpressionFails(failure), Some(e)) => {
                evaluate(system, last, e).as_ref() == Err(failure)
            }
            _ => false,
        };
        is_shown && is_deadlock(system, last)
    }
}

/// Whether the state is one in which a run ends where it should not.
fn is_deadlock(system: &System, state: &State) -> bool {
    let mut instances = system.instances.iter().zip(&state.instances);
    let all_final = instances.all(|(instance, now)| {
        let location = &instance.locations[now.location as usize];
        location.is_final
    });
    is_terminal(system, state) && !all_final
}
