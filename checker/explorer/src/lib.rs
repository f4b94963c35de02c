//! Searches through the states of a model, the stores that keep what they find, and questions about
//! the graph of states and steps.
//!
//! A search knows neither what is to be proved nor whether a reduction leaves out steps.

pub mod graph;
pub mod search;
pub mod store;
