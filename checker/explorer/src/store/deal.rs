//! Words dealt out to several sets, each of which then has less of a word to keep: the set and what is kept there tell the
//! word together, so that nothing is kept twice.

/// Deals words out by some of their bits: the set is told by neighbours among these, flipped by a hash of the others. So
/// the set and all of the word but the neighbours tell it.
#[derive(Clone, Copy)]
pub struct Dealer {
    /// The logarithm of the number of sets.
    bits: u32,
    /// Where the neighbours are that are not kept.
    at: u32,
    /// The others that decide.
    others: u64,
    factor: u64,
    width: u32,
}

impl Dealer {
    /// Of words of so many bits, to at least so many sets: a power of two; by these bits, if there are enough
    /// neighbours among them. With another salt the same words fall to other sets.
    pub fn new(width: u32, sets: usize, decide: u64, salt: u64) -> Option<Dealer> {
        let bits = sets.next_power_of_two().ilog2();
        let all = u64::MAX >> (u64::BITS - width.clamp(1, u64::BITS));
        let at = place_of_neighbours(decide & all, bits)?;
        let neighbours = ((1 << bits) - 1) << at;
        Some(Dealer {
            bits,
            at,
            others: decide & all & !neighbours,
            factor: (salt ^ 0x9e37_79b9_7f4a_7c15) | 1,
            width,
        })
    }

    /// By all bits. Words of fewer bits than it takes have some that are never set.
    pub fn by_all(width: u32, sets: usize) -> Dealer {
        let bits = sets.next_power_of_two().ilog2().max(1);
        let width = width.clamp(bits + 1, u64::BITS);
        Dealer {
            bits,
            at: 0,
            others: u64::MAX >> (u64::BITS - width) & !((1 << bits) - 1),
            factor: 0x9e37_79b9_7f4a_7c15,
            width,
        }
    }

    pub fn sets(self) -> usize {
        1 << self.bits
    }

    /// The logarithm of the number of sets.
    #[inline]
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// How many bits of a word its set does not tell.
    pub fn width_of_rest(self) -> u32 {
        self.width - self.bits
    }

    /// Whether a word has no more bits than it may.
    #[inline]
    pub fn is_of(self, word: u64) -> bool {
        word & !(u64::MAX >> (u64::BITS - self.width)) == 0
    }

    /// Of the bits that decide and are kept.
    #[inline]
    fn hash(self, word: u64) -> u64 {
        let others = word & self.others;
        let hash = (others ^ others >> 29).wrapping_mul(self.factor);
        hash >> (u64::BITS - self.bits)
    }

    /// The set that a word belongs to.
    #[inline]
    pub fn set(self, word: u64) -> usize {
        let neighbours = word >> self.at & ((1 << self.bits) - 1);
        (neighbours ^ self.hash(word)) as usize
    }

    /// Which set a word belongs to, and what with the set tells the word.
    #[inline]
    pub fn deal(self, word: u64) -> (usize, u64) {
        let below = word & ((1 << self.at) - 1);
        (
            self.set(word),
            word >> self.bits & !((1 << self.at) - 1) | below,
        )
    }

    /// The word that is this in this set.
    #[inline]
    pub fn word(self, set: usize, rest: u64) -> u64 {
        let below = rest & ((1 << self.at) - 1);
        let others = (rest & !((1 << self.at) - 1)) << self.bits | below;
        others | (set as u64 ^ self.hash(others)) << self.at
    }
}

/// The lowest of so many neighbours among these bits, with one bit at least besides.
fn place_of_neighbours(of: u64, many: u32) -> Option<u32> {
    if of.count_ones() <= many || many == 0 {
        return None;
    }
    let run = u64::MAX >> (u64::BITS - many);
    (0..=u64::BITS - many).find(|at| of >> at & run == run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_told_by_its_set_and_the_rest() {
        for (width, decide, salt) in [
            (20, u64::MAX, 0),
            (20, 0b1111_0001_1111_0000_0110, 0x2a),
            (64, 0xff00_0000_0000_00f0, u64::MAX),
            (64, u64::MAX, 0),
            (6, u64::MAX, 7),
        ] {
            let dealer = Dealer::new(width, 32, decide, salt).expect("there are five neighbours");
            let mut met = vec![0_u32; dealer.sets()];
            for number in 0..50_000_u64 {
                let word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - width);
                let (set, rest) = dealer.deal(word);
                assert!(dealer.is_of(word));
                assert_eq!(set, dealer.set(word));
                assert!(rest >> dealer.width_of_rest() == 0);
                assert_eq!(dealer.word(set, rest), word);
                met[set] += 1;
            }
            assert!(met.iter().all(|many| *many > 0), "{met:?}");
        }
    }

    #[test]
    fn only_the_bits_that_decide_say_which_set() {
        let decide = 0b1_1100_0011;
        let dealer = Dealer::new(20, 8, decide, 5).expect("there are three neighbours");
        for word in 0..1_u64 << 20 {
            assert_eq!(dealer.set(word), dealer.set(word & decide));
        }
    }

    #[test]
    fn where_too_few_neighbours_decide_there_is_no_dealer() {
        assert!(Dealer::new(20, 8, 0b1011_0110_1101, 0).is_none());
        assert!(Dealer::new(20, 8, 0b111, 0).is_none());
        assert!(Dealer::new(3, 8, u64::MAX, 0).is_none());
        let by_all = Dealer::by_all(3, 8);
        for word in 0..8 {
            let (set, rest) = by_all.deal(word);
            assert_eq!(by_all.word(set, rest), word);
        }
    }
}
