//! Time, memory and cancellation of a search.

use std::time::Instant;

use crate::options::Limits;

/// Source of the time, and of requests to stop.
pub trait Clock: Sync {
    /// The time that limits and costs are counted by. It stands still while the caller holds the
    /// search, which it may do in any call.
    fn now(&self) -> Instant {
        Instant::now()
    }

    /// Whether the search should stop; asked often.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// The time of the machine; never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {}

/// Time and memory that a search may use, and when it should stop.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    pub limits: Limits,
    clock: &'a dyn Clock,
    /// Asked instead of the clock.
    is_cancelled: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl<'a> Budget<'a> {
    /// Budget without limits.
    pub fn new(clock: &'a dyn Clock) -> Budget<'a> {
        Budget {
            limits: Limits::default(),
            clock,
            is_cancelled: None,
        }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with(self, limits: Limits) -> Budget<'a> {
        Budget { limits, ..self }
    }

    /// The same for a part of the search, which `is_cancelled` ends. It asks this budget, too.
    #[must_use]
    pub fn until<'b>(self, is_cancelled: &'b (dyn Fn() -> bool + Sync)) -> Budget<'b>
    where
        'a: 'b,
    {
        Budget {
            is_cancelled: Some(is_cancelled),
            ..self
        }
    }

    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Whether the time is over.
    pub fn is_late(&self, now: Instant) -> bool {
        self.limits.deadline.is_some_and(|deadline| now >= deadline)
    }

    /// Whether the search should stop.
    pub fn is_cancelled(&self) -> bool {
        match self.is_cancelled {
            Some(is_cancelled) => is_cancelled(),
            None => self.clock.is_cancelled(),
        }
    }
}

/// Limits by the time of the machine.
impl From<Limits> for Budget<'_> {
    fn from(limits: Limits) -> Self {
        Budget::new(&SystemClock).with(limits)
    }
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Limits::default().into()
    }
}
