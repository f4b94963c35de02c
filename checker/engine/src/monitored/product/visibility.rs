//! A product with a monitor, as a reduction around it sees it: the processes and their relations
//! are those of the system in it, and so is what is visible of their steps. What lies ahead depends
//! on the monitor's state.

use crate::members::Members;
use crate::reduction::{At, Awaits, Visibility};
use crate::relations::ProcessRelations;
use crate::successors::{Label, Successors};

/// A model in whose states are those of another, beside a monitor's.
pub trait Beside: ProcessRelations {
    type System: ProcessRelations;

    fn system(&self) -> &Self::System;

    /// The words of the system's state.
    fn system_words<'s>(&self, state: &'s [u64]) -> &'s [u64];

    fn system_scratch<'s>(
        &self,
        scratch: &'s mut Self::Scratch,
    ) -> &'s mut <Self::System as Successors>::Scratch;

    /// What lies ahead of the monitor's state; `None` where it is a part of the system's.
    fn awaits(&self, state: &[u64]) -> Option<Awaits>;
}

/// What is visible of the system's steps, for a product.
pub struct OfSystem<V>(pub V);

impl<P: Beside, V: Visibility<P::System>> Visibility<P> for OfSystem<V> {
    fn awaits(&self, product: &P, state: &[u64]) -> Option<Awaits> {
        let own = (self.0).awaits(product.system(), product.system_words(state));
        match own {
            Some(Awaits::InOrder) => own,
            own => product.awaits(state).or(own),
        }
    }

    fn ahead(&self, at: &mut At<'_, P>) -> Members {
        self.0.ahead(&mut of_system(at))
    }

    fn takes_visible(&self, process: usize, at: &mut At<'_, P>) -> bool {
        self.0.takes_visible(process, &mut of_system(at))
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        self.0.is_visible(label)
    }

    fn has_key(&self, process: usize, wanted: &Members, at: &mut At<'_, P>) -> bool {
        self.0.has_key(process, wanted, &mut of_system(at))
    }

    fn has_passed(&self, process: usize, at: &mut At<'_, P>) -> bool {
        self.0.has_passed(process, &mut of_system(at))
    }

    fn allows(&self, set: &Members, at: &mut At<'_, P>) -> bool {
        self.0.allows(set, &mut of_system(at))
    }
}

/// The state of the system in a state of the product.
fn of_system<'a, P: Beside>(at: &'a mut At<'_, P>) -> At<'a, P::System> {
    At {
        model: at.model.system(),
        state: at.model.system_words(at.state),
        scratch: at.model.system_scratch(at.scratch),
    }
}
