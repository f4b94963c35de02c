//! `recurrence`: every execution with infinitely many steps of one set has infinitely many of another.

use stubborn_system::property::StepSet;
use stubborn_system::system::{Failure, InstanceId, System};

use super::kind::{AtEnd, Conclusion, End, Kind, LooksAt, Preserved};
use crate::recurring::Recurring;
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct Recurrence<'p> {
    pub infinitely: &'p StepSet,
    pub implies: &'p StepSet,
}

impl Kind for Recurrence<'_> {
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
        Conclusion::Recurring(Finding::RecurrenceViolated)
    }

    fn preserved(&self) -> Preserved {
        Preserved::WithCycleProviso
    }

    fn suits_bitstate(&self) -> bool {
        false
    }

    fn recurring(&self, system: &System) -> Option<Recurring> {
        Some(Recurring::new(system, self.infinitely, self.implies))
    }

    fn is_shown(&self, system: &System, finding: &Finding, trace: &Trace) -> bool {
        if *finding != Finding::RecurrenceViolated || trace.cycle().is_empty() {
            return false;
        }
        let recurring = Recurring::new(system, self.infinitely, self.implies);
        let mut walk = trace.walk();
        let (mut recurs, mut is_allowed) = (false, true);
        while let Some(step) = walk.next_step() {
            if walk.taken() >= trace.steps().len() {
                let label = step.label();
                let at = |instance: InstanceId| walk.state().instances[instance as usize].location;
                recurs |= recurring.wants(label, &at);
                is_allowed &= recurring.allows(label, &at);
            }
            walk.advance();
        }
        recurs && is_allowed
    }
}
