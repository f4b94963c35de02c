//! Where a search can be held, kept as it is, while another one has its turn; and its clock, which
//! stands still meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Between one search and who decides about its turns.
#[derive(Debug)]
pub struct Gate {
    cancelled: AtomicBool,
    /// The same as in `turns`, for those who ask often.
    is_held: AtomicBool,
    turns: Mutex<Turns>,
    opened: Condvar,
}

#[derive(Debug)]
struct Turns {
    begun: Instant,
    /// Since when it is held.
    held: Option<Instant>,
    /// For how long it was held before.
    stood: Duration,
}

impl Turns {
    /// How long it has had its turn until `now`.
    fn active(&self, now: Instant) -> Duration {
        let until = self.held.unwrap_or(now);
        until.saturating_duration_since(self.begun + self.stood)
    }
}

impl Default for Gate {
    /// Open, from now on.
    fn default() -> Gate {
        Gate {
            cancelled: AtomicBool::new(false),
            is_held: AtomicBool::new(false),
            turns: Mutex::new(Turns {
                begun: Instant::now(),
                held: None,
                stood: Duration::ZERO,
            }),
            opened: Condvar::new(),
        }
    }
}

impl Gate {
    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search; one that is held is let go for it.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.open();
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Holds the search at the next place where it asks.
    pub fn hold(&self) {
        let mut turns = self.turns();
        if !self.is_cancelled() && turns.held.is_none() {
            turns.held = Some(Instant::now());
            self.is_held.store(true, Ordering::Relaxed);
        }
    }

    /// Lets the search go on.
    pub fn open(&self) {
        let mut turns = self.turns();
        if let Some(since) = turns.held.take() {
            turns.stood += since.elapsed();
            self.is_held.store(false, Ordering::Relaxed);
            self.opened.notify_all();
        }
    }

    pub fn is_held(&self) -> bool {
        self.is_held.load(Ordering::Relaxed)
    }

    /// For the search: waits while it is held.
    pub fn pass(&self) {
        if self.is_held() {
            let turns = self.turns();
            let still = self.opened.wait_while(turns, |turns| turns.held.is_some());
            drop(still.unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// How long the search has had its turn.
    pub fn active(&self) -> Duration {
        self.turns().active(Instant::now())
    }

    /// The time as the search counts it: what it was held does not count.
    pub fn now(&self) -> Instant {
        let turns = self.turns();
        turns.begun + turns.active(Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::thread;

    use super::*;

    #[test]
    fn what_is_held_stays_where_it_is_and_its_time_stands_still() {
        let gate = Arc::new(Gate::default());
        gate.hold();
        let (at, was) = (gate.now(), gate.active());
        let (sender, passed) = channel();
        let held = Arc::clone(&gate);
        let search = thread::spawn(move || {
            held.pass();
            sender.send(()).expect("somebody who listens");
        });
        assert!(passed.try_recv().is_err());
        assert_eq!((gate.now(), gate.active()), (at, was));
        gate.open();
        passed.recv().expect("it goes on");
        search.join().expect("it ends");
        assert!(gate.now() > at);
    }

    #[test]
    fn a_cancel_lets_go_and_nothing_is_held_after_it() {
        let gate = Gate::default();
        gate.hold();
        gate.cancel();
        gate.pass();
        gate.hold();
        gate.pass();
        assert!(gate.is_cancelled() && !gate.is_held());
    }

    #[test]
    fn turns_add_up() {
        let begun = Instant::now();
        let at = |millis| begun + Duration::from_millis(millis);
        let mut turns = Turns {
            begun,
            held: None,
            stood: Duration::from_millis(30),
        };
        assert_eq!(turns.active(at(100)), Duration::from_millis(70));
        turns.held = Some(at(50));
        assert_eq!(turns.active(at(100)), Duration::from_millis(20));
    }
}
