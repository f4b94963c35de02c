//! What a monitor watches for: testers, automata, formulas and refinement. Each is decided by a search
//! of its own, which also confirms what it has found ([`monitored`](crate::monitored)).

use stubborn_system::system::{Failure, System};

use super::kind::{AtEnd, Conclusion, End, Kind, LooksAt, Preserved};
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct Monitored;

impl Kind for Monitored {
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
        Conclusion::Apart
    }

    fn preserved(&self) -> Preserved {
        Preserved::Never
    }

    fn suits_bitstate(&self) -> bool {
        false
    }

    /// A run alone does not show what a monitor has found: the monitor is run beside it.
    fn is_shown(&self, _: &System, _: &Finding, _: &Trace) -> bool {
        false
    }
}
