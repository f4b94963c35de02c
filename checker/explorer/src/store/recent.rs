//! Words that were met lately.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// So many at most; 32 KiB, which a processor has near.
const MOST: usize = 1 << 12;

/// Some of the words that were met last. Steps that commute lead to one state soon after each other, when
/// states are gone through in the order in which they were found: who asks here first seldom has to ask a
/// large set for such a state.
///
/// The default has no places: it stands in while a worker has the real one.
#[derive(Default)]
pub struct Recent(Box<[u64]>);

impl Recent {
    /// Memory in use.
    pub const BYTES: u64 = (MOST * size_of::<u64>()) as u64;

    /// With one that was met.
    pub fn of(word: u64) -> Recent {
        Recent(vec![word; MOST].into())
    }

    /// Memory in use, in bytes.
    #[inline]
    pub fn bytes(&self) -> u64 {
        Recent::BYTES
    }

    /// Whether it is among the last that were met; from now on it is.
    #[inline]
    pub fn meet(&mut self, word: u64) -> bool {
        let mut hasher = FxHasher::default();
        hasher.write_u64(word);
        let place = hasher.finish() as usize % MOST;
        let was = std::mem::replace(&mut self.0[place], word);
        was == word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_in_one_bit_are_two() {
        let word = 0x1234_5678_9abc_def0;
        for bit in 0..64 {
            // It stands in every place.
            assert!(!Recent::of(word).meet(word ^ 1 << bit));
        }
    }

    #[test]
    fn a_word_is_met_again_only_if_it_was_met() {
        let mut recent = Recent::of(7);
        assert!(recent.meet(7));
        for word in [0, u64::MAX, 1 << 63] {
            assert!(!recent.meet(word));
            assert!(recent.meet(word));
        }
        let again = (8..10 * MOST as u64).filter(|word| recent.meet(*word));
        assert_eq!(again.collect::<Vec<u64>>(), Vec::<u64>::new());
    }
}
