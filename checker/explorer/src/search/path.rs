//! Shortest paths: a breadth-first search for the nearest state that is a goal.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::options::Order;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::listener::{Listener, Ways};
use super::meter::{Meter, Stop};
use super::{Run, Space, breadth_first};

/// State at which a search ends.
#[derive(Clone, Copy)]
pub enum Goal<'g> {
    /// None: every reachable state is visited.
    Nothing,
    /// A state for which this is true.
    State(&'g dyn Fn(&[u64]) -> bool),
    /// A state without a step for which this is true.
    Terminal(&'g dyn Fn(&[u64]) -> bool),
}

/// Returns the goal that a breadth-first search finds first, with the states that were found until
/// then, which are no farther; `None` if there is none. No path to a goal is shorter if the model
/// leaves no steps out. While it searches, `held` bytes are in use besides.
pub fn shortest<M: Monitored>(
    model: &M,
    goal: Goal<'_>,
    (order, held): (Order, u64),
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Option<(Space, u32)>> {
    let mut initials = model.initials().to_vec();
    if order == Order::Reverse {
        initials.reverse();
    }
    let space = Space::new(model.words(), &initials);
    let mut run = Run::new(model, order, meter, space, Seeking::new(goal, held));
    let flow = breadth_first::search(&mut run);
    match (run.listener.found, flow) {
        (Some(state), _) => ControlFlow::Continue(Some((run.space, state))),
        (None, ControlFlow::Break(stop)) => ControlFlow::Break(stop),
        (None, ControlFlow::Continue(())) => ControlFlow::Continue(None),
    }
}

/// Listener of a search that ends at a goal.
pub struct Seeking<'g> {
    goal: Goal<'g>,
    held: u64,
    pub found: Option<u32>,
    /// States without a step.
    pub terminal: u64,
    /// Failing steps.
    pub failing: u64,
}

impl<'g> Seeking<'g> {
    pub fn new(goal: Goal<'g>, held: u64) -> Seeking<'g> {
        Seeking {
            goal,
            held,
            found: None,
            terminal: 0,
            failing: 0,
        }
    }

    fn end_if(&mut self, is_goal: bool, number: u32) -> ControlFlow<Stop> {
        if !is_goal {
            return ControlFlow::Continue(());
        }
        self.found = Some(number);
        ControlFlow::Break(Stop::Decided)
    }
}

impl Listener for Seeking<'_> {
    fn found(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        let is_goal = matches!(self.goal, Goal::State(is_goal) if is_goal(state));
        self.end_if(is_goal, number)
    }

    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        self.failing += 1;
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        self.terminal += 1;
        let is_goal = matches!(self.goal, Goal::Terminal(is_goal) if is_goal(state));
        self.end_if(is_goal, number)
    }

    fn bytes(&self) -> u64 {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tests::graph::{Graph, Random};
    use stubborn_space::budget::Budget;
    use stubborn_space::verdict::Violation;

    #[test]
    fn no_path_to_a_goal_of_a_random_graph_is_shorter() {
        let mut random = Random::new(7);
        let mut found = 0;
        for round in 0..2_000 {
            let graph = Graph::random(&mut random, 4 + round % 20);
            for order in [Order::Forward, Order::Reverse] {
                let mut meter = Meter::quiet(Budget::default());
                let is_goal = |state: &[u64]| graph.marks(state).reject;
                let shortest = shortest(&graph, Goal::State(&is_goal), (order, 0), &mut meter);
                let shortest = shortest.continue_value().expect("there is no limit");
                let steps = shortest.map(|(space, state)| space.path(state).len() - 1);
                assert_eq!(steps, graph.distance_to(Violation::Reject));
                found += u32::from(steps.is_some());
            }
        }
        assert!(found > 500, "only {found} are found");
    }
}
