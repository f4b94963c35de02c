//! `termination`: from every reachable state a terminal state can be reached (AG EF termination).

use stubborn_system::system::{Failure, System};

use super::kind::{AtEnd, Conclusion, End, Goals, Kind, LooksAt, Preserved};
use crate::interpreter::is_terminal;
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct Termination;

impl Kind for Termination {
    fn looks_at(&self) -> LooksAt<'_> {
        LooksAt::Nothing
    }

    fn at_end(&self, _: &mut dyn End) -> AtEnd {
        AtEnd::Nothing
    }

    fn at_failing_step(&self, _: &Failure) -> Option<Finding> {
        None
    }

    fn state_check(&self) -> Option<StateCheck> {
        None
    }

    fn conclusion(&self) -> Conclusion {
        Conclusion::Reaching(Goals::Terminal, Finding::NoTerminalReachable)
    }

    fn preserved(&self) -> Preserved {
        Preserved::Always
    }

    fn suits_bitstate(&self) -> bool {
        false
    }

    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool {
        *finding == Finding::NoTerminalReachable && !is_terminal(system, trace.last())
    }
}
