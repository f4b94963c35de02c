//! The state space as a graph, for what no single state or step shows.

pub mod components;
mod edges;
pub mod path;
pub mod reach;
pub mod recurrence;
pub mod revisit;
mod set;
pub mod termination;

use std::ops::ControlFlow;

use crate::search::Stop;

pub use edges::Edges;
pub use set::StateSet;

/// Asked now and then whether to go on.
pub type Look<'a> = &'a mut dyn FnMut() -> ControlFlow<Stop>;
