//! How several threads share the numbers of all states.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// So many numbers are taken at a time; some hundred microseconds of work.
const SECTION: u64 = 1 << 10;

/// The numbers that nobody has taken yet.
pub struct Sections {
    next: AtomicU64,
    end: u64,
}

impl Sections {
    /// All numbers below this.
    pub fn new(end: u64) -> Sections {
        Sections {
            next: 0.into(),
            end,
        }
    }

    /// Some that nobody else takes.
    pub fn take(&self) -> Option<Range<u64>> {
        let begin = self.next.fetch_add(SECTION, Relaxed);
        (begin < self.end).then(|| begin..(begin + SECTION).min(self.end))
    }
}
