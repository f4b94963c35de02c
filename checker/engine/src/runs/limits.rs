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
use crate::options::{Limits, Options, Storage};
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

/// States that may be looked at for a shorter run, however few a search has generated.
const LEAST_FOR_SHORTER: u64 = 1_000_000;

/// The limits of a search, with nothing left out, for a shorter run than one that a search has found
/// which generated this many states: twice as many, or a million. Where memory may have no room for
/// whole states it is a million.
pub fn for_shortening(options: &Options, limits: Limits, generated: u64) -> Limits {
    let limits = limits.of_shortening();
    let states = match options.storage {
        Storage::Exact => generated.saturating_mul(2).max(LEAST_FOR_SHORTER),
        Storage::Bitstate { .. } | Storage::Compact { .. } => LEAST_FOR_SHORTER,
    };
    let quick = options.quick.map(|quick| quick.states);
    let all = [Some(states), limits.max_states, quick];
    Limits {
        max_states: all.into_iter().flatten().min(),
        ..limits
    }
}

/// The same for a search that began at `begun` and has found the run now: as much time is left for
/// the run.
pub fn for_shortening_since(
    options: &Options,
    budget: Budget<'_>,
    generated: u64,
    begun: Instant,
) -> Limits {
    let limits = for_shortening(options, budget.limits, generated);
    leaving_time(limits, begun, budget.now())
}

fn leaving_time(limits: Limits, begun: Instant, found: Instant) -> Limits {
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
            let limits = leaving_time(until(at(800)), begun, at(found));
            assert_eq!(limits, until(at(shortens_until)));
        }
        let unlimited = leaving_time(Limits::default(), begun, at(10));
        assert_eq!(unlimited, Limits::default());
    }

    #[test]
    fn a_shorter_run_may_cost_twice_the_states_or_a_million() {
        let states = |options: &Options, generated| {
            for_shortening(options, options.limits, generated).max_states
        };
        let mut options = Options::default();
        assert_eq!(states(&options, 9), Some(1_000_000));
        assert_eq!(states(&options, 900_000), Some(1_800_000));
        options.storage = Storage::Bitstate { bits: 20 };
        assert_eq!(states(&options, 900_000), Some(1_000_000));
        options.limits.max_states = Some(7);
        assert_eq!(states(&options, 9), Some(7));
    }
}
