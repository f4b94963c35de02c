//! Hashes of states for the sets that keep no more than these of a state.

/// What is asked about a state: two hashes, each of all of its words.
#[derive(Clone, Copy, Debug)]
pub struct Hashes {
    first: u64,
    stride: u64,
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

    /// As many hashes as are asked for of the state in one of the sets, each as good as independent of the
    /// others.
    #[inline]
    pub(super) fn several(self, set: u32, many: u64) -> impl Iterator<Item = u64> {
        let first = self.first ^ salt(set);
        (0..many).map(move |nth| {
            let hash = first.wrapping_add(nth.wrapping_mul(self.stride | 1));
            fold(hash, 0xc2b2_ae3d_27d4_eb4f)
        })
    }

    /// One hash of the state in one of the sets. Two states have the same by chance alone: where their
    /// first hashes are the same the others most likely are not.
    #[inline]
    pub(super) fn one(self, set: u32) -> u64 {
        let both = self.first ^ self.stride.rotate_left(32) ^ salt(set);
        both.wrapping_mul(0xe703_7ed1_a0b4_28db)
    }
}

/// Each set's hashes are as good as independent of another's.
#[inline]
fn salt(set: u32) -> u64 {
    u64::from(set).wrapping_mul(0xa409_3822_299f_31d1)
}

/// Multiplies to 128 bits, and puts the halves together.
#[inline]
fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word) * u128::from(factor);
    product as u64 ^ (product >> 64) as u64
}
