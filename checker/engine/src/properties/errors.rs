//! `errors`: no step fails.

use stubborn_system::system::{Failure, System};

use super::kind::{AtEnd, Conclusion, End, Kind, LooksAt, Preserved};
use crate::related::StateCheck;
use crate::trace::Trace;
use crate::verdict::Finding;

pub struct Errors;

impl Kind for Errors {
    fn looks_at(&self) -> LooksAt<'_> {
        LooksAt::Nothing
    }

    fn at_end(&self, _: &mut dyn End) -> AtEnd {
        AtEnd::Nothing
    }

    fn at_failing_step(&self, failure: &Failure) -> Option<Finding> {
        Some(Finding::StepFails(failure.clone()))
    }

    fn state_check(&self) -> Option<StateCheck> {
        None
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

    fn is_shown(&self, _: &System, finding: &Finding, trace: &Trace) -> bool {
        let failure = trace
            .all_steps()
            .last()
            .and_then(|step| step.failure.as_ref());
        matches!(finding, Finding::StepFails(expected) if failure == Some(expected))
    }
}
