//! The plan of a check: which search follows which, and why.
//!
//! An [`Attempt`](attempt::Attempt) is one search, as a value.
//! [`next_attempt`](planner::next_attempt) is a pure function of the request and of the attempts
//! that are over; the runner executes what it returns until it returns none.
//! [`Stage`](stages::Stage) orders attempts with and without permutations, and [`theorems`] says
//! what an attempt proves. [`groups`] says which properties share a search and [`turns`] when each
//! is searched. [`monitors`] plans properties of runs, [`editor`] the check of an editor; [`beside`]
//! has the searches that belong to no plan.

pub mod beside;
pub mod editor;
pub mod facts;
pub mod groups;
pub mod monitors;
pub mod numbers;
pub mod planner;
pub mod theorems;
pub mod turns;

pub use stubborn_space::plan::{attempt, progress, stages};
