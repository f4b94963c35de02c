//! Observers of a search that numbers its states.

use std::ops::ControlFlow;

use stubborn_space::monitor::Flags;
use stubborn_space::options::Reduction;
use stubborn_space::successors::Label;
use stubborn_space::verdict::RunsMade;
use stubborn_system::system::Failure;

use super::meter::{Figures, Stop};

/// Observer of the states and steps that a search visits, in its order. States have the numbers
/// that the search gives them.
pub trait Listener {
    /// Whether [`Listener::edge`] is to be given labels, which costs time.
    fn wants_labels(&self) -> bool {
        false
    }

    /// Whether a new state to which a step of this one leads is to be added. Else the step is
    /// treated as one that leads nowhere.
    #[inline]
    fn admits(&self, _ways: &dyn Ways, _from: u32) -> bool {
        true
    }

    /// A new state, after the edge to it has been counted.
    #[inline]
    fn found(&mut self, _ways: &dyn Ways, _number: u32, _state: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    /// An edge, after [`Listener::found`] if its target is new.
    #[inline]
    fn edge(&mut self, _from: u32, _label: Option<Label<'_>>, _flags: Flags, _to: u32) {}

    /// A step that fails.
    #[inline]
    fn failing(
        &mut self,
        _ways: &dyn Ways,
        _at: u32,
        _label: Label<'_>,
        _failure: &Failure,
    ) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    /// A state without a step, in which the run ends.
    #[inline]
    fn terminal(&mut self, _ways: &dyn Ways, _number: u32, _state: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    /// The last state on the path of a depth-first search, when everything behind it has been
    /// explored. Other searches do not call this.
    fn left(&mut self, _ways: &dyn Ways, _number: u32) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    /// Memory that the listener holds, in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// Frees memory where the search holds more than it may. Returns whether there was any.
    fn spare_memory(&mut self) -> bool {
        false
    }
}

/// Paths to the states of a search.
pub trait Ways {
    /// Returns the states of a path from an initial one to this one; a shortest path if the search
    /// is breadth first.
    fn path(&self, to: u32) -> Vec<u32>;

    /// Copies the state with this number into a buffer.
    fn copy(&self, state: u32, buffer: &mut [u64]);

    /// Returns the figures of the search, without the listener's memory.
    fn figures(&self) -> Figures;

    /// Returns the reduction that the search has needed so far.
    fn reduction(&self) -> Reduction;

    /// Whether every step was taken in every state.
    fn is_full(&self) -> bool;

    /// Returns the random runs that the search is made of, if it is.
    fn runs(&self) -> Option<RunsMade> {
        None
    }
}

/// Listener that does nothing.
pub struct Silent;

impl Listener for Silent {}

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
