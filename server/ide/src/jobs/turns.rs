//! Who has a turn, of the searches that could go on.
//!
//! A person waits for each of them, and most are over at once. So a search that has had little of its
//! time comes before one that has had much, in levels that each are twice as long as the one before
//! (the feedback queues of time-sharing systems: Corbató, Daggett and Daley 1962), and among equals
//! the one that was asked for last, which is what a person looks at now. A long search is held while a
//! quick one has its turn, and kept as it is; those on one level take turns.

use std::time::Duration;

/// As much time a search has on the first level.
const SLICE: Duration = Duration::from_millis(50);

/// What decides about the turn of a search; the least comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    level: u32,
    /// The later one was asked for, the less.
    asked: std::cmp::Reverse<u64>,
}

/// Of a search that has had so much time, and was asked for as this one in the order of all.
pub fn claim(active: Duration, asked: u64) -> Claim {
    let slices = active.as_millis() / SLICE.as_millis();
    Claim {
        level: u128::BITS - slices.leading_zeros(),
        asked: std::cmp::Reverse(asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(millis: u64, asked: u64) -> Claim {
        claim(Duration::from_millis(millis), asked)
    }

    #[test]
    fn what_was_asked_for_last_comes_first_among_those_that_have_had_little() {
        assert!(of(10, 2) < of(0, 1));
        assert!(of(49, 2) < of(0, 1));
    }

    #[test]
    fn who_has_had_more_comes_later_whenever_it_was_asked_for() {
        assert!(of(0, 1) < of(60, 2));
        assert!(of(60, 1) < of(110, 2));
        assert!(of(1_000, 1) < of(100_000, 2));
    }

    #[test]
    fn turns_become_longer_with_what_has_been_had() {
        // From 1.6 to 3.2 s on one level: it is not given up for another search of its kind at once.
        assert_eq!(of(1_600, 1), of(3_199, 1));
        assert!(of(3_199, 1) < of(3_200, 1));
    }
}
