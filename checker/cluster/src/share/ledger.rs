//! Counts and memory of one worker, and its limits.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use stubborn_explorer::search::layers::may_be_cached;
use stubborn_explorer::search::{Figures, Meter, Stop};
use stubborn_space::several::Count;

pub struct Ledger<'m> {
    pub meter: Meter<'m>,
    /// Memory that all workers of this process have in use, in bytes.
    account: &'m AtomicU64,
    /// Its `bytes` are the part of the account that is this worker's.
    pub count: Count,
    /// Memory for cached steps.
    cached: u64,
    /// All other memory.
    held: u64,
}

impl<'m> Ledger<'m> {
    pub fn new(meter: Meter<'m>, account: &'m AtomicU64) -> Ledger<'m> {
        Ledger {
            meter,
            account,
            count: Count::default(),
            cached: 0,
            held: 0,
        }
    }

    /// To be called for each piece of work like a step.
    #[inline]
    pub fn step(&mut self) -> ControlFlow<Stop> {
        self.steps(1)
    }

    #[inline]
    pub fn steps(&mut self, many: usize) -> ControlFlow<Stop> {
        let count = &self.count;
        self.meter.steps(many, || Figures::from(count))
    }

    /// Asks whether to go on.
    pub fn poll(&mut self) -> ControlFlow<Stop> {
        self.meter.poll(Figures::from(&self.count))
    }

    /// Sets the memory in use, besides cached steps. Breaks if the process has too much.
    pub fn hold(&mut self, bytes: u64) -> ControlFlow<Stop> {
        self.held = bytes;
        let now = self.held + self.cached;
        let told = std::mem::replace(&mut self.count.bytes, now);
        match now >= told {
            true => self.account.fetch_add(now - told, Relaxed),
            false => self.account.fetch_sub(told - now, Relaxed),
        };
        self.count.most = self.count.most.max(now);
        self.may_hold(0)
    }

    /// Checks that the process may hold `more` bytes; breaks at the limit.
    pub fn may_hold(&mut self, more: u64) -> ControlFlow<Stop> {
        let all = self.account.load(Relaxed) + more;
        match self.meter.forbids(all) {
            Some(reason) => ControlFlow::Break(Stop::Limit(reason)),
            None => {
                self.count.most = self.count.most.max(self.count.bytes + more);
                ControlFlow::Continue(())
            }
        }
    }

    /// Holds `bytes` more for cached steps, if there is memory for them; returns whether it does.
    pub fn cache(&mut self, bytes: u64) -> bool {
        let all = self.account.load(Relaxed) + bytes;
        let is_allowed = may_be_cached(self.cached + bytes, all, self.meter.max_memory());
        let holds = is_allowed && self.meter.forbids(all).is_none();
        if holds {
            self.cached += bytes;
        }
        holds
    }

    pub fn drop_cached(&mut self, bytes: u64) {
        self.cached -= bytes;
    }

    pub fn too_many(&self, states: u64) -> Stop {
        Stop::Limit(self.meter.too_many(states))
    }
}

impl Drop for Ledger<'_> {
    fn drop(&mut self) {
        self.account.fetch_sub(self.count.bytes, Relaxed);
    }
}
