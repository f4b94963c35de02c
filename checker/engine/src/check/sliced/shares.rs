//! How searches that follow each other share the time that a check is given.
//!
//! What comes first in the order might else take all of it, and the ones behind it would not be
//! searched at all. In a first round all of them together have a quarter of the time: what is quick is
//! decided there, whatever stands before it. What it was too little for shares the rest, and is
//! searched from its beginning: as often as its share is at least twice what it had before. In a round
//! each has an even share of what is left of it, so that what one does not use goes on to the others.
//!
//! A search is not made again for a shorter run. So what makes a violation shorter may take half of what
//! is left of the whole check, where that is more than the search's own share.
//!
//! Without a deadline each is searched once, and to its end.

use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::options::Limits;

/// That part of the time is for the first round.
const FIRST_ROUND: u32 = 4;
/// No search is given less, so that each has more the next time.
const LEAST: Duration = Duration::from_millis(1);

/// The time that is left to the searches of a check.
pub struct Shares<'a> {
    budget: Budget<'a>,
    /// When the round is to be over.
    end: Option<Instant>,
}

impl<'a> Shares<'a> {
    /// For so many searches, which begin now. One alone has all of the time.
    pub fn new(budget: Budget<'a>, searches: usize) -> Shares<'a> {
        let begun = budget.now();
        let first = |deadline: Instant| match searches {
            0 | 1 => deadline,
            _ => begun + deadline.saturating_duration_since(begun) / FIRST_ROUND,
        };
        Shares {
            budget,
            end: budget.limits.deadline.map(first),
        }
    }

    /// The limits of the next search, of so many that are left in this round; `had` is how long it was
    /// searched for before, and is now how long it may be. `None` where it has no more to hope for.
    pub fn next(&mut self, had: &mut Duration, left: usize) -> Option<Limits> {
        let Some(end) = self.end else {
            return Some(self.budget.limits);
        };
        let now = self.budget.now();
        let share =
            end.saturating_duration_since(now) / u32::try_from(left.max(1)).unwrap_or(u32::MAX);
        if share < *had * 2 {
            return None;
        }
        *had = share.max(LEAST);
        let left = self
            .budget
            .limits
            .deadline
            .map_or(share, |deadline| deadline.saturating_duration_since(now));
        Some(Limits {
            deadline: Some(now + share),
            shortening: Some(now + share.max(left / 2)),
            ..self.budget.limits
        })
    }

    /// The limits of a search that has all that is left, if that is more than it had before: where nobody
    /// else's share would be worth a search.
    pub fn rest(&mut self, had: &mut Duration) -> Option<Limits> {
        let deadline = self.budget.limits.deadline?;
        let left = deadline.saturating_duration_since(self.budget.now());
        if left <= *had {
            return None;
        }
        *had = left.max(LEAST);
        Some(self.budget.limits)
    }

    /// Whoever comes now shares all that is left.
    pub fn end_round(&mut self) {
        self.end = self.budget.limits.deadline;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::budget;

    /// A clock that stands still unless it is moved, by milliseconds.
    struct Clock {
        begun: Instant,
        passed: AtomicU64,
    }

    impl Clock {
        fn new() -> Clock {
            Clock {
                begun: Instant::now(),
                passed: AtomicU64::new(0),
            }
        }

        fn budget(&self, deadline: u64) -> Budget<'_> {
            Budget::new(self).with(Limits {
                deadline: Some(self.begun + Duration::from_millis(deadline)),
                ..Limits::default()
            })
        }

        /// Takes so much of what the next search is given, and says how much that was.
        fn take(
            &self,
            shares: &mut Shares<'_>,
            had: &mut u64,
            left: usize,
            most: u64,
        ) -> Option<u64> {
            let mut before = Duration::from_millis(*had);
            let deadline = shares.next(&mut before, left)?.deadline?;
            let given = deadline
                .duration_since(budget::Clock::now(self))
                .as_millis() as u64;
            *had = before.as_millis() as u64;
            self.passed.fetch_add(given.min(most), Ordering::Relaxed);
            Some(given)
        }
    }

    impl budget::Clock for Clock {
        fn now(&self) -> Instant {
            self.begun + Duration::from_millis(self.passed.load(Ordering::Relaxed))
        }
    }

    #[test]
    fn a_violation_may_be_made_shorter_in_half_of_what_is_left() {
        let clock = Clock::new();
        let mut shares = Shares::new(clock.budget(1_000), 10);
        let limits = shares
            .next(&mut Duration::from_millis(0), 10)
            .expect("its share");
        let at = |millis| Some(clock.begun + Duration::from_millis(millis));
        assert_eq!((limits.deadline, limits.shortening), (at(25), at(500)));
        assert_eq!(limits.of_shortening().deadline, at(500));
    }

    #[test]
    fn one_search_alone_has_all_of_the_time() {
        let clock = Clock::new();
        let mut shares = Shares::new(clock.budget(1_000), 1);
        let mut had = 0;
        assert_eq!(clock.take(&mut shares, &mut had, 1, 1_000), Some(1_000));
        shares.end_round();
        assert_eq!(clock.take(&mut shares, &mut had, 1, 1_000), None);
    }

    #[test]
    fn what_one_does_not_use_goes_on_to_the_others() {
        let clock = Clock::new();
        let mut shares = Shares::new(clock.budget(1_200), 3);
        let (mut slow, mut quick, mut last) = (0, 0, 0);
        // A quarter, in three parts.
        assert_eq!(clock.take(&mut shares, &mut slow, 3, 1_000), Some(100));
        assert_eq!(clock.take(&mut shares, &mut quick, 2, 20), Some(100));
        assert_eq!(clock.take(&mut shares, &mut last, 1, 1_000), Some(180));
        shares.end_round();
        // The rest, in two.
        assert_eq!(clock.take(&mut shares, &mut slow, 2, 100), Some(450));
        assert_eq!(clock.take(&mut shares, &mut last, 1, 1_000), Some(800));
        shares.end_round();
        assert_eq!(clock.take(&mut shares, &mut last, 1, 1_000), None);
    }

    #[test]
    fn what_nobody_elses_share_is_worth_goes_to_one() {
        let clock = Clock::new();
        let mut shares = Shares::new(clock.budget(1_000), 2);
        shares.end_round();
        clock.passed.store(700, Ordering::Relaxed);
        let mut had = Duration::from_millis(240);
        assert!(shares.next(&mut had, 1).is_none());
        let limits = shares.rest(&mut had).expect("more than it had");
        assert_eq!(limits.deadline, clock.budget(1_000).limits.deadline);
        assert!(shares.rest(&mut had).is_none());
    }

    #[test]
    fn nothing_is_searched_again_that_has_not_twice_the_time() {
        let clock = Clock::new();
        let mut shares = Shares::new(clock.budget(1_000), 2);
        shares.end_round();
        for (had, given) in [(500, Some(1_000)), (501, None)] {
            assert_eq!(clock.take(&mut shares, &mut had.clone(), 1, 0), given);
        }
    }

    #[test]
    fn a_deadline_that_has_passed_lets_each_search_end_at_once_and_none_begin_again() {
        let clock = Clock::new();
        let mut shares = Shares::new(clock.budget(0), 2);
        let mut had = 0;
        assert_eq!(clock.take(&mut shares, &mut had, 2, 0), Some(0));
        shares.end_round();
        assert_eq!(clock.take(&mut shares, &mut had, 1, 0), None);
    }
}
