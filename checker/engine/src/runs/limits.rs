//! Limits where no search goes on: while a run is recorded, lifted or confirmed.
//!
//! A search may find a violation just before its time is over. What it knows then is to be told, and it
//! is told with a run that has been confirmed. That takes time in proportion to the run's length, and
//! the search has gone all of the way: a run is made in less time than the search has taken. So making
//! it may overrun a limit on time by as much as the search was given, but by [`MOST_OVERRUN`] at the
//! most. Making a violation shorter only makes it easier to read: before that, as much time as the
//! search has taken is set aside for the run.
//!
//! Memory has no such share: a run may take a great deal of it.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::options::Limits;
use crate::search::Stop;
use crate::verdict::Reason;

/// So often work on a run goes on whatever the time is, about once for each step in each pass,
const STEPS_AT_LEAST: u64 = 10_000;
/// and so many bytes of it are kept.
const BYTES_AT_LEAST: u64 = 1 << 16;
/// By no more than this the runs of a check overrun its limit on time.
const MOST_OVERRUN: Duration = Duration::from_secs(1);

/// Returns the budget for making the run of a known violation, for a search that began at `begun`.
pub fn for_a_run(budget: Budget<'_>, begun: Instant) -> Budget<'_> {
    let overrun = |deadline: Instant| deadline.duration_since(begun).min(MOST_OVERRUN);
    let limits = budget.limits;
    budget.with(Limits {
        // A time that no clock reaches is no limit.
        deadline: (limits.deadline).and_then(|deadline| deadline.checked_add(overrun(deadline))),
        ..limits
    })
}

/// However few states a search generated, so many may be looked at for a shorter run.
pub const LEAST_FOR_SHORTER: u64 = 1_000_000;

/// How many states may be looked at, with nothing left out, for a shorter run than one that a search has found which
/// generated so many: twice as many, or a million.
pub fn states_for_shorter(generated: u64) -> u64 {
    generated.saturating_mul(2).max(LEAST_FOR_SHORTER)
}

/// The limits while a violation is made shorter that is known, for a search that began at `begun` and
/// found it at `found`.
pub fn for_shortening(budget: Budget<'_>, begun: Instant) -> Limits {
    shortening(budget.limits, begun, budget.now())
}

fn shortening(limits: Limits, begun: Instant, found: Instant) -> Limits {
    let limits = limits.of_shortening();
    let taken = found.duration_since(begun);
    let before = |deadline: Instant| deadline.checked_sub(taken).unwrap_or(begun);
    Limits {
        deadline: limits.deadline.map(before),
        ..limits
    }
}

/// The budget of a check while one run is made.
pub struct Limited<'a> {
    budget: Budget<'a>,
    /// Memory in use besides what is asked about, in bytes.
    held: u64,
    /// How often it was asked.
    asked: Cell<u64>,
}

impl<'a> Limited<'a> {
    pub fn new(budget: Budget<'a>, held: u64) -> Limited<'a> {
        Limited {
            budget,
            held,
            asked: Cell::new(0),
        }
    }

    /// The same for what is no run, or no step of one each time that it asks, as where others put it together: the time
    /// counts from the beginning.
    pub fn from_the_beginning(budget: Budget<'a>, held: u64) -> Limited<'a> {
        Limited {
            asked: Cell::new(STEPS_AT_LEAST),
            ..Limited::new(budget, held)
        }
    }
}

impl Limited<'_> {
    /// Whether to go on, with so many bytes more.
    pub fn poll(&self, bytes: u64) -> ControlFlow<Stop> {
        let stop = |reason| ControlFlow::Break(Stop::Limit(reason));
        if self.budget.is_cancelled() {
            return stop(Reason::Cancelled);
        }
        if bytes > BYTES_AT_LEAST
            && let Some(max) = self.budget.limits.forbid(self.held + bytes)
        {
            return stop(Reason::Memory(max));
        }
        let asked = self.asked.get();
        self.asked.set(asked + 1);
        match asked >= STEPS_AT_LEAST && self.budget.is_late(self.budget.now()) {
            true => stop(Reason::Time),
            false => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn until(deadline: Instant) -> Limits {
        Limits {
            deadline: Some(deadline),
            ..Limits::default()
        }
    }

    #[test]
    fn a_run_may_take_as_much_time_again_as_the_search_was_given_but_a_second_at_most() {
        let begun = Instant::now();
        let at = |millis| begun + Duration::from_millis(millis);
        for (given, until_then) in [
            (0, 0),
            (1, 2),
            (500, 1_000),
            (1_000, 2_000),
            (60_000, 61_000),
        ] {
            let budget = for_a_run(until(at(given)).into(), begun);
            assert_eq!(budget.limits, until(at(until_then)));
        }
        // A search that began too late gives it no more.
        let late = for_a_run(until(at(0)).into(), at(10));
        assert_eq!(late.limits, until(at(0)));
        let unlimited = for_a_run(Budget::default(), begun);
        assert_eq!(unlimited.limits, Limits::default());
    }

    #[test]
    fn a_run_is_made_whatever_the_time_is_and_nothing_else() {
        let over = Budget::from(until(Instant::now()));
        let of_a_run = Limited::new(over, 0);
        assert!((0..STEPS_AT_LEAST).all(|_| of_a_run.poll(0).is_continue()));
        assert!(of_a_run.poll(0).is_break());
        assert!(Limited::from_the_beginning(over, 0).poll(0).is_break());
    }

    #[test]
    fn what_makes_a_violation_shorter_leaves_its_run_as_much_time_as_the_search_has_taken() {
        let begun = Instant::now();
        let at = |millis| begun + Duration::from_millis(millis);
        for (found, shortens_until) in [(0, 800), (10, 790), (400, 400), (500, 300)] {
            let limits = shortening(until(at(800)), begun, at(found));
            assert_eq!(limits, until(at(shortens_until)));
        }
        let unlimited = shortening(Limits::default(), begun, at(10));
        assert_eq!(unlimited, Limits::default());
    }
}
