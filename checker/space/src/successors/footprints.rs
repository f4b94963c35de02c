//! Footprints of steps: the bits of a state that steps look at or change.
//!
//! They let a search keep the steps that it has worked out for all states that agree in these bits.

use std::ops::{ControlFlow, Range};

use super::{AnyModel, Erased, Memory, Successors, Visit};

/// Model that gives its steps in groups, each with a footprint.
pub trait Footprints: Successors {
    /// Number of groups in which [`visit`](Successors::visit) gives a state's steps, one group
    /// after the other; 0 where footprints are unknown.
    fn groups(&self) -> usize {
        0
    }

    /// Smaller groups that give the steps of one, perhaps in another order, where these are about
    /// different things; empty where there are none. Their numbers are not those of
    /// [`groups`](Footprints::groups).
    fn finer(&self, _group: usize) -> Range<usize> {
        0..0
    }

    /// Bits of a state that tell most of what a group's steps are about.
    fn place(&self, _group: usize) -> Place {
        Place::default()
    }

    /// Sets all bits that a group's steps may look at or change, in any state that has these bits
    /// of one word in common with this one: the steps there are a function of the bits that are
    /// set, and no other bits change. False where that is unknown.
    fn footprint(&self, _group: usize, _state: &[u64], _common: Bits, _into: &mut [u64]) -> bool {
        false
    }

    /// Gives the steps of a group.
    fn visit_group(
        &self,
        _group: usize,
        _state: &[u64],
        _scratch: &mut Self::Scratch,
        _visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Some bits of a word of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    pub word: u32,
    pub mask: u64,
}

/// Bits of a state on which a group of steps depends most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Few bits.
    pub least: Bits,
    /// More bits of the same word, those among them.
    pub most: Bits,
}

impl<S: Footprints> Footprints for &S {
    fn groups(&self) -> usize {
        (**self).groups()
    }

    fn finer(&self, group: usize) -> Range<usize> {
        (**self).finer(group)
    }

    fn place(&self, group: usize) -> Place {
        (**self).place(group)
    }

    fn footprint(&self, group: usize, state: &[u64], common: Bits, into: &mut [u64]) -> bool {
        (**self).footprint(group, state, common, into)
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut S::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        (**self).visit_group(group, state, scratch, visitor)
    }
}

/// Model of any type with footprints.
pub type AnyFootprints<'m> = dyn Footprints<Scratch = Memory> + Sync + 'm;

impl<M: Footprints> Footprints for Erased<'_, M> {
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
}

/// Model as a search in layers sees it: its steps, and their footprints where these are known.
#[derive(Clone, Copy)]
pub struct Model<'m> {
    steps: &'m AnyModel<'m>,
    footprints: Option<&'m AnyFootprints<'m>>,
}

impl<'m> Model<'m> {
    /// Without footprints.
    pub fn of(steps: &'m AnyModel<'m>) -> Model<'m> {
        let footprints = None;
        Model { steps, footprints }
    }

    /// With footprints.
    pub fn with_footprints(model: &'m AnyFootprints<'m>) -> Model<'m> {
        Model {
            steps: model,
            footprints: Some(model),
        }
    }
}

impl Successors for Model<'_> {
    type Scratch = Memory;

    fn words(&self) -> usize {
        self.steps.words()
    }

    fn initial(&self) -> &[u64] {
        self.steps.initial()
    }

    fn scratch(&self) -> Memory {
        self.steps.scratch()
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Memory,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.steps.visit(state, scratch, visitor)
    }
}

impl Footprints for Model<'_> {
    fn groups(&self) -> usize {
        self.footprints.map_or(0, |model| model.groups())
    }

    fn finer(&self, group: usize) -> Range<usize> {
        self.footprints.map_or(0..0, |model| model.finer(group))
    }

    fn place(&self, group: usize) -> Place {
        let known = self.footprints.map(|model| model.place(group));
        known.unwrap_or_default()
    }

    fn footprint(&self, group: usize, state: &[u64], common: Bits, into: &mut [u64]) -> bool {
        self.footprints
            .is_some_and(|model| model.footprint(group, state, common, into))
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut Memory,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        match self.footprints {
            Some(model) => model.visit_group(group, state, scratch, visitor),
            None => ControlFlow::Continue(()),
        }
    }
}
