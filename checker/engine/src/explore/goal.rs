//! State space of any model, and a path to the first state that is searched for.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::counts::Exploration;
use crate::caller::Caller;
use crate::check::search;
use crate::options::Options;
use crate::search::{Alone, Listener, Meter, Monitored as _, Run, Space, Stop, Ways};
use crate::successors::{AnyModel, Label, Model, Successors as _};

/// State with which an exploration ends.
#[derive(Clone, Copy)]
pub enum Goal<'g> {
    /// None: every reachable state is visited.
    Nothing,
    /// A state for which this is true.
    State(&'g dyn Fn(&[u64]) -> bool),
    /// A state without a step for which this is true.
    Terminal(&'g dyn Fn(&[u64]) -> bool),
}

/// States of a path, the initial one first.
pub type Path = Vec<Box<[u64]>>;

/// Explores a model of any type, and returns the path to the first state with the goal. Breadth
/// first no path is shorter, unless the model leaves steps out.
///
/// The search uses the order, the kind of search and the limits of the options. It keeps every
/// state in memory and works on one thread.
pub fn explore_model(
    model: &AnyModel<'_>,
    options: &Options,
    caller: Caller<'_>,
    goal: Goal<'_>,
) -> (Exploration, Option<Path>) {
    let model = Model::of(model);
    let alone = Alone::new(&model);
    let mut meter = Meter::new(caller.with(options.limits));
    let mut seeker = Seeker {
        goal,
        path: None,
        terminal: 0,
        failing: 0,
    };
    let space = Space::new(alone.words(), alone.initials());
    let mut run = Run::new(&alone, options.order, &mut meter, space, &mut seeker);
    let flow = search(&mut run, options.search);
    let built = (run.space.figures(0), run.space.full);
    drop(run);
    let counts = (seeker.terminal, seeker.failing);
    let found = Exploration::new(flow, built, counts, None, meter.seconds());
    (found, seeker.path)
}

struct Seeker<'g> {
    goal: Goal<'g>,
    path: Option<Path>,
    terminal: u64,
    failing: u64,
}

impl Seeker<'_> {
    fn end_with(&mut self, ways: &dyn Ways, number: u32, words: usize) -> ControlFlow<Stop> {
        let state = |number| {
            let mut state = vec![0; words].into_boxed_slice();
            ways.copy(number, &mut state);
            state
        };
        self.path = Some(ways.path(number).into_iter().map(state).collect());
        ControlFlow::Break(Stop::Decided)
    }
}

impl Listener for Seeker<'_> {
    fn found(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        match self.goal {
            Goal::State(is_goal) if is_goal(state) => self.end_with(ways, number, state.len()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        self.failing += 1;
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        self.terminal += 1;
        match self.goal {
            Goal::Terminal(is_goal) if is_goal(state) => self.end_with(ways, number, state.len()),
            _ => ControlFlow::Continue(()),
        }
    }
}
