//! Whom a state belongs to.
//!
//! States of one word are dealt out to several parts for each worker, by bits that the parts then need not keep
//! ([`Dealer`]): so that each worker has a table that is half as large where there are twice as many of them, and each part grows
//! by itself. Others belong to whom a hash of the bits names that decide.

use std::ops::Range;

use stubborn_space::several::Seat;

use crate::store::deal::Dealer;

/// So many parts for each worker at least. Where the number of workers is no power of two one may have one more than
/// another; and where a part grows, its states stand there twice.
const PARTS_FOR_EACH: usize = 16;

/// The bits of a state that say whom it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decide {
    pub bits: Vec<u64>,
    /// With another one the same states are shared out otherwise.
    pub salt: u64,
}

impl Decide {
    pub fn all(words: usize) -> Decide {
        Decide {
            bits: vec![u64::MAX; words],
            salt: 0,
        }
    }
}

/// Whether these bits can decide for states that have so many words.
pub fn can_decide(bits: &[u64], seat: Seat) -> bool {
    match bits {
        [bits] => Dealer::new(u64::BITS, sets(seat), *bits, 0).is_some(),
        _ => true,
    }
}

/// Of how many parts a set is, at least.
fn sets(seat: Seat) -> usize {
    seat.workers * PARTS_FOR_EACH
}

#[derive(Clone)]
pub struct Owners {
    workers: usize,
    by: By,
}

#[derive(Clone)]
enum By {
    Parts(Dealer),
    Hash(Decide),
}

impl Owners {
    /// Of states that have these bits.
    pub fn of(used: &[u64], decide: &Decide, seat: Seat) -> Owners {
        match used {
            [word] => Owners::of_words(u64::BITS - word.leading_zeros(), decide, seat),
            _ => Owners::of_states(decide, seat),
        }
    }

    /// Of states of one word each, which has so many bits.
    pub fn of_words(width: u32, decide: &Decide, seat: Seat) -> Owners {
        Owners {
            workers: seat.workers,
            by: By::Parts(dealer(width, decide, seat)),
        }
    }

    /// Of states of any number of words.
    pub fn of_states(decide: &Decide, seat: Seat) -> Owners {
        Owners {
            workers: seat.workers,
            by: By::Hash(decide.clone()),
        }
    }

    /// The number of the worker.
    #[inline]
    pub fn owner(&self, state: &[u64]) -> usize {
        match (&self.by, state) {
            (By::Parts(dealer), [word]) => owner_of_part(dealer.set(*word), dealer, self.workers),
            (By::Parts(_), _) => 0,
            (By::Hash(decide), state) => hashed(state, decide, self.workers),
        }
    }
}

/// The number of the worker that a part belongs to.
#[inline(always)]
pub fn owner_of_part(part: usize, dealer: &Dealer, workers: usize) -> usize {
    (part * workers) >> dealer.bits()
}

/// How words are dealt out among the parts of all workers.
pub fn dealer(width: u32, decide: &Decide, seat: Seat) -> Dealer {
    let by_some = Dealer::new(width, sets(seat), decide.bits[0], decide.salt);
    by_some.unwrap_or_else(|| Dealer::by_all(width, sets(seat)))
}

/// The parts of one worker.
pub fn parts(dealer: &Dealer, seat: Seat) -> Range<usize> {
    let first = |worker: usize| (worker * dealer.sets()).div_ceil(seat.workers);
    first(seat.own)..first(seat.own + 1)
}

/// The hash has nothing to do with those by which a worker keeps its states.
#[inline]
fn hashed(state: &[u64], decide: &Decide, workers: usize) -> usize {
    let mut hash = 0x51_7c_c1_b7_27_22_0a_95_u64 ^ decide.salt;
    for (word, bits) in state.iter().zip(&decide.bits) {
        hash = (hash ^ word & bits).wrapping_mul(0xd6e8_feb8_6659_fd93);
        hash ^= hash >> 32;
    }
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((u128::from(hash) * workers as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_shared_out_evenly() {
        for workers in [1, 2, 3, 4, 7] {
            let seat = Seat { own: 0, workers };
            let all = Decide::all(1);
            for owners in [
                Owners::of_words(50, &all, seat),
                Owners::of_states(&all, seat),
            ] {
                let mut many = vec![0_u32; workers];
                for state in 0..100_000_u64 {
                    many[owners.owner(&[state << 7])] += 1;
                }
                let even = 100_000 / workers as u32;
                let is_even = |many: &u32| many.abs_diff(even) < even / 10;
                assert!(many.iter().all(is_even), "{many:?}");
            }
        }
    }

    #[test]
    fn each_part_is_of_the_worker_whose_states_are_in_it() {
        for workers in 1..20 {
            let some = Decide {
                bits: vec![0x3ff0_0ff0],
                salt: 3,
            };
            for decide in [Decide::all(1), some] {
                let dealer = dealer(30, &decide, Seat { own: 0, workers });
                let mut next = 0;
                for own in 0..workers {
                    let seat = Seat { own, workers };
                    let owners = Owners::of_words(30, &decide, seat);
                    for part in parts(&dealer, seat) {
                        assert_eq!(part, next);
                        assert_eq!(owners.owner(&[dealer.word(part, 5)]), own);
                        next += 1;
                    }
                }
                assert_eq!(next, dealer.sets());
            }
        }
    }
}
