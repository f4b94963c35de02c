//! Estimate of the states that a search has missed, for storage that may take a state for another.
//!
//! A state is missed where it is first met, and then for good: nothing is ever taken out of the
//! storage. How likely that is is known at each moment from how full the storage was (P. C.
//! Dillinger and P. Manolios, *Bloom Filters in Probabilistic Verification*, FMCAD 2004, §3, for
//! bits in a table; P. Wolper and D. Leroy, *Reliable Hashing without Collision Detection*, CAV
//! 1993, for fingerprints). If it was p for each of the states that were met between two new ones,
//! p / (1 - p) of them were missed; the sum of these is the expected number of omissions (G. J.
//! Holzmann, *An Analysis of Bitstate Hashing*, FMSD 13, 1998, has the same for the full table).
//!
//! The estimate leaves out the states to which only missed ones lead. They are few where few are
//! missed and most states can be reached in several ways: of Peterson's algorithm for three
//! customers, with 2.4% missed, they were a quarter as many again, but with a third missed nearly
//! all. Where much is missed the estimate is no more than a bound ([`Omissions::is_close`]).

use crate::options::Storage;

/// Omissions of a search in lossy storage that came to its end and found nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Omissions {
    pub storage: Storage,
    /// Number of states searched; no state is searched twice.
    pub states: u64,
    /// Length of the longest path.
    pub depth: u64,
    /// Share of the table's bits that were set in the end, if there is such a table.
    pub fill: Option<f64>,
    /// Estimated number of states met.
    met: f64,
    /// Estimated share of these that was missed.
    missed: f64,
}

/// Largest share of missed states with which the estimate is close.
const CLOSE: f64 = 0.01;

/// No number in it is NaN.
impl Eq for Omissions {}

impl Omissions {
    /// Omissions of a search with this number of states that missed this share of those that it
    /// met.
    pub fn of(storage: Storage, states: u64, missed: f64) -> Omissions {
        let missed = match missed.is_nan() {
            true => 1.0,
            false => missed.clamp(0.0, 1.0),
        };
        Omissions {
            storage,
            states,
            depth: 0,
            fill: None,
            met: states as f64 / (1.0 - missed).max(f64::EPSILON),
            missed,
        }
    }

    /// Adds the depth of the search and how full its table was.
    pub fn reaching(self, depth: u64, fill: Option<f64>) -> Omissions {
        Omissions {
            depth,
            fill,
            ..self
        }
    }

    /// The one of two that has missed more.
    pub fn worse(self, other: Omissions) -> Omissions {
        match self.missed >= other.missed {
            true => self,
            false => other,
        }
    }

    /// Estimated share of the states met that was missed.
    pub fn missed(&self) -> f64 {
        self.missed
    }

    /// Whether the estimate is close; otherwise far more states may have been missed, those to
    /// which only missed ones lead.
    pub fn is_close(&self) -> bool {
        self.missed <= CLOSE
    }

    /// Estimated number of missed states.
    pub fn expected_missed(&self) -> f64 {
        self.missed * self.met
    }

    /// Probability that at least one state was missed, if omissions are independent.
    pub fn chance_of_any(&self) -> f64 {
        -(-self.expected_missed()).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITSTATE: Storage = Storage::Bitstate { bits: 20 };

    #[test]
    fn of_two_searches_the_worse_has_missed_more() {
        let first = Omissions::of(BITSTATE, 900, 0.1);
        let second = Omissions::of(BITSTATE, 950, 0.05);
        assert_eq!(first.expected_missed().round(), 100.0);
        assert_eq!(first.worse(second), first);
        assert_eq!(second.worse(first), first);
    }

    #[test]
    fn what_is_no_number_is_taken_for_the_worst() {
        for missed in [f64::NAN, 1.0, 7.0] {
            let omissions = Omissions::of(BITSTATE, 10, missed);
            assert_eq!(omissions.missed(), 1.0);
            assert!(omissions.expected_missed().is_finite());
        }
        let all = Omissions::of(BITSTATE, 10, -1.0);
        assert_eq!(all.chance_of_any(), 0.0);
    }

    #[test]
    fn a_small_chance_is_told_apart_from_none() {
        let omissions = Omissions::of(BITSTATE, 1000, 1e-15);
        assert!((omissions.chance_of_any() / 1e-12 - 1.0).abs() < 1e-6);
    }
}
