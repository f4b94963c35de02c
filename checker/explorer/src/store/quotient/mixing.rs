//! Bijection that scatters words over a table.

/// Bijection of the words of a number of bits.
#[derive(Clone, Copy)]
pub struct Mixing {
    pub(super) width: u32,
    pub(super) mask: u64,
}

const FIRST_FACTOR: u64 = 0xbf58_476d_1ce4_e5b9;
const SECOND_FACTOR: u64 = 0x94d0_49bb_1331_11eb;

impl Mixing {
    pub fn of(width: u32) -> Mixing {
        let mask = u64::MAX >> (u64::BITS - width);
        Mixing { width, mask }
    }

    /// Mixes a word. Each line is invertible: a product by an odd number modulo a power of two, and
    /// the exclusive or of the lower half of a word with its upper half.
    #[inline]
    pub fn mix(self, word: u64) -> u64 {
        debug_assert!(
            word & !self.mask == 0,
            "a word has no more bits than it may"
        );
        let half = self.width.div_ceil(2);
        let word = word ^ word >> half;
        let word = word.wrapping_mul(FIRST_FACTOR) & self.mask;
        let word = word ^ word >> half;
        let word = word.wrapping_mul(SECOND_FACTOR) & self.mask;
        word ^ word >> half
    }

    #[inline]
    pub fn unmix(self, word: u64) -> u64 {
        let half = self.width.div_ceil(2);
        let word = word ^ word >> half;
        let word = word.wrapping_mul(inverse(SECOND_FACTOR)) & self.mask;
        let word = word ^ word >> half;
        let word = word.wrapping_mul(inverse(FIRST_FACTOR)) & self.mask;
        word ^ word >> half
    }
}

/// Inverse of an odd number modulo 2^64, by Newton's iteration: each round doubles the correct
/// bits.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut round = 0;
    while round < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
}
