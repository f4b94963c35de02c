//! Which steps somebody watches for, and what a set must have because of that.

use std::ops::ControlFlow;

use stubborn_space::members::Members;
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::{Label, Successors, Visit};
use stubborn_system::system::Failure;

use super::awaits::Awaits;

/// State of a model, with the working memory for questions about it.
pub struct At<'a, M: Successors> {
    pub model: &'a M,
    pub state: &'a [u64],
    pub scratch: &'a mut M::Scratch,
}

impl<M: ProcessRelations> At<'_, M> {
    /// Visits the steps of one process.
    pub fn visit_process(&mut self, process: usize, visitor: &mut dyn Visit) -> ControlFlow<()> {
        (self.model).visit_process(process, self.state, self.scratch, visitor)
    }
}

/// What is visible of a model's steps, handed to [`Stubborn`](super::Stubborn) beside the model.
///
/// What is asked of sets with it, and why that is enough, stands in
/// [`related::visibility`](crate::related). To implement it write
/// [`awaits`](Visibility::awaits), [`ahead`](Visibility::ahead),
/// [`takes_visible`](Visibility::takes_visible) and [`is_visible`](Visibility::is_visible); what
/// else there is may find more, or find it sooner.
///
/// Everything but `awaits` and `allows` is asked after [`begin`](ProcessRelations::begin) for the
/// same state.
pub trait Visibility<M: ProcessRelations> {
    /// What the monitor may still find from its present state on. `None` where there is no
    /// monitor; it is the same for all states then, and nothing else is asked.
    fn awaits(&self, model: &M, state: &[u64]) -> Option<Awaits>;

    /// Members such that a set with all of them has the first visible step of every run.
    fn ahead(&self, at: &mut At<'_, M>) -> Members;

    /// Whether an enabled step of the process is visible, while another that is may not be in each
    /// set with it. All that are `ahead` are needed with it then.
    fn takes_visible(&self, process: usize, at: &mut At<'_, M>) -> bool;

    /// Whether the step is one that is visible in some state.
    fn is_visible(&self, label: Label<'_>) -> bool;

    /// Whether the process is the first participant of a *key* in which one of `wanted` takes part:
    /// an enabled step that does not fail and is never visible.
    fn has_key(&self, process: usize, wanted: &Members, at: &mut At<'_, M>) -> bool {
        let mut finder = key_finder(wanted, |label| self.is_visible(label));
        at.visit_process(process, &mut finder).is_break()
    }

    /// Whether the process leaves with its next step a local state to which steps that are never
    /// visible do not lead it back.
    fn has_passed(&self, _process: usize, _: &mut At<'_, M>) -> bool {
        false
    }

    /// Whether a set that leaves steps out may have the steps of these processes.
    fn allows(&self, _set: &Members, _: &mut At<'_, M>) -> bool {
        true
    }
}

/// No step is visible.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl<M: ProcessRelations> Visibility<M> for Nothing {
    #[inline]
    fn awaits(&self, _: &M, _: &[u64]) -> Option<Awaits> {
        None
    }

    fn ahead(&self, _: &mut At<'_, M>) -> Members {
        Members::default()
    }

    #[inline]
    fn takes_visible(&self, _: usize, _: &mut At<'_, M>) -> bool {
        false
    }

    fn is_visible(&self, _: Label<'_>) -> bool {
        false
    }
}

/// Visitor that breaks off at a key in which one of `wanted` takes part.
pub fn key_finder<'a>(
    wanted: &'a Members,
    is_visible: impl Fn(Label<'_>) -> bool + 'a,
) -> impl FnMut(Label<'_>, Result<&[u64], &Failure>) -> ControlFlow<()> + 'a {
    move |label, outcome| {
        let mut participants = label.participants.iter();
        let takes_part = participants.any(|(who, _)| wanted.contains(*who as usize));
        match takes_part && outcome.is_ok() && !is_visible(label) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
