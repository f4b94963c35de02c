//! The cycle proviso: what keeps infinite executions in models that are not AG EF terminating.
//!
//! If a set that leaves steps out has no enabled step that a question sees, and every cycle of the
//! reduced space has a state in which nothing is left out, then for each infinite execution there is
//! one in the reduced space in which the steps that the question sees come in the same order and
//! number (E. M. Clarke, O. Grumberg, D. Peled, Model Checking, 1999, section 10.6: C0 and C1 follow
//! from D0 to D2, C2 and C3 are these two). A failing step is one that changes nothing, and so a
//! cycle of its own: a set that has one leaves nothing out.
//!
//! The cycles are looked for when the search has come to its end. In each strong component of the
//! states that leave something out, one state makes up for it; the search goes on, until there is no
//! such component.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::mutation::{Mutation, is_left_out};
use super::{Awaits, Visibility};
use crate::graph::Edges;
use crate::graph::components::for_each_component;
use crate::members::Members;
use crate::packed::Packed;
use crate::recurring::Recurring;
use crate::related::{Related, Scratch};
use crate::relations::ProcessRelations;
use crate::search::{Space, Stop};
use crate::successors::{Label, Visit};

/// What questions see. There is no monitor whose state matters: a set that has a step that they
/// see, or one that fails, leaves nothing out.
pub struct Seen(pub Vec<Recurring>);

impl Visibility<Related<'_>> for Seen {
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
        !self.0.is_empty()
    }

    fn allows(
        &self,
        related: &Related<'_>,
        set: &Members,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        let mut witness = Witness {
            packed: related.packed(),
            questions: &self.0,
            state,
        };
        let mut members = set.iter();
        self.0.is_empty()
            || is_left_out(Mutation::Visible)
            || members.all(|process| {
                let flow = related.visit_process(process, state, scratch, &mut witness);
                flow.is_continue()
            })
    }
}

/// Breaks off at a step that fails, or that a question sees.
struct Witness<'a> {
    packed: &'a Packed<'a>,
    questions: &'a [Recurring],
    state: &'a [u64],
}

impl Visit for Witness<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let at = |instance| self.packed.location(self.state, instance);
        let mut questions = self.questions.iter();
        if outcome.is_err() || questions.any(|question| question.is_visible(label, &at)) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// A state of each strong component that has a cycle, and leaves something out in all its states.
pub fn unbroken(
    edges: &Edges,
    space: &Space,
    look: &mut dyn FnMut() -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Vec<u32>> {
    let mut again = Vec::new();
    for_each_component(edges, space.reduced(), look, |component| {
        if component.len() > 1 || edges.of(component[0]).contains(&component[0]) {
            again.push(component[0]);
        }
    })?;
    ControlFlow::Continue(again)
}
