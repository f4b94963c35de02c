//! Assignment of states to workers, by a hash of some of their bits.

/// Position of a worker among all workers of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub own: usize,
    pub workers: usize,
}

/// Groups of states for each worker. Neighbouring bits of a state name its group, which balances the
/// groups better than a hash does.
const GROUPS_FOR_EACH: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The bits that are hashed, by the words of a state.
    pub bits: Vec<u64>,
    /// Start value of the hash; another one assigns the same states differently.
    pub salt: u64,
    pub workers: usize,
    /// Neighbouring bits of a state of one word that name its group, if there are any.
    run: Option<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    at: u32,
    /// Number of these bits: the logarithm of the number of groups.
    bits: u32,
}

impl Run {
    /// Returns the lowest neighbours among these bits, if there are others besides.
    fn of(bits: &[u64], groups: usize) -> Option<Run> {
        let [word] = *bits else {
            return None;
        };
        let bits = groups.next_power_of_two().ilog2().max(1);
        let run = u64::MAX >> (u64::BITS - bits);
        let mut places = 0..=u64::BITS - bits;
        let at = places.find(|at| word >> at & run == run)?;
        (word.count_ones() > bits).then_some(Run { at, bits })
    }
}

impl Partition {
    /// Partition by these bits of a state.
    pub fn new(bits: Vec<u64>, salt: u64, workers: usize) -> Partition {
        Partition {
            run: Run::of(&bits, workers * GROUPS_FOR_EACH),
            bits,
            salt,
            workers,
        }
    }

    /// Hashes all bits of a state of `words` words.
    pub fn by_all(words: usize, workers: usize) -> Partition {
        Partition::new(vec![u64::MAX; words], 0, workers)
    }

    /// Whether states of one word are in groups.
    pub fn has_groups(&self) -> bool {
        self.run.is_some()
    }

    /// The number of the worker that a state belongs to. The hash is independent of those by which
    /// a worker keeps its states.
    #[inline]
    pub fn owner(&self, state: &[u64]) -> usize {
        if let (Some(Run { at, bits }), [word]) = (self.run, state) {
            let run = u64::MAX >> (u64::BITS - bits);
            let others = word & self.bits[0] & !(run << at);
            let factor = (self.salt ^ 0x9e37_79b9_7f4a_7c15) | 1;
            let hash = (others ^ others >> 29).wrapping_mul(factor) >> (u64::BITS - bits);
            let group = word >> at & run ^ hash;
            return (group as usize * self.workers) >> bits;
        }
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
