//! What is drawn by lot, held to oracles.

mod monitors;
mod reduction_sweeps;
mod reductions;
