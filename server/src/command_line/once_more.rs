//! One more search, beside those of a check: of which nobody is told the verdict, and which is not to take much longer than
//! they do.

use std::time::Instant;

use stubborn_engine::{Options, Progress, Watch};

/// What takes this many times as many states as the check is not worth its time;
const MORE_STATES: u64 = 4;
/// and these are always searched.
pub const LEAST_STATES: u64 = 100_000;

/// What is allowed beside a check of so many states.
pub fn allowed(options: &Options, states: u64) -> Options {
    let most = states.saturating_mul(MORE_STATES).max(LEAST_STATES);
    let mut options = *options;
    let limit = options.limits.max_states;
    options.limits.max_states = Some(limit.map_or(most, |limit| limit.min(most)));
    options
}

/// Follows it. It is not saved.
pub struct Asking<'w>(pub &'w dyn Watch);

impl Watch for Asking<'_> {
    fn progress(&self, progress: &Progress) {
        self.0.progress(progress);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn now(&self) -> Instant {
        self.0.now()
    }
}
