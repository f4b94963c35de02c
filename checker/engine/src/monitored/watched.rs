//! What the searches with monitors need to know of a system with a monitor beside it.

use stubborn_system::system::Failure;

use crate::reduction::{Stubborn, Visibility};
use crate::relations::ProcessRelations;
use crate::successors::{Label, Successors};

/// The state space of a system together with a monitor: each state is one of both. Four kinds of
/// violation are looked for in it:
///
/// - *reject*: a reachable state that is marked so;
/// - *deadlock*: a reachable state that is marked so in which the run ends;
/// - *livelock*: a reachable cycle of steps that the monitor does not see, whose states are marked so;
/// - *infinite*: a reachable cycle with a step that the monitor sees, from a state marked so.
///
/// A step that fails is an edge that leads nowhere; a state with such a step is not terminal.
pub trait Watched: Successors {
    /// The states in which a run may begin, each of [`words`](Successors::words) words; there may be
    /// none. [`initial`](Successors::initial) is the first of them, or means nothing.
    fn initials(&self) -> &[Box<[u64]>];

    /// What the monitor's state in this state is. A function of the state.
    fn marks(&self, state: &[u64]) -> Marks;

    /// Whether the monitor sees a step: takes part in it, or observes a change. A monitor that is in
    /// the same state before and after may have seen it.
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

/// A product of which steps are left out.
impl<P: Watched + ProcessRelations, V: Visibility<P>> Watched for Stubborn<P, V> {
    fn initials(&self) -> &[Box<[u64]>] {
        self.model().initials()
    }

    fn marks(&self, state: &[u64]) -> Marks {
        self.model().marks(state)
    }

    fn is_visible(&self, label: Label<'_>, from: &[u64], to: &[u64]) -> bool {
        self.model().is_visible(label, from, to)
    }

    fn ends(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool {
        self.model().ends(state, &mut scratch.model)
    }

    fn failure(&self, state: &[u64], scratch: &mut Self::Scratch) -> Option<Failure> {
        self.model().failure(state, &mut scratch.model)
    }
}
