//! When to look up from the work: limits, cancelling, progress.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use stubborn_space::budget::Budget;
use stubborn_space::caller::Caller;
use stubborn_space::observer::Event;
use stubborn_space::options::{Limits, Progress};
use stubborn_space::several::Count;
use stubborn_space::threads::Threads;
use stubborn_space::verdict::Reason;

use crate::store::exact::MOST_STATES;

/// Why a search ends before it has taken every step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing left to find out.
    Decided,
    Limit(Reason),
}

/// Work beside a search, on the thread that reports its progress.
pub trait Beside: Sync {
    /// Does the work that is due when a search has come to these figures.
    fn work(&self, meter: &Meter<'_>, figures: Figures) -> ControlFlow<Stop>;
}

/// Watches over a search.
#[derive(Clone)]
pub struct Meter<'a> {
    caller: Caller<'a>,
    begun: Instant,
    told: Instant,
    most_states: u64,
    /// What searches before have generated that share the limit on states.
    spent: u64,
    /// A limit of this program's own, for what is not worth more.
    pub most_edges: u64,
    countdown: u32,
    beside: Option<&'a dyn Beside>,
    /// How far from the initial state the search is ([`is_at`](Meter::is_at)).
    pub depth: u64,
    /// How far it ever was, since somebody has set it to nothing.
    pub deepest: u64,
}

/// What a search has come to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub states: u64,
    pub edges: u64,
    /// Memory in use.
    pub bytes: u64,
}

/// Of a search by several workers.
impl From<&Count> for Figures {
    fn from(count: &Count) -> Figures {
        Figures {
            states: count.states,
            edges: count.edges,
            bytes: count.bytes,
        }
    }
}

/// Between two looks at the clock; some ten microseconds of work.
const STEPS_BETWEEN_LOOKS: u32 = 512;
const BETWEEN_PROGRESS: Duration = Duration::from_millis(100);

impl<'a> Meter<'a> {
    pub fn new(caller: Caller<'a>) -> Meter<'a> {
        let now = caller.budget.now();
        Meter {
            caller,
            begun: now,
            told: now,
            most_states: most_states(caller.budget.limits),
            spent: 0,
            most_edges: u64::MAX,
            countdown: 0,
            beside: None,
            depth: 0,
            deepest: 0,
        }
    }

    /// Meter of a search that reports no progress.
    pub fn quiet(budget: Budget<'a>) -> Meter<'a> {
        Meter::new(budget.into())
    }

    /// The search is so far from the initial state now.
    #[inline]
    pub fn is_at(&mut self, depth: u64) {
        self.depth = depth;
        self.deepest = self.deepest.max(depth);
    }

    /// It goes on with those that are one step farther.
    #[inline]
    pub fn go_deeper(&mut self) {
        self.is_at(self.depth + 1);
    }

    /// The same with work beside the search.
    pub fn with_work(self, beside: &'a dyn Beside) -> Meter<'a> {
        Meter {
            beside: Some(beside),
            ..self
        }
    }

    /// The same with other limits.
    pub fn with(&self, limits: Limits) -> Meter<'a> {
        self.within(self.caller.budget.with(limits))
    }

    /// The same within another budget.
    pub fn within<'b>(&self, budget: Budget<'b>) -> Meter<'b>
    where
        'a: 'b,
    {
        Meter {
            caller: self.caller.within(budget),
            most_states: most_states(budget.limits),
            ..self.clone()
        }
    }

    pub fn budget(&self) -> Budget<'a> {
        self.caller.budget
    }

    #[inline]
    pub fn limits(&self) -> Limits {
        self.caller.budget.limits
    }

    #[inline]
    pub fn most_states(&self) -> u64 {
        self.most_states
    }

    /// The same where states have no numbers to run out of.
    pub fn most_without_numbers(&self) -> u64 {
        self.caller.budget.limits.max_states.unwrap_or(u64::MAX)
    }

    /// A search is over that has generated so many states, which the limit counts with those of the next.
    #[inline]
    pub fn spend(&mut self, states: u64) {
        self.spent += states;
        if let Some(most) = &mut self.caller.budget.limits.max_states {
            *most = most.saturating_sub(states);
            self.most_states = most_states(self.caller.budget.limits);
        }
    }

    /// Why there may not be more states than these, which are as many as the limit has left.
    pub fn too_many(&self, states: u64) -> Reason {
        Reason::States(match self.caller.budget.limits.max_states {
            Some(_) => states + self.spent,
            None => states,
        })
    }

    /// Threads that the caller provides.
    pub fn threads(&self) -> &'a dyn Threads {
        self.caller.resources.threads
    }

    /// When the search began.
    pub fn begun(&self) -> Instant {
        self.begun
    }

    pub fn seconds(&self) -> f64 {
        self.caller
            .budget
            .now()
            .duration_since(self.begun)
            .as_secs_f64()
    }

    pub fn max_memory(&self) -> Option<u64> {
        self.caller.budget.limits.max_memory
    }

    /// What the process holds besides, in bytes.
    #[inline]
    pub fn own_memory(&self) -> u64 {
        self.caller.budget.limits.own_memory
    }

    /// Whether so many bytes are more than may be used.
    #[inline]
    pub fn forbids(&self, bytes: u64) -> Option<Reason> {
        self.caller.budget.limits.forbid(bytes).map(Reason::Memory)
    }

    /// To be called for each step, and before each piece of work like one.
    #[inline]
    pub fn step(&mut self, figures: impl FnOnce() -> Figures) -> ControlFlow<Stop> {
        if self.countdown > 0 {
            self.countdown -= 1;
            return ControlFlow::Continue(());
        }
        self.countdown = STEPS_BETWEEN_LOOKS;
        self.poll(figures())
    }

    /// The same for so many steps at once.
    #[inline]
    pub fn steps(&mut self, many: usize, figures: impl FnOnce() -> Figures) -> ControlFlow<Stop> {
        let many = u32::try_from(many).unwrap_or(u32::MAX);
        if many <= self.countdown {
            self.countdown -= many;
            return ControlFlow::Continue(());
        }
        let beyond = many - self.countdown;
        self.countdown = STEPS_BETWEEN_LOOKS.saturating_sub(beyond);
        self.poll(figures())
    }

    #[cold]
    pub fn poll(&mut self, figures: Figures) -> ControlFlow<Stop> {
        let now = self.goes_on()?;
        if figures.edges > self.most_edges {
            return ControlFlow::Break(Stop::Limit(Reason::States(figures.states)));
        }
        if let Some(beside) = self.beside {
            beside.work(self, figures)?;
        }
        if now.duration_since(self.told) >= BETWEEN_PROGRESS {
            self.told = now;
            self.caller.observer.event(Event::Progress(&Progress {
                states: figures.states,
                edges: figures.edges,
                depth: self.depth,
                bytes: figures.bytes,
                seconds: self.seconds(),
            }));
        }
        ControlFlow::Continue(())
    }

    /// What a thread asks that works beside the one that tells of progress; the time.
    #[cold]
    pub fn goes_on(&self) -> ControlFlow<Stop, Instant> {
        let stop = |reason| ControlFlow::Break(Stop::Limit(reason));
        if self.caller.budget.is_cancelled() {
            return stop(Reason::Cancelled);
        }
        let now = self.caller.budget.now();
        match self.caller.budget.is_late(now) {
            true => stop(Reason::Time),
            false => ControlFlow::Continue(now),
        }
    }

    /// To be called while something is prepared before there is a state, with the memory held.
    #[cold]
    pub fn prepare(&mut self, bytes: u64) -> ControlFlow<Stop> {
        self.poll_memory(Figures {
            states: 0,
            edges: 0,
            bytes,
        })
    }

    /// [`Meter::poll`], where so much memory may also be more than is allowed.
    pub fn poll_memory(&mut self, figures: Figures) -> ControlFlow<Stop> {
        match self.forbids(figures.bytes) {
            Some(reason) => ControlFlow::Break(Stop::Limit(reason)),
            None => self.poll(figures),
        }
    }
}

#[inline]
fn most_states(limits: Limits) -> u64 {
    limits.max_states.unwrap_or(u64::MAX).min(MOST_STATES)
}
