//! Where a search can be held, kept as it is, while another one has its turn, or while a text is being
//! understood; and its clock, which stands still meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use stubborn_engine::Clock;

/// Between one search and who decides about its turns.
#[derive(Debug)]
pub struct Gate {
    cancelled: AtomicBool,
    /// The same as in `turns`, for those who ask often.
    is_shut: AtomicBool,
    turns: Mutex<Turns>,
    opened: Condvar,
}

#[derive(Debug)]
struct Turns {
    begun: Instant,
    /// Another search has its turn.
    is_held: bool,
    /// A text is being understood.
    is_paused: bool,
    /// Since when it stands, for one of these.
    shut: Option<Instant>,
    /// For how long it stood before.
    stood: Duration,
}

impl Turns {
    /// How long it has had its turn until `now`.
    fn active(&self, now: Instant) -> Duration {
        let until = self.shut.unwrap_or(now);
        until.saturating_duration_since(self.begun + self.stood)
    }
}

impl Default for Gate {
    /// Open, from now on.
    fn default() -> Gate {
        Gate {
            cancelled: AtomicBool::new(false),
            is_shut: AtomicBool::new(false),
            turns: Mutex::new(Turns {
                begun: Instant::now(),
                is_held: false,
                is_paused: false,
                shut: None,
                stood: Duration::ZERO,
            }),
            opened: Condvar::new(),
        }
    }
}

impl Gate {
    /// Ends the search; one that stands is let go for it.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.change(|_| {});
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Holds the search for another one, at the next place where it asks.
    pub fn hold(&self) {
        self.change(|turns| turns.is_held = true);
    }

    /// The search has its turn.
    pub fn open(&self) {
        self.change(|turns| turns.is_held = false);
    }

    /// Has the search stand while a text is being understood, whoever has the turn.
    pub fn pause(&self) {
        self.change(|turns| turns.is_paused = true);
    }

    /// The text is understood.
    pub fn resume(&self) {
        self.change(|turns| turns.is_paused = false);
    }

    /// The search stands as long as one of the two is so, and is not cancelled.
    fn change(&self, change: impl FnOnce(&mut Turns)) {
        let mut turns = self.turns.lock();
        change(&mut turns);
        if self.is_cancelled() {
            (turns.is_held, turns.is_paused) = (false, false);
        }
        let is_shut = turns.is_held || turns.is_paused;
        match turns.shut {
            None if is_shut => turns.shut = Some(Instant::now()),
            Some(since) if !is_shut => {
                turns.shut = None;
                turns.stood += since.elapsed();
                self.opened.notify_all();
            }
            _ => {}
        }
        self.is_shut.store(is_shut, Ordering::Relaxed);
    }

    /// Whether another search has its turn.
    pub fn is_held(&self) -> bool {
        self.turns.lock().is_held
    }

    /// For the search: waits while it is to stand.
    pub fn pass(&self) {
        if self.is_shut.load(Ordering::Relaxed) {
            let mut turns = self.turns.lock();
            self.opened
                .wait_while(&mut turns, |turns| turns.shut.is_some());
        }
    }

    /// How long the search has had its turn.
    pub fn active(&self) -> Duration {
        self.turns.lock().active(Instant::now())
    }

    /// The time as the search counts it: what it stood does not count.
    pub fn now(&self) -> Instant {
        let turns = self.turns.lock();
        turns.begun + turns.active(Instant::now())
    }
}

/// A search waits for its turn whenever it asks whether it should stop.
impl Clock for Gate {
    fn now(&self) -> Instant {
        Gate::now(self)
    }

    fn is_cancelled(&self) -> bool {
        self.pass();
        Gate::is_cancelled(self)
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
    fn what_stands_for_two_reasons_goes_on_when_both_are_gone() {
        let gate = Arc::new(Gate::default());
        gate.hold();
        gate.pause();
        let was = gate.active();
        let (sender, passed) = channel();
        let held = Arc::clone(&gate);
        let search = thread::spawn(move || {
            held.pass();
            sender.send(()).expect("somebody who listens");
        });
        gate.open();
        assert!(!gate.is_held() && passed.try_recv().is_err());
        gate.hold();
        gate.resume();
        assert!(gate.is_held() && passed.try_recv().is_err());
        assert_eq!(gate.active(), was);
        gate.open();
        passed.recv().expect("it goes on");
        search.join().expect("it ends");
    }

    #[test]
    fn a_cancel_lets_go_and_nothing_is_held_after_it() {
        let gate = Gate::default();
        gate.hold();
        gate.pause();
        gate.cancel();
        gate.pass();
        gate.hold();
        gate.pause();
        gate.pass();
        assert!(gate.is_cancelled() && !gate.is_held());
    }

    #[test]
    fn turns_add_up() {
        let begun = Instant::now();
        let at = |millis| begun + Duration::from_millis(millis);
        let mut turns = Turns {
            begun,
            is_held: false,
            is_paused: false,
            shut: None,
            stood: Duration::from_millis(30),
        };
        assert_eq!(turns.active(at(100)), Duration::from_millis(70));
        turns.shut = Some(at(50));
        assert_eq!(turns.active(at(100)), Duration::from_millis(20));
    }
}
