//! A violation that somebody says was found before.

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::monitored::{confirmed_again, is_broken, is_open};
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
/// ([`Finding::NoTerminalReachable`], [`Finding::GoalOutOfReach`]), and that a run goes on from where
/// a formula is decided. Costs what replaying costs.
pub fn violated_again(
    system: &System,
    property: &Property,
    finding: &Finding,
    path: &Path,
    goes_on: &dyn Fn() -> bool,
) -> Option<Verdict> {
    let trace = taken(system, path, goes_on)?;
    let fails = trace.all_steps().any(|step| step.failure.is_some());
    if fails && *property != Property::Errors {
        return None;
    }
    let is_shown = match property {
        // However it goes on.
        Property::Ltl(ltl) if is_open(system, finding, &trace) => {
            matches!(finding, Finding::Watched(_))
                && is_broken(system, ltl, &trace, &mut |_| polled(goes_on)) == Ok(true)
        }
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

fn is_confirmed(
    system: &System,
    property: &Property,
    finding: &Finding,
    trace: Trace,
    goes_on: &dyn Fn() -> bool,
) -> bool {
    matches!(
        confirmed_again(system, property, finding, trace, &mut |_| polled(goes_on)),
        Verdict::Violated { finding: found, .. } if found == *finding
    )
}

fn polled(goes_on: &dyn Fn() -> bool) -> ControlFlow<Stop> {
    match goes_on() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(Stop::Limit(Reason::Cancelled)),
    }
}
