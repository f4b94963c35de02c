//! Strongly connected parts of the state space in which all assumptions can be met.
//!
//! If a part violates a weak assumption, because a step of it is possible in every state and the
//! part has none, so do all parts of the part; if it has no wanted step, neither have they. A
//! strong assumption of which the part has no step can be met without the states in which one is
//! possible: the other states are divided into parts again.

use std::ops::ControlFlow;

use super::assumed::Assumed;
use super::graph::Graph;
use crate::graph::components::for_each_component;
use crate::graph::{Poll, StateSet};
use crate::search::Stop;

/// Judgement of a part.
#[derive(Debug, PartialEq, Eq)]
enum Judged {
    Fair,
    /// No part of it is fair.
    Never,
    /// Parts of it may be fair that have no state in which a step of these assumptions is possible.
    Without(Box<[u64]>),
}

/// Returns the states of a part that is fair and has a wanted step, if there is one: of several the
/// one with the state that was found first.
pub fn nearest(
    graph: &Graph,
    assumed: &Assumed,
    poll: Poll<'_, Stop>,
) -> ControlFlow<Stop, Option<Vec<u32>>> {
    let states = graph.edges.states();
    let mut within = StateSet::all(states);
    let mut component_of = vec![NONE; states as usize];
    let mut best: Option<Vec<u32>> = None;
    // Each round inside a part drops another assumption, so that there are few rounds.
    loop {
        // The components in which a run can stay, one after the other, with the end of each.
        let mut members: Vec<u32> = Vec::new();
        let mut ends: Vec<usize> = Vec::new();
        component_of.fill(NONE);
        for_each_component(&graph.edges, &within, poll, |component| {
            let [first, ..] = component else { return };
            if component.len() > 1 || graph.edges.of(*first).contains(first) {
                for state in component {
                    component_of[*state as usize] = ends.len() as u32;
                }
                members.extend_from_slice(component);
                ends.push(members.len());
            }
        })?;
        let mut left = StateSet::with_room(states);
        let mut is_left = false;
        let mut begin = 0;
        for (number, end) in (0_u32..).zip(ends) {
            let component = &members[begin..end];
            begin = end;
            let is_inside = |to: u32| component_of[to as usize] == number;
            match judged(graph, assumed, component, &is_inside, poll)? {
                Judged::Never => {}
                Judged::Fair => {
                    let is_nearer = |known: &Vec<u32>| component.iter().min() < known.iter().min();
                    if best.as_ref().is_none_or(is_nearer) {
                        best = Some(component.to_vec());
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
        }
        if !is_left {
            return ControlFlow::Continue(best);
        }
        within = left;
    }
}

/// Number of no component in which a run can stay.
const NONE: u32 = u32::MAX;
/// States between two polls of the limits.
const STATES_BETWEEN_POLLS: usize = 1 << 14;

fn judged(
    graph: &Graph,
    assumed: &Assumed,
    component: &[u32],
    is_inside: &dyn Fn(u32) -> bool,
    poll: Poll<'_, Stop>,
) -> ControlFlow<Stop, Judged> {
    let mut taken = vec![0; assumed.words()];
    let mut somewhere = vec![0; assumed.words()];
    let mut everywhere = vec![u64::MAX; assumed.words()];
    let mut is_wanted = false;
    for (nth, &state) in component.iter().enumerate() {
        if nth % STATES_BETWEEN_POLLS == STATES_BETWEEN_POLLS - 1 {
            poll()?;
        }
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
    let lacks_weak = words.clone().any(|at| weak(at) != 0);
    if !is_wanted || lacks_weak {
        return ControlFlow::Continue(Judged::Never);
    }
    let bad = words.map(|at| assumed.strong()[at] & somewhere[at] & !taken[at]);
    let bad: Box<[u64]> = bad.collect();
    let has_all_strong = bad.iter().all(|word| *word == 0);
    ControlFlow::Continue(match has_all_strong {
        true => Judged::Fair,
        false => Judged::Without(bad),
    })
}

pub fn join(into: &mut [u64], set: &[u64]) {
    for (word, more) in into.iter_mut().zip(set) {
        *word |= more;
    }
}

/// Whether two sets have a common element.
pub fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}
