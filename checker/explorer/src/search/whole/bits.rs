//! Sets of numbers that several threads add to.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::store::prefetch::prefetch;

/// One bit for each number. Threads may see what others add later than it is added, and in another order:
/// what they make of it must not depend on that.
pub struct Bits(Vec<AtomicU64>);

/// Of the bits of a word.
const EVEN: u64 = u64::MAX / 3;

impl Bits {
    /// The empty set of numbers below this.
    pub fn new(numbers: u64) -> Bits {
        let words = (0..numbers.div_ceil(64)).map(|_| AtomicU64::new(0));
        Bits(words.collect())
    }

    /// In bytes, for numbers below this.
    pub fn bytes_for(numbers: u64) -> u64 {
        numbers.div_ceil(64) * 8
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.len() as u64 * 8
    }

    /// Has it come near.
    #[inline]
    pub fn fetch(&self, number: u64) {
        prefetch(&self.0, (number / 64) as usize);
    }

    #[inline]
    pub fn has(&self, number: u64) -> bool {
        self.0[(number / 64) as usize].load(Relaxed) >> (number % 64) & 1 != 0
    }

    /// Whether it is new. Of several threads that add it one is told so.
    #[inline]
    pub fn insert(&self, number: u64) -> bool {
        let (word, bit) = (&self.0[(number / 64) as usize], 1 << (number % 64));
        word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
    }

    /// Whether it was there. Of several threads that take it out one is told so.
    #[inline]
    pub fn remove(&self, number: u64) -> bool {
        let (word, bit) = (&self.0[(number / 64) as usize], 1 << (number % 64));
        word.load(Relaxed) & bit != 0 && word.fetch_and(!bit, Relaxed) & bit != 0
    }

    /// Takes out each even number but those of which the next is in it, and all odd numbers.
    pub fn odd_become_even(&mut self) {
        let words = self.0.iter_mut().map(AtomicU64::get_mut);
        words.for_each(|word| *word &= *word >> 1 & EVEN);
    }

    /// Takes out all odd numbers.
    pub fn clear_odd(&mut self) {
        self.0.iter_mut().for_each(|word| *word.get_mut() &= EVEN);
    }
}
