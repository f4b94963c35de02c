//! Strongly connected components of state spaces.

use std::ops::ControlFlow;

use stubborn_system::components::{self, Tarjan};

use super::{Edges, Poll, StateSet};

/// Upper bound of the memory that the search for components takes for each state, in bytes.
pub const BYTES_PER_STATE: u64 = Tarjan::BYTES_PER_NODE;

/// Calls `then` with each strongly connected component of the states of `within` and the edges
/// between them, each after all to which it leads.
pub fn for_each_component<B>(
    edges: &Edges,
    within: &StateSet,
    poll: Poll<'_, B>,
    then: impl FnMut(&[u32]),
) -> ControlFlow<B> {
    let is_within = |state| within.contains(state);
    components::for_each_component(
        edges.states(),
        |state| edges.of(state),
        is_within,
        poll,
        then,
    )
}

/// Returns the states of `within` that lie on a cycle within it.
pub fn on_cycles<B>(
    edges: &Edges,
    within: &StateSet,
    poll: Poll<'_, B>,
) -> ControlFlow<B, StateSet> {
    let mut found = StateSet::with_room(edges.states());
    for_each_component(edges, within, poll, |component| {
        if component.len() > 1 || edges.of(component[0]).contains(&component[0]) {
            component.iter().for_each(|state| found.insert(*state));
        }
    })?;
    ControlFlow::Continue(found)
}

/// Returns the states that lie on a cycle with an edge, by its number, that `is_wanted`.
pub fn on_cycles_with<B>(
    edges: &Edges,
    is_wanted: &dyn Fn(usize) -> bool,
    poll: Poll<'_, B>,
) -> ControlFlow<B, StateSet> {
    let states = edges.states();
    let mut found = StateSet::with_room(states);
    let mut component_of = vec![0_u32; states as usize];
    let mut components = 0;
    for_each_component(edges, &StateSet::all(states), poll, |component| {
        components += 1;
        for state in component {
            component_of[*state as usize] = components;
        }
        let has_one = component.iter().any(|state| {
            let mut of_state = (edges.first(*state)..).zip(edges.of(*state));
            of_state.any(|(edge, to)| component_of[*to as usize] == components && is_wanted(edge))
        });
        if has_one {
            component.iter().for_each(|state| found.insert(*state));
        }
    })?;
    ControlFlow::Continue(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_found_within_a_set_alone_and_loops_are_cycles() {
        // 0 -> 1 -> 2 -> 0, 2 -> 3 -> 4 -> 4, 3 -> 5.
        let edges = Edges::of_lists(&[&[1], &[2], &[0, 3], &[4, 5], &[4], &[]]);
        let states = |within: &[u32]| -> Vec<u32> {
            let mut set = StateSet::default();
            within.iter().for_each(|state| set.insert(*state));
            match on_cycles(&edges, &set, &mut || ControlFlow::<()>::Continue(())) {
                ControlFlow::Continue(found) => (0..6).filter(|s| found.contains(*s)).collect(),
                ControlFlow::Break(_) => unreachable!("nothing stops it"),
            }
        };
        assert_eq!(states(&[0, 1, 2, 3, 4, 5]), [0, 1, 2, 4]);
        assert_eq!(states(&[0, 2, 3, 4, 5]), [4]);
        assert_eq!(states(&[0, 1, 3, 5]), [0; 0]);
    }
}
