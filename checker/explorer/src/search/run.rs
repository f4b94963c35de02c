//! The one context of every search.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Flags, Marks, Monitored};
use stubborn_space::options::Order;
use stubborn_space::successors::{Label, Wanted, WorkingMemory as _};
use stubborn_space::verdict::Violation;

use super::closing::Closing;
use super::found::Found;
use super::frame::Frame;
use super::meter::{Figures, Meter, Stop};
use super::steps::{Rest, Steps, expand};
use super::{Listener, Space};

use crate::store::exact::{Exact, Vacancy};
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
    /// Violation that a search beside a monitor has found.
    pub found: Option<Found>,
    /// Steps from the present layer of a breadth-first search to the depth limit.
    pub(super) depth_left: Option<u64>,
    /// Whether the depth limit has kept a state out.
    pub(super) is_cut: bool,
    /// Memory that the search itself holds, in bytes.
    pub(super) held: u64,
    /// Where a depth-first search sees to it that steps are not put off for ever.
    closing: Option<Closing>,
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
        let depth_left = meter.limits().max_depth;
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
            found: None,
            depth_left,
            is_cut: false,
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

    /// Puts the states in which a run may begin, in the order of the search, before all steps, as
    /// what steps lead to. Returns their number.
    pub(super) fn begin(&mut self) -> usize {
        self.steps.truncate(0);
        let mut initials: Vec<&[u64]> = self.model.initials().iter().map(|s| &**s).collect();
        if self.order == Order::Reverse {
            initials.reverse();
        }
        for initial in &initials {
            let flags = || Flags::of(false, Marks::default(), self.model.marks(initial));
            let flags = (!self.model.is_alone()).then(flags);
            self.steps.push(Label::new(&[], &None), Ok(initial), flags);
        }
        initials.len()
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

    /// Collects the first steps of a state that was entered. A search that comes back to a state must
    /// find the same steps. The path of the search is on these trails.
    pub(super) fn expand<D>(
        &mut self,
        frame: &mut Frame<D>,
        wanted: Wanted,
        path: &[Trail],
    ) -> ControlFlow<Stop> {
        self.visits += 1;
        let key = frame.key;
        let closing = self.closing.as_ref();
        let wanted = match closing.is_some_and(|closing| closing.takes_all(key)) {
            true => Wanted::All,
            false => wanted,
        };
        let left_out_before = self.leaves_out;
        self.collect(key, &mut frame.rest, wanted)?;
        let is_met = |closing: &Closing| closing.has_met(key);
        if !self.closing.as_ref().is_none_or(is_met) {
            let takes_all = self.steps.leaves_out && !self.leads_off(frame.begin, path);
            if let Some(closing) = &mut self.closing {
                closing.meet(key, takes_all);
            }
            if takes_all {
                self.leaves_out = left_out_before;
                self.steps.truncate(frame.begin);
                frame.rest = Rest::Nothing;
                self.collect(key, &mut frame.rest, Wanted::All)?;
            }
        }
        frame.leaves_out = self.steps.leaves_out;
        ControlFlow::Continue(())
    }

    /// Whether one of the steps from this one on leads to a state that is not on the path.
    fn leads_off(&self, begin: usize, path: &[Trail]) -> bool {
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
    pub(super) fn has_ended<D>(&mut self, frame: &Frame<D>) -> bool {
        let has_steps = self.steps.len() > frame.begin || frame.rest != Rest::Nothing;
        !has_steps && (self.model.is_alone() || self.model.ends(&self.state, &mut self.scratch))
    }

    /// Collects the next steps of a state, if not all fitted at once. Whether there are any.
    pub(super) fn go_on<D>(&mut self, frame: &mut Frame<D>) -> ControlFlow<Stop, bool> {
        self.steps.truncate(frame.begin);
        if frame.rest == Rest::Nothing {
            return ControlFlow::Continue(false);
        }
        frame.taken = 0;
        let wanted = Wanted::again(frame.leaves_out);
        self.collect(frame.key, &mut frame.rest, wanted)?;
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

    /// To be called before a state is added.
    #[inline]
    pub(super) fn may_add(&mut self) -> ControlFlow<Stop> {
        let held = self.bytes_of_steps() + self.held;
        self.space.may_add(self.meter, &mut self.listener, held)
    }

    /// Ends the search with a violation in the last state of a path; or with a cycle, if `closing` is
    /// a step of that state, by its number, to one of the first states of the path, by their number.
    pub(super) fn report<T>(
        &mut self,
        violation: Violation,
        mut path: Vec<Box<[u64]>>,
        closing: Option<(usize, usize)>,
    ) -> ControlFlow<Stop, T> {
        let mut cycle = Vec::new();
        if let Some((at, first)) = closing {
            let to = self.steps.state(at);
            let begin = path[..first].iter().rposition(|state| **state == *to);
            cycle = path.split_off(begin.unwrap_or_default() + 1);
            cycle.push(to.into());
        }
        self.found = Some(Found {
            violation,
            path,
            cycle,
        });
        ControlFlow::Break(Stop::Decided)
    }
}

impl<M: Monitored, L: Listener> Run<'_, '_, M, Exact, L> {
    /// Takes a step of the state `from` whose target is at `spot`, or belongs there. Returns the
    /// target if it is new.
    #[inline]
    pub(super) fn take(
        &mut self,
        from: u32,
        (at, spot): (usize, Result<u32, Vacancy>),
        held: impl FnOnce(&Self) -> u64,
    ) -> ControlFlow<Stop, Option<u32>> {
        if let Some(failing) = self.steps.failing(at) {
            self.space.edges += 1;
            let (label, failure) = (failing.label.label(), &failing.failure);
            self.listener.failing(&self.space, from, label, failure)?;
            return ControlFlow::Continue(None);
        }
        let to = match spot {
            Ok(to) => {
                self.space.edges += 1;
                to
            }
            Err(_) if !self.listener.admits(&self.space, from) => {
                self.space.edges += 1;
                return ControlFlow::Continue(None);
            }
            Err(vacancy) => {
                let held = held(self);
                let new = (vacancy, self.steps.state(at));
                (self.space).step_to_new(from, new, self.meter, held, &mut self.listener)?
            }
        };
        let (label, flags) = (self.steps.label(at), self.steps.flags(at));
        self.listener.edge(from, label, flags, to);
        ControlFlow::Continue(spot.is_err().then_some(to))
    }
}
