//! The one context of every search.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Flags, Monitored};
use stubborn_space::options::Order;
use stubborn_space::successors::{Wanted, WorkingMemory as _};

use super::closing::Closing;
use super::meter::{Figures, Meter, Stop};
use super::steps::{Rest, Steps, expand};
use super::{Listener, Space};

use crate::store::{Key, Set, Store, Trail};

/// A search that goes on: a model, what is kept of its states, the order of steps, limits and a
/// listener; and the working memory that every search needs.
pub struct Run<'a, 'm, M: Monitored, S, L> {
    pub model: &'a M,
    pub order: Order,
    pub meter: &'a mut Meter<'m>,
    pub space: Space<S>,
    pub listener: L,
    pub(super) scratch: M::Scratch,
    /// The steps of the states on the stacks, or of a batch, one state's after the other's.
    pub(super) steps: Steps,
    /// The state that was expanded last.
    pub(super) state: Vec<u64>,
    /// How often a state was entered.
    pub visits: u64,
    /// A reduction has left steps out.
    pub leaves_out: bool,
    /// Memory that the search itself holds, in bytes.
    pub(super) held: u64,
    /// Where a depth-first search sees to it that steps are not put off for ever.
    closing: Option<Closing>,
}

/// Steps of one state that wait on a stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// Where they begin, and which is to be taken next.
    pub begin: usize,
    pub next: usize,
    pub rest: Rest,
}

impl<'a, 'm, M: Monitored, S: Store, L: Listener> Run<'a, 'm, M, S, L> {
    pub fn new(
        model: &'a M,
        order: Order,
        meter: &'a mut Meter<'m>,
        space: Space<S>,
        listener: L,
    ) -> Self {
        let words = model.words();
        Run {
            model,
            order,
            meter,
            space,
            scratch: model.scratch(),
            steps: Steps::new(words, listener.wants_labels()),
            state: vec![0; words],
            listener,
            visits: 0,
            leaves_out: false,
            held: 0,
            closing: None,
        }
    }

    /// To see to C3~ ([`Closing`]). The search has to be one that goes depth first, and its store exact.
    pub fn close_cycles(&mut self) {
        debug_assert!(self.space.store.is_exact(), "states are told by their keys");
        self.closing = Some(Closing::default());
    }

    pub(super) fn closes_cycles(&self) -> bool {
        self.closing.is_some()
    }

    /// The states in which a run may begin, in the order of the search.
    pub(super) fn initials(&self) -> Vec<Box<[u64]>> {
        let mut initials = self.model.initials().to_vec();
        if self.order == Order::Reverse {
            initials.reverse();
        }
        initials
    }

    /// What the search has come to.
    pub fn figures(&self) -> Figures {
        let held = self.bytes_of_steps() + self.held + self.listener.bytes();
        self.space.figures(held)
    }

    /// Memory for steps, in bytes: for those that wait, and for what the model has worked out.
    pub(super) fn bytes_of_steps(&self) -> u64 {
        let closing = self.closing.as_ref().map_or(0, Closing::bytes);
        self.steps.bytes() + self.scratch.bytes() + closing
    }

    /// Puts the steps of a state behind those that are there. They are a function of the state: a
    /// search that comes back to a state must find the same. The states on the search's path are on these trails;
    /// there are none where the state does not come next on it.
    pub(super) fn expand(&mut self, key: Key, path: &[Trail]) -> ControlFlow<Stop, Waiting> {
        self.visits += 1;
        let begin = self.steps.len();
        let mut waiting = Waiting {
            begin,
            next: begin,
            rest: Rest::Nothing,
        };
        let wanted = self.wanted(key);
        let left_out_before = self.leaves_out;
        self.collect(key, &mut waiting.rest, wanted)?;
        let is_met = |closing: &Closing| closing.has_met(key);
        if self.closing.as_ref().is_none_or(is_met) {
            return ControlFlow::Continue(waiting);
        }
        let takes_all = self.steps.leaves_out && !self.leads_off(begin, path);
        if let Some(closing) = &mut self.closing {
            closing.meet(key, takes_all);
        }
        if takes_all {
            self.leaves_out = left_out_before;
            self.steps.truncate(begin);
            waiting.rest = Rest::Nothing;
            self.collect(key, &mut waiting.rest, Wanted::All)?;
        }
        ControlFlow::Continue(waiting)
    }

    fn wanted(&self, key: Key) -> Wanted {
        let closing = self.closing.as_ref();
        match closing.is_some_and(|closing| closing.takes_all(key)) {
            true => Wanted::All,
            false => Wanted::Reduced,
        }
    }

    /// Whether one of the steps from this one on leads to a state that is not on the path.
    pub(super) fn leads_off(&self, begin: usize, path: &[Trail]) -> bool {
        let store = &self.space.store;
        let mut targets = (begin..self.steps.len()).filter_map(|at| self.target(at));
        !path.is_empty()
            && targets.any(|(state, _)| {
                let spot = store.spot(state);
                let mut trails = path.iter();
                !trails.any(|trail| store.is_on(spot, state, *trail))
            })
    }

    /// Puts steps of a state behind those that are there, as many as fit.
    pub(super) fn collect(
        &mut self,
        key: Key,
        rest: &mut Rest,
        wanted: Wanted,
    ) -> ControlFlow<Stop> {
        self.space.store.get(key, &mut self.state);
        let figures = self.figures();
        let meter = &mut *self.meter;
        expand(
            self.model,
            &self.state,
            &mut self.scratch,
            (self.order, wanted),
            rest,
            &mut self.steps,
            &mut || meter.poll(figures),
        )?;
        self.leaves_out |= self.steps.leaves_out;
        ControlFlow::Continue(())
    }

    /// Whether the run ends in the state that was just expanded.
    pub(super) fn has_ended(&mut self, waiting: Waiting) -> bool {
        let has_steps = self.steps.len() > waiting.begin || waiting.rest != Rest::Nothing;
        !has_steps && (self.model.is_alone() || self.model.ends(&self.state, &mut self.scratch))
    }

    /// Once the steps that were collected have been taken: collects the next, where they were more
    /// than fit at once, and otherwise cuts them off. Whether there are more.
    pub(super) fn go_on(&mut self, key: Key, waiting: &mut Waiting) -> ControlFlow<Stop, bool> {
        self.steps.truncate(waiting.begin);
        if waiting.rest == Rest::Nothing {
            return ControlFlow::Continue(false);
        }
        waiting.next = waiting.begin;
        self.collect(key, &mut waiting.rest, self.wanted(key))?;
        ControlFlow::Continue(true)
    }

    /// What the step with this number leads to; nowhere if it fails.
    #[inline]
    pub(super) fn target(&self, at: usize) -> Option<(&[u64], Flags)> {
        self.steps.target(at)
    }

    /// To be called for each step that is taken.
    #[inline]
    pub(super) fn tick(&mut self) -> ControlFlow<Stop> {
        let (space, steps, listener) = (&self.space, &self.steps, &self.listener);
        let (scratch, held) = (&self.scratch, self.held);
        self.meter.step(|| {
            let steps = steps.bytes() + scratch.bytes();
            space.figures(steps + held + listener.bytes())
        })
    }

    /// Counts the state that a step leads to, puts it into a set and holds it.
    #[inline]
    pub(super) fn add_target(
        &mut self,
        spot: S::Spot,
        at: usize,
        set: Set,
    ) -> ControlFlow<Stop, Key> {
        self.may_add()?;
        let store = &mut self.space.store;
        match self.steps.target(at) {
            Some((state, _)) => {
                let spot = store.add(spot, state, set);
                ControlFlow::Continue(store.hold(spot, state))
            }
            None => unreachable!("a step that fails leads to no state"),
        }
    }

    /// Puts the state that a step leads to into one more set, and holds it.
    #[inline]
    pub(super) fn insert_target(
        &mut self,
        spot: S::Spot,
        at: usize,
        set: Set,
    ) -> ControlFlow<Stop, Key> {
        self.insert(spot, set)?;
        ControlFlow::Continue(self.hold_target(spot, at))
    }

    /// Puts a state into one more set.
    #[inline]
    pub(super) fn insert(&mut self, spot: S::Spot, set: Set) -> ControlFlow<Stop> {
        let needed = self.space.bytes() + self.space.store.bytes_to_insert();
        let held = self.steps.bytes() + self.held;
        if let Some(reason) = self.meter.forbids(needed + held) {
            return ControlFlow::Break(Stop::Limit(reason));
        }
        self.space.store.insert(spot, set);
        ControlFlow::Continue(())
    }

    #[inline]
    pub(super) fn hold_target(&mut self, spot: S::Spot, at: usize) -> Key {
        match self.steps.target(at) {
            Some((state, _)) => self.space.store.hold(spot, state),
            None => unreachable!("a step that fails leads to no state"),
        }
    }

    /// Counts an initial state, puts it into a set and holds it.
    pub(super) fn add_initial(&mut self, state: &[u64], set: Set) -> ControlFlow<Stop, Key> {
        self.may_add()?;
        let store = &mut self.space.store;
        let spot = store.add(store.spot(state), state, set);
        ControlFlow::Continue(store.hold(spot, state))
    }

    /// To be called before a state is added.
    #[inline]
    pub(super) fn may_add(&mut self) -> ControlFlow<Stop> {
        let held = self.bytes_of_steps() + self.held;
        self.meter.may_add(&self.space, &mut self.listener, held)
    }
}
