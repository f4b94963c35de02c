//! What the searches share: taking a state's steps, counting, looking up from the work.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::storage::{Key, Set, Storage};
use crate::monitored::watched::{Marks, Watched};
use crate::options::Order;
use crate::search::expansion::{Rest, Steps, expand};
use crate::search::{Figures, Meter, Stop};
use crate::successors::{Label, Successors, Visit, Wanted};

/// What a search wants to know of a step, and of the state that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(u64);

impl Flags {
    const VISIBLE: u64 = 1;
    const SILENT: u64 = 2;
    const ACCEPTING: u64 = 4;
    const REJECT: u64 = 8;
    const DEADLOCK: u64 = 16;
    const LIVELOCK: u64 = 32;
    const INFINITE: u64 = 64;

    fn of(is_visible: bool, from: Marks, to: Marks) -> Flags {
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        Flags(
            flag(is_visible, Flags::VISIBLE)
                | flag(!is_visible && from.livelock && to.livelock, Flags::SILENT)
                | flag(is_visible && from.infinite, Flags::ACCEPTING)
                | flag(to.reject, Flags::REJECT)
                | flag(to.deadlock, Flags::DEADLOCK)
                | flag(to.livelock, Flags::LIVELOCK)
                | flag(to.infinite, Flags::INFINITE),
        )
    }

    /// The state that a step of a [`Flagged`] leads to, and its step's flags.
    #[inline]
    pub fn split(flagged: &[u64]) -> Option<(&[u64], Flags)> {
        let (flags, state) = flagged.split_last()?;
        Some((state, Flags(*flags)))
    }

    /// The monitor sees the step.
    #[inline]
    pub fn is_visible(self) -> bool {
        self.0 & Flags::VISIBLE != 0
    }

    /// A step that the monitor does not see between states that are marked `livelock`.
    #[inline]
    pub fn is_silent(self) -> bool {
        self.0 & Flags::SILENT != 0
    }

    /// A step that the monitor sees from a state that is marked `infinite`.
    #[inline]
    pub fn is_accepting(self) -> bool {
        self.0 & Flags::ACCEPTING != 0
    }

    /// Of the state that the step leads to.
    #[inline]
    pub fn marks(self) -> Marks {
        Marks {
            reject: self.0 & Flags::REJECT != 0,
            deadlock: self.0 & Flags::DEADLOCK != 0,
            livelock: self.0 & Flags::LIVELOCK != 0,
            infinite: self.0 & Flags::INFINITE != 0,
        }
    }
}

/// Gives the steps of a [`Watched`], each state with its step's [`Flags`] as a word behind it, so
/// that they are collected together.
pub struct Flagged<'a, W> {
    watched: &'a W,
    initial: Vec<u64>,
}

impl<'a, W: Watched> Flagged<'a, W> {
    pub fn new(watched: &'a W) -> Flagged<'a, W> {
        let mut initial = watched.initial().to_vec();
        initial.resize(watched.words() + 1, 0);
        Flagged { watched, initial }
    }
}

impl<W: Watched> Successors for Flagged<'_, W> {
    type Scratch = (W::Scratch, Vec<u64>);

    fn words(&self) -> usize {
        self.initial.len()
    }

    fn initial(&self) -> &[u64] {
        &self.initial
    }

    fn scratch(&self) -> Self::Scratch {
        (self.watched.scratch(), vec![0; self.words()])
    }

    fn visit<V: Visit>(
        &self,
        state: &[u64],
        (scratch, flagged): &mut Self::Scratch,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        let mut flagging = Flagging {
            watched: self.watched,
            from: state,
            marks: self.watched.marks(state),
            flagged,
            visitor,
        };
        self.watched.visit(state, scratch, &mut flagging)
    }
}

struct Flagging<'a, W, V> {
    watched: &'a W,
    from: &'a [u64],
    marks: Marks,
    flagged: &'a mut Vec<u64>,
    visitor: &'a mut V,
}

impl<W: Watched, V: Visit> Visit for Flagging<'_, W, V> {
    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Ok(to) => {
                let is_visible = self.watched.is_visible(label, self.from, to);
                let flags = Flags::of(is_visible, self.marks, self.watched.marks(to));
                self.flagged.clear();
                self.flagged.extend_from_slice(to);
                self.flagged.push(flags.0);
                self.visitor.step(label, Ok(self.flagged))
            }
            Err(failure) => self.visitor.step(label, Err(failure)),
        }
    }

    fn wanted(&self) -> Wanted {
        self.visitor.wanted()
    }

    fn leaves_out(&mut self) {
        self.visitor.leaves_out();
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.visitor.pulse()
    }
}

/// Steps of one state that wait on a stack.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// Where they begin, and which is to be taken next.
    pub begin: usize,
    pub next: usize,
    rest: Rest,
}

/// A search's state space, storage, steps and counts.
pub struct Explorer<'a, 'p, W: Watched, S> {
    pub watched: &'a W,
    flagged: Flagged<'a, W>,
    scratch: (W::Scratch, Vec<u64>),
    order: Order,
    pub meter: &'a mut Meter<'p>,
    pub storage: S,
    /// The steps of the states on the stacks, one state's after the other's.
    pub steps: Steps,
    state: Vec<u64>,
    pub edges: u64,
    /// How often a state was entered.
    pub visits: u64,
    pub leaves_out: bool,
    /// Memory that the search itself holds, in bytes.
    pub held: u64,
}

impl<'a, 'p, W: Watched, S: Storage> Explorer<'a, 'p, W, S> {
    pub fn new(watched: &'a W, order: Order, meter: &'a mut Meter<'p>, storage: S) -> Self {
        let flagged = Flagged::new(watched);
        Explorer {
            watched,
            scratch: flagged.scratch(),
            order,
            meter,
            storage,
            steps: Steps::new(flagged.words(), false),
            flagged,
            state: vec![0; watched.words()],
            edges: 0,
            visits: 0,
            leaves_out: false,
            held: 0,
        }
    }

    /// The states in which a run may begin, in the order of the search.
    pub fn initials(&self) -> Vec<Box<[u64]>> {
        let mut initials = self.watched.initials().to_vec();
        if self.order == Order::Reverse {
            initials.reverse();
        }
        initials
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.storage.states(),
            edges: self.edges,
            bytes: self.bytes(),
        }
    }

    pub fn bytes(&self) -> u64 {
        self.storage.bytes() + self.steps.bytes() + self.held
    }

    /// Puts the steps of a state behind those that are there. They are a function of the state: a
    /// search that comes back to a state must find the same.
    pub fn expand(&mut self, key: Key) -> ControlFlow<Stop, Waiting> {
        self.visits += 1;
        let begin = self.steps.len();
        let mut waiting = Waiting {
            begin,
            next: begin,
            rest: Rest::Nothing,
        };
        self.collect(key, &mut waiting)?;
        ControlFlow::Continue(waiting)
    }

    fn collect(&mut self, key: Key, waiting: &mut Waiting) -> ControlFlow<Stop> {
        self.state.copy_from_slice(self.storage.get(key));
        let figures = self.figures();
        let meter = &mut *self.meter;
        let mut look = || meter.look_at(figures);
        let how = (self.order, Wanted::Reduced);
        expand(
            &self.flagged,
            &self.state,
            &mut self.scratch,
            how,
            &mut waiting.rest,
            &mut self.steps,
            &mut look,
        )?;
        self.leaves_out |= self.steps.leaves_out;
        ControlFlow::Continue(())
    }

    /// Whether the run ends in a state that was just expanded.
    pub fn has_ended(&mut self, waiting: Waiting) -> bool {
        let has_steps = self.steps.len() > waiting.begin || waiting.rest != Rest::Nothing;
        !has_steps && self.watched.ends(&self.state, &mut self.scratch.0)
    }

    /// Once the steps that were collected have been taken: collects the next, where they were more
    /// than fit at once, and otherwise cuts them off. Whether there are more.
    pub fn go_on(&mut self, key: Key, waiting: &mut Waiting) -> ControlFlow<Stop, bool> {
        self.steps.truncate(waiting.begin);
        if waiting.rest == Rest::Nothing {
            return ControlFlow::Continue(false);
        }
        waiting.next = waiting.begin;
        self.collect(key, waiting)?;
        ControlFlow::Continue(true)
    }

    /// What the step with this number leads to; nowhere if it fails.
    #[inline]
    pub fn target(&self, at: usize) -> Option<(&[u64], Flags)> {
        target(&self.steps, at)
    }

    /// To be called for each step that is taken.
    #[inline]
    pub fn tick(&mut self) -> ControlFlow<Stop> {
        let (storage, steps) = (&self.storage, &self.steps);
        let (edges, held) = (self.edges, self.held);
        self.meter.step_in(|| Figures {
            states: storage.states(),
            edges,
            bytes: storage.bytes() + steps.bytes() + held,
        })
    }

    /// Counts the state that a step leads to, puts it into a set and holds it.
    #[inline]
    pub fn add_target(&mut self, spot: S::Spot, at: usize, set: Set) -> ControlFlow<Stop, Key> {
        self.may_add()?;
        match target(&self.steps, at) {
            Some((state, _)) => {
                let spot = self.storage.add(spot, state, set);
                ControlFlow::Continue(self.storage.hold(spot, state))
            }
            None => unreachable!("a step that fails leads to no state"),
        }
    }

    /// Puts the state that a step leads to into one more set, and holds it.
    #[inline]
    pub fn insert_target(&mut self, spot: S::Spot, at: usize, set: Set) -> Key {
        self.storage.insert(spot, set);
        self.hold_target(spot, at)
    }

    #[inline]
    pub fn hold_target(&mut self, spot: S::Spot, at: usize) -> Key {
        match target(&self.steps, at) {
            Some((state, _)) => self.storage.hold(spot, state),
            None => unreachable!("a step that fails leads to no state"),
        }
    }

    /// Counts an initial state, puts it into a set and holds it.
    pub fn add_initial(&mut self, state: &[u64], set: Set) -> ControlFlow<Stop, Key> {
        self.may_add()?;
        let spot = self.storage.add(self.storage.spot(state), state, set);
        ControlFlow::Continue(self.storage.hold(spot, state))
    }

    /// To be called before a state is added.
    #[inline]
    pub fn may_add(&mut self) -> ControlFlow<Stop> {
        let bytes = self.bytes() + self.storage.bytes_to_grow();
        self.meter.may_grow(self.storage.states(), bytes)
    }
}

#[inline]
fn target(steps: &Steps, at: usize) -> Option<(&[u64], Flags)> {
    if steps.failing(at).is_some() {
        return None;
    }
    Flags::split(steps.state(at))
}
