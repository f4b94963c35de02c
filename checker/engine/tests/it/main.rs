//! The engine from outside, one module for each subject.

mod bitstate;
mod by_hand;
mod cliffs;
mod depth_first;
mod disk;
mod extents;
mod footprints;
mod large_values;
mod layers;
mod limits;
mod merged;
mod messages;
mod models;
mod monitors;
mod peterson;
mod random_runs;
mod random_systems;
mod refinement;
mod replicas;
mod rounds;
mod seen;
mod shorter_traces;
mod slices;
mod small;
mod symmetry;
mod token_ring;
