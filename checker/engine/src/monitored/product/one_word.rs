//! A product whose states are one word each: that of the system's state, and what the monitor's
//! takes besides.
//!
//! So its states can be found, and asked about, by several threads, as those of a system alone can
//! ([`layers`](crate::search::layers), [`whole`](crate::search::whole)).

use std::ops::{ControlFlow, Range};

use super::bits::AnyProduct;
use crate::successors::{
    Around, Bits, Footprints, Memory, Place, Successors, Visit, WorkingMemory,
};

pub struct InOneWord<'m> {
    product: &'m AnyProduct<'m>,
    /// For each word of the product's states, the number of its low bits that are used. They follow
    /// each other in the one word.
    widths: Vec<u32>,
    initial: [u64; 1],
}

pub struct Scratch {
    product: Memory,
    state: Vec<u64>,
}

impl<'m> InOneWord<'m> {
    /// None where a word has no bits for it, or there is not one state in which all runs begin.
    pub fn of(product: &'m AnyProduct<'m>) -> Option<InOneWord<'m>> {
        let [initial] = product.initials() else {
            return None;
        };
        let width = |bits: &u64| u64::BITS - bits.leading_zeros();
        let widths: Vec<u32> = product.bits().iter().map(width).collect();
        if widths.iter().sum::<u32>() > u64::BITS {
            return None;
        }
        let mut folded = InOneWord {
            product,
            widths,
            initial: [0],
        };
        folded.initial = [folded.fold(initial)];
        Some(folded)
    }

    pub fn product(&self) -> &'m AnyProduct<'m> {
        self.product
    }

    /// Of [`layers::search`](crate::search::layers::search).
    pub fn parts(&self) -> Vec<(u32, u64)> {
        let width: u32 = self.widths.iter().sum();
        vec![(0, u64::MAX.checked_shr(u64::BITS - width).unwrap_or(0))]
    }

    fn fold(&self, state: &[u64]) -> u64 {
        let (mut word, mut shift) = (0, 0);
        for (part, width) in state.iter().zip(&self.widths) {
            debug_assert!(part.checked_shr(*width).unwrap_or(0) == 0, "no other bits");
            // What has no bits may come behind the last of the word.
            word |= part.checked_shl(shift).unwrap_or(0);
            shift += width;
        }
        word
    }

    /// The product's state.
    pub fn unfold(&self, state: &[u64], into: &mut Vec<u64>) {
        let mut word = state[0];
        into.clear();
        for width in &self.widths {
            let others = u64::MAX.checked_shl(*width).unwrap_or(0);
            into.push(word & !others);
            word = word.checked_shr(*width).unwrap_or(0);
        }
    }

    /// Whether what is known of the product's bits is known of these.
    fn is_as_it_is(&self) -> bool {
        self.widths.len() == 1
    }
}

impl Successors for InOneWord<'_> {
    type Scratch = Scratch;

    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> &[u64] {
        &self.initial
    }

    fn scratch(&self) -> Self::Scratch {
        Scratch {
            product: self.product.scratch(),
            state: Vec::new(),
        }
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.unfold(state, &mut scratch.state);
        let mut folding = Around(visitor, |visitor, label, outcome| match outcome {
            Ok(target) => visitor.step(label, Ok(&[self.fold(target)])),
            Err(failure) => visitor.step(label, Err(failure)),
        });
        (self.product).visit(&scratch.state, &mut scratch.product, &mut folding)
    }
}

impl Footprints for InOneWord<'_> {
    fn groups(&self) -> usize {
        match self.is_as_it_is() {
            true => self.product.groups(),
            false => 0,
        }
    }

    fn finer(&self, group: usize) -> Range<usize> {
        self.product.finer(group)
    }

    fn place(&self, group: usize) -> Place {
        self.product.place(group)
    }

    fn footprint(&self, group: usize, state: &[u64], common: Bits, into: &mut [u64]) -> bool {
        self.product.footprint(group, state, common, into)
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        (self.product).visit_group(group, state, &mut scratch.product, visitor)
    }
}

impl WorkingMemory for Scratch {
    fn bytes(&self) -> u64 {
        self.product.bytes()
    }
}
