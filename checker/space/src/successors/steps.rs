//! The steps of a state, and what takes them.

use std::any::Any;
use std::ops::ControlFlow;

use stubborn_system::system::{ActionId, Failure, InstanceId, StepId};

use crate::profit::{self, Profit};

/// State space of a model: the steps of a state, and the states that they lead to.
///
/// Front ends are above it; searches, stores and properties below it combine freely. A reduction is
/// a `Successors` around another that leaves steps out. A state is a fixed number of words; equal
/// states have equal words.
pub trait Successors {
    /// Working memory for one caller at a time, so that giving a state's steps allocates nothing.
    type Scratch: WorkingMemory;

    /// Number of words of a state, at least 1.
    fn words(&self) -> usize;

    /// The initial state.
    fn initial(&self) -> &[u64];

    /// New working memory.
    fn scratch(&self) -> Self::Scratch;

    /// Gives every step of `state`, failing ones too, in the forward order of
    /// [`Order`](crate::Order) and always in the same one, until the visitor breaks off.
    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()>;
}

/// Working memory of a model.
pub trait WorkingMemory: Any + Send {
    /// Memory that grows while states are visited, in bytes.
    fn bytes(&self) -> u64 {
        0
    }

    /// Judgement of a reduction on whether choosing sets pays, if the model has one. A search gives
    /// it to [`end_layer`] where a layer ends.
    fn profit(&mut self) -> Option<&mut Profit> {
        None
    }
}

impl WorkingMemory for () {}

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

impl<F> Visit for F
where
    F: FnMut(Label<'_>, Result<&[u64], &Failure>) -> ControlFlow<()>,
{
    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self(label, outcome)
    }
}

/// Visitor that wants some steps, which it gives to a function.
pub struct Wanting<F>(pub Wanted, pub F)
where
    F: FnMut(Label<'_>, Result<&[u64], &Failure>) -> ControlFlow<()>;

impl<F> Visit for Wanting<F>
where
    F: FnMut(Label<'_>, Result<&[u64], &Failure>) -> ControlFlow<()>,
{
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        (self.1)(label, outcome)
    }

    fn wanted(&self) -> Wanted {
        self.0
    }
}

/// Visitor that wants some steps and gives each to a function, and `None` now and then while many
/// values are tried in vain.
pub struct Polled<F>(pub Wanted, pub F)
where
    F: FnMut(Option<(Label<'_>, Result<&[u64], &Failure>)>) -> ControlFlow<()>;

impl<F> Visit for Polled<F>
where
    F: FnMut(Option<(Label<'_>, Result<&[u64], &Failure>)>) -> ControlFlow<()>,
{
    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        (self.1)(Some((label, outcome)))
    }

    fn wanted(&self) -> Wanted {
        self.0
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        (self.1)(None)
    }
}

/// Visitor of a model around another model: a function gives the other visitor what it makes of
/// each step.
pub struct Around<'v, F>(pub &'v mut dyn Visit, pub F)
where
    F: FnMut(&mut dyn Visit, Label<'_>, Result<&[u64], &Failure>) -> ControlFlow<()>;

impl<F> Visit for Around<'_, F>
where
    F: FnMut(&mut dyn Visit, Label<'_>, Result<&[u64], &Failure>) -> ControlFlow<()>,
{
    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        (self.1)(self.0, label, outcome)
    }

    fn wanted(&self) -> Wanted {
        self.0.wanted()
    }

    fn leaves_out(&mut self) {
        self.0.leaves_out();
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        self.0.pulse()
    }
}

/// Returns what `find` makes of the first step of a state, failing ones included, of which it makes
/// something.
pub fn find_step<M: Successors + ?Sized, T>(
    model: &M,
    state: &[u64],
    scratch: &mut M::Scratch,
    mut find: impl FnMut(Label<'_>, Result<&[u64], &Failure>) -> Option<T>,
) -> Option<T> {
    let mut found = None;
    let mut visitor = |label: Label<'_>, outcome: Result<&[u64], &Failure>| {
        found = find(label, outcome);
        match found {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    };
    let _ = model.visit(state, scratch, &mut visitor);
    found
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
    /// Returns the request that gives the same steps of a state again.
    #[inline]
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
    /// Participants in the order of the instances, each with the step that it takes.
    pub participants: &'a [(InstanceId, StepId)],
    /// Action of a joint step, with its values.
    pub action: Option<(ActionId, &'a [i64])>,
}

impl<'a> Label<'a> {
    /// Label of the parts of a step that are kept.
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

/// Ends a layer: merges the counts of all working memories, so that the judgement does not depend on
/// how the states were divided among threads.
///
/// A breadth-first search calls it at the end of each layer, a depth-first search whenever the number
/// of entered states has doubled.
pub fn end_layer<'s, M: WorkingMemory>(all: impl IntoIterator<Item = &'s mut M>) {
    let mut profits = all.into_iter().filter_map(|memory| memory.profit());
    if let Some(first) = profits.next() {
        profit::judge_together(first, &mut profits.collect::<Vec<_>>());
    }
}
