//! Which bits of its states a product may ever set.

use crate::packed::Packed;
use crate::reduction::{Stubborn, Visibility};
use crate::relations::ProcessRelations;
use crate::search::Monitored;
use crate::successors::Successors;

/// A system with a monitor beside it, or such a product of which steps are left out.
pub trait Product: Monitored {
    /// Of each word of a state the bits that may ever be set.
    fn bits(&self) -> Vec<u64>;
}

/// The same of the states of a system.
pub fn bits_of(packed: &Packed<'_>) -> Vec<u64> {
    let mut bits = vec![0; packed.words()];
    for (word, mask) in packed.parts() {
        bits[word as usize] |= mask;
    }
    bits
}

impl<P: Product + ProcessRelations, V: Visibility<P>> Product for Stubborn<P, V> {
    fn bits(&self) -> Vec<u64> {
        self.model().bits()
    }
}
