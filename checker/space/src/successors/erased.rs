//! Models whose type is unknown to what uses them, so that a search is compiled once and not for
//! each model.
//!
//! Costs a virtual call and a check of the memory's type for each call of a model, some
//! nanoseconds; a state whose steps come from a cache makes none.

use std::any::Any;
use std::ops::ControlFlow;

use super::{Successors, Visit, WorkingMemory};
use crate::profit::Profit;

/// Working memory of a model of any type.
pub struct Memory(Box<dyn WorkingMemory>);

impl Memory {
    #[inline]
    pub fn get_mut<T: Any>(&mut self) -> &mut T {
        let any: &mut dyn Any = &mut *self.0;
        match any.downcast_mut() {
            Some(scratch) => scratch,
            None => unreachable!("working memory of another model"),
        }
    }
}

impl WorkingMemory for Memory {
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn profit(&mut self) -> Option<&mut Profit> {
        self.0.profit()
    }
}

/// Model of any type.
pub type AnyModel<'m> = dyn Successors<Scratch = Memory> + Sync + 'm;

/// Wrapper that hides the type of a model's working memory.
pub struct Erased<'m, M>(pub &'m M);

impl<M: Successors> Successors for Erased<'_, M> {
    type Scratch = Memory;

    fn words(&self) -> usize {
        self.0.words()
    }

    fn initial(&self) -> &[u64] {
        self.0.initial()
    }

    fn scratch(&self) -> Memory {
        Memory(Box::new(self.0.scratch()))
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Memory,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.0.visit(state, scratch.get_mut(), visitor)
    }
}
