//! Limits where no search goes on: while a run is recorded, lifted or confirmed.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::time::Instant;

use crate::options::Limits;
use crate::search::Stop;
use crate::verdict::Reason;
use crate::watch::Watch;

/// A violation is known before there is a run for it, perhaps just when a limit has been reached: so
/// many steps of a run are taken whatever the time is,
const STEPS_AT_LEAST: u64 = 10_000;
/// and so many bytes of it kept.
const BYTES_AT_LEAST: u64 = 1 << 16;

/// The limits of a check, and who may cancel it, while one run is made.
pub struct Limited<'a> {
    limits: Limits,
    watch: &'a dyn Watch,
    /// Memory in use besides what is asked about, in bytes.
    held: u64,
    /// How often it was asked.
    asked: Cell<u64>,
}

impl<'a> Limited<'a> {
    pub fn new(limits: Limits, watch: &'a dyn Watch, held: u64) -> Limited<'a> {
        Limited {
            limits,
            watch,
            held,
            asked: Cell::new(0),
        }
    }
}

impl Limited<'_> {
    /// Whether to go on, with so many bytes more.
    pub fn poll(&self, bytes: u64) -> ControlFlow<Stop> {
        let stop = |reason| ControlFlow::Break(Stop::Limit(reason));
        if self.watch.is_cancelled() {
            return stop(Reason::Cancelled);
        }
        if let Some(max) = self.limits.max_memory
            && bytes > BYTES_AT_LEAST
            && self.held + bytes > max
        {
            return stop(Reason::Memory(max));
        }
        let asked = self.asked.get();
        self.asked.set(asked + 1);
        if asked < STEPS_AT_LEAST {
            return ControlFlow::Continue(());
        }
        if self
            .limits
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return stop(Reason::Time);
        }
        ControlFlow::Continue(())
    }
}
