//! Who is told what a search meets.

use std::ops::ControlFlow;

use stubborn_space::monitor::Flags;
use stubborn_space::options::Reduction;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::meter::{Figures, Stop};

/// Told of everything that a search meets, in the order in which it meets it. States have the
/// numbers that the search gives them.
pub trait Listener {
    /// Whether [`Listener::edge`] is to be given labels, which costs time.
    fn wants_labels(&self) -> bool {
        false
    }

    /// Whether a state that a step from this one leads to is wanted, if it is new. Else the step is
    /// one that leads nowhere.
    #[inline]
    fn admits(&self, _ways: &dyn Ways, _from: u32) -> bool {
        true
    }

    /// A new state, after the edge to it has been counted.
    fn found(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop>;

    /// An edge, after [`Listener::found`] if its target is new.
    fn edge(&mut self, from: u32, label: Option<Label<'_>>, flags: Flags, to: u32);

    /// A step that fails.
    fn failing(
        &mut self,
        ways: &dyn Ways,
        at: u32,
        label: Label<'_>,
        failure: &Failure,
    ) -> ControlFlow<Stop>;

    /// A state that has no step, and in which the run ends.
    fn terminal(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop>;

    /// All steps of the last state on the path of a depth-first search have been taken, and all that
    /// is found through them. Other searches have no path, and do not tell it.
    fn left(&mut self, _ways: &dyn Ways, _number: u32) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    /// Memory that the listener holds, in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// The search holds more memory than it may. Whether the listener could free some.
    fn spare_memory(&mut self) -> bool {
        false
    }
}

/// How a search has come to its states.
pub trait Ways {
    /// The numbers of the states from an initial one to this one, each a step from the one before. In
    /// breadth-first order there is no shorter way.
    fn path(&self, to: u32) -> Vec<u32>;

    /// Copies the state with this number into a buffer.
    fn copy(&self, state: u32, buffer: &mut [u64]);

    /// What the search has come to, without the listener's memory.
    fn figures(&self) -> Figures;

    /// The reduction that the search has needed so far.
    fn reduction(&self) -> Reduction;

    /// Every step was taken in every state.
    fn is_full(&self) -> bool;
}

/// Nobody.
pub struct Silent;

impl Listener for Silent {
    #[inline]
    fn found(&mut self, _: &dyn Ways, _: u32, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn edge(&mut self, _: u32, _: Option<Label<'_>>, _: Flags, _: u32) {}

    #[inline]
    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn terminal(&mut self, _: &dyn Ways, _: u32, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }
}

impl<L: Listener> Listener for &mut L {
    fn wants_labels(&self) -> bool {
        (**self).wants_labels()
    }

    #[inline]
    fn admits(&self, ways: &dyn Ways, from: u32) -> bool {
        (**self).admits(ways, from)
    }

    #[inline]
    fn found(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        (**self).found(ways, number, state)
    }

    #[inline]
    fn edge(&mut self, from: u32, label: Option<Label<'_>>, flags: Flags, to: u32) {
        (**self).edge(from, label, flags, to);
    }

    fn failing(
        &mut self,
        ways: &dyn Ways,
        at: u32,
        label: Label<'_>,
        failure: &Failure,
    ) -> ControlFlow<Stop> {
        (**self).failing(ways, at, label, failure)
    }

    fn terminal(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        (**self).terminal(ways, number, state)
    }

    fn left(&mut self, ways: &dyn Ways, number: u32) -> ControlFlow<Stop> {
        (**self).left(ways, number)
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn spare_memory(&mut self) -> bool {
        (**self).spare_memory()
    }
}
