//! A violation that somebody says was found before.

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::interpreter::is_terminal;
use crate::monitored::confirmed_again;
use crate::runs::confirm::shows;
use crate::runs::path::{Path, taken};
use crate::search::Stop;
use crate::trace::Trace;
use crate::verdict::{Finding, Reason, Verdict};

/// The verdict that the run with this path violates the property as `finding` says, if the reference
/// interpreter takes the run and it does; `None`, too, where `goes_on` ends it. Path and finding may
/// come from anywhere.
///
/// What no run can show is left to who says so: that nothing leads to a goal from where the run ends
/// ([`Finding::NoTerminalReachable`], [`Finding::GoalOutOfReach`]). Costs what replaying costs.
pub fn violated_again(
    system: &System,
    property: &Property,
    finding: &Finding,
    path: &Path,
    goes_on: &dyn Fn() -> bool,
) -> Option<Verdict> {
    let trace = taken(system, path, goes_on)?;
    let is_shown = match property {
        // Only how it goes on violates it, and nobody knows that any more.
        Property::Ltl(_) if is_open(system, finding, &trace) => false,
        property if property.is_monitored() => {
            is_confirmed(system, property, finding, trace.clone(), goes_on)
        }
        property => shows(system, property, finding, &trace).is_ok(),
    };
    is_shown.then(|| Verdict::Violated {
        finding: finding.clone(),
        trace: Arc::new(trace),
    })
}

fn is_open(system: &System, finding: &Finding, trace: &Trace) -> bool {
    !matches!(finding, Finding::ExpressionFails(_))
        && trace.cycle().is_empty()
        && !is_terminal(system, trace.last())
}

fn is_confirmed(
    system: &System,
    property: &Property,
    finding: &Finding,
    trace: Trace,
    goes_on: &dyn Fn() -> bool,
) -> bool {
    let poll = &mut |_| match goes_on() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(Stop::Limit(Reason::Cancelled)),
    };
    matches!(
        confirmed_again(system, property, finding, trace, poll),
        Verdict::Violated { finding: found, .. } if found == *finding
    )
}
