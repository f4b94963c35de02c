//! Progress of a check, in counts that never decrease.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::budget::Budget;
use crate::observer::{Event, Observer};
use crate::options::Progress;

/// Adds up the progress of searches that follow each other, for the observer of the check. When an
/// attempt is abandoned for another one, the counts stand still until that has come further.
pub struct Rising<'w> {
    observer: &'w dyn Observer,
    budget: Budget<'w>,
    began: Instant,
    counts: Mutex<Counts>,
}

/// States and edges.
#[derive(Default)]
struct Counts {
    /// Sum over the searches that are over.
    before: (u64, u64),
    /// Maximum over the attempts of the present search.
    most: (u64, u64),
}

impl Counts {
    fn total(&self) -> (u64, u64) {
        let (before, most) = (self.before, self.most);
        (before.0 + most.0, before.1 + most.1)
    }
}

impl<'w> Rising<'w> {
    pub fn new(observer: &'w dyn Observer, budget: Budget<'w>) -> Rising<'w> {
        Rising {
            observer,
            budget,
            began: budget.now(),
            counts: Mutex::default(),
        }
    }

    fn counted<R>(&self, count: impl FnOnce(&mut Counts) -> R) -> R {
        let counts = self.counts.lock();
        count(&mut counts.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for Rising<'_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Progress(progress) => {
                let (states, edges) = self.counted(|counts| {
                    let (states, edges) = counts.most;
                    counts.most = (states.max(progress.states), edges.max(progress.edges));
                    counts.total()
                });
                let seconds = self.budget.now().duration_since(self.began).as_secs_f64();
                self.observer.event(Event::Progress(&Progress {
                    states,
                    edges,
                    seconds,
                    ..*progress
                }));
            }
            Event::Searched(states) => {
                let (states, _) = self.counted(|counts| {
                    counts.most.0 = counts.most.0.max(states);
                    counts.before = counts.total();
                    counts.most = (0, 0);
                    counts.before
                });
                self.observer.event(Event::Searched(states));
            }
            event => self.observer.event(event),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abandoned_attempt_lowers_no_count() {
        let told = Mutex::new(Vec::new());
        let observer = |event: Event<'_>| {
            let (Event::Progress(&Progress { states, .. }) | Event::Searched(states)) = event
            else {
                return;
            };
            told.lock().expect("no thread panics").push(states);
        };
        let rising = Rising::new(&observer, Budget::default());
        let at = |states| {
            rising.event(Event::Progress(&Progress {
                states,
                ..Progress::default()
            }));
        };
        at(500);
        at(1_000);
        at(10);
        at(1_500);
        rising.event(Event::Searched(1_600));
        at(3);
        at(2);
        rising.event(Event::Searched(3));
        let told = told.into_inner().expect("no thread panics");
        assert_eq!(told, [500, 1_000, 1_000, 1_500, 1_600, 1_603, 1_603, 1_603]);
    }
}
