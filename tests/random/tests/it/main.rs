//! What is drawn by lot, held to oracles.

mod fair;
mod monitors;
mod reduction_sweeps;
mod reductions;
