//! The assignment of states to workers, by a hash of some of their bits.

/// Position of a worker among all workers of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub own: usize,
    pub workers: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The bits that are hashed, by the words of a state.
    pub bits: Vec<u64>,
    /// Start value of the hash; another one assigns the same states differently.
    pub salt: u64,
    pub workers: usize,
}

impl Partition {
    /// Hashes all bits of a state of so many words.
    pub fn by_all(words: usize, workers: usize) -> Partition {
        Partition {
            bits: vec![u64::MAX; words],
            salt: 0,
            workers,
        }
    }

    /// The number of the worker that a state belongs to. The hash is independent of those by which
    /// a worker keeps its states.
    #[inline]
    pub fn owner(&self, state: &[u64]) -> usize {
        let mut hash = 0x51_7c_c1_b7_27_22_0a_95_u64 ^ self.salt;
        for (word, bits) in state.iter().zip(&self.bits) {
            if *bits != 0 {
                hash = (hash ^ word & bits).wrapping_mul(0xd6e8_feb8_6659_fd93);
                hash ^= hash >> 32;
            }
        }
        hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((u128::from(hash) * self.workers as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_shared_out_evenly() {
        for workers in [1, 2, 3, 4, 7] {
            let partition = Partition::by_all(1, workers);
            let mut many = vec![0_u32; workers];
            for state in 0..100_000_u64 {
                many[partition.owner(&[state << 7])] += 1;
            }
            let even = 100_000 / workers as u32;
            let is_even = |many: &u32| many.abs_diff(even) < even / 10;
            assert!(many.iter().all(is_even), "{many:?}");
        }
    }
}
