//! Short counterexamples (Latvala and Tauriainen 2004, §3.5).
//!
//! The searches find a violation by the way that they went, which depth first may be long. Here the
//! state space is gone through once more, breadth first and without a reduction, as far as a budget
//! goes, for a shorter one of the same kind.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::found::Found;
use super::listener::{Listener, Ways};
use super::meter::{Figures, Meter, Stop};
use super::monitor::{Flags, Monitored};
use super::{Run, Space, breadth_first};
use crate::graph::components::for_each_component;
use crate::graph::path::shortest;
use crate::graph::{Edges, StateSet};
use crate::options::Order;
use crate::successors::Label;
use crate::verdict::Violation;

/// So many of the nearest states on cycles are tried.
const CANDIDATES: usize = 16;

/// A violation of the same kind that has fewer steps than this one, or this one.
///
/// At most `budget` states are generated of `plain`, which must leave no steps out. A reject or
/// deadlock state that is among them is reached by a shortest path. A cycle goes through one of the
/// nearest states that lie on a cycle of the right kind, and is the shortest through it. Where a limit
/// is reached this one stays.
pub fn shorten<M: Monitored>(
    plain: &M,
    found: Found,
    order: Order,
    budget: u64,
    meter: &mut Meter<'_>,
) -> Found {
    let mut initials = plain.initials().to_vec();
    if order == Order::Reverse {
        initials.reverse();
    }
    let space = Space::new(plain.words(), &initials);
    let near = Neighbourhood {
        model: plain,
        initials: space.len(),
        violation: found.violation,
        longest: found.len() as u32,
        budget,
        depths: Vec::new(),
        edges: Edges::default(),
        accepting: Vec::new(),
        violating: None,
    };
    let mut run = Run::new(plain, order, meter, space, near);
    let flow = breadth_first::search(&mut run);
    let near = &mut run.listener;
    let shorter = match (flow, near.violating) {
        (_, Some(state)) => Some(Found {
            violation: found.violation,
            path: run.space.boxed(&run.space.path(state)),
            cycle: Vec::new(),
        }),
        (ControlFlow::Continue(()), None) if !found.cycle.is_empty() => {
            near.close_edges(run.space.len());
            match near.lasso(&run.space, run.meter) {
                ControlFlow::Continue(lasso) => lasso,
                ControlFlow::Break(_) => None,
            }
        }
        _ => None,
    };
    match shorter {
        Some(shorter) if shorter.len() < found.len() => shorter,
        _ => found,
    }
}

/// The states near the initial ones, numbered in breadth-first order: those nearer than the
/// violation is long, up to the first that is a violation by itself, of the kind that is looked for.
struct Neighbourhood<'a, M> {
    model: &'a M,
    violation: Violation,
    /// How many steps the violation has that is to be made shorter.
    longest: u32,
    /// How many states there may be.
    budget: u64,
    /// How many of them a run may begin in: the first.
    initials: u32,
    depths: Vec<u32>,
    /// Of a livelock the silent ones alone.
    edges: Edges,
    /// Of an infinite trace, which edges are accepting.
    accepting: Vec<bool>,
    violating: Option<u32>,
}

impl<M: Monitored> Listener for Neighbourhood<'_, M> {
    fn admits(&self, ways: &dyn Ways, from: u32) -> bool {
        let depth = self.depths[from as usize] + 1;
        ways.figures().states < self.budget && depth < self.longest
    }

    fn found(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        // Its depth is told by the edge to it, which comes next; an initial state has none.
        self.depths.push(0);
        if self.violation == Violation::Reject && self.model.marks(state).reject {
            self.violating = Some(number);
            return ControlFlow::Break(Stop::Decided);
        }
        ControlFlow::Continue(())
    }

    fn edge(&mut self, from: u32, _: Option<Label<'_>>, flags: Flags, to: u32) {
        // A state is found by the first edge to it.
        let is_last = to as usize + 1 == self.depths.len();
        if is_last && to >= self.initials && self.depths[to as usize] == 0 {
            self.depths[to as usize] = self.depths[from as usize] + 1;
        }
        self.close_edges(from);
        match self.violation {
            Violation::Livelock if flags.is_silent() => self.edges.push(to),
            Violation::Infinite => {
                self.edges.push(to);
                self.accepting.push(flags.is_accepting());
            }
            _ => {}
        }
    }

    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if self.violation == Violation::Deadlock && self.model.marks(state).deadlock {
            self.violating = Some(number);
            return ControlFlow::Break(Stop::Decided);
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> u64 {
        let lists = self.depths.capacity() * 4 + self.accepting.capacity();
        lists as u64 + self.edges.bytes()
    }
}

impl<M> Neighbourhood<'_, M> {
    /// All edges of the states below this one have been taken.
    fn close_edges(&mut self, state: u32) {
        while self.edges.states() < state {
            self.edges.end_state();
        }
    }

    /// A path to a cycle of the kind that was found, and the cycle.
    fn lasso(&self, space: &Space, meter: &mut Meter<'_>) -> ControlFlow<Stop, Option<Found>> {
        let figures = Figures {
            edges: 0,
            ..space.figures(self.edges.bytes())
        };
        let on_cycles = self.on_cycles(&mut || meter.poll(figures))?;
        let nearest = (0..self.edges.states()).filter(|state| on_cycles.contains(*state));
        let mut best: Option<(usize, u32, Vec<u32>)> = None;
        for state in nearest.take(CANDIDATES) {
            let depth = self.depths[state as usize] as usize;
            // A cycle has a step.
            if best.as_ref().is_some_and(|(len, ..)| depth + 1 >= *len) {
                break;
            }
            meter.poll(figures)?;
            let Some(cycle) = self.shortest_cycle(state, &on_cycles) else {
                continue;
            };
            let len = depth + cycle.len();
            if best.as_ref().is_none_or(|(least, ..)| len < *least) {
                best = Some((len, state, cycle));
            }
        }
        ControlFlow::Continue(best.map(|(_, state, cycle)| Found {
            violation: self.violation,
            path: space.boxed(&space.path(state)),
            cycle: space.boxed(&cycle),
        }))
    }

    /// The states of the components in which there is a cycle of the right kind.
    fn on_cycles(
        &self,
        poll: &mut dyn FnMut() -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop, StateSet> {
        let states = self.edges.states();
        let all = StateSet::default().complement(states);
        let mut on_cycles = StateSet::with_room(states);
        let mut component_of = vec![0_u32; states as usize];
        let mut components = 0;
        for_each_component(&self.edges, &all, poll, |component| {
            components += 1;
            for state in component {
                component_of[*state as usize] = components;
            }
            let is_right = component.iter().any(|state| {
                let first = self.edges.first(*state);
                let edges = self.edges.of(*state).iter().enumerate();
                edges.into_iter().any(|(nth, to)| {
                    component_of[*to as usize] == components && self.may_be_right(first + nth)
                })
            });
            if is_right {
                component.iter().for_each(|state| on_cycles.insert(*state));
            }
        })?;
        ControlFlow::Continue(on_cycles)
    }

    /// Whether a cycle with this edge is of the right kind.
    fn may_be_right(&self, edge: usize) -> bool {
        self.accepting.get(edge).copied().unwrap_or(true)
    }

    /// The states of a shortest cycle of the right kind through this one, which comes last.
    fn shortest_cycle(&self, through: u32, on_cycles: &StateSet) -> Option<Vec<u32>> {
        if self.accepting.is_empty() {
            let within = |state: u32| on_cycles.contains(state);
            let cycle = shortest(&self.edges, through, within, |state| state == through)?;
            return Some(cycle[1..].to_vec());
        }
        // Each state twice: before and after the first accepting edge.
        const UNSEEN: u32 = u32::MAX;
        let node = |state: u32, after: bool| state * 2 + u32::from(after);
        let mut parents = vec![UNSEEN; self.edges.states() as usize * 2];
        let mut open = VecDeque::from([node(through, false)]);
        parents[node(through, false) as usize] = node(through, false);
        while let Some(from) = open.pop_front() {
            let state = from / 2;
            let first = self.edges.first(state);
            for (nth, &to) in self.edges.of(state).iter().enumerate() {
                let is_after = from % 2 == 1 || self.accepting[first + nth];
                if to == through && is_after {
                    let mut cycle = vec![to];
                    let mut at = from;
                    while parents[at as usize] != at {
                        cycle.push(at / 2);
                        at = parents[at as usize];
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                let to_node = node(to, is_after);
                if on_cycles.contains(to) && parents[to_node as usize] == UNSEEN {
                    parents[to_node as usize] = from;
                    open.push_back(to_node);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Limits, Options};
    use crate::search::tests::graph::{Graph, Random};
    use crate::search::violations::{Algorithm, search};
    use crate::watch::Silent;

    fn shortened(graph: &Graph, found: &Found, budget: u64) -> Found {
        let mut meter = Meter::new(Limits::default(), &Silent);
        shorten(graph, found.clone(), Order::Forward, budget, &mut meter)
    }

    #[test]
    fn what_is_made_shorter_is_a_violation_of_the_same_kind() {
        let mut random = Random::new(5);
        let mut shorter = 0;
        for round in 0..2_000 {
            let graph = Graph::random(&mut random, 4 + round % 20);
            for how in [Algorithm::Nested { error_last: true }, Algorithm::FourPass] {
                let mut meter = Meter::new(Limits::default(), &Silent);
                let searched = search(&graph, how, &Options::default(), &mut meter);
                let Some(found) = searched.found else {
                    continue;
                };
                for budget in [1, 3, 1_000] {
                    let short = shortened(&graph, &found, budget);
                    graph.expect_real(&short);
                    assert_eq!(short.violation, found.violation);
                    assert!(short.len() <= found.len());
                    shorter += u32::from(short.len() < found.len());
                }
            }
        }
        assert!(shorter > 100, "only {shorter} are shorter");
    }

    #[test]
    fn a_path_to_a_state_is_a_shortest_one() {
        let mut random = Random::new(9);
        let mut asked = 0;
        for round in 0..2_000 {
            let graph = Graph::random(&mut random, 4 + round % 20);
            let mut meter = Meter::new(Limits::default(), &Silent);
            let how = Algorithm::Nested { error_last: true };
            let searched = search(&graph, how, &Options::default(), &mut meter);
            let Some(found) = searched.found.filter(|found| found.cycle.is_empty()) else {
                continue;
            };
            let short = shortened(&graph, &found, 1_000);
            assert_eq!(Some(short.len()), graph.distance_to(found.violation));
            asked += 1;
        }
        assert!(asked > 100, "only {asked} were asked");
    }
}
