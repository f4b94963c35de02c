//! Whether a run shows what it is said to show.

use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::no_trace::{NoTrace, Poll, polled};
use crate::interpreter::replay_while;
use crate::properties::kind_of;
use crate::trace::Trace;
use crate::verdict::Finding;

/// Takes the run by the reference interpreter, and looks for the finding at its end or on its cycle.
///
/// # Errors
/// Where a limit is reached, or the interpreter does not agree.
pub fn confirm(
    system: &System,
    property: &Property,
    finding: &Finding,
    trace: &Trace,
    poll: Poll<'_>,
) -> Result<(), NoTrace> {
    replayed(system, trace, poll)?;
    shows(system, property, finding, trace)
}

/// Takes the run by the reference interpreter.
///
/// # Errors
/// Where a limit is reached, or the interpreter does not agree.
pub fn replayed(system: &System, trace: &Trace, poll: Poll<'_>) -> Result<(), NoTrace> {
    let bytes = trace.bytes();
    replay_while(system, trace, &mut || polled(poll, bytes))??;
    Ok(())
}

/// Whether a run that the interpreter has taken shows the finding.
///
/// # Errors
/// Where it does not.
pub fn shows(
    system: &System,
    property: &Property,
    finding: &Finding,
    trace: &Trace,
) -> Result<(), NoTrace> {
    if kind_of(property).is_shown(system, finding, trace) {
        return Ok(());
    }
    Err(NoTrace::Defect(format!(
        "the reference interpreter does not find {finding:?} at the end of a trace"
    )))
}
