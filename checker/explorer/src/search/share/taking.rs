//! What takes the steps of a share's states.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use stubborn_space::several::{Asked, Count, FailingStep, Shown};
use stubborn_space::successors::{Label, Visit, Wanted};
use stubborn_space::verdict::Reason;
use stubborn_system::system::Failure;

use super::gathers::{Gathers, Means};
use crate::search::layers::look::Look;
use crate::search::layers::remembered::may_be;
use crate::search::meter::{Figures, Meter, Stop};
use crate::search::spilled::Follow;
use crate::search::whole::cycles::Step;
use crate::store::recent::Recent;

pub struct Taking<'m, L> {
    pub look: Heard<L>,
    pub meter: Meter<'m>,
    account: &'m AtomicU64,
    /// The words of states that steps led to lately.
    recent: Recent,
    pub states: u64,
    edges: u64,
    /// How many steps the present state has.
    pub of_state: u64,
    leaves_out: bool,
    /// Layers are noted: nothing is counted, and all steps are taken.
    pub is_noting: bool,
    stop: Option<Stop>,
    /// Memory for steps that are remembered, for those that the model has worked out, and for the states.
    remembered: u64,
    pub worked_out: u64,
    of_states: u64,
    /// The same for what is gathered for others.
    pub of_others: u64,
    /// What of it stands in the account, and the most that ever did.
    told: u64,
    most: u64,
}

/// Counts what is met, and passes it on.
pub struct Heard<L> {
    look: L,
    terminal: u64,
    failing: u64,
    is_deaf: bool,
}

impl<L: Gathers> Heard<L> {
    pub fn shown(&mut self) -> Vec<Shown> {
        self.look.shown()
    }

    pub fn go_on(&mut self, open: &[usize]) {
        self.look.go_on(open);
    }

    pub fn is_asked(&mut self, asked: Asked, state: &[u64], ends: bool) -> bool {
        self.look.is_asked(asked, state, ends)
    }

    pub fn step(&mut self, asked: Asked, from: &[u64], label: Label<'_>, to: &[u64]) -> Step {
        self.look.step(asked, from, label, to)
    }

    pub fn told(&self) -> Vec<FailingStep> {
        self.look.told()
    }

    #[cfg(test)]
    pub fn look_mut(&mut self) -> &mut L {
        &mut self.look
    }
}

impl<L: Follow> Follow for Heard<L> {
    #[inline]
    fn begins(&mut self, layer: u64, state: &[u64]) {
        self.look.begins(layer, state);
    }
}

impl<L: Look> Look for Heard<L> {
    fn looks(&self) -> usize {
        self.look.looks()
    }

    fn footprint(&self, look: usize, into: &mut [u64]) -> bool {
        self.look.footprint(look, into)
    }

    fn found(&mut self, look: usize, state: &[u64]) -> ControlFlow<Stop> {
        self.look.found(look, state)
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        if self.is_deaf {
            return ControlFlow::Continue(());
        }
        self.failing += 1;
        self.look.failing(label, failure)
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        if self.is_deaf {
            return ControlFlow::Continue(());
        }
        self.terminal += 1;
        self.look.terminal(state)
    }
}

impl<'m, L: Gathers> Taking<'m, L> {
    /// Where each run begins in the state with this word.
    pub fn new(look: L, means: Means<'m>, initial: u64) -> Taking<'m, L> {
        Taking {
            look: Heard {
                look,
                terminal: 0,
                failing: 0,
                is_deaf: false,
            },
            meter: means.meter,
            account: means.account,
            recent: Recent::of(initial),
            states: 0,
            edges: 0,
            of_state: 0,
            leaves_out: false,
            is_noting: false,
            stop: None,
            remembered: 0,
            worked_out: 0,
            of_states: 0,
            of_others: 0,
            told: 0,
            most: 0,
        }
    }

    /// States to which steps lead twice within a short time are sent once, or wait once: they, and the initial one, are known
    /// to whom they belong to, or come before anything else is.
    pub fn remember_lately(&mut self, initial: u64) {
        self.recent = Recent::of(initial);
    }

    /// From now on all steps of states are taken that were gone through, and only where they lead matters.
    pub fn begin_noting(&mut self, initial: u64) {
        self.is_noting = true;
        self.look.is_deaf = true;
        self.remember_lately(initial);
    }

    pub fn end_noting(&mut self, initial: u64) {
        self.is_noting = false;
        self.look.is_deaf = false;
        self.remember_lately(initial);
    }

    /// All steps of a state were taken, unless something has stopped that.
    pub fn end_state(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        if !self.is_noting {
            self.edges += self.of_state;
        }
        if let Some(stop) = self.stop.take() {
            return ControlFlow::Break(stop);
        }
        if self.of_state == 0 {
            self.look.terminal(state)?;
        }
        self.measure()
    }

    pub fn count(&self) -> Count {
        Count {
            states: self.states,
            edges: self.edges,
            terminal: self.look.terminal,
            failing: self.look.failing,
            bytes: self.in_use(),
            most: self.most,
            layer: 0,
            leaves_out: self.leaves_out,
        }
    }

    pub fn figures(&self) -> Figures {
        Figures {
            states: self.states,
            edges: self.edges,
            bytes: self.in_use(),
        }
    }

    #[inline]
    pub fn measure(&mut self) -> ControlFlow<Stop> {
        let figures = self.figures_so_far();
        self.meter.step(|| figures)
    }

    /// The same for so many steps at once.
    #[inline]
    pub fn measure_of(&mut self, many: usize) -> ControlFlow<Stop> {
        let figures = self.figures_so_far();
        self.meter.steps(many, || figures)
    }

    #[inline]
    fn figures_so_far(&self) -> Figures {
        Figures {
            states: self.states,
            edges: self.edges,
            bytes: self.told,
        }
    }

    fn in_use(&self) -> u64 {
        let steps = self.remembered + self.worked_out + self.recent.bytes();
        self.of_states + self.of_others + steps
    }

    /// The states take so many bytes now.
    pub fn account_for(&mut self, of_states: u64) -> ControlFlow<Stop> {
        self.of_states = of_states;
        let now = self.in_use();
        match now >= self.told {
            true => self.account.fetch_add(now - self.told, Relaxed),
            false => self.account.fetch_sub(self.told - now, Relaxed),
        };
        self.told = now;
        self.most = self.most.max(now);
        self.may_hold(0)
    }

    /// Whether there may be so many bytes more than all of the process have in use.
    pub fn may_hold(&mut self, more: u64) -> ControlFlow<Stop> {
        let held = self.account.load(Relaxed) + more;
        match self.meter.forbids(held) {
            Some(reason) => ControlFlow::Break(Stop::Limit(reason)),
            None => {
                self.most = self.most.max(self.told + more);
                ControlFlow::Continue(())
            }
        }
    }

    pub fn too_many(&self, states: u64) -> Reason {
        self.meter.too_many(states)
    }

    /// Whether there is memory for so many bytes more for steps that are remembered. They are then held.
    pub fn holds(&mut self, bytes: u64) -> bool {
        let held = self.account.load(Relaxed) + bytes;
        let remembered = self.remembered + bytes;
        let is_allowed = may_be(remembered, held, self.meter.max_memory());
        let holds = is_allowed && self.meter.forbids(held).is_none();
        if holds {
            self.remembered += bytes;
        }
        holds
    }

    pub fn lets_go(&mut self, bytes: u64) {
        self.remembered -= bytes;
    }

    /// Counts a step of the present state to the state with this word. Whether it was met lately.
    #[inline(always)]
    pub fn met_lately(&mut self, word: u64) -> bool {
        self.of_state += 1;
        self.recent.meet(word)
    }

    pub fn leaves_out(&mut self) {
        self.leaves_out = true;
    }

    /// A step of the present state fails.
    pub fn fails(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<()> {
        self.of_state += 1;
        let flow = match self.look.failing(label, failure) {
            ControlFlow::Continue(()) => self.measure(),
            stopped => stopped,
        };
        self.or_stop(flow)
    }

    pub fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.meter.poll(self.figures());
        self.or_stop(flow)
    }

    pub fn or_stop<T>(&mut self, flow: ControlFlow<Stop, T>) -> ControlFlow<(), T> {
        flow.map_break(|stop| self.stop = Some(stop))
    }
}

impl<L> Drop for Taking<'_, L> {
    fn drop(&mut self) {
        self.account.fetch_sub(self.told, Relaxed);
    }
}

/// Whether one of a state's steps leads to another state.
pub struct Seeking<'t, 'm> {
    target: &'t [u64],
    meter: &'t mut Meter<'m>,
    figures: Figures,
    is_found: bool,
    stop: Option<Stop>,
}

impl<'t, 'm> Seeking<'t, 'm> {
    pub fn new(target: &'t [u64], meter: &'t mut Meter<'m>, figures: Figures) -> Seeking<'t, 'm> {
        Seeking {
            target,
            meter,
            figures,
            is_found: false,
            stop: None,
        }
    }

    pub fn answer(self) -> ControlFlow<Stop, bool> {
        match self.stop {
            Some(stop) => ControlFlow::Break(stop),
            None => ControlFlow::Continue(self.is_found),
        }
    }
}

impl Visit for Seeking<'_, '_> {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.is_found = outcome.is_ok_and(|state| state == self.target);
        if self.is_found {
            return ControlFlow::Break(());
        }
        let figures = self.figures;
        let flow = self.meter.step(|| figures);
        flow.map_break(|stop| self.stop = Some(stop))
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.meter.poll(self.figures);
        flow.map_break(|stop| self.stop = Some(stop))
    }
}
