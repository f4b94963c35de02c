//! Progress of a check, in counts that never decrease.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::options::Progress;
use crate::watch::Watch;

/// Adds up the progress of searches that follow each other, for the watch of the check. Where an attempt is
/// abandoned for another one, the counts stand still until that has come further.
pub struct Rising<'w> {
    watch: &'w dyn Watch,
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
    pub fn new(watch: &'w dyn Watch) -> Rising<'w> {
        Rising {
            watch,
            began: watch.now(),
            counts: Mutex::default(),
        }
    }

    fn counted<R>(&self, count: impl FnOnce(&mut Counts) -> R) -> R {
        let counts = self.counts.lock();
        count(&mut counts.unwrap_or_else(PoisonError::into_inner))
    }
}

impl Watch for Rising<'_> {
    fn passes_to(&self) -> Option<&dyn Watch> {
        Some(self.watch)
    }

    fn progress(&self, progress: &Progress) {
        let (states, edges) = self.counted(|counts| {
            let (states, edges) = counts.most;
            counts.most = (states.max(progress.states), edges.max(progress.edges));
            counts.total()
        });
        self.watch.progress(&Progress {
            states,
            edges,
            seconds: self.now().duration_since(self.began).as_secs_f64(),
            ..*progress
        });
    }

    fn searched(&self, states: u64) {
        let (states, _) = self.counted(|counts| {
            counts.most.0 = counts.most.0.max(states);
            counts.before = counts.total();
            counts.most = (0, 0);
            counts.before
        });
        self.watch.searched(states);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<u64>>);

    impl Watch for Told {
        fn progress(&self, progress: &Progress) {
            self.0
                .lock()
                .expect("no thread panics")
                .push(progress.states);
        }

        fn searched(&self, states: u64) {
            self.0.lock().expect("no thread panics").push(states);
        }
    }

    #[test]
    fn an_abandoned_attempt_lowers_no_count() {
        let told = Told::default();
        let rising = Rising::new(&told);
        let at = |states| {
            rising.progress(&Progress {
                states,
                ..Progress::default()
            });
        };
        at(500);
        at(1_000);
        at(10);
        at(1_500);
        rising.searched(1_600);
        at(3);
        at(2);
        rising.searched(3);
        let told = told.0.into_inner().expect("no thread panics");
        assert_eq!(told, [500, 1_000, 1_000, 1_500, 1_600, 1_603, 1_603, 1_603]);
    }
}
