//! States as bits in a table, by their hashes: Holzmann's Supertrace. What was not put in may seem
//! to be there; what was put in always does.

/// How many bits stand for one state.
const HASHES: u64 = 3;

/// A table of `2^n` bits.
pub struct BitTable {
    words: Vec<u64>,
    /// The number of bits less one.
    mask: u64,
}

/// Where a state's bits are.
#[derive(Clone, Copy, Debug)]
pub struct Hashes {
    first: u64,
    stride: u64,
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
        })
    }

    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// Whether the state seems to be in the set with this number.
    #[inline]
    pub fn has(&self, hashes: Hashes, set: u32) -> bool {
        hashes
            .bits(set, self.mask)
            .all(|bit| self.words[bit / 64] >> (bit % 64) & 1 != 0)
    }

    #[inline]
    pub fn insert(&mut self, hashes: Hashes, set: u32) {
        for bit in hashes.bits(set, self.mask) {
            self.words[bit / 64] |= 1 << (bit % 64);
        }
    }
}

impl Hashes {
    #[inline]
    pub fn of(state: &[u64]) -> Hashes {
        let mut first = 0x243f_6a88_85a3_08d3_u64;
        let mut stride = 0x1319_8a2e_0370_7344_u64;
        for word in state {
            first = fold(first ^ word, 0x9e37_79b9_7f4a_7c15);
            stride = fold(stride ^ word, 0xd6e8_feb8_6659_fd93);
        }
        Hashes { first, stride }
    }

    /// The bits of the state in one of the sets, each set's as good as independent of another's.
    #[inline]
    fn bits(self, set: u32, mask: u64) -> impl Iterator<Item = usize> {
        let salt = u64::from(set).wrapping_mul(0xa409_3822_299f_31d1);
        (0..HASHES).map(move |nth| {
            let hash = self.first ^ salt;
            let hash = hash.wrapping_add(nth.wrapping_mul(self.stride | 1));
            (fold(hash, 0xc2b2_ae3d_27d4_eb4f) & mask) as usize
        })
    }
}

/// Multiplies to 128 bits, and puts the halves together.
#[inline]
fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_in_is_there_and_a_large_table_mistakes_little_else() {
        let mut table = BitTable::new(20).expect("128 KiB");
        for state in 0..10_000u64 {
            table.insert(Hashes::of(&[state % 100, state / 100]), 0);
        }
        let has = |state: u64, set| table.has(Hashes::of(&[state % 100, state / 100]), set);
        assert!((0..10_000).all(|state| has(state, 0)));
        let mistaken = (10_000..20_000).filter(|state| has(*state, 0)).count();
        let in_other = (0..10_000).filter(|state| has(*state, 1)).count();
        // Some 3% of the bits are set: three of them are so by chance for one state in 40,000.
        assert!(mistaken + in_other < 20, "{mistaken} and {in_other}");
    }

    #[test]
    fn a_table_has_as_many_bits_as_were_asked_for() {
        assert_eq!(BitTable::new(10).expect("128 bytes").bytes(), 128);
        assert_eq!(BitTable::new(3).expect("the least there is").bytes(), 128);
        assert_eq!(BitTable::bytes_of(40), 128 << 30);
    }
}
