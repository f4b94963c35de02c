//! Counters, mostly small, that several threads increment and then decrement.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::search::layers::bounds::Bounds;
use crate::search::meter::Stop;
use crate::store::prefetch::prefetch;

/// One byte for each counter; the excess of greater ones is kept in a map. All increments come
/// before all decrements.
pub struct Counts {
    counts: Vec<AtomicU8>,
    /// Excess over the greatest count of a byte.
    beyond: Mutex<FxHashMap<u64, u64>>,
}

/// Memory of one entry of the map, which may be just growing, in bytes.
const BYTES_BEYOND: u64 = 3 * 17;

impl Counts {
    /// All counters are 0.
    pub fn new(numbers: u64) -> Counts {
        let counts = (0..numbers).map(|_| AtomicU8::new(0));
        Counts {
            counts: counts.collect(),
            beyond: Mutex::default(),
        }
    }

    /// Memory of `numbers` counters, in bytes.
    pub fn bytes_for(numbers: u64) -> u64 {
        numbers
    }

    pub fn clear(&mut self, bounds: &Bounds) {
        self.counts.iter_mut().for_each(|one| *one.get_mut() = 0);
        let beyond = self.beyond.get_mut();
        let beyond = beyond.unwrap_or_else(PoisonError::into_inner);
        bounds.let_go(beyond.len() as u64 * BYTES_BEYOND);
        *beyond = FxHashMap::default();
    }

    /// Prefetches a counter.
    #[inline]
    pub fn fetch(&self, number: u64) {
        prefetch(&self.counts, number as usize);
    }

    #[inline]
    pub fn is_zero(&self, number: u64) -> bool {
        self.counts[number as usize].load(Relaxed) == 0
    }

    fn beyond(&self) -> MutexGuard<'_, FxHashMap<u64, u64>> {
        self.beyond.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Increments a counter. Breaks if there is no memory for so great a count.
    #[inline]
    pub fn up(&self, number: u64, bounds: &Bounds) -> ControlFlow<Stop> {
        let one = &self.counts[number as usize];
        let more = |count: u8| count.checked_add(1);
        if one.fetch_update(Relaxed, Relaxed, more).is_err() {
            let mut beyond = self.beyond();
            if !beyond.contains_key(&number) {
                bounds.hold(BYTES_BEYOND)?;
            }
            *beyond.entry(number).or_default() += 1;
        }
        ControlFlow::Continue(())
    }

    /// Decrements a counter that is not 0. Returns whether it is 0 now.
    #[inline]
    pub fn down(&self, number: u64) -> bool {
        let one = &self.counts[number as usize];
        if one.load(Relaxed) == u8::MAX
            && let Some(beyond) = self.beyond().get_mut(&number)
            && *beyond > 0
        {
            *beyond -= 1;
            return false;
        }
        let before = one.fetch_sub(1, Relaxed);
        debug_assert!(before > 0, "it was counted before");
        before == 1
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread::scope;

    use super::*;
    use crate::search::meter::{Figures, Meter};
    use stubborn_space::budget::Budget;

    #[test]
    fn what_several_count_up_and_down_is_0_once_and_in_the_end() {
        let meter = Meter::quiet(Budget::default());
        let none = Figures {
            states: 0,
            edges: 0,
            bytes: 0,
        };
        let bounds = Bounds::new(&meter, none);
        let mut counts = Counts::new(8);
        let of = |number: u64| number * 75;
        for _ in 0..2 {
            let zeros = AtomicU64::new(0);
            scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        for number in 0..8 {
                            for _ in 0..of(number) {
                                assert!(counts.up(number, &bounds).is_continue());
                            }
                        }
                    });
                }
            });
            assert!((0..8).all(|number| counts.is_zero(number) == (number == 0)));
            scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        for number in (0..8).rev() {
                            for _ in 0..of(number) {
                                zeros.fetch_add(counts.down(number).into(), Relaxed);
                            }
                        }
                    });
                }
            });
            assert!((0..8).all(|number| counts.is_zero(number)));
            assert_eq!(zeros.into_inner(), 7);
            counts.clear(&bounds);
            assert_eq!(bounds.figures().bytes, 0);
        }
    }
}
