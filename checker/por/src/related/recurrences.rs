//! What recurrences see of a system's steps: the condition on a set in the cycle proviso
//! ([`cycles`](crate::reduction::cycles)).

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use stubborn_space::members::Members;
use stubborn_space::recurring::Recurring;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::Related;
use crate::reduction::{At, Awaits, Transition, Visibility};

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

    fn ahead(&self, _: &mut At<'_, Related<'_>>) -> Members {
        Members::default()
    }

    fn takes_visible(&self, _: usize, _: &mut At<'_, Related<'_>>) -> bool {
        false
    }

    fn is_visible(&self, _: Label<'_>) -> bool {
        !self.questions.is_empty()
    }

    fn allows(&self, set: &Members, here: &mut At<'_, Related<'_>>) -> bool {
        let (packed, state) = (here.model.packed(), here.state);
        let at = |instance| packed.location(state, instance);
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
                here.visit_process(process, &mut witness).is_continue()
                    && !self.is_besides(process, here)
            })
    }
}

impl Recurrences {
    /// Whether the process may have an enabled step that is sensitive besides.
    fn is_besides(&self, process: usize, at: &mut At<'_, Related<'_>>) -> bool {
        !self.besides.is_empty()
            && Related::takes(process, at, &|_, view| self.besides.contains(&view))
    }
}
