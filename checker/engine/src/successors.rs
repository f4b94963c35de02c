//! The waist of this crate: what a search needs to know of a system.

mod erased;

use std::ops::{ControlFlow, Range};

use stubborn_system::system::{ActionId, Failure, InstanceId, StepId};

pub use erased::{AnyModel, Erased, Memory};

/// Gives the steps of a state. Front ends stand above it; searches, stores and properties below
/// it combine freely. A reduction is a `Successors` around another that leaves steps out.
///
/// A state is a fixed number of words; equal states have equal words. To implement it, write
/// [`words`](Successors::words), [`initial`](Successors::initial) and
/// [`visit`](Successors::visit), which gives the steps of one state always in the same order.
pub trait Successors {
    /// Working memory for one caller at a time, so that giving a state's steps allocates nothing.
    type Scratch;

    /// How many words a state has, at least 1.
    fn words(&self) -> usize;

    fn initial(&self) -> &[u64];

    fn scratch(&self) -> Self::Scratch;

    /// Gives every step of `state`, failing ones too, in the forward order of
    /// [`Order`](crate::Order), until the visitor breaks off.
    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()>;

    /// In how many groups [`visit`](Successors::visit) gives a state's steps, one group after the other, where
    /// it is known what each is about. Where that is not known there are none.
    fn groups(&self) -> usize {
        0
    }

    /// Other groups, which give its steps one after the other where they are about different things; none where
    /// there are no such. Their numbers are of no group of [`groups`](Successors::groups).
    fn finer(&self, _group: usize) -> Range<usize> {
        0..0
    }

    /// Where a state tells most of what a group's steps are about.
    fn place(&self, _group: usize) -> Place {
        Place::default()
    }

    /// Sets all bits that a group's steps may look at or change, in any state that has these bits of one word
    /// in common with this one: what the steps are there is a function of the bits that are set, and where they
    /// lead no others differ. False where it is not known.
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

    /// How much memory the scratch holds that grows while states are visited, in bytes.
    fn bytes(&self, _: &Self::Scratch) -> u64 {
        0
    }

    /// A breadth-first search has been given the steps of all states of a layer, those equally far
    /// from the initial one, by callers with these scratches; a depth-first search of as many states as
    /// ever before. To be passed on by whatever wraps a model.
    fn end_layer(&self, _: &mut [&mut Self::Scratch]) {}

    /// What is counted in a scratch by which steps are left out of states to come, and puts it back. To be
    /// passed on by whatever wraps a model.
    fn judgement(&self, _: &Self::Scratch) -> Judgement {
        Judgement::default()
    }

    fn judge_by(&self, _: &mut Self::Scratch, _: Judgement) {}
}

/// Some bits of a word of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    pub word: u32,
    pub mask: u64,
}

/// Where a state tells most of what a group of steps is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Few bits.
    pub least: Bits,
    /// More bits of the same word, those among them.
    pub most: Bits,
}

/// Counts, whose meaning is the model's alone.
pub type Judgement = [u64; 6];

impl<S: Successors + ?Sized> Successors for &S {
    type Scratch = S::Scratch;

    fn words(&self) -> usize {
        (**self).words()
    }

    fn initial(&self) -> &[u64] {
        (**self).initial()
    }

    fn scratch(&self) -> S::Scratch {
        (**self).scratch()
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut S::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        (**self).visit(state, scratch, visitor)
    }

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

    fn bytes(&self, scratch: &S::Scratch) -> u64 {
        (**self).bytes(scratch)
    }

    fn end_layer(&self, scratches: &mut [&mut S::Scratch]) {
        (**self).end_layer(scratches);
    }

    fn judgement(&self, scratch: &S::Scratch) -> Judgement {
        (**self).judgement(scratch)
    }

    fn judge_by(&self, scratch: &mut S::Scratch, judgement: Judgement) {
        (**self).judge_by(scratch, judgement);
    }
}

/// Takes the steps of a state.
pub trait Visit {
    /// A step, and the state that it leads to or why it fails.
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()>;

    /// Whether steps may be left out.
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    /// Called before the steps of a state of which some will be left out.
    fn leaves_out(&mut self) {}

    /// Called now and then while many values are tried of which none gives a step.
    fn pulse(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How many of a state's steps a visitor wants to be given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// A set that a reduction chooses, if it finds that this pays: a function of the state and of
    /// the layers that have come to their end.
    #[default]
    AsItPays,
    /// A set that a reduction chooses, always the same for the same state.
    Reduced,
    All,
}

impl Wanted {
    /// What gives the same steps of a state as before, when some of them were left out or none.
    pub fn again(leaves_out: bool) -> Wanted {
        if leaves_out {
            Wanted::Reduced
        } else {
            Wanted::All
        }
    }
}

/// Which step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// Who takes it, in the order of the instances, each with the step that it takes.
    pub participants: &'a [(InstanceId, StepId)],
    /// Of a joint step, with the action's values.
    pub action: Option<(ActionId, &'a [i64])>,
}

impl<'a> Label<'a> {
    /// Of what somebody keeps of a step.
    pub fn new(
        participants: &'a [(InstanceId, StepId)],
        action: &'a Option<(ActionId, Vec<i64>)>,
    ) -> Label<'a> {
        let action = action.as_ref();
        Label {
            participants,
            action: action.map(|(action, values)| (*action, values.as_slice())),
        }
    }
}
