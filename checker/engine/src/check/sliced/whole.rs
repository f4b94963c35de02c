//! Verdicts on a slice as verdicts on the whole System.

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_system::property::Property;
use stubborn_system::slice::Slice;
use stubborn_system::system::System;

use crate::monitored::confirmed_again;
use crate::runs::confirm::{confirm, shows};
use crate::runs::idle::without_idle;
use crate::runs::lifting::lifted;
use crate::runs::no_trace::{NoTrace, Poll};
use crate::verdict::Verdict;

/// The verdict on a property about the whole System, from that on the slice: the trace is a run of the
/// whole, confirmed against the property. `on_the_way` is called for each step of that, and may unwind.
pub fn on_whole(
    system: &System,
    slice: &Slice,
    property: &Property,
    verdict: &Verdict,
    on_the_way: &dyn Fn(),
) -> Verdict {
    let poll = &mut |_| {
        on_the_way();
        ControlFlow::Continue(())
    };
    let whole = on_whole_within(system, Some(slice), property, verdict, poll);
    whole.unwrap_or_else(|none| Verdict::Undecided(none.reason()))
}

/// As [`on_whole`], within limits. Without a slice it is the whole System that was searched.
///
/// # Errors
/// If there is no such run, its cycle is too long, or a limit is reached.
pub(super) fn on_whole_within(
    system: &System,
    slice: Option<&Slice>,
    property: &Property,
    verdict: &Verdict,
    poll: Poll<'_>,
) -> Result<Verdict, NoTrace> {
    let Verdict::Violated { finding, trace } = verdict else {
        return Ok(verdict.clone());
    };
    let Some(slice) = slice else {
        return Ok(match confirm(system, property, finding, trace, poll) {
            Ok(()) => verdict.clone(),
            Err(none) => Verdict::Undecided(none.reason()),
        });
    };
    // The interpreter has taken it by that.
    let mut lifted = lifted(system, slice, trace, poll)?;
    if property.is_monitored() {
        return Ok(confirmed_again(system, property, finding, lifted, poll));
    }
    if let Some(shorter) = without_idle(system, slice, trace, &lifted, poll)
        && shows(system, property, finding, &shorter).is_ok()
    {
        lifted = shorter;
    }
    let trace = lifted;
    Ok(match shows(system, property, finding, &trace) {
        Ok(()) => Verdict::Violated {
            finding: finding.clone(),
            trace: Arc::new(trace),
        },
        Err(none) => Verdict::Undecided(none.reason()),
    })
}
