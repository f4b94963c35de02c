//! State space of any model, and a path to the first state that is searched for.

use super::counts::Exploration;
use crate::caller::Caller;
use crate::check::search;
use crate::options::Options;
pub use crate::search::path::Goal;
use crate::search::path::Seeking;
use crate::search::{Alone, Meter, Monitored as _, Run, Space, Ways as _};
use crate::successors::{AnyModel, Model, Successors as _};

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
    let space = Space::new(alone.words(), alone.initials());
    let seeking = Seeking::new(goal, 0);
    let mut run = Run::new(&alone, options.order, &mut meter, space, seeking);
    let flow = search(&mut run, options.search);
    let built = (run.space.figures(0), run.space.full);
    let Seeking {
        found,
        terminal,
        failing,
        ..
    } = run.listener;
    let path = found.map(|state| run.space.boxed(&run.space.path(state)));
    let counts = (terminal, failing);
    let seconds = run.meter.seconds();
    let explored = Exploration::new(flow, built, counts, None, seconds);
    (explored, path)
}
