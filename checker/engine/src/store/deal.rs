//! Words dealt out to several sets, each of which then has less of a word to keep.
//!
//! A word is mixed by a bijection of its bits. The upper bits of what comes out name the set, and the others are what is
//! kept there: the two together tell the word, so that nothing is kept twice. Where only some bits of a word are to decide
//! which set it belongs to, these are mixed alone ([`Dealer`]).

use super::quotient::Mixing;

/// Which set a word belongs to, and as what.
#[derive(Clone, Copy)]
pub struct Deal {
    mixing: Mixing,
    /// How many bits of the mix the set does not tell.
    rest: u32,
    /// The logarithm of the number of sets.
    bits: u32,
}

impl Deal {
    /// Of words of so many bits, to at least so many sets: a power of two.
    pub fn new(width: u32, sets: usize) -> Deal {
        let bits = sets.next_power_of_two().ilog2();
        let width = width.clamp(bits + 1, u64::BITS);
        Deal {
            mixing: Mixing::of(width),
            rest: width - bits,
            bits,
        }
    }

    pub fn sets(self) -> usize {
        1 << self.bits
    }

    /// How many bits of a word its set does not tell.
    pub fn width_of_rest(self) -> u32 {
        self.rest
    }

    /// Which set a word belongs to, and what with the set tells the word.
    #[inline]
    pub fn deal(self, word: u64) -> (usize, u64) {
        let mixed = self.mixing.mix(word);
        (
            (mixed >> self.rest) as usize,
            mixed & ((1 << self.rest) - 1),
        )
    }

    /// The word that is this in this set.
    #[inline]
    pub fn word(self, set: usize, rest: u64) -> u64 {
        self.mixing.unmix((set as u64) << self.rest | rest)
    }
}

/// Deals words out by some of their bits.
#[derive(Clone)]
pub struct Dealer {
    deal: Deal,
    /// All bits that a word may have.
    all: u64,
    /// Flips bits of those that decide: with other ones the same words fall to other sets.
    salt: u64,
    /// The bits that decide, and the others; `None` where all of them do.
    split: Option<(Gather, Gather)>,
}

/// Bits of a word that move to its lower end, in their order.
#[derive(Clone)]
struct Gather {
    /// Neighbours, and how far down they move.
    runs: Vec<(u64, u32)>,
    many: u32,
}

impl Gather {
    fn of(bits: u64) -> Gather {
        let (mut left, mut many, mut runs) = (bits, 0, Vec::new());
        while left != 0 {
            let from = left.trailing_zeros();
            let length = (left >> from).trailing_ones();
            let run = u64::MAX >> (u64::BITS - length) << from;
            runs.push((run, from - many));
            many += length;
            left &= !run;
        }
        Gather { runs, many }
    }

    #[inline]
    fn gather(&self, word: u64) -> u64 {
        let runs = self.runs.iter();
        runs.fold(0, |all, (run, down)| all | (word & run) >> down)
    }

    #[inline]
    fn scatter(&self, gathered: u64) -> u64 {
        let runs = self.runs.iter();
        runs.fold(0, |all, (run, down)| all | gathered << down & run)
    }
}

impl From<Deal> for Dealer {
    fn from(deal: Deal) -> Dealer {
        Dealer {
            all: u64::MAX >> (u64::BITS - deal.rest - deal.bits),
            deal,
            salt: 0,
            split: None,
        }
    }
}

impl Dealer {
    /// Of words of so many bits, to at least so many sets: a power of two, of no more than 2 to the number of those bits
    /// that decide.
    pub fn new(width: u32, sets: usize, decide: u64, salt: u64) -> Dealer {
        let all = u64::MAX >> (u64::BITS - width.clamp(1, u64::BITS));
        let decide = decide & all;
        if decide == all {
            return Deal::new(width, sets).into();
        }
        let (told, rest) = (Gather::of(decide), Gather::of(all & !decide));
        let deal = Deal::new(told.many, sets);
        debug_assert!(
            deal.rest + deal.bits == told.many,
            "there are enough of them"
        );
        Dealer {
            deal,
            all,
            salt: salt & deal.mixing.mask,
            split: Some((told, rest)),
        }
    }

    pub fn sets(&self) -> usize {
        self.deal.sets()
    }

    /// The logarithm of the number of sets.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.deal.bits
    }

    /// How many bits of a word its set does not tell.
    pub fn width_of_rest(&self) -> u32 {
        let others = self.split.as_ref().map_or(0, |(_, rest)| rest.many);
        self.deal.rest + others
    }

    /// Whether a word has no more bits than it may.
    #[inline]
    pub fn is_of(&self, word: u64) -> bool {
        word & !self.all == 0
    }

    /// Which set a word belongs to, and what with the set tells the word.
    #[inline]
    pub fn deal(&self, word: u64) -> (usize, u64) {
        match &self.split {
            None => self.deal.deal(word),
            Some((told, rest)) => {
                let (set, of_told) = self.deal.deal(told.gather(word) ^ self.salt);
                (set, of_told << rest.many | rest.gather(word))
            }
        }
    }

    /// The set alone.
    #[inline]
    pub fn set(&self, word: u64) -> usize {
        match &self.split {
            None => self.deal.deal(word).0,
            Some((told, _)) => self.deal.deal(told.gather(word) ^ self.salt).0,
        }
    }

    /// The word that is this in this set.
    #[inline]
    pub fn word(&self, set: usize, rest: u64) -> u64 {
        match &self.split {
            None => self.deal.word(set, rest),
            Some((told, others)) => {
                let of_told = self.deal.word(set, rest >> others.many) ^ self.salt;
                told.scatter(of_told) | others.scatter(rest & ((1 << others.many) - 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_told_by_its_set_and_the_rest() {
        for (width, decide, salt) in [
            (20, u64::MAX, 0),
            (20, 0b1111_0000_1100_0110, 0x2a),
            (64, 0xff00_0000_0000_00ff, u64::MAX),
            (64, u64::MAX, 0),
        ] {
            let dealer = Dealer::new(width, 32, decide, salt);
            let mut met = vec![0_u32; dealer.sets()];
            for number in 0..50_000_u64 {
                let word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - width);
                let (set, rest) = dealer.deal(word);
                assert!(dealer.is_of(word));
                assert_eq!(set, dealer.set(word));
                assert!(dealer.width_of_rest() == 64 || rest >> dealer.width_of_rest() == 0);
                assert_eq!(dealer.word(set, rest), word);
                met[set] += 1;
            }
            assert!(met.iter().all(|many| *many > 0), "{met:?}");
        }
    }

    #[test]
    fn only_the_bits_that_decide_say_which_set() {
        let dealer = Dealer::new(20, 8, 0b1_1100_0011, 5);
        for word in 0..1_u64 << 20 {
            let decide = word & 0b1_1100_0011;
            assert_eq!(dealer.set(word), dealer.set(decide));
        }
    }
}
