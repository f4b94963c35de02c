//! `--stop-at-first`: a check that ends at the first property that is not as expected.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use stubborn_engine::{Outcome, Verdict as Found, Watch};
use stubborn_report::{PropertyReport, Verdict};

use super::check::Until;

/// Who follows a check, and whether something was found that ends it.
pub struct Stops<'w> {
    watch: &'w dyn Watch,
    until: Until,
    is_at_end: AtomicBool,
}

impl<'w> Stops<'w> {
    pub fn new(watch: &'w dyn Watch, until: Until) -> Stops<'w> {
        Stops {
            watch,
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

    /// Has what was left undecided say why.
    pub fn tell(&self, reports: &mut [PropertyReport]) {
        if !self.is_at_end.load(Relaxed) || self.watch.is_cancelled() {
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

impl Watch for AtWrong<'_, '_> {
    fn passes_to(&self) -> Option<&dyn Watch> {
        Some(self.stops.watch)
    }

    fn decided(&self, property: usize, outcome: &Outcome) {
        let has_run = match outcome.verdict {
            Found::Violated { .. } => Some(true),
            Found::Holds => Some(false),
            Found::Undecided(_) => None,
        };
        let expected = self.run_is_expected.get(property).copied();
        if self.stops.until == Until::SomethingIsWrong && has_run.is_some() && has_run != expected {
            self.stops.is_at_end.store(true, Relaxed);
        }
        self.stops.watch.decided(property, outcome);
    }

    fn is_cancelled(&self) -> bool {
        self.stops.is_at_end.load(Relaxed) || self.stops.watch.is_cancelled()
    }
}
