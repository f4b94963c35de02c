//! Reasons why there is no run to show.

use std::ops::ControlFlow;

use crate::interpreter::Mismatch;
use crate::search::Stop;
use crate::verdict::Reason;

/// Why there is no run for what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTrace {
    Limit(Reason),
    /// The cycle closes only after more than this many steps, more than are worth showing.
    CycleTooLong(usize),
    /// Two accounts of the model disagree: in the words of a bug report.
    Defect(String),
}

impl From<Stop> for NoTrace {
    fn from(stop: Stop) -> NoTrace {
        match stop {
            Stop::Limit(reason) => NoTrace::Limit(reason),
            Stop::Decided => NoTrace::Defect("a search has ended too early".to_owned()),
        }
    }
}

impl From<Mismatch> for NoTrace {
    fn from(mismatch: Mismatch) -> NoTrace {
        NoTrace::Defect(format!(
            "the reference interpreter does not replay a trace: {mismatch}"
        ))
    }
}

impl NoTrace {
    pub fn reason(self) -> Reason {
        match self {
            NoTrace::Limit(reason) => reason,
            NoTrace::CycleTooLong(most) => Reason::Internal(format!(
                "a cycle closes only after more than {most} steps, since data that do not matter \
                 to it change all the way"
            )),
            NoTrace::Defect(defect) => Reason::Internal(defect),
        }
    }
}

/// Asked for each step of a run that is made, with the bytes that the run takes so far.
pub type Poll<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<Stop>;

pub(crate) fn polled(poll: Poll<'_>, bytes: u64) -> Result<(), NoTrace> {
    match poll(bytes) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(stop) => Err(stop.into()),
    }
}

pub(crate) fn not_found() -> NoTrace {
    NoTrace::Defect("a step that a search has taken is not found again".to_owned())
}
