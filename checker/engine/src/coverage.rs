//! Estimate of the part of the states met that was searched, for storage that may take a state for another.
//!
//! A state is missed where it is first met: what is kept of others then looks as if it had been met before.
//! Nothing is ever taken out of what is kept, so that a state that is missed once is missed for good, and
//! one that is searched is never taken for new again. How likely a state was to be missed is known at each
//! moment from how full the storage was (P. C. Dillinger and P. Manolios, *Bloom Filters in Probabilistic
//! Verification*, FMCAD 2004, §3, for bits in a table; P. Wolper and D. Leroy, *Reliable Hashing without
//! Collision Detection*, CAV 1993, for fingerprints). If it was p for each of the states that were met between
//! two that were kept, p / (1 - p) of them were missed: the sum of these is the expected number of omissions
//! (G. J. Holzmann, *An Analysis of Bitstate Hashing*, FMSD 13, 1998, has the same for the full table).
//!
//! What it says nothing of are states to which only those lead that were missed. They are few where few
//! are missed and most states can be come to in several ways: of Peterson's algorithm for three customers,
//! where 2.4% of what was met was missed, they were a quarter as many again, but where a third was missed
//! nearly all was. So where much is missed this is no more than a bound ([`Coverage::is_close`]).

use crate::options::Storage;

/// Coverage of a search in storage that is not exact, which came to its end and found nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    pub storage: Storage,
    /// States searched: no state is taken for new twice.
    pub states: u64,
    /// So many steps the longest way had that was gone.
    pub depth: u64,
    /// The part of the table's bits that were set in the end, where there is such a table.
    pub fill: Option<f64>,
    /// About so many states were met, as far as the search came.
    met: f64,
    /// The part of these that was missed, by the estimate.
    missed: f64,
}

/// Where a search has missed more than this, too little is known of what it has not even met.
const CLOSE: f64 = 0.01;

/// No number in it is not one.
impl Eq for Coverage {}

impl Coverage {
    /// Of one search, which has searched so many states, and has missed this part of those that it met.
    pub fn of(storage: Storage, states: u64, missed: f64) -> Coverage {
        let missed = match missed.is_nan() {
            true => 1.0,
            false => missed.clamp(0.0, 1.0),
        };
        Coverage {
            storage,
            states,
            depth: 0,
            fill: None,
            met: states as f64 / (1.0 - missed).max(f64::EPSILON),
            missed,
        }
    }

    /// And this is how far it came, and how full its table was then.
    pub fn reaching(self, depth: u64, fill: Option<f64>) -> Coverage {
        Coverage {
            depth,
            fill,
            ..self
        }
    }

    /// The one of two that has missed more, where what is to be found may be in either.
    pub fn worse(self, other: Coverage) -> Coverage {
        match self.missed >= other.missed {
            true => self,
            false => other,
        }
    }

    /// The part of the states met that was missed, by the estimate.
    pub fn missed(&self) -> f64 {
        self.missed
    }

    /// Whether little more was missed than is said here. Otherwise it may be far more: all to which only
    /// states lead that were missed.
    pub fn is_close(&self) -> bool {
        self.missed <= CLOSE
    }

    /// How many of the states that were met were missed, by the estimate.
    pub fn expected_missed(&self) -> f64 {
        self.missed * self.met
    }

    /// The probability that at least one was, if each was missed by itself.
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
        let first = Coverage::of(BITSTATE, 900, 0.1);
        let second = Coverage::of(BITSTATE, 950, 0.05);
        assert_eq!(first.expected_missed().round(), 100.0);
        assert_eq!(first.worse(second), first);
        assert_eq!(second.worse(first), first);
    }

    #[test]
    fn what_is_no_number_is_taken_for_the_worst() {
        for missed in [f64::NAN, 1.0, 7.0] {
            let coverage = Coverage::of(BITSTATE, 10, missed);
            assert_eq!(coverage.missed(), 1.0);
            assert!(coverage.expected_missed().is_finite());
        }
        let all = Coverage::of(BITSTATE, 10, -1.0);
        assert_eq!(all.chance_of_any(), 0.0);
    }

    #[test]
    fn a_small_chance_is_told_apart_from_none() {
        let coverage = Coverage::of(BITSTATE, 1000, 1e-15);
        assert!((coverage.chance_of_any() / 1e-12 - 1.0).abs() < 1e-6);
    }
}
