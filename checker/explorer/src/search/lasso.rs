//! Short counterexamples (Latvala and Tauriainen 2004, §3.5).
//!
//! A search may find a violation by a long path, in particular depth first. Another search, breadth
//! first and without a reduction, explores the state space as far as a budget goes for a shorter
//! one.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Flags, Monitored};
use stubborn_space::options::Order;
use stubborn_space::successors::Label;
use stubborn_space::verdict::{Reason, Violation};
use stubborn_system::system::Failure;

use super::found::{Found, Searched};
use super::listener::{Listener, Ways};
use super::meter::{Figures, Meter, Stop};
use super::{Run, Space, breadth_first};
use crate::graph::Edges;
use crate::graph::components::on_cycles_with;
use crate::graph::lasso::Cycles;

/// Returns a violation of any kind that has fewer steps than a known one.
///
/// It generates no more states of `plain`, which must leave no steps out, than the meter allows. A
/// reject or deadlock state that is among them is reached by a shortest path. A path to a cycle and
/// the cycle have together the fewest steps that there are ([`Cycles::least`]). Where another limit
/// is reached it returns `None`.
pub fn shorter<M: Monitored>(
    plain: &M,
    known: usize,
    order: Order,
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
        longest: known as u32,
        budget: meter.most_states(),
        depths: Vec::new(),
        edges: Edges::default(),
        flags: Vec::new(),
        violating: None,
    };
    let mut run = Run::new(plain, order, meter, space, near);
    let flow = breadth_first::search(&mut run);
    let near = &mut run.listener;
    let mut best = match (flow, near.violating) {
        (_, Some((violation, state))) => Some(Found {
            violation,
            path: run.space.boxed(&run.space.path(state)),
            cycle: Vec::new(),
        }),
        (ControlFlow::Continue(()), None) => None,
        (ControlFlow::Break(_), None) => return None,
    };
    // All steps of nearer states have been taken, so that a lasso of fewer steps than such a path
    // is among them.
    near.edges.end_states(run.space.len());
    for violation in [Violation::Livelock, Violation::Infinite] {
        let most = best.as_ref().map_or(known, Found::len);
        match near.lasso(violation, &run.space, run.meter) {
            ControlFlow::Continue(Some(lasso)) if lasso.len() < most => best = Some(lasso),
            ControlFlow::Continue(_) => {}
            ControlFlow::Break(_) => break,
        }
    }
    best.filter(|shorter| shorter.len() < known)
}

/// Searches for a violation of any kind up to the depth limit of the meter: all steps of `model` are
/// taken of the states up to that depth, and a path to a state or to a cycle has the fewest steps.
/// Where the limit keeps no state out, the search is complete.
pub fn to_depth<M: Monitored>(model: &M, order: Order, meter: &mut Meter<'_>) -> Searched {
    let mut initials = model.initials().to_vec();
    if order == Order::Reverse {
        initials.reverse();
    }
    let space = Space::new(model.words(), &initials);
    let near = Neighbourhood {
        model,
        initials: space.len(),
        longest: u32::MAX,
        budget: u64::MAX,
        depths: Vec::new(),
        edges: Edges::default(),
        flags: Vec::new(),
        violating: None,
    };
    let mut run = Run::new(model, order, meter, space, near);
    let flow = breadth_first::search(&mut run);
    let near = &mut run.listener;
    let mut found = near.violating.map(|(violation, state)| Found {
        violation,
        path: run.space.boxed(&run.space.path(state)),
        cycle: Vec::new(),
    });
    let mut stop = match flow {
        ControlFlow::Break(Stop::Limit(reason)) => Some(reason),
        ControlFlow::Continue(()) | ControlFlow::Break(Stop::Decided) => None,
    };
    near.edges.end_states(run.space.len());
    if let None | Some(Reason::Depth(_)) = stop {
        for violation in [Violation::Livelock, Violation::Infinite] {
            match near.lasso(violation, &run.space, run.meter) {
                ControlFlow::Continue(Some(lasso)) => {
                    let is_shorter = found.as_ref().is_none_or(|found| lasso.len() < found.len());
                    found = if is_shorter { Some(lasso) } else { found };
                }
                ControlFlow::Continue(None) | ControlFlow::Break(Stop::Decided) => {}
                ControlFlow::Break(Stop::Limit(reason)) => stop = Some(reason),
            }
        }
    }
    Searched {
        depth: match stop {
            Some(Reason::Depth(depth)) if !run.leaves_out => Some(depth),
            _ => None,
        },
        stop: stop.filter(|_| found.is_none()),
        found,
        states: run.space.states(),
        edges: run.space.edges,
        visits: run.visits,
        full: run.space.full,
        leaves_out: run.leaves_out,
        ..Searched::default()
    }
}

/// The states near the initial ones, numbered in breadth-first order: those nearer than the
/// violation is long, up to the first that is a violation by itself.
struct Neighbourhood<'a, M> {
    model: &'a M,
    /// How many steps the violation has that is to be made shorter.
    longest: u32,
    /// How many states there may be.
    budget: u64,
    /// How many of them a run may begin in: the first.
    initials: u32,
    depths: Vec<u32>,
    edges: Edges,
    /// What each edge is to a monitor.
    flags: Vec<Flags>,
    violating: Option<(Violation, u32)>,
}

impl<M: Monitored> Listener for Neighbourhood<'_, M> {
    fn admits(&self, ways: &dyn Ways, from: u32) -> bool {
        let depth = self.depths[from as usize] + 1;
        ways.figures().states < self.budget && depth < self.longest
    }

    fn found(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        // Its depth is told by the edge to it, which comes next; an initial state has none.
        self.depths.push(0);
        if self.violating.is_none() && self.model.marks(state).reject {
            self.violating = Some((Violation::Reject, number));
            if number < self.initials {
                return ControlFlow::Break(Stop::Decided);
            }
        }
        ControlFlow::Continue(())
    }

    fn edge(&mut self, from: u32, _: Option<Label<'_>>, flags: Flags, to: u32) {
        // A state is found by the first edge to it.
        let is_last = to as usize + 1 == self.depths.len();
        if is_last && to >= self.initials && self.depths[to as usize] == 0 {
            self.depths[to as usize] = self.depths[from as usize] + 1;
            if self.violating == Some((Violation::Reject, to)) {
                // A nearer state without a step may come yet, and nothing that is farther is of use.
                self.longest = self.depths[to as usize];
            }
        }
        self.edges.end_states(from);
        self.edges.push(to);
        self.flags.push(flags);
    }

    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        let depth = |state: u32| self.depths[state as usize];
        let is_nearer = (self.violating).is_none_or(|(_, known)| depth(number) < depth(known));
        if is_nearer && self.model.marks(state).deadlock {
            self.violating = Some((Violation::Deadlock, number));
            return ControlFlow::Break(Stop::Decided);
        }
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> u64 {
        let lists = self.depths.capacity() * 4 + self.flags.capacity();
        lists as u64 + self.edges.bytes()
    }
}

impl<M> Neighbourhood<'_, M> {
    /// A path to a cycle that is such a violation, and the cycle.
    fn lasso(
        &self,
        violation: Violation,
        space: &Space,
        meter: &mut Meter<'_>,
    ) -> ControlFlow<Stop, Option<Found>> {
        let is_silent = violation == Violation::Livelock;
        let is_right = |flags: &Flags| match is_silent {
            true => flags.is_silent(),
            false => flags.is_accepting(),
        };
        if !self.flags.iter().any(is_right) {
            return ControlFlow::Continue(None);
        }
        // A livelock has silent steps alone, an infinite trace one that accepts.
        let silent = is_silent.then(|| self.silent());
        let edges = silent.as_ref().unwrap_or(&self.edges);
        let accepts = |edge: usize| is_silent || self.flags[edge].is_accepting();
        let figures = Figures {
            edges: 0,
            ..space.figures(self.edges.bytes() + silent.as_ref().map_or(0, Edges::bytes))
        };
        let on_cycles = on_cycles_with(edges, &accepts, &mut || meter.poll(figures))?;
        let nearest = (0..edges.states()).filter(|state| on_cycles.contains(*state));
        let nearest = nearest.map(|state| (state, self.depths[state as usize] as usize));
        let cycles = Cycles {
            edges,
            within: &|state| on_cycles.contains(state),
            with: (!is_silent).then_some(&accepts),
        };
        let least = cycles.least(nearest, &mut || meter.poll(figures))?;
        ControlFlow::Continue(least.map(|(state, cycle)| Found {
            violation,
            path: space.boxed(&space.path(state)),
            cycle: space.boxed(&cycle[1..]),
        }))
    }

    /// The silent edges.
    fn silent(&self) -> Edges {
        let mut silent = Edges::default();
        for state in 0..self.edges.states() {
            let flags = &self.flags[self.edges.first(state)..];
            for (to, flags) in self.edges.of(state).iter().zip(flags) {
                if flags.is_silent() {
                    silent.push(*to);
                }
            }
            silent.end_state();
        }
        silent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::graph::{Graph, Random};
    use crate::search::violations::{Algorithm, search};
    use stubborn_space::budget::Budget;
    use stubborn_space::options::{Limits, Options};
    use stubborn_space::successors::Erased;

    fn shortened(graph: &Graph, found: &Found, budget: u64) -> Found {
        let limits = Limits {
            max_states: Some(budget),
            ..Limits::default()
        };
        let mut meter = Meter::quiet(limits.into());
        let shorter = shorter(graph, found.len(), Order::Forward, &mut meter);
        shorter.unwrap_or_else(|| found.clone())
    }

    #[test]
    fn what_is_made_shorter_is_a_violation_too() {
        let mut random = Random::new(5);
        let mut shorter = 0;
        for round in 0..2_000 {
            let graph = Graph::random(&mut random, 4 + round % 20);
            for how in [Algorithm::Nested { error_last: true }, Algorithm::FourPass] {
                let mut meter = Meter::quiet(Budget::default());
                let searched = search(&Erased(&graph), how, &Options::default(), &mut meter);
                let Some(found) = searched.found else {
                    continue;
                };
                for budget in [1, 3, 1_000] {
                    let short = shortened(&graph, &found, budget);
                    graph.expect_real(&short);
                    assert!(short.len() <= found.len());
                    shorter += u32::from(short.len() < found.len());
                }
            }
        }
        assert!(shorter > 100, "only {shorter} are shorter");
    }

    #[test]
    fn to_a_depth_every_violation_of_so_few_steps_is_found() {
        let mut random = Random::new(7);
        let (mut found, mut clear) = (0, 0);
        for round in 0..2_000 {
            let graph = Graph::random(&mut random, 4 + round % 20);
            let to = |max_depth| {
                let limits = Limits {
                    max_depth,
                    ..Limits::default()
                };
                to_depth(&graph, Order::Forward, &mut Meter::quiet(limits.into()))
            };
            let all = to(None);
            assert_eq!(all.stop, None);
            let mut meter = Meter::quiet(Budget::default());
            let how = Algorithm::FourPass;
            let expected = search(&Erased(&graph), how, &Options::default(), &mut meter);
            assert_eq!(all.found.is_some(), expected.found.is_some());
            for depth in 1..8 {
                let near = to(Some(depth));
                let length = all.found.as_ref().map(Found::len);
                match &near.found {
                    Some(violation) => {
                        graph.expect_real(violation);
                        assert!(Some(violation.len()) >= length);
                        found += 1;
                    }
                    None if near.stop == Some(Reason::Depth(depth)) => {
                        assert_eq!(near.depth, Some(depth));
                        assert!(length.is_none_or(|length| length as u64 > depth));
                        clear += 1;
                    }
                    None => assert_eq!((near.stop, length), (None, None)),
                }
            }
        }
        assert!(found > 500 && clear > 500, "{found} and {clear}");
    }

    #[test]
    fn a_path_to_a_state_is_a_shortest_one() {
        let mut random = Random::new(9);
        let mut asked = 0;
        for round in 0..2_000 {
            let graph = Graph::random(&mut random, 4 + round % 20);
            let mut meter = Meter::quiet(Budget::default());
            let how = Algorithm::Nested { error_last: true };
            let searched = search(&Erased(&graph), how, &Options::default(), &mut meter);
            let Some(found) = searched.found.filter(|found| found.cycle.is_empty()) else {
                continue;
            };
            let short = shortened(&graph, &found, 1_000);
            let kinds = [Violation::Reject, Violation::Deadlock];
            let nearest = kinds
                .iter()
                .filter_map(|kind| graph.distance_to(*kind))
                .min();
            let nearest = nearest.expect("it has been found");
            match short.cycle.is_empty() {
                true => assert_eq!(short.len(), nearest),
                false => assert!(short.len() < nearest),
            }
            asked += 1;
        }
        assert!(asked > 100, "only {asked} were asked");
    }
}
