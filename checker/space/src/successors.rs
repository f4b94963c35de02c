//! The waist of this crate: what a search needs to know of a system.

mod erased;
mod footprints;
mod steps;

pub use erased::{AnyModel, Erased, Memory};
pub use footprints::{AnyFootprints, Bits, Footprints, Model, Place};
pub use steps::{Label, Successors, Visit, Wanted, Wanting, WorkingMemory, end_layer};
