//! `--explain`: the searches that a check makes for each property.

use std::sync::{Mutex, PoisonError};

use stubborn_engine::Watch;
use stubborn_engine::plan::attempt::Finished;
use stubborn_report::AttemptReport;

/// Collects the attempts of a check.
pub struct Plan<'w> {
    watch: &'w dyn Watch,
    /// Each with the properties that it was for.
    attempts: Mutex<Vec<(Vec<usize>, AttemptReport)>>,
}

impl<'w> Plan<'w> {
    pub fn new(watch: &'w dyn Watch) -> Plan<'w> {
        Plan {
            watch,
            attempts: Mutex::default(),
        }
    }

    /// The attempts for a property, in their order.
    pub fn of(&self, property: usize) -> Vec<AttemptReport> {
        let attempts = self.attempts.lock();
        let attempts = attempts.unwrap_or_else(PoisonError::into_inner);
        let its = attempts.iter().filter(|(of, _)| of.contains(&property));
        its.map(|(_, attempt)| attempt.clone()).collect()
    }
}

impl Watch for Plan<'_> {
    fn passes_to(&self) -> Option<&dyn Watch> {
        Some(self.watch)
    }

    fn attempted(&self, properties: &[usize], finished: &Finished) {
        let attempts = self.attempts.lock();
        let mut attempts = attempts.unwrap_or_else(PoisonError::into_inner);
        attempts.push((properties.to_vec(), AttemptReport::new(finished)));
    }
}
