//! A product with a monitor, as a reduction around it sees it: the processes and their relations
//! are those of the system in it, and so is what is visible of their steps. What lies ahead depends
//! on the monitor's state.

use crate::members::Members;
use crate::reduction::{Awaits, Visibility};
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
        let words = product.system_words(state);
        let own = self.0.awaits(product.system(), words);
        match own {
            Some(Awaits::InOrder) => own,
            own => product.awaits(state).or(own),
        }
    }

    fn ahead(&self, product: &P, state: &[u64], scratch: &mut P::Scratch) -> Members {
        let words = product.system_words(state);
        let scratch = product.system_scratch(scratch);
        self.0.ahead(product.system(), words, scratch)
    }

    fn takes_visible(
        &self,
        product: &P,
        process: usize,
        state: &[u64],
        scratch: &mut P::Scratch,
    ) -> bool {
        let words = product.system_words(state);
        let scratch = product.system_scratch(scratch);
        (self.0).takes_visible(product.system(), process, words, scratch)
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        self.0.is_visible(label)
    }

    fn has_key(
        &self,
        product: &P,
        process: usize,
        wanted: &Members,
        state: &[u64],
        scratch: &mut P::Scratch,
    ) -> bool {
        let words = product.system_words(state);
        let scratch = product.system_scratch(scratch);
        (self.0).has_key(product.system(), process, wanted, words, scratch)
    }

    fn has_passed(
        &self,
        product: &P,
        process: usize,
        state: &[u64],
        scratch: &mut P::Scratch,
    ) -> bool {
        let words = product.system_words(state);
        let scratch = product.system_scratch(scratch);
        (self.0).has_passed(product.system(), process, words, scratch)
    }

    fn allows(&self, product: &P, set: &Members, state: &[u64], scratch: &mut P::Scratch) -> bool {
        let words = product.system_words(state);
        let scratch = product.system_scratch(scratch);
        (self.0).allows(product.system(), set, words, scratch)
    }
}
