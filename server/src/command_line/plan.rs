//! `--explain`: the searches that a check makes for each property.

use std::sync::{Mutex, PoisonError};

use stubborn_engine::{Event, Observer};
use stubborn_report::AttemptReport;

/// Collects the attempts of a check.
pub struct Plan<'w> {
    observer: &'w dyn Observer,
    /// Each with the properties that it was for.
    attempts: Mutex<Vec<(Vec<usize>, AttemptReport)>>,
}

impl<'w> Plan<'w> {
    pub fn new(observer: &'w dyn Observer) -> Plan<'w> {
        Plan {
            observer,
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

impl Observer for Plan<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Attempted(properties, finished) = event {
            let attempts = self.attempts.lock();
            let mut attempts = attempts.unwrap_or_else(PoisonError::into_inner);
            attempts.push((properties.to_vec(), AttemptReport::new(finished)));
        }
        self.observer.event(event);
    }
}
