//! Going through the reachable states. A search knows neither what is to be proved nor which
//! reduction, if any, the steps come from; it tells an [`Observer`] what it meets.

mod bfs;
mod dfs;
pub mod expansion;
mod meter;
mod space;

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use crate::options::{Options, Search};
use crate::successors::{Label, Successors};
use crate::verdict::Reason;

pub use bfs::make_up_for;
pub use meter::{Figures, Meter};
pub use space::Space;

/// Why a search ends before it has taken every step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing left to find out.
    Decided,
    Limit(Reason),
}

/// The search that the options ask for.
pub fn search<S: Successors, O: Observer>(
    successors: &S,
    options: &Options,
    meter: &mut Meter<'_>,
    space: &mut Space,
    observer: &mut O,
) -> ControlFlow<Stop> {
    match options.search {
        Search::Breadth => bfs::breadth_first(successors, options.order, meter, space, observer),
        Search::Depth => dfs::depth_first(successors, options.order, meter, space, observer),
    }
}

/// Told of everything that a search meets, in the order in which it meets it.
pub trait Observer {
    /// Whether [`Observer::edge`] is to be given labels, which costs time.
    fn wants_labels(&self) -> bool;

    /// A new state, after the edge to it has been counted.
    fn found(&mut self, space: &Space, state: u32) -> ControlFlow<Stop>;

    /// An edge, after [`Observer::found`] if its target is new.
    fn edge(&mut self, from: u32, label: Option<Label<'_>>, to: u32);

    /// A step that fails.
    fn failing(
        &mut self,
        space: &Space,
        at: u32,
        label: Label<'_>,
        failure: &Failure,
    ) -> ControlFlow<Stop>;

    /// A state that has no step.
    fn terminal(&mut self, space: &Space, state: u32) -> ControlFlow<Stop>;

    /// All steps of the last state on the path of a depth-first search have been taken, and all that
    /// is found through them. A breadth-first search has no path, and does not tell it.
    fn left(&mut self, _space: &Space, _state: u32) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    /// Memory that the observer holds, in bytes.
    fn bytes(&self) -> u64;

    /// The search holds more memory than it may. Whether the observer could free some.
    fn spare_memory(&mut self) -> bool {
        false
    }
}
