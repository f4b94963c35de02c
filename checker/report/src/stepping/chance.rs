//! Chance that a seed decides, so that a run at random can be had again.

use std::num::NonZeroUsize;

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): each seed gives one sequence, on every machine.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// One of the numbers below `count`, all as likely as each other, but for one in 2^64 divided by their count.
    pub fn below(&mut self, count: NonZeroUsize) -> usize {
        // The upper half of a product is smaller than the factor, which is a usize.
        ((u128::from(self.next()) * count.get() as u128) >> 64) as usize
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_numbers_that_its_authors_give_for_it() {
        let mut chance = Chance::new(1_234_567);
        let numbers = [(); 3].map(|()| chance.next());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn each_number_comes_about_as_often() {
        let mut chance = Chance::new(7);
        let mut met = [0; 5];
        for _ in 0..5_000 {
            met[chance.below(NonZeroUsize::new(5).expect("not zero"))] += 1;
        }
        assert!(
            met.iter().all(|count| (850..1_150).contains(count)),
            "{met:?}"
        );
    }
}
