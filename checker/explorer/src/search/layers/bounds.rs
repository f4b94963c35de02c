//! Counts and limits that the workers of a layered search share.

use std::ops::ControlFlow;
use std::sync::atomic::{
    AtomicBool, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

use stubborn_space::verdict::Reason;

use crate::search::meter::{Figures, Meter, Stop};

/// Counts and limits. Workers ask before they take. The counts are independent of other data, so
/// that no memory order is needed, except that a worker that sees as many states as are allowed
/// must see them in the set too ([`Bounds::claim_one`]).
pub struct Bounds {
    most_states: u64,
    /// Reason for the limit of states.
    too_many: Reason,
    /// Memory limit in bytes.
    most_memory: Option<u64>,
    /// Memory of the process besides the search, in bytes.
    own_memory: u64,
    states: AtomicU64,
    /// States in the set and claimed: never more than are allowed.
    claimed: AtomicU64,
    edges: AtomicU64,
    bytes: AtomicU64,
    /// Largest number of bytes ever held.
    peak: AtomicU64,
    /// Number of workers that wait until others give back their claims.
    waiting: AtomicU64,
    must_end: AtomicBool,
}

impl Bounds {
    /// Bounds of a search with these figures so far.
    pub fn new(meter: &Meter<'_>, found: Figures) -> Bounds {
        Bounds {
            most_states: meter.most_states(),
            too_many: meter.too_many(meter.most_states()),
            most_memory: meter.max_memory(),
            own_memory: meter.own_memory(),
            states: found.states.into(),
            claimed: found.states.into(),
            edges: found.edges.into(),
            bytes: found.bytes.into(),
            peak: found.bytes.into(),
            waiting: 0.into(),
            must_end: false.into(),
        }
    }

    #[inline]
    pub fn figures(&self) -> Figures {
        Figures {
            states: self.states.load(Relaxed),
            edges: self.edges.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
        }
    }

    /// Memory limit of all workers together, in bytes.
    #[inline]
    pub fn most_memory(&self) -> Option<u64> {
        self.most_memory
    }

    /// Largest number of bytes ever held.
    pub fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    #[inline]
    pub fn count_edges(&self, more: u64) {
        self.edges.fetch_add(more, Relaxed);
    }

    /// Takes back edges that a worker counts or has counted: a limit came before their targets were
    /// looked up.
    #[inline]
    pub fn uncount_edges(&self, fewer: u64) {
        if fewer > 0 {
            self.edges.fetch_sub(fewer, Relaxed);
        }
    }

    /// Holds more bytes, before they are allocated; breaks at the limit.
    pub fn hold(&self, bytes: u64) -> ControlFlow<Stop> {
        let more = |held: u64| {
            let all = held.checked_add(bytes)?;
            let with_own = all.saturating_add(self.own_memory);
            let is_allowed = self.most_memory.is_none_or(|most| with_own <= most);
            is_allowed.then_some(all)
        };
        match self.bytes.fetch_update(Relaxed, Relaxed, more) {
            Ok(held) => {
                self.peak.fetch_max(held + bytes, Relaxed);
                ControlFlow::Continue(())
            }
            Err(_) => {
                let reason = Reason::Memory(self.most_memory.unwrap_or(u64::MAX));
                ControlFlow::Break(Stop::Limit(reason))
            }
        }
    }

    /// Gives back bytes that were held.
    #[inline]
    pub fn let_go(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Relaxed);
    }

    /// Holds `now` bytes instead of `before`, which becomes `now`.
    pub fn hold_instead(&self, before: &mut u64, now: u64) -> ControlFlow<Stop> {
        match now.checked_sub(*before) {
            Some(0) => {}
            Some(more) => self.hold(more)?,
            None => self.let_go(*before - now),
        }
        *before = now;
        ControlFlow::Continue(())
    }

    /// Replaces `before` bytes by `after`, of which `too_many` more were held.
    pub fn resize(&self, before: u64, after: u64, too_many: u64) {
        let change = after.wrapping_sub(before).wrapping_sub(too_many);
        let held = self.bytes.fetch_add(change, Relaxed).wrapping_add(change);
        self.peak.fetch_max(held, Relaxed);
    }

    /// Claims room for states. The worker reports later how many were new.
    #[inline]
    pub fn claim(&self, states: u64) -> bool {
        let more = |claimed: u64| Some(claimed + states).filter(|all| *all <= self.most_states);
        self.claimed.fetch_update(Relaxed, Relaxed, more).is_ok()
    }

    /// Ends a claim, of which `new` states are in the set now.
    #[inline]
    pub fn settle(&self, claimed: u64, new: u64) {
        self.states.fetch_add(new, Release);
        self.claimed.fetch_sub(claimed - new, Relaxed);
    }

    /// Counts new states of a claim that a worker keeps.
    #[inline]
    pub fn found(&self, new: u64) {
        self.states.fetch_add(new, Release);
    }

    /// A worker that is alone has found this many, without a claim.
    #[inline]
    pub fn found_alone(&self, new: u64) {
        for count in [&self.claimed, &self.states] {
            count.store(count.load(Relaxed) + new, Relaxed);
        }
    }

    /// Number of states that may still be claimed.
    #[inline]
    pub fn left(&self) -> u64 {
        self.most_states.saturating_sub(self.claimed.load(Relaxed))
    }

    /// Whether a worker waits until others give back their claims.
    #[inline]
    pub fn is_awaited(&self) -> bool {
        self.waiting.load(Relaxed) > 0
    }

    /// Claims room for one new state. Other workers give back their claims as soon as they see that
    /// one waits, and never wait while they have a claim.
    pub fn claim_one(&self) -> ControlFlow<Option<Stop>> {
        if self.claim(1) {
            return ControlFlow::Continue(());
        }
        self.waiting.fetch_add(1, Relaxed);
        let flow = self.wait_for_one();
        self.waiting.fetch_sub(1, Relaxed);
        flow
    }

    #[cold]
    fn wait_for_one(&self) -> ControlFlow<Option<Stop>> {
        while !self.claim(1) {
            if self.states.load(Acquire) >= self.most_states {
                return ControlFlow::Break(Some(Stop::Limit(self.too_many.clone())));
            }
            if self.must_end() {
                return ControlFlow::Break(None);
            }
            std::thread::yield_now();
        }
        ControlFlow::Continue(())
    }

    pub fn end(&self) {
        self.must_end.store(true, Relaxed);
    }

    #[inline]
    pub fn must_end(&self) -> bool {
        self.must_end.load(Relaxed)
    }
}
