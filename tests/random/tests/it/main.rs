//! What is drawn by lot, held to oracles.

mod fair;
mod fair_sweeps;
mod monitors;
mod reduction_sweeps;
mod reductions;
