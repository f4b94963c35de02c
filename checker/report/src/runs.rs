//! What a verdict on runs says of itself where steps may fail.
//!
//! A step that fails leads nowhere, so a run that can only go on to such steps is no run
//! (`language.md` §4). A property that speaks of runs can hold, then, because those that would
//! violate it fail first. That is told once it is known that steps do fail, and only to those who
//! have asked for `errors` too.

use stubborn_system::property::Form;

use super::property::{PropertyReport, Verdict};

/// Why a property of runs holds, where steps fail.
const OF_OTHER_RUNS: &str =
    "it holds only of the runs on which no step fails: `errors` is violated";

/// Why something may be out of reach, where steps fail.
const PERHAPS_FAILS: &str = "perhaps since a step fails: see `errors`";

/// Whether it is violated since something cannot be reached, which a step that fails may have led to.
fn is_out_of_reach(report: &PropertyReport) -> bool {
    let is_asked = match report.form {
        Form::Termination | Form::Reachable => true,
        Form::Progress => !report.is_of_runs,
        _ => false,
    };
    is_asked && report.verdict == Verdict::Violated
}

/// Has the reports on the properties of one model, as far as there are any yet, say that they hold
/// only of runs that do not fail, where some do, and that failing may be why something is out of reach.
pub fn qualify<'r>(reports: impl IntoIterator<Item = &'r mut PropertyReport>) {
    let mut reports: Vec<&mut PropertyReport> = reports.into_iter().collect();
    let fails = |report: &&mut PropertyReport| {
        report.form == Form::Errors && report.verdict == Verdict::Violated
    };
    if reports.iter().any(fails) {
        reports
            .iter_mut()
            .for_each(|report| qualify_where_steps_fail(report));
    }
}

/// The same of one report, where it is known that steps fail.
pub fn qualify_where_steps_fail(report: &mut PropertyReport) {
    let why = report.why.take();
    let told: Vec<String> = if report.is_of_runs && report.verdict == Verdict::Holds {
        [OF_OTHER_RUNS.to_owned()].into_iter().chain(why).collect()
    } else if is_out_of_reach(report) {
        why.into_iter().chain([PERHAPS_FAILS.to_owned()]).collect()
    } else {
        report.why = why;
        return;
    };
    report.why = Some(told.join("; "));
}
