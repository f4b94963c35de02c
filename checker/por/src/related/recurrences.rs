//! What recurrences see of a system's steps: the condition on a set in the cycle proviso
//! ([`cycles`](crate::reduction::cycles)).

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use stubborn_space::members::Members;
use stubborn_space::recurring::Recurring;
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::{Related, Scratch};
use crate::reduction::{Awaits, Transition, Visibility};

/// What questions see. There is no monitor whose state matters: a set that has a step that they
/// see, or one that fails, leaves nothing out.
pub struct Recurrences {
    pub questions: Vec<Recurring>,
    /// The views that are sensitive besides ([`local_cycles`](super::local_cycles)).
    pub besides: FxHashSet<Transition>,
}

impl Visibility<Related<'_>> for Recurrences {
    fn awaits(&self, _: &Related<'_>, _: &[u64]) -> Option<Awaits> {
        None
    }

    fn ahead(&self, _: &Related<'_>, _: &[u64], _: &mut Scratch) -> Members {
        Members::default()
    }

    fn takes_visible(&self, _: &Related<'_>, _: usize, _: &[u64], _: &mut Scratch) -> bool {
        false
    }

    fn is_visible(&self, _: Label<'_>) -> bool {
        !self.questions.is_empty()
    }

    fn allows(
        &self,
        related: &Related<'_>,
        set: &Members,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        let at = |instance| related.packed().location(state, instance);
        // A step that fails, or that a question sees.
        let mut witness = |label: Label<'_>, outcome: Result<&[u64], &Failure>| {
            let mut questions = self.questions.iter();
            match outcome.is_err() || questions.any(|question| question.is_visible(label, &at)) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let mut members = set.iter();
        self.questions.is_empty()
            || members.all(|process| {
                let flow = related.visit_process(process, state, scratch, &mut witness);
                flow.is_continue() && !self.is_besides(related, process, state, scratch)
            })
    }
}

impl Recurrences {
    /// Whether the process may have an enabled step that is sensitive besides.
    fn is_besides(
        &self,
        related: &Related<'_>,
        process: usize,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        !self.besides.is_empty()
            && related.takes(process, state, scratch, &|_, view| {
                self.besides.contains(&view)
            })
    }
}
