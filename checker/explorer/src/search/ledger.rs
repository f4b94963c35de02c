//! Counts and memory of a worker that shares no table with others, and its limits.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use stubborn_space::several::Count;

use super::layers::may_be_cached;
use super::meter::{Figures, Meter, Stop};

pub struct Ledger<'m> {
    pub meter: Meter<'m>,
    /// Memory that all workers of this process have in use, in bytes, if there are several.
    account: Option<&'m AtomicU64>,
    /// Its `bytes` are the part of the account that is this worker's.
    pub count: Count,
    /// Memory for cached steps, in bytes.
    pub cached: u64,
    /// All other memory.
    held: u64,
}

impl<'m> Ledger<'m> {
    pub fn new(meter: Meter<'m>, account: Option<&'m AtomicU64>) -> Ledger<'m> {
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
        self.enter();
        self.may_hold(0)
    }

    /// Enters the memory in use in the account.
    fn enter(&mut self) {
        let now = self.held + self.cached;
        let before = std::mem::replace(&mut self.count.bytes, now);
        if let Some(account) = self.account {
            account.fetch_add(now.wrapping_sub(before), Relaxed);
        }
        self.count.most = self.count.most.max(now);
    }

    /// Memory that the process has in use, in bytes.
    fn all(&self) -> u64 {
        self.account
            .map_or(self.count.bytes, |account| account.load(Relaxed))
    }

    /// Checks that the process may hold `more` bytes; breaks at the limit.
    pub fn may_hold(&mut self, more: u64) -> ControlFlow<Stop> {
        match self.meter.forbids(self.all() + more) {
            Some(reason) => ControlFlow::Break(Stop::Limit(reason)),
            None => {
                self.count.most = self.count.most.max(self.count.bytes + more);
                ControlFlow::Continue(())
            }
        }
    }

    /// Holds `bytes` more for cached steps, if there is memory for them; returns whether it does.
    pub fn cache(&mut self, bytes: u64) -> bool {
        let all = self.all() + bytes;
        let is_allowed = may_be_cached(self.cached + bytes, all, self.meter.max_memory());
        let holds = is_allowed && self.meter.forbids(all).is_none();
        if holds {
            self.cached += bytes;
            self.enter();
        }
        holds
    }

    pub fn drop_cached(&mut self, bytes: u64) {
        self.cached -= bytes;
        self.enter();
    }

    pub fn too_many(&self, states: u64) -> Stop {
        Stop::Limit(self.meter.too_many(states))
    }
}

impl Drop for Ledger<'_> {
    fn drop(&mut self) {
        if let Some(account) = self.account {
            account.fetch_sub(self.count.bytes, Relaxed);
        }
    }
}
