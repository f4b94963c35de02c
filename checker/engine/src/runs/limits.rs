//! Limits where no search goes on: while a run is recorded, lifted or confirmed.

use std::ops::ControlFlow;
use std::time::Instant;

use crate::options::Limits;
use crate::search::Stop;
use crate::verdict::Reason;
use crate::watch::Watch;

/// The limits of a check, and who may cancel it.
#[derive(Clone, Copy)]
pub struct Limited<'a> {
    pub limits: Limits,
    pub watch: &'a dyn Watch,
    /// Memory in use besides what is asked about, in bytes.
    pub held: u64,
}

impl Limited<'_> {
    /// Whether to go on, with so many bytes more.
    pub fn poll(&self, bytes: u64) -> ControlFlow<Stop> {
        let stop = |reason| ControlFlow::Break(Stop::Limit(reason));
        if self.watch.is_cancelled() {
            return stop(Reason::Cancelled);
        }
        if let Some(max) = self.limits.max_memory
            && self.held + bytes > max
        {
            return stop(Reason::Memory(max));
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
