//! Turns of the searches of a check, which share the time that it is given.
//!
//! A search that comes first might otherwise take all of the time. In the first round all searches
//! together have a quarter of it, so that quick ones are decided there in any order. A search that
//! ran out of time begins anew in a later round, as long as its turn is at least twice its last
//! one. In a round each has an even share of the time that is left, so that time which one does not
//! use goes to the others. If no search would have a turn, the one with the shortest last turn has
//! all the time that is left.
//!
//! No search is made again for a shorter run. So shortening may take half of the time that is left
//! of the whole check, if that is more than the turn.
//!
//! Without a deadline each search is made once, to its end.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::options::Limits;

/// Fraction of the time that the first round has.
const FIRST_ROUND: u32 = 4;
/// Shortest turn, so that each next one is longer.
const LEAST: Duration = Duration::from_millis(1);

/// Searches that wait for a turn, in their order.
pub struct Turns<S> {
    limits: Limits,
    /// End of the round.
    end: Option<Instant>,
    /// Searches that wait for a turn in this round, each with its last turn.
    waiting: VecDeque<(S, Duration)>,
    /// Searches of the next round.
    later: Vec<(S, Duration)>,
    /// Whether a search of this round had a turn.
    is_used: bool,
}

/// A search that has its turn.
pub struct Turn<S> {
    pub search: S,
    /// Length of the turn.
    pub time: Duration,
    pub limits: Limits,
}

impl<S> Turns<S> {
    pub fn within(limits: Limits) -> Turns<S> {
        Turns {
            limits,
            end: None,
            waiting: VecDeque::new(),
            later: Vec::new(),
            is_used: false,
        }
    }

    /// Begins the first round. One search alone has all of the time.
    pub fn begin(&mut self, searches: Vec<S>, now: Instant) {
        let first = |deadline: Instant| match searches.len() {
            0 | 1 => deadline,
            _ => now + deadline.saturating_duration_since(now) / FIRST_ROUND,
        };
        self.end = self.limits.deadline.map(first);
        let searches = searches.into_iter();
        self.waiting = searches.map(|one| (one, Duration::ZERO)).collect();
    }

    /// Returns the next turn, if one is worth taking.
    pub fn next(&mut self, now: Instant) -> Option<Turn<S>> {
        loop {
            while let Some((search, last)) = self.waiting.pop_front() {
                match self.share(last, now) {
                    Some((time, limits)) => {
                        self.is_used = true;
                        return Some(Turn {
                            search,
                            time,
                            limits,
                        });
                    }
                    None => self.later.push((search, last)),
                }
            }
            if !self.is_used {
                return self.rest(now);
            }
            self.end = self.limits.deadline;
            self.is_used = false;
            self.waiting.extend(self.later.drain(..));
        }
    }

    /// Adds a search to the next round, with the length of its last turn.
    pub fn add(&mut self, search: S, last: Duration) {
        self.later.push((search, last));
    }

    /// Removes all searches, in their order.
    pub fn drain(&mut self) -> Vec<S> {
        let all = self.waiting.drain(..).chain(self.later.drain(..));
        all.map(|(search, _)| search).collect()
    }

    /// Returns the share of the search that was taken last from those that wait.
    fn share(&self, last: Duration, now: Instant) -> Option<(Duration, Limits)> {
        let (Some(end), Some(deadline)) = (self.end, self.limits.deadline) else {
            return Some((last, self.limits));
        };
        let sharing = u32::try_from(self.waiting.len() + 1).unwrap_or(u32::MAX);
        let share = end.saturating_duration_since(now) / sharing;
        let left = deadline.saturating_duration_since(now);
        let limits = Limits {
            deadline: Some(now + share),
            shortening: Some(now + share.max(left / 2)),
            ..self.limits
        };
        (share >= last * 2).then_some((share.max(LEAST), limits))
    }

    /// Returns a turn of all the time that is left, if that is more than a search had before.
    fn rest(&mut self, now: Instant) -> Option<Turn<S>> {
        let left = self.limits.deadline?.saturating_duration_since(now);
        let least = (0..self.later.len()).min_by_key(|at| self.later[*at].1)?;
        if left <= self.later[least].1 {
            return None;
        }
        self.is_used = true;
        Some(Turn {
            search: self.later.remove(least).0,
            time: left.max(LEAST),
            limits: self.limits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time that stands still unless it is moved, in milliseconds.
    struct Time {
        begun: Instant,
        passed: u64,
    }

    impl Time {
        fn new() -> Time {
            Time {
                begun: Instant::now(),
                passed: 0,
            }
        }

        fn at(&self, millis: u64) -> Instant {
            self.begun + Duration::from_millis(millis)
        }

        fn turns<S>(&self, searches: Vec<S>, deadline: u64) -> Turns<S> {
            let limits = Limits {
                deadline: Some(self.at(deadline)),
                ..Limits::default()
            };
            let mut turns = Turns::within(limits);
            turns.begin(searches, self.begun);
            turns
        }

        /// Takes at most so much of the next turn; returns whose it is, and how long.
        fn take<S>(&mut self, turns: &mut Turns<S>, most: u64) -> Option<(S, u64)> {
            let now = self.at(self.passed);
            let turn = turns.next(now)?;
            let given = turn.limits.deadline?.duration_since(now).as_millis() as u64;
            self.passed += given.min(most);
            Some((turn.search, given))
        }
    }

    #[test]
    fn a_violation_may_be_made_shorter_in_half_of_what_is_left() {
        let time = Time::new();
        let mut turns = time.turns((0..10).collect(), 1_000);
        let limits = turns.next(time.begun).expect("a first turn").limits;
        let (at_25, at_500) = (Some(time.at(25)), Some(time.at(500)));
        assert_eq!((limits.deadline, limits.shortening), (at_25, at_500));
        assert_eq!(limits.of_shortening().deadline, at_500);
    }

    #[test]
    fn one_search_alone_has_all_of_the_time() {
        let mut time = Time::new();
        let mut turns = time.turns(vec!["alone"], 1_000);
        assert_eq!(time.take(&mut turns, 1_000), Some(("alone", 1_000)));
        turns.add("alone", Duration::from_millis(1_000));
        assert_eq!(time.take(&mut turns, 1_000), None);
    }

    #[test]
    fn what_one_does_not_use_goes_on_to_the_others() {
        let mut time = Time::new();
        let mut turns = time.turns(vec!["slow", "quick", "last"], 1_200);
        // A quarter, in three parts.
        assert_eq!(time.take(&mut turns, 1_000), Some(("slow", 100)));
        turns.add("slow", Duration::from_millis(100));
        assert_eq!(time.take(&mut turns, 20), Some(("quick", 100)));
        assert_eq!(time.take(&mut turns, 1_000), Some(("last", 180)));
        turns.add("last", Duration::from_millis(180));
        // The rest, in two.
        assert_eq!(time.take(&mut turns, 100), Some(("slow", 450)));
        assert_eq!(time.take(&mut turns, 1_000), Some(("last", 800)));
        turns.add("last", Duration::from_millis(800));
        assert_eq!(time.take(&mut turns, 1_000), None);
    }

    #[test]
    fn one_search_gets_the_time_that_is_too_little_for_all() {
        let mut time = Time::new();
        let mut turns = time.turns(vec!["long", "short"], 1_000);
        for (one, last) in [("long", 290), ("short", 240)] {
            assert!(time.take(&mut turns, 0).is_some());
            turns.add(one, Duration::from_millis(last));
        }
        time.passed = 700;
        assert_eq!(time.take(&mut turns, 300), Some(("short", 300)));
        turns.add("short", Duration::from_millis(300));
        assert_eq!(time.take(&mut turns, 300), None);
    }

    #[test]
    fn nothing_is_searched_again_that_has_not_twice_the_time() {
        for (last, has_share) in [(500, true), (501, false)] {
            let mut time = Time::new();
            let mut turns = time.turns(vec!["first", "other"], 1_000);
            assert!(time.take(&mut turns, 0).is_some());
            assert!(time.take(&mut turns, 0).is_some());
            turns.add("other", Duration::from_millis(last));
            let turn = turns.next(time.begun).expect("there is time");
            // All the time that is left is no share, and has no part for a shorter run.
            assert_eq!(turn.limits.shortening.is_some(), has_share);
        }
    }

    #[test]
    fn a_deadline_that_has_passed_lets_each_search_end_at_once_and_none_begin_again() {
        let mut time = Time::new();
        let mut turns = time.turns(vec!["one", "other"], 0);
        for one in ["one", "other"] {
            let turn = turns.next(time.begun).expect("one turn");
            assert_eq!((turn.search, turn.time), (one, LEAST));
            turns.add(one, turn.time);
        }
        assert_eq!(time.take(&mut turns, 0), None);
    }

    #[test]
    fn without_a_deadline_each_search_has_one_turn_unless_it_is_added() {
        let now = Instant::now();
        let mut turns = Turns::within(Limits::default());
        turns.begin(vec!["one", "other"], now);
        assert_eq!(turns.next(now).map(|turn| turn.search), Some("one"));
        turns.add("whole", Duration::ZERO);
        let rest: Vec<&str> = std::iter::from_fn(|| Some(turns.next(now)?.search)).collect();
        assert_eq!(rest, ["other", "whole"]);
    }
}
