//! Strongly connected parts of the state space in which all assumptions can be met.
//!
//! Where a weak assumption is violated in a part, because one of its steps is possible in every state and none is there,
//! it is so in all that is in the part; where there is no wanted step, there is none in all that is in it. A strong one
//! that has no step there can be met without the states where one is possible: what is left falls into parts again.

use std::ops::ControlFlow;

use super::Assumed;
use super::graph::Graph;
use crate::graph::components::for_each_component;
use crate::graph::{Poll, StateSet};
use crate::search::Stop;

/// What becomes of a part.
#[derive(Debug, PartialEq, Eq)]
enum Judged {
    Fair,
    /// Nothing in it is.
    Never,
    /// Perhaps what is left without the states in which a step of one of these is possible.
    Without(Box<[u64]>),
}

/// The states of a part that is fair and has a wanted step, if there is one: of several the one with the state that was
/// found first.
pub fn nearest(
    graph: &Graph,
    assumed: &Assumed,
    poll: Poll<'_, Stop>,
) -> ControlFlow<Stop, Option<Vec<u32>>> {
    let states = graph.edges.states();
    let mut within = StateSet::default().complement(states);
    let mut component_of = vec![0_u32; states as usize];
    let mut components = 0;
    let mut best: Option<(u32, Vec<u32>)> = None;
    // No assumption falls twice on the way into a part: there are so many rounds at most, and one.
    loop {
        let mut left = StateSet::with_room(states);
        let mut is_left = false;
        for_each_component(&graph.edges, &within, poll, |component| {
            components += 1;
            for state in component {
                component_of[*state as usize] = components;
            }
            let is_inside = |to: u32| component_of[to as usize] == components;
            match judged(graph, assumed, component, &is_inside) {
                Judged::Never => {}
                Judged::Fair => {
                    let first = component.iter().copied().min().unwrap_or_default();
                    if best.as_ref().is_none_or(|(known, _)| first < *known) {
                        best = Some((first, component.to_vec()));
                    }
                }
                Judged::Without(bad) => {
                    let stays = |state: &&u32| !meet(graph.possible(**state), &bad);
                    for state in component.iter().filter(stays) {
                        left.insert(*state);
                        is_left = true;
                    }
                }
            }
        })?;
        if !is_left {
            return ControlFlow::Continue(best.map(|(_, part)| part));
        }
        within = left;
    }
}

fn judged(
    graph: &Graph,
    assumed: &Assumed,
    component: &[u32],
    is_inside: &dyn Fn(u32) -> bool,
) -> Judged {
    let mut taken = vec![0; assumed.words()];
    let mut somewhere = vec![0; assumed.words()];
    let mut everywhere = vec![u64::MAX; assumed.words()];
    let mut is_wanted = false;
    for &state in component {
        for (edge, to) in graph.of(state) {
            if is_inside(to) {
                let mark = graph.marks[edge];
                is_wanted |= mark.is_wanted;
                join(&mut taken, graph.set(mark.set));
            }
        }
        let possible = graph.possible(state);
        join(&mut somewhere, possible);
        for (word, possible) in everywhere.iter_mut().zip(possible) {
            *word &= possible;
        }
    }
    let words = 0..assumed.words();
    let weak = |at: usize| assumed.weak()[at] & everywhere[at] & !taken[at];
    if !is_wanted || words.clone().any(|at| weak(at) != 0) {
        return Judged::Never;
    }
    let bad = words.map(|at| assumed.strong()[at] & somewhere[at] & !taken[at]);
    let bad: Box<[u64]> = bad.collect();
    match bad.iter().all(|word| *word == 0) {
        true => Judged::Fair,
        false => Judged::Without(bad),
    }
}

pub fn join(into: &mut [u64], set: &[u64]) {
    for (word, more) in into.iter_mut().zip(set) {
        *word |= more;
    }
}

/// Whether there is something that is in both.
pub fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}
