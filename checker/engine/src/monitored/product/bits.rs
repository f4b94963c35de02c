//! Which bits of its states a product may ever set.

use crate::reduction::{Stubborn, Visibility};
use crate::relations::ProcessRelations;
use crate::search::Monitored;
use crate::successors::{Erased, Footprints, Memory};

/// A system with a monitor beside it, or such a product of which steps are left out.
pub trait Product: Monitored + Footprints {
    /// All bits of a state that may ever be set, in parts of few values: a word of the state and
    /// some of its bits each.
    fn parts(&self) -> Vec<(u32, u64)>;

    /// Of each word of a state the bits that may ever be set.
    fn bits(&self) -> Vec<u64> {
        let mut bits = vec![0; self.words()];
        for (word, mask) in self.parts() {
            bits[word as usize] |= mask;
        }
        bits
    }
}

/// A product of any type.
pub type AnyProduct<'m> = dyn Product<Scratch = Memory> + Sync + 'm;

impl<M> Product for Erased<'_, M>
where
    M: Product,
{
    fn parts(&self) -> Vec<(u32, u64)> {
        self.0.parts()
    }
}

impl<P: Product + ProcessRelations, V: Visibility<P>> Product for Stubborn<P, V> {
    fn parts(&self) -> Vec<(u32, u64)> {
        self.model().parts()
    }
}
