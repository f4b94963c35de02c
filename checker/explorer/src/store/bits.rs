//! States as bits in a table, by their hashes: Holzmann's Supertrace.

use super::hashes::Hashes;

/// How many bits stand for one state.
///
/// With m bits for n states the fewest states are missed with m/n ln 2 of them, so that half of the table is set
/// in the end; but nobody knows n before. Three are best for some four bits a state, miss at most twice to
/// three times as many as the best number from two bits a state to eight, and cost three waits for memory.
/// With one or two bits a state so much is missed that it matters little how many they are, and where there
/// is room for more than eight few states are missed with three (Holzmann 1998 recommends two or three; P. C.
/// Dillinger and P. Manolios, *Fast and Accurate Bitstate Verification for SPIN*, SPIN 2004, have the curves).
const HASHES: u64 = 3;

/// A table of `2^n` bits.
pub struct BitTable {
    words: Vec<u64>,
    /// The number of bits less one.
    mask: u64,
    /// How many bits are set.
    ones: u64,
}

impl BitTable {
    /// The least and the greatest `n` that a table is made for.
    pub const SIZES: std::ops::RangeInclusive<u32> = 10..=40;

    /// How many bytes a table of `2^bits` bits takes.
    pub fn bytes_of(bits: u32) -> u64 {
        1 << (bits.clamp(*Self::SIZES.start(), *Self::SIZES.end()) - 3)
    }

    /// A table of `2^bits` bits, all zero. A size outside [`BitTable::SIZES`] is taken for the
    /// nearest within. `None` where there is not so much memory.
    pub fn new(bits: u32) -> Option<BitTable> {
        let words = usize::try_from(Self::bytes_of(bits) / 8).ok()?;
        // Asked for first, because asking for zeros ends the program where there is no memory.
        Vec::<u64>::new().try_reserve_exact(words).ok()?;
        Some(BitTable {
            words: vec![0; words],
            mask: words as u64 * 64 - 1,
            ones: 0,
        })
    }

    #[inline]
    fn places(&self, hashes: Hashes, set: u32) -> impl Iterator<Item = usize> + use<> {
        let mask = self.mask;
        let hashes = hashes.several(set, HASHES);
        hashes.map(move |hash| (hash & mask) as usize)
    }

    /// Whether the state seems to be in the set with this number.
    #[inline]
    pub fn has(&self, hashes: Hashes, set: u32) -> bool {
        self.places(hashes, set)
            .all(|bit| self.words[bit / 64] >> (bit % 64) & 1 != 0)
    }

    #[inline]
    pub fn insert(&mut self, hashes: Hashes, set: u32) {
        for bit in self.places(hashes, set) {
            let word = &mut self.words[bit / 64];
            self.ones += !*word >> (bit % 64) & 1;
            *word |= 1 << (bit % 64);
        }
    }

    /// The probability that a state that was not put in seems to be there: that each of its bits is set.
    pub fn mistaken(&self) -> f64 {
        self.fill().powi(HASHES as i32)
    }

    /// The part of its bits that are set.
    pub fn fill(&self) -> f64 {
        self.ones as f64 / (self.mask as f64 + 1.0)
    }

    #[inline]
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(state: u64) -> Hashes {
        Hashes::of(&[state % 100, state / 100])
    }

    #[test]
    fn what_was_put_in_is_there_and_a_large_table_mistakes_little_else() {
        let mut table = BitTable::new(20).expect("128 KiB");
        for state in 0..10_000u64 {
            table.insert(hashes(state), 0);
        }
        let has = |state: u64, set| table.has(hashes(state), set);
        assert!((0..10_000).all(|state| has(state, 0)));
        let mistaken = (10_000..20_000).filter(|state| has(*state, 0)).count();
        let in_other = (0..10_000).filter(|state| has(*state, 1)).count();
        // Some 3% of the bits are set: three of them are so by chance for one state in 40,000.
        assert!(mistaken + in_other < 20, "{mistaken} and {in_other}");
    }

    #[test]
    fn as_many_states_are_mistaken_as_is_said() {
        for states in [2_000, 8_000, 30_000] {
            let mut table = BitTable::new(15).expect("4 KiB");
            for state in 0..states {
                table.insert(hashes(state), 0);
            }
            let set: u32 = table.words.iter().map(|word| word.count_ones()).sum();
            assert_eq!(u64::from(set), table.ones);
            let others = 100_000..200_000;
            let mistaken = others.filter(|state| table.has(hashes(*state), 0)).count();
            let expected = table.mistaken() * 100_000.0;
            // Five times how far such counts lie from what is expected of them.
            let off = (mistaken as f64 - expected).abs();
            assert!(off < 5.0 * expected.sqrt(), "{mistaken}, not {expected}");
        }
    }

    #[test]
    fn a_table_has_as_many_bits_as_were_asked_for() {
        assert_eq!(BitTable::new(10).expect("128 bytes").bytes(), 128);
        assert_eq!(BitTable::new(3).expect("the least there is").bytes(), 128);
        assert_eq!(BitTable::bytes_of(40), 128 << 30);
    }
}
