//! Division of the numbers of all states among threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Numbers taken at a time; some hundred microseconds of work.
const SECTION: u64 = 1 << 10;

/// The numbers that no thread has taken yet.
pub struct Sections {
    next: AtomicU64,
    end: u64,
}

impl Sections {
    /// All numbers below `end`.
    pub fn new(end: u64) -> Sections {
        Sections {
            next: 0.into(),
            end,
        }
    }

    /// Takes numbers for one thread.
    pub fn take(&self) -> Option<Range<u64>> {
        let begin = self.next.fetch_add(SECTION, Relaxed);
        (begin < self.end).then(|| begin..(begin + SECTION).min(self.end))
    }
}
