//! Work that can be stopped from outside.
//!
//! What an automaton becomes may be much larger than the automaton, and whoever waits for it may
//! have a deadline, little memory, or have changed their mind. So whatever takes more than a few
//! milliseconds here counts its elementary operations on a [`Work`], which asks now and then whether
//! to go on. It counts operations and no seconds: what was counted is the same on every machine, and
//! the tests hold the growth of it.

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;

use crate::limits::TooLarge;

/// What has been done so far, and who may put an end to it.
pub struct Work<'a> {
    done: Cell<u64>,
    /// Whoever may end it is asked when so much has been done.
    next: Cell<u64>,
    most: u64,
    /// Memory that what is being made holds, in bytes,
    held: Cell<u64>,
    /// and held when whoever may end it was last asked.
    told: Cell<u64>,
    goes_on: &'a dyn Fn(u64) -> ControlFlow<()>,
}

/// Operations between two questions, some hundred microseconds of work.
const BETWEEN: u64 = 1 << 15;

/// The work was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stopped;

impl<'a> Work<'a> {
    /// Asks `goes_on` often, with the bytes that what is being made holds.
    pub fn asking(goes_on: &'a dyn Fn(u64) -> ControlFlow<()>) -> Work<'a> {
        Work {
            done: Cell::new(0),
            next: Cell::new(BETWEEN),
            most: u64::MAX,
            held: Cell::new(0),
            told: Cell::new(0),
            goes_on,
        }
    }

    /// Nobody is asked, and it ends after so many operations.
    pub fn of_most(most: u64) -> Work<'static> {
        Work {
            next: Cell::new(most.min(BETWEEN)),
            most,
            ..Work::asking(&|_| ControlFlow::Continue(()))
        }
    }

    /// Nothing but the limits of the constructions themselves ends it.
    pub fn unlimited() -> Work<'static> {
        Work::of_most(u64::MAX)
    }

    /// To be called before or after each piece of work.
    ///
    /// # Errors
    /// Where it has been stopped: then all that is under way is to be given up.
    #[inline]
    pub fn spend(&self, operations: usize) -> Result<(), Stopped> {
        let done = self.done.get().saturating_add(operations as u64);
        self.done.set(done);
        match done > self.next.get() {
            true => self.ask(done),
            false => Ok(()),
        }
    }

    /// Says how much memory is held now, before so much is taken.
    ///
    /// # Errors
    /// As those of [`spend`](Work::spend).
    pub fn hold(&self, bytes: usize) -> Result<(), Stopped> {
        let grown = bytes as u64 > self.told.get().saturating_add(BYTES_BETWEEN);
        self.held.set(self.held.get().max(bytes as u64));
        match grown {
            true => self.ask(self.done.get()),
            false => Ok(()),
        }
    }

    /// How many operations there have been.
    pub fn done(&self) -> u64 {
        self.done.get()
    }

    #[cold]
    fn ask(&self, done: u64) -> Result<(), Stopped> {
        self.next.set(done.saturating_add(BETWEEN).min(self.most));
        self.told.set(self.held.get());
        match (self.goes_on)(self.held.get()) {
            ControlFlow::Continue(()) if done <= self.most => Ok(()),
            _ => Err(Stopped),
        }
    }
}

/// Memory that may be taken without asking.
const BYTES_BETWEEN: u64 = 1 << 20;

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("done", &self.done).finish()
    }
}

/// Why an automaton was not made. `Large` says what would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NotMade<Large = TooLarge> {
    TooLarge(Large),
    Stopped,
}

impl<Large> NotMade<Large> {
    /// The same with what would be too large put differently.
    pub fn map<Other>(self, told: impl FnOnce(Large) -> Other) -> NotMade<Other> {
        match self {
            NotMade::TooLarge(large) => NotMade::TooLarge(told(large)),
            NotMade::Stopped => NotMade::Stopped,
        }
    }
}

impl<Large> From<Stopped> for NotMade<Large> {
    fn from(_: Stopped) -> NotMade<Large> {
        NotMade::Stopped
    }
}

impl From<TooLarge> for NotMade {
    fn from(too_large: TooLarge) -> NotMade {
        NotMade::TooLarge(too_large)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_after_the_last_operation_that_it_may_take() {
        for most in [0, 1, 10, BETWEEN - 1, BETWEEN, BETWEEN + 1, 3 * BETWEEN] {
            let spend = |operations: u64| Work::of_most(most).spend(operations as usize);
            assert_eq!(spend(most.saturating_sub(1)), Ok(()));
            assert_eq!(spend(most), Ok(()));
            assert_eq!(spend(most + 1), Err(Stopped));
            let one_by_one = Work::of_most(most);
            assert!((0..most).all(|_| one_by_one.spend(1).is_ok()));
            assert_eq!(one_by_one.spend(1), Err(Stopped));
        }
    }

    #[test]
    fn whoever_waits_is_asked_often_and_told_what_is_held() {
        let asked = Cell::new(0);
        let most = 10 * BYTES_BETWEEN;
        let goes_on = |bytes: u64| {
            asked.set(asked.get() + 1);
            match bytes > most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let work = Work::asking(&goes_on);
        for _ in 0..100 * BETWEEN {
            work.spend(1).unwrap();
        }
        assert!((90..=100).contains(&asked.get()));
        assert_eq!(work.hold(most as usize), Ok(()));
        assert_eq!(work.hold(2 * most as usize), Err(Stopped));
        // What held too much is not begun again.
        assert_eq!(work.spend(2 * BETWEEN as usize), Err(Stopped));
    }

    #[test]
    fn memory_that_grows_in_small_steps_is_asked_about_too() {
        let most = 10 * BYTES_BETWEEN;
        let goes_on = |bytes: u64| match bytes > most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let work = Work::asking(&goes_on);
        let mut sizes = (0..10 * most as usize).step_by(100_000);
        let refused = sizes.find(|&bytes| work.hold(bytes).is_err());
        assert!(refused.is_some_and(|bytes| bytes as u64 <= most + 2 * BYTES_BETWEEN));
    }
}
