//! The waist of this crate: what a search needs to know of a system.

mod erased;
mod footprints;
mod steps;

pub use erased::{AnyModel, Erased, Memory};
pub use footprints::{AnyFootprints, Bits, Footprints, Model, Place};
pub use steps::{
    Around, Label, Polled, Successors, Visit, Wanted, Wanting, WorkingMemory, end_layer, find_step,
};
