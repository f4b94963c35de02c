//! Strong components by Tarjan's algorithm, without recursion.

use std::ops::ControlFlow;

use super::{Edges, Poll, StateSet};

/// Bytes that the search for components takes for each state, at most.
pub const BYTES_PER_STATE: u64 = 4 + 4 + 12;

/// Calls with each strong component of the graph that has the states of `within` and the edges
/// between them: first those from which no other is reached, so that a component comes after all
/// that it leads to.
pub fn for_each_component<B>(
    edges: &Edges,
    within: &StateSet,
    poll: Poll<'_, B>,
    then: impl FnMut(&[u32]),
) -> ControlFlow<B> {
    let mut search = Search {
        edges,
        within,
        then,
        numbers: vec![UNSEEN; edges.states() as usize],
        open: Vec::new(),
        path: Vec::new(),
        count: 0,
    };
    for root in 0..edges.states() {
        if within.contains(root) && search.numbers[root as usize] == UNSEEN {
            search.explore(root, poll)?;
        }
    }
    ControlFlow::Continue(())
}

/// The states of `within` that lie on a cycle within it.
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

/// The states that lie on a cycle with an edge, by its number, that `is_it`.
pub fn on_cycles_with<B>(
    edges: &Edges,
    is_it: &dyn Fn(usize) -> bool,
    poll: Poll<'_, B>,
) -> ControlFlow<B, StateSet> {
    let states = edges.states();
    let all = StateSet::default().complement(states);
    let mut found = StateSet::with_room(states);
    let mut component_of = vec![0_u32; states as usize];
    let mut components = 0;
    for_each_component(edges, &all, poll, |component| {
        components += 1;
        for state in component {
            component_of[*state as usize] = components;
        }
        let has_one = component.iter().any(|state| {
            let first = edges.first(*state);
            let mut of_state = edges.of(*state).iter().zip(first..);
            of_state.any(|(to, edge)| component_of[*to as usize] == components && is_it(edge))
        });
        if has_one {
            component.iter().for_each(|state| found.insert(*state));
        }
    })?;
    ControlFlow::Continue(found)
}

const UNSEEN: u32 = u32::MAX;
/// Its component is complete.
const CLOSED: u32 = u32::MAX - 1;

struct Search<'a, F> {
    edges: &'a Edges,
    within: &'a StateSet,
    then: F,
    /// In the order of the search.
    numbers: Vec<u32>,
    /// The states whose components are not complete.
    open: Vec<u32>,
    path: Vec<Frame>,
    count: u32,
}

struct Frame {
    state: u32,
    /// Which of its edges is next.
    next: u32,
    /// The least number that is known to be reachable from it.
    low: u32,
}

impl<F: FnMut(&[u32])> Search<'_, F> {
    fn enter(&mut self, state: u32) {
        self.numbers[state as usize] = self.count;
        self.open.push(state);
        self.path.push(Frame {
            state,
            next: 0,
            low: self.count,
        });
        self.count += 1;
    }

    fn explore<B>(&mut self, root: u32, poll: Poll<'_, B>) -> ControlFlow<B> {
        self.enter(root);
        while let Some(frame) = self.path.last_mut() {
            let targets = self.edges.of(frame.state);
            if let Some(&target) = targets.get(frame.next as usize) {
                frame.next += 1;
                if !self.within.contains(target) {
                    continue;
                }
                match self.numbers[target as usize] {
                    UNSEEN => {
                        self.enter(target);
                        if self.count.is_multiple_of(1 << 16) {
                            poll()?;
                        }
                    }
                    CLOSED => {}
                    number => frame.low = frame.low.min(number),
                }
            } else {
                let (state, low) = (frame.state, frame.low);
                self.path.pop();
                if low == self.numbers[state as usize] {
                    self.close(state);
                } else if let Some(parent) = self.path.last_mut() {
                    parent.low = parent.low.min(low);
                }
            }
        }
        debug_assert!(
            self.open.is_empty(),
            "every component is complete in the end"
        );
        ControlFlow::Continue(())
    }

    /// The component of a state is complete: the state and what was opened after it.
    fn close(&mut self, root: u32) {
        let mut begin = self.open.len();
        while begin > 0 {
            begin -= 1;
            let state = self.open[begin];
            self.numbers[state as usize] = CLOSED;
            if state == root {
                break;
            }
        }
        (self.then)(&self.open[begin..]);
        self.open.truncate(begin);
    }
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
