//! Lassos: a path, and a cycle from its last state back to it, of the fewest steps together.
//!
//! Each lasso is a path to a state and a cycle through it, so that the least of all is the least of the shortest paths
//! to a state with the shortest cycle through it. The states are tried from the nearest on: a shorter cycle than the best
//! lasso leaves room for is all that is looked for, and none at all from where the path is as long.

use std::ops::ControlFlow;

use super::components::on_cycles;
use super::path::Nearest;
use super::reach::may_avoid;
use super::{Edges, Poll, StateSet};

/// A path to a cycle, and the cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// From the initial state on.
    pub path: Vec<u32>,
    /// From the last state of the path back to it: both ends belong to it.
    pub cycle: Vec<u32>,
}

/// Cycles of one kind.
pub struct Cycles<'a> {
    /// Their edges.
    pub edges: &'a Edges,
    /// Their states.
    pub within: &'a dyn Fn(u32) -> bool,
    /// One of their edges, by its number, if it may not be any.
    pub with: Option<&'a dyn Fn(usize) -> bool>,
}

/// Once a lasso is known, so many edges are looked at for each edge that there is, and this many.
const LOOKS: (u64, u64) = (4, 1 << 20);

/// Of no state.
const UNSEEN: u32 = u32::MAX;

impl Cycles<'_> {
    /// The state to which a path of a least lasso leads, and its cycle, of states that are given with how far they are,
    /// nearest first. Where there are too many edges for all of them to be tried it is the least of those that were.
    ///
    /// Four bytes for each state, or eight, and as much again in the worst case.
    pub fn least<B>(
        &self,
        nearest: impl Iterator<Item = (u32, usize)>,
        poll: Poll<'_, B>,
    ) -> ControlFlow<B, Option<(u32, Vec<u32>)>> {
        let mut round = Round::new(self);
        let mut left = self
            .edges
            .edges()
            .saturating_mul(LOOKS.0)
            .saturating_add(LOOKS.1);
        let mut best: Option<(usize, u32, Vec<u32>)> = None;
        for (state, depth) in nearest {
            let room = match &best {
                None => usize::MAX,
                Some((steps, ..)) => match steps.checked_sub(depth + 1) {
                    // A cycle has a step.
                    None | Some(0) => break,
                    Some(room) => room,
                },
            };
            poll()?;
            let looks = best.as_ref().map(|_| &mut left);
            if let Some(cycle) = round.through(state, room, looks) {
                best = Some((depth + cycle.len() - 1, state, cycle));
            }
            if left == 0 {
                break;
            }
        }
        ControlFlow::Continue(best.map(|(_, state, cycle)| (state, cycle)))
    }
}

/// A lasso of the fewest steps with a cycle through one of the states that `may` be on one, whose path has any edges; see
/// [`Cycles::least`].
pub fn least<B>(
    edges: &Edges,
    cycles: &Cycles<'_>,
    may: impl Fn(u32) -> bool,
    poll: Poll<'_, B>,
) -> ControlFlow<B, Option<Lasso>> {
    let mut nearest = Nearest::new(edges);
    let found = cycles.least(nearest.by_ref().filter(|(state, _)| may(*state)), poll)?;
    ControlFlow::Continue(found.map(|(state, cycle)| Lasso {
        path: nearest.path(state),
        cycle,
    }))
}

/// A lasso of the fewest steps with a cycle that never meets `goals`; see [`may_avoid`] and [`least`].
pub fn avoiding<B>(
    edges: &Edges,
    goals: &StateSet,
    terminal: &StateSet,
    poll: Poll<'_, B>,
) -> ControlFlow<B, Option<Lasso>> {
    let avoiding = may_avoid(edges, goals, terminal, poll)?;
    let cyclic = on_cycles(edges, &avoiding, poll)?;
    let cycles = Cycles {
        edges,
        within: &|state| avoiding.contains(state),
        with: None,
    };
    least(edges, &cycles, |state| cyclic.contains(state), poll)
}

/// One search for a cycle after the other, which clear up what they have touched.
///
/// A node is a state, or, where a cycle has to have an edge of some kind, a state before and after the first of them.
struct Round<'a> {
    cycles: &'a Cycles<'a>,
    parents: Vec<u32>,
    reached: Vec<u32>,
}

impl<'a> Round<'a> {
    fn new(cycles: &'a Cycles<'a>) -> Round<'a> {
        let states = cycles.edges.states();
        debug_assert!(
            cycles.with.is_none() || states < 1 << 31,
            "two nodes for each state"
        );
        let nodes = states as usize * if cycles.with.is_some() { 2 } else { 1 };
        Round {
            cycles,
            parents: vec![UNSEEN; nodes],
            reached: Vec::new(),
        }
    }

    /// A shortest cycle through a state, of no more steps than `room`, if so many looks at edges find it.
    fn through(&mut self, state: u32, room: usize, looks: Option<&mut u64>) -> Option<Vec<u32>> {
        let mut unlimited = u64::MAX;
        let looks = looks.unwrap_or(&mut unlimited);
        let found = self.search(state, room, looks);
        for node in self.reached.drain(..) {
            self.parents[node as usize] = UNSEEN;
        }
        found
    }

    fn search(&mut self, state: u32, room: usize, looks: &mut u64) -> Option<Vec<u32>> {
        let Cycles {
            edges,
            within,
            with,
        } = self.cycles;
        let is_twofold = with.is_some();
        let of_node = |node: u32| match is_twofold {
            true => (node / 2, node % 2 == 1),
            false => (node, true),
        };
        let node = |state: u32, after: bool| match is_twofold {
            true => state * 2 + u32::from(after),
            false => state,
        };
        let begin = node(state, false);
        self.parents[begin as usize] = begin;
        self.reached.push(begin);
        let (mut next, mut steps, mut farther) = (0, 1, 1);
        while next < self.reached.len() {
            if next == farther {
                steps += 1;
                farther = self.reached.len();
            }
            if steps > room {
                return None;
            }
            let from = self.reached[next];
            next += 1;
            let (at, is_after) = of_node(from);
            let first = edges.first(at);
            for (nth, &target) in edges.of(at).iter().enumerate() {
                *looks = looks.checked_sub(1)?;
                let is_after = is_after || with.is_some_and(|is_with| is_with(first + nth));
                if target == state && is_after {
                    return Some(self.cycle(from, state, of_node));
                }
                let to = node(target, is_after);
                if within(target) && self.parents[to as usize] == UNSEEN {
                    self.parents[to as usize] = from;
                    self.reached.push(to);
                }
            }
        }
        None
    }

    /// The states from `state` to this node, and `state` again.
    fn cycle(&self, last: u32, state: u32, of_node: impl Fn(u32) -> (u32, bool)) -> Vec<u32> {
        let mut cycle = vec![state];
        let mut at = last;
        loop {
            cycle.push(of_node(at).0);
            let parent = self.parents[at as usize];
            if parent == at {
                cycle.reverse();
                return cycle;
            }
            at = parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::search::tests::graph::Random;

    const FAR: usize = usize::MAX / 4;

    /// Of all pairs of nodes the steps of a shortest path with at least one edge (Floyd and Warshall).
    fn distances(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut steps = vec![vec![FAR; nodes]; nodes];
        for &(from, to) in edges {
            steps[from][to] = 1;
        }
        for by in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    let round = steps[from][by] + steps[by][to];
                    steps[from][to] = steps[from][to].min(round);
                }
            }
        }
        steps
    }

    fn never() -> ControlFlow<Infallible> {
        ControlFlow::Continue(())
    }

    #[test]
    fn no_lasso_of_a_random_graph_has_fewer_steps() {
        let mut random = Random::new(22);
        let mut found = [0, 0];
        for round in 0..3_000 {
            let states = 2 + round % 12;
            let mut below = |n: usize| random.below(n);
            let lists: Vec<Vec<u32>> = (0..states)
                .map(|_| (0..below(3)).map(|_| below(states) as u32).collect())
                .collect();
            let lists: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
            let edges = Edges::of_lists(&lists);
            let is_within: Vec<bool> = (0..states).map(|_| below(5) > 0).collect();
            let is_marked: Vec<bool> = (0..edges.edges()).map(|_| below(4) == 0).collect();
            let marked = |edge: usize| is_marked[edge];
            let with = (round % 2 == 0).then_some(&marked as &dyn Fn(usize) -> bool);
            let cycles = Cycles {
                edges: &edges,
                within: &|state| is_within[state as usize],
                with,
            };
            let ControlFlow::Continue(least) = super::least(
                &edges,
                &cycles,
                |state| is_within[state as usize],
                &mut never,
            );

            let all =
                (0..states).flat_map(|from| lists[from].iter().map(move |to| (from, *to as usize)));
            let all: Vec<(usize, usize)> = all.collect();
            let far = distances(states, &all);
            // Nodes from `states` on are after a marked edge.
            let mut on_cycles = Vec::new();
            for (edge, &(from, to)) in all.iter().enumerate() {
                if !is_within[from] || !is_within[to] {
                    continue;
                }
                on_cycles.push((from, to));
                on_cycles.push((states + from, states + to));
                if with.is_none() || is_marked[edge] {
                    on_cycles.push((from, states + to));
                }
            }
            let round_trips = distances(2 * states, &on_cycles);
            let expected = (0..states)
                .map(|state| {
                    let way = if state == 0 { 0 } else { far[0][state] };
                    way + round_trips[state][states + state]
                })
                .min()
                .filter(|steps| *steps < FAR);
            let steps = least
                .as_ref()
                .map(|lasso| lasso.path.len() + lasso.cycle.len() - 2);
            assert_eq!(steps, expected, "{lists:?} {is_within:?} {is_marked:?}");
            found[round % 2] += usize::from(least.is_some());
            if let Some(Lasso { path, cycle }) = least {
                assert_eq!((path[0], path.last()), (0, cycle.first()));
                assert_eq!(cycle.first(), cycle.last());
                let leads = |pair: &[u32]| lists[pair[0] as usize].contains(&pair[1]);
                assert!(path.windows(2).all(leads) && cycle.windows(2).all(leads));
            }
        }
        assert!(found[0] > 200 && found[1] > 500, "{found:?}");
    }

    #[test]
    fn the_nearest_cycle_is_not_always_the_least_lasso() {
        // Round by 0, 1, 2, 3, or one step on and round 4 alone.
        let edges = Edges::of_lists(&[&[1, 4], &[2], &[3], &[0], &[4]]);
        let cycles = Cycles {
            edges: &edges,
            within: &|_| true,
            with: None,
        };
        let ControlFlow::Continue(least) = super::least(&edges, &cycles, |_| true, &mut never);
        let expected = Lasso {
            path: vec![0, 4],
            cycle: vec![4, 4],
        };
        assert_eq!(least, Some(expected));
    }
}
