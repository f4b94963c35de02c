//! A system with a monitor beside it, as the searches see it.

pub mod automaton;
mod bits;
pub mod one_word;
pub mod tester;
pub mod visibility;

use stubborn_system::system::Failure;

use crate::reduction::{Stubborn, Visibility};
use crate::relations::ProcessRelations;
use crate::search::{Marks, Monitored};
use crate::successors::Label;
use crate::symmetry::Symmetric;

pub use automaton::{AutomatonProduct, Watcher};
pub use bits::{AnyProduct, Product};
pub use one_word::InOneWord;
pub use tester::{TesterProduct, WithTester};
pub use visibility::{Beside, OfSystem};

/// A product of which steps are left out.
impl<P: Monitored + ProcessRelations, V: Visibility<P>> Monitored for Stubborn<P, V> {
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

/// What the monitor does is told by its own part of a state, and by who takes part in a step, of which it is
/// told whether the monitor does.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::Packed;
    use crate::related::{Related, Tester};

    fn is_shared<T: Sync>() {}

    #[test]
    fn threads_may_share_every_model() {
        is_shared::<Packed<'_>>();
        is_shared::<Stubborn<Related<'_>>>();
        is_shared::<Stubborn<TesterProduct<'_, Related<'_>>, OfSystem<Tester>>>();
        is_shared::<AutomatonProduct<'_, Related<'_>>>();
    }
}
