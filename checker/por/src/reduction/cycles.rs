//! The cycle proviso: what keeps infinite executions in models that are not AG EF terminating.
//!
//! If a set that leaves steps out has no enabled step that a question sees, and every cycle of the
//! reduced space has a state in which nothing is left out, then for each infinite execution there
//! is one in the reduced space in which the steps that the question sees come in the same order and
//! number (E. M. Clarke, O. Grumberg, D. Peled, Model Checking, 1999, section 10.6: C0 and C1
//! follow from D0 to D2, C2 and C3 are these two). A failing step is one that changes nothing, and
//! so a cycle of its own: a set that has one leaves nothing out.
//!
//! The cycles are looked for when the search has come to its end. In each strong component of the
//! states that leave something out, one state makes up for it; the search goes on, until there is
//! no such component.

use std::ops::ControlFlow;

use stubborn_explorer::graph::Edges;
use stubborn_explorer::graph::components::for_each_component;
use stubborn_explorer::search::{Space, Stop};

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
