//! The state space as a graph, for what no single state or step shows.

pub mod components;
mod edges;
pub mod lasso;
pub mod path;
pub mod reach;
mod set;
pub mod termination;

use std::ops::ControlFlow;

pub use edges::Edges;
pub use set::StateSet;

/// Asked now and then whether to go on; what it breaks with is the caller's matter.
pub type Poll<'a, B> = &'a mut dyn FnMut() -> ControlFlow<B>;
