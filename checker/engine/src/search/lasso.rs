//! Short counterexamples (Latvala and Tauriainen 2004, §3.5).
//!
//! The searches find a violation by the way that they went, which depth first may be long. Here the
//! state space is gone through once more, breadth first and without a reduction, as far as a budget
//! goes, for a shorter one of the same kind.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::found::Found;
use super::listener::{Listener, Ways};
use super::meter::{Figures, Meter, Stop};
use super::monitor::{Flags, Monitored};
use super::{Run, Space, breadth_first};
use crate::graph::components::for_each_component;
use crate::graph::lasso::Cycles;
use crate::graph::{Edges, StateSet};
use crate::options::Order;
use crate::successors::Label;
use crate::verdict::Violation;

/// What is known of a violation than which there may be a shorter one.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub violation: Violation,
    /// How many steps it has.
    pub steps: usize,
    pub has_cycle: bool,
}

/// A violation of the same kind that has fewer steps than this one, or this one; see [`shorter`].
pub fn shorten<M: Monitored>(
    plain: &M,
    found: Found,
    order: Order,
    budget: u64,
    meter: &mut Meter<'_>,
) -> Found {
    let known = Known {
        violation: found.violation,
        steps: found.len(),
        has_cycle: !found.cycle.is_empty(),
    };
    shorter(plain, known, order, budget, meter).unwrap_or(found)
}

/// A violation of the same kind that has fewer steps than the one that is known.
///
/// At most `budget` states are generated of `plain`, which must leave no steps out. A reject or
/// deadlock state that is among them is reached by a shortest path. A path to a cycle and the cycle have together the
/// fewest steps that there are ([`Cycles::least`]). Where a limit is reached there is none.
pub fn shorter<M: Monitored>(
    plain: &M,
    known: Known,
    order: Order,
    budget: u64,
    meter: &mut Meter<'_>,
) -> Option<Found> {
    let mut initials = plain.initials().to_vec();
    if order == Order::Reverse {
        initials.reverse();
    }
    let space = Space::new(plain.words(), &initials);
    let near = Neighbourhood {
        model: plain,
        initials: space.len(),
        violation: known.violation,
        longest: known.steps as u32,
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
            violation: known.violation,
            path: run.space.boxed(&run.space.path(state)),
            cycle: Vec::new(),
        }),
        (ControlFlow::Continue(()), None) if known.has_cycle => {
            near.close_edges(run.space.len());
            match near.lasso(&run.space, run.meter) {
                ControlFlow::Continue(lasso) => lasso,
                ControlFlow::Break(_) => None,
            }
        }
        _ => None,
    };
    shorter.filter(|shorter| shorter.len() < known.steps)
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
        let nearest = nearest.map(|state| (state, self.depths[state as usize] as usize));
        let accepts = |edge: usize| self.accepting[edge];
        let cycles = Cycles {
            edges: &self.edges,
            within: &|_, state| on_cycles.contains(state),
            with: (!self.accepting.is_empty()).then_some(&accepts),
        };
        let least = cycles.least(nearest, &mut || meter.poll(figures))?;
        ControlFlow::Continue(least.map(|(state, cycle)| Found {
            violation: self.violation,
            path: space.boxed(&space.path(state)),
            cycle: space.boxed(&cycle[1..]),
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
