//! Time and cancelling that go by how often a search asks for them, so that no test of them has to wait.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use stubborn_space::budget::Clock;

/// A clock that is a millisecond later each time that somebody looks at it, and after so many looks
/// somebody cancels.
pub struct Asked {
    pub start: Instant,
    looks: AtomicU64,
    cancelled_after: u64,
}

impl Asked {
    pub fn cancelling_after(looks: u64) -> Asked {
        Asked {
            start: Instant::now(),
            looks: 0.into(),
            cancelled_after: looks,
        }
    }

    /// It is as late as when it began.
    pub fn begin_again(&self) {
        self.looks.store(0, Relaxed);
    }
}

impl Clock for Asked {
    fn is_cancelled(&self) -> bool {
        self.looks.load(Relaxed) >= self.cancelled_after
    }

    fn now(&self) -> Instant {
        let looks = self.looks.fetch_add(1, Relaxed);
        self.start + Duration::from_millis(looks)
    }
}
