//! The cycle condition: what keeps infinite executions in models that are not AG EF terminating.
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

use crate::graph::Edges;
use crate::graph::components::for_each_component;
use crate::packed::Packed;
use crate::recurring::Recurring;
use crate::search::{Space, Stop};
use crate::successors::{Label, Visit};

/// Breaks off at a step that fails, or that a question sees.
pub struct Witness<'a> {
    pub packed: &'a Packed<'a>,
    pub questions: &'a [Recurring],
    pub state: &'a [u64],
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
    poll: &mut dyn FnMut() -> ControlFlow<Stop>,
) -> ControlFlow<Stop, Vec<u32>> {
    let mut again = Vec::new();
    for_each_component(edges, space.reduced(), poll, |component| {
        if component.len() > 1 || edges.of(component[0]).contains(&component[0]) {
            again.push(component[0]);
        }
    })?;
    ControlFlow::Continue(again)
}
