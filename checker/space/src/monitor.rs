//! What the searches need to know of a model with a monitor beside it.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use crate::successors::{Erased, Label, Memory, Successors, Visit};

/// The state space of a model together with a *monitor*: a tester, or an automaton, that takes part
/// in its steps or observes its states and never hinders what it does not look at. Each state is
/// one of both. Four kinds of violation are looked for in it:
///
/// - *reject*: a reachable state that is marked so;
/// - *deadlock*: a reachable state that is marked so in which the run ends;
/// - *livelock*: a reachable cycle of invisible steps, whose states are marked so;
/// - *infinite*: a reachable cycle with a visible step from a state marked so.
///
/// A step that fails is an edge that leads nowhere; a state with such a step is not terminal. The
/// searches rely on what holds of every monitor: an invisible step leaves its state as it is, so
/// that the marks before and after are the same.
///
/// A model without a monitor is one with the trivial monitor: [`Alone`].
pub trait Monitored: Successors {
    /// Nothing is marked, nothing is visible, and each state without a step is an end: nothing of
    /// this is asked.
    fn is_alone(&self) -> bool {
        false
    }

    /// The states in which a run may begin, each of [`words`](Successors::words) words; there may
    /// be none. [`initial`](Successors::initial) is the first of them, or means nothing.
    fn initials(&self) -> &[Box<[u64]>];

    /// What the monitor's state in this state is. A function of the state.
    fn marks(&self, state: &[u64]) -> Marks;

    /// Whether the monitor sees a step: takes part in it, or observes a change. A monitor that is
    /// in the same state before and after may have seen it.
    fn is_visible(&self, label: Label<'_>, from: &[u64], to: &[u64]) -> bool;

    /// Whether the run ends in a state of which no step was given. A tester that blocks all steps
    /// ends it; where an automaton has no transition the system may go on all the same.
    fn ends(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool;

    /// Why an expression of the property has no value in a state: then this state is marked as
    /// `reject`, and has no steps.
    fn failure(&self, state: &[u64], scratch: &mut Self::Scratch) -> Option<Failure>;
}

/// Which monitor state a state's is (Valmari 1993, Def. 3.1: S_R, S_D, S_L, S_∞).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub reject: bool,
    pub deadlock: bool,
    pub livelock: bool,
    pub infinite: bool,
}

/// A model without a monitor.
pub struct Alone<'a, M: ?Sized> {
    model: &'a M,
    initials: [Box<[u64]>; 1],
    marks: Marks,
}

impl<'a, M: Successors + ?Sized> Alone<'a, M> {
    pub fn new(model: &'a M) -> Alone<'a, M> {
        Alone::beginning(model, model.initial())
    }

    /// The same, with another state in which a run begins.
    pub fn beginning(model: &'a M, state: impl Into<Box<[u64]>>) -> Alone<'a, M> {
        Alone {
            model,
            initials: [state.into()],
            marks: Marks::default(),
        }
    }

    /// The same beside a monitor that stays in one state, with these marks, and sees no step.
    pub fn marked(self, marks: Marks) -> Alone<'a, M> {
        Alone { marks, ..self }
    }

    pub fn model(&self) -> &'a M {
        self.model
    }
}

impl<M: Successors + ?Sized> Successors for Alone<'_, M> {
    type Scratch = M::Scratch;

    fn words(&self) -> usize {
        self.model.words()
    }

    fn initial(&self) -> &[u64] {
        &self.initials[0]
    }

    fn scratch(&self) -> M::Scratch {
        self.model.scratch()
    }

    #[inline]
    fn visit(
        &self,
        state: &[u64],
        scratch: &mut M::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.model.visit(state, scratch, visitor)
    }
}

impl<M: Successors + ?Sized> Monitored for Alone<'_, M> {
    #[inline]
    fn is_alone(&self) -> bool {
        self.marks == Marks::default()
    }

    fn initials(&self) -> &[Box<[u64]>] {
        &self.initials
    }

    #[inline]
    fn marks(&self, _: &[u64]) -> Marks {
        self.marks
    }

    #[inline]
    fn is_visible(&self, _: Label<'_>, _: &[u64], _: &[u64]) -> bool {
        false
    }

    fn ends(&self, _: &[u64], _: &mut M::Scratch) -> bool {
        true
    }

    fn failure(&self, _: &[u64], _: &mut M::Scratch) -> Option<Failure> {
        None
    }
}

/// A model of any type with a monitor beside it.
pub type AnyMonitored<'m> = dyn Monitored<Scratch = Memory> + Sync + 'm;

impl<M> Monitored for Erased<'_, M>
where
    M: Monitored,
{
    fn is_alone(&self) -> bool {
        self.0.is_alone()
    }

    fn initials(&self) -> &[Box<[u64]>] {
        self.0.initials()
    }

    fn marks(&self, state: &[u64]) -> Marks {
        self.0.marks(state)
    }

    fn is_visible(&self, label: Label<'_>, from: &[u64], to: &[u64]) -> bool {
        self.0.is_visible(label, from, to)
    }

    fn ends(&self, state: &[u64], scratch: &mut Memory) -> bool {
        self.0.ends(state, scratch.get_mut())
    }

    fn failure(&self, state: &[u64], scratch: &mut Memory) -> Option<Failure> {
        self.0.failure(state, scratch.get_mut())
    }
}

impl<M: Monitored + ?Sized> Monitored for &M {
    fn is_alone(&self) -> bool {
        (**self).is_alone()
    }

    fn initials(&self) -> &[Box<[u64]>] {
        (**self).initials()
    }

    fn marks(&self, state: &[u64]) -> Marks {
        (**self).marks(state)
    }

    fn is_visible(&self, label: Label<'_>, from: &[u64], to: &[u64]) -> bool {
        (**self).is_visible(label, from, to)
    }

    fn ends(&self, state: &[u64], scratch: &mut M::Scratch) -> bool {
        (**self).ends(state, scratch)
    }

    fn failure(&self, state: &[u64], scratch: &mut M::Scratch) -> Option<Failure> {
        (**self).failure(state, scratch)
    }
}

/// What a search wants to know of a step, and of the state that it leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    const VISIBLE: u8 = 1;
    const SILENT: u8 = 2;
    const ACCEPTING: u8 = 4;
    const REJECT: u8 = 8;
    const DEADLOCK: u8 = 16;
    const LIVELOCK: u8 = 32;
    const INFINITE: u8 = 64;

    /// Of a step from a state with some marks to one with others.
    #[inline]
    pub fn of(is_visible: bool, from: Marks, to: Marks) -> Flags {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
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

    #[inline]
    pub fn is_visible(self) -> bool {
        self.0 & Flags::VISIBLE != 0
    }

    /// An invisible step between states that are marked `livelock`.
    #[inline]
    pub fn is_silent(self) -> bool {
        self.0 & Flags::SILENT != 0
    }

    /// A visible step from a state that is marked `infinite`.
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
