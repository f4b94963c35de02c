//! The engine with conditions of its reduction, or parts of footprints, left out, held to what the engine
//! itself is held to.

// The engine that is looked at here is the one that can be mutated.
extern crate stubborn_mutated_engine as stubborn_engine;

#[allow(dead_code)]
#[path = "../../../random/tests/it/fair/mod.rs"]
mod fair;
mod footprints;
// What only the sweeps of the engine itself ask for is not asked for here.
#[allow(dead_code)]
mod monitors;
mod mutants;
#[allow(dead_code)]
#[path = "../../../random/tests/it/reductions/mod.rs"]
mod reductions;
mod symmetric;
