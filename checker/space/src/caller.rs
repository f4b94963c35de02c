//! Everything that a search gets from its caller besides the model and the options.

use crate::budget::{Budget, Clock};
use crate::disk::Disk;
use crate::observer::{Observer, Silent};
use crate::options::Limits;
use crate::several::Several;
use crate::threads::{SystemThreads, Threads};

/// Observer, budget and resources of a search. A part of a search gets a copy with another
/// observer or budget.
#[derive(Clone, Copy)]
pub struct Caller<'a> {
    pub observer: &'a dyn Observer,
    pub budget: Budget<'a>,
    pub resources: Resources<'a>,
}

/// Means besides memory and this thread.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// Files for states that memory has no room for. With them a search for states and steps that
    /// violate a property continues on the disk.
    pub disk: Option<&'a dyn Disk>,
    /// Other processes to search with.
    pub several: Option<&'a dyn Several>,
    /// Threads; how many are used is an option.
    pub threads: &'a dyn Threads,
}

/// The system's threads alone.
impl Default for Resources<'_> {
    fn default() -> Self {
        Resources {
            disk: None,
            several: None,
            threads: &SystemThreads,
        }
    }
}

impl<'a> Caller<'a> {
    /// Caller with this observer alone.
    pub fn observing(observer: &'a dyn Observer) -> Caller<'a> {
        Caller::default().observed_by(observer)
    }

    /// Caller with this clock alone.
    pub fn timed_by(clock: &'a dyn Clock) -> Caller<'a> {
        Budget::new(clock).into()
    }

    /// The same with another observer.
    #[must_use]
    pub fn observed_by<'b>(self, observer: &'b dyn Observer) -> Caller<'b>
    where
        'a: 'b,
    {
        Caller { observer, ..self }
    }

    /// The same with another budget.
    #[must_use]
    pub fn within<'b>(self, budget: Budget<'b>) -> Caller<'b>
    where
        'a: 'b,
    {
        Caller { budget, ..self }
    }

    /// The same with other limits.
    #[must_use]
    pub fn with(self, limits: Limits) -> Caller<'a> {
        self.within(self.budget.with(limits))
    }

    /// The same for a part of the search ([`Budget::until`]).
    #[must_use]
    pub fn until<'b>(self, is_cancelled: &'b (dyn Fn() -> bool + Sync)) -> Caller<'b>
    where
        'a: 'b,
    {
        self.within(self.budget.until(is_cancelled))
    }

    /// The budget and the threads alone, for a part of a search that reports nothing.
    #[must_use]
    pub fn quiet(self) -> Caller<'a> {
        Caller::from(self.budget).on(self.resources.threads)
    }

    /// The same with other threads.
    #[must_use]
    pub fn on(self, threads: &'a dyn Threads) -> Caller<'a> {
        Caller {
            resources: Resources {
                threads,
                ..self.resources
            },
            ..self
        }
    }
}

/// Caller with a budget alone.
impl<'a> From<Budget<'a>> for Caller<'a> {
    fn from(budget: Budget<'a>) -> Caller<'a> {
        Caller {
            observer: &Silent,
            budget,
            resources: Resources::default(),
        }
    }
}

/// Caller with resources alone.
impl<'a> From<Resources<'a>> for Caller<'a> {
    fn from(resources: Resources<'a>) -> Caller<'a> {
        Caller {
            resources,
            ..Caller::default()
        }
    }
}

impl Default for Caller<'_> {
    fn default() -> Self {
        Budget::default().into()
    }
}
