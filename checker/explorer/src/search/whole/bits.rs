//! Sets of numbers to which several threads add.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::store::prefetch::prefetch;

/// One bit for each number. Threads may see additions by others late and in another order, so that
/// their results must not depend on that.
pub struct Bits(Vec<AtomicU64>);

/// The even bits of a word.
const EVEN: u64 = u64::MAX / 3;

impl Bits {
    /// The empty set of numbers below `numbers`.
    pub fn new(numbers: u64) -> Bits {
        let words = (0..numbers.div_ceil(64)).map(|_| AtomicU64::new(0));
        Bits(words.collect())
    }

    /// Memory for numbers below `numbers`, in bytes.
    pub fn bytes_for(numbers: u64) -> u64 {
        numbers.div_ceil(64) * 8
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.len() as u64 * 8
    }

    /// Prefetches the bit of a number.
    #[inline]
    pub fn fetch(&self, number: u64) {
        prefetch(&self.0, (number / 64) as usize);
    }

    #[inline]
    pub fn has(&self, number: u64) -> bool {
        self.0[(number / 64) as usize].load(Relaxed) >> (number % 64) & 1 != 0
    }

    /// Adds a number. Returns whether it is new, to one of the threads that add it.
    #[inline]
    pub fn insert(&self, number: u64) -> bool {
        let (word, bit) = (&self.0[(number / 64) as usize], 1 << (number % 64));
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Removes a number. Returns whether it was there, to one of the threads that remove it.
    #[inline]
    pub fn remove(&self, number: u64) -> bool {
        let (word, bit) = (&self.0[(number / 64) as usize], 1 << (number % 64));
        word.load(Relaxed) & bit != 0 && word.fetch_and(!bit, Relaxed) & bit != 0
    }

    /// Removes all odd numbers, and each even number whose successor was not in the set.
    pub fn odd_become_even(&mut self) {
        let words = self.0.iter_mut().map(AtomicU64::get_mut);
        words.for_each(|word| *word &= *word >> 1 & EVEN);
    }

    /// Removes all odd numbers.
    pub fn clear_odd(&mut self) {
        self.0.iter_mut().for_each(|word| *word.get_mut() &= EVEN);
    }
}
