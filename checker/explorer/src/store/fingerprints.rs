//! States as fingerprints: hash compaction (P. Wolper and D. Leroy, *Reliable Hashing without Collision
//! Detection*, CAV 1993; U. Stern and D. L. Dill, *Improved Probabilistic Verification by Hash Compaction*,
//! CHARME 1995).
//!
//! A fingerprint is kept whole, though not in so many bits: what its place in the table tells of it is not
//! there ([`Quotient`]). So two states are taken for one exactly where their fingerprints are equal, and a
//! state is compared with those few alone that have its place, as Stern and Dill have it.

use std::convert::Infallible;
use std::ops::ControlFlow;

use super::hashes::Hashes;
use super::quotient::Quotient;

/// Fingerprints of so many bits.
pub struct Fingerprints {
    set: Quotient,
    bits: u32,
}

impl Fingerprints {
    /// The least and the most bits that a fingerprint has.
    pub const SIZES: std::ops::RangeInclusive<u32> = 16..=64;

    /// A size outside [`Fingerprints::SIZES`] is taken for the nearest within.
    pub fn new(bits: u32) -> Fingerprints {
        let bits = bits.clamp(*Self::SIZES.start(), *Self::SIZES.end());
        Fingerprints {
            set: Quotient::new(bits),
            bits,
        }
    }

    #[inline]
    fn fingerprint(&self, hashes: Hashes, set: u32) -> u64 {
        hashes.one(set) >> (u64::BITS - self.bits)
    }

    /// Whether the state seems to be in the set with this number.
    #[inline]
    pub fn has(&self, hashes: Hashes, set: u32) -> bool {
        self.set.has(self.set.place(self.fingerprint(hashes, set)))
    }

    #[inline]
    pub fn insert(&mut self, hashes: Hashes, set: u32) {
        let never: ControlFlow<Infallible> = self.set.reserve(1, || ControlFlow::Continue(()));
        debug_assert!(never.is_continue(), "nobody breaks off");
        let place = self.set.place(self.fingerprint(hashes, set));
        self.set.insert(place);
    }

    /// The probability that a state that was not put in seems to be there: that one of the fingerprints is
    /// its own.
    pub fn mistaken(&self) -> f64 {
        self.set.len() as f64 / 2f64.powi(self.bits as i32)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.set.bytes()
    }

    /// How many bytes more one more state takes.
    pub fn bytes_to_grow(&self) -> u64 {
        self.set.bytes_to_grow(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_states_are_mistaken_as_is_said() {
        for (bits, states) in [(16, 20_000), (20, 50_000), (24, 100_000)] {
            let mut prints = Fingerprints::new(bits);
            // Much alike, as the states of a model are, and of two words.
            let hashes = |state: u64| Hashes::of(&[(state % 1000) << 20, state / 1000]);
            let mut missed = 0;
            let mut expected = 0.0;
            for state in 0..states {
                expected += prints.mistaken();
                missed += u64::from(prints.has(hashes(state), 0));
                prints.insert(hashes(state), 0);
            }
            assert!((0..states).all(|state| prints.has(hashes(state), 0)));
            let off = (missed as f64 - expected).abs();
            assert!(off < 5.0 * expected.sqrt(), "{missed}, not {expected}");
            assert_eq!(prints.set.len(), states - missed);
            let others = (0..10_000).filter(|state| prints.has(hashes(*state), 1));
            let expected = prints.mistaken() * 10_000.0;
            let off = (others.count() as f64 - expected).abs();
            assert!(off < 5.0 * expected.sqrt().max(1.0), "off by {off}");
        }
    }

    #[test]
    fn long_fingerprints_of_many_states_are_different() {
        let mut prints = Fingerprints::new(64);
        for state in 0..300_000u64 {
            let hashes = Hashes::of(&[state, 0, 0, state >> 9, 0, 0, 7]);
            assert!(!prints.has(hashes, 0), "{state} is taken for another");
            prints.insert(hashes, 0);
        }
        // Of 2^64 pairs that one could be equal.
        assert!(prints.mistaken() < 1e-13);
        assert!(prints.bytes() < 300_000 * 24);
    }
}
