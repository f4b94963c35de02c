//! Symmetry beside a monitor, whose own part of a state no permutation moves.

use stubborn_space::monitor::{Marks, Monitored};
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::Symmetric;

/// The monitor depends on its own part of a state and on whether it takes part in a step;
/// permutations change neither.
impl<M: Monitored + ?Sized> Monitored for Symmetric<'_, M> {
    fn initials(&self) -> &[Box<[u64]>] {
        Symmetric::initials(self)
    }

    fn marks(&self, state: &[u64]) -> Marks {
        self.model().marks(state)
    }

    fn is_visible(&self, label: Label<'_>, from: &[u64], to: &[u64]) -> bool {
        self.model().is_visible(label, from, to)
    }

    fn ends(&self, state: &[u64], scratch: &mut Self::Scratch) -> bool {
        self.model().ends(state, scratch.model())
    }

    fn failure(&self, state: &[u64], scratch: &mut Self::Scratch) -> Option<Failure> {
        self.model().failure(state, scratch.model())
    }
}
