//! Models whose type is unknown to what uses them, so that a search is compiled once and not for
//! each model.
//!
//! Costs a virtual call and a check of the memory's type for each call of a model, some
//! nanoseconds; a state whose steps come from a cache makes none.

use std::any::Any;
use std::ops::{ControlFlow, Range};

use super::{Bits, Judgement, Place, Successors, Visit};

/// Working memory of an erased model.
pub struct Memory(Box<dyn Any + Send>);

impl Memory {
    pub(crate) fn new(scratch: impl Any + Send) -> Memory {
        Memory(Box::new(scratch))
    }

    #[inline]
    pub(crate) fn get<T: Any>(&self) -> &T {
        match self.0.downcast_ref() {
            Some(scratch) => scratch,
            None => unreachable!("working memory of another model"),
        }
    }

    #[inline]
    pub(crate) fn get_mut<T: Any>(&mut self) -> &mut T {
        match self.0.downcast_mut() {
            Some(scratch) => scratch,
            None => unreachable!("working memory of another model"),
        }
    }
}

/// A model of any type.
pub type AnyModel<'m> = dyn Successors<Scratch = Memory> + Sync + 'm;

/// Wrapper that hides the type of a model's working memory.
pub struct Erased<'m, M>(pub &'m M);

impl<M> Successors for Erased<'_, M>
where
    M: Successors,
    M::Scratch: Any + Send,
{
    type Scratch = Memory;

    fn words(&self) -> usize {
        self.0.words()
    }

    fn initial(&self) -> &[u64] {
        self.0.initial()
    }

    fn scratch(&self) -> Memory {
        Memory::new(self.0.scratch())
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Memory,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.0.visit(state, scratch.get_mut(), visitor)
    }

    fn groups(&self) -> usize {
        self.0.groups()
    }

    fn finer(&self, group: usize) -> Range<usize> {
        self.0.finer(group)
    }

    fn place(&self, group: usize) -> Place {
        self.0.place(group)
    }

    fn footprint(&self, group: usize, state: &[u64], common: Bits, into: &mut [u64]) -> bool {
        self.0.footprint(group, state, common, into)
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut Memory,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.0.visit_group(group, state, scratch.get_mut(), visitor)
    }

    fn bytes(&self, scratch: &Memory) -> u64 {
        self.0.bytes(scratch.get())
    }

    fn end_layer(&self, scratches: &mut [&mut Memory]) {
        let scratches = scratches.iter_mut().map(|scratch| scratch.get_mut());
        self.0.end_layer(&mut scratches.collect::<Vec<_>>());
    }

    fn judgement(&self, scratch: &Memory) -> Judgement {
        self.0.judgement(scratch.get())
    }

    fn judge_by(&self, scratch: &mut Memory, judgement: Judgement) {
        self.0.judge_by(scratch.get_mut(), judgement);
    }
}
