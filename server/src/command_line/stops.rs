//! `--stop-at-first`: a check that ends at the first property that is not as expected.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use stubborn_engine::{Caller, Event, Observer, Verdict as Found};
use stubborn_report::{PropertyReport, Verdict};

use super::check::Until;

/// Who follows a check, and whether something was found that ends it.
pub struct Stops<'w> {
    pub caller: Caller<'w>,
    until: Until,
    is_at_end: AtomicBool,
}

impl<'w> Stops<'w> {
    pub fn new(caller: Caller<'w>, until: Until) -> Stops<'w> {
        Stops {
            caller,
            until,
            is_at_end: AtomicBool::new(false),
        }
    }

    /// Who follows one search of it, where a run for each of the properties is expected, or none is.
    pub fn at_wrong(&self, run_is_expected: Vec<bool>) -> AtWrong<'_, 'w> {
        AtWrong {
            stops: self,
            run_is_expected,
        }
    }

    /// Whether its searches should end.
    pub fn is_over(&self) -> bool {
        self.is_at_end.load(Relaxed) || self.caller.budget.is_cancelled()
    }

    /// Has what was left undecided say why.
    pub fn tell(&self, reports: &mut [PropertyReport]) {
        if !self.is_at_end.load(Relaxed) || self.caller.budget.is_cancelled() {
            return;
        }
        let undecided = reports.iter_mut();
        for report in undecided.filter(|one| one.verdict == Verdict::Undecided) {
            report.why = Some(
                "`--stop-at-first` has ended the check before: another property is not as expected"
                    .to_owned(),
            );
        }
    }
}

/// Ends a search once something is not as expected.
pub struct AtWrong<'s, 'w> {
    stops: &'s Stops<'w>,
    run_is_expected: Vec<bool>,
}

impl Observer for AtWrong<'_, '_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Decided(property, outcome) = event {
            let has_run = match outcome.verdict {
                Found::Violated { .. } => Some(true),
                Found::Holds => Some(false),
                Found::Undecided(_) => None,
            };
            let expected = self.run_is_expected.get(property).copied();
            let is_wrong = has_run.is_some() && has_run != expected;
            if self.stops.until == Until::SomethingIsWrong && is_wrong {
                self.stops.is_at_end.store(true, Relaxed);
            }
        }
        self.stops.caller.observer.event(event);
    }
}
