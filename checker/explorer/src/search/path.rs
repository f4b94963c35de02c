//! Shortest paths: a breadth-first search for the nearest state that is a goal.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Flags, Monitored};
use stubborn_space::options::Order;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::listener::{Listener, Ways};
use super::meter::{Meter, Stop};
use super::{Run, Space, breadth_first};

/// Returns the goal that a breadth-first search finds first, with the states that were found until
/// then, which are no farther; `None` if there is none. No path to a goal is shorter if the model
/// leaves no steps out. While it searches, `held` bytes are in use besides.
pub fn shortest<M: Monitored>(
    model: &M,
    is_goal: impl FnMut(&[u64]) -> bool,
    (order, held): (Order, u64),
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Option<(Space, u32)>> {
    let mut initials = model.initials().to_vec();
    if order == Order::Reverse {
        initials.reverse();
    }
    let space = Space::new(model.words(), &initials);
    let seeking = Seeking {
        is_goal,
        held,
        found: None,
    };
    let mut run = Run::new(model, order, meter, space, seeking);
    let flow = breadth_first::search(&mut run);
    match (run.listener.found, flow) {
        (Some(state), _) => ControlFlow::Continue(Some((run.space, state))),
        (None, ControlFlow::Break(stop)) => ControlFlow::Break(stop),
        (None, ControlFlow::Continue(())) => ControlFlow::Continue(None),
    }
}

struct Seeking<F> {
    is_goal: F,
    held: u64,
    found: Option<u32>,
}

impl<F: FnMut(&[u64]) -> bool> Listener for Seeking<F> {
    fn found(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        match (self.is_goal)(state) {
            true => {
                self.found = Some(number);
                ControlFlow::Break(Stop::Decided)
            }
            false => ControlFlow::Continue(()),
        }
    }

    fn edge(&mut self, _: u32, _: Option<Label<'_>>, _: Flags, _: u32) {}

    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &dyn Ways, _: u32, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn bytes(&self) -> u64 {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::graph::{Graph, Random};
    use stubborn_space::options::Limits;
    use stubborn_space::verdict::Violation;
    use stubborn_space::watch::Silent;

    #[test]
    fn no_path_to_a_goal_of_a_random_graph_is_shorter() {
        let mut random = Random::new(7);
        let mut found = 0;
        for round in 0..2_000 {
            let graph = Graph::random(&mut random, 4 + round % 20);
            for order in [Order::Forward, Order::Reverse] {
                let mut meter = Meter::new(Limits::default(), &Silent);
                let is_goal = |state: &[u64]| graph.marks(state).reject;
                let shortest = shortest(&graph, is_goal, (order, 0), &mut meter);
                let shortest = shortest.continue_value().expect("there is no limit");
                let steps = shortest.map(|(space, state)| space.path(state).len() - 1);
                assert_eq!(steps, graph.distance_to(Violation::Reject));
                found += u32::from(steps.is_some());
            }
        }
        assert!(found > 500, "only {found} are found");
    }
}
