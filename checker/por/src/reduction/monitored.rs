//! Stubborn sets beside a monitor, which its product says all about.

use stubborn_space::monitor::{Marks, Monitored};
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::{Stubborn, Visibility};

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
