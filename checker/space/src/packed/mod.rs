//! The fast path: states as a few words of bits, and steps compiled for them.
//!
//! It implements the definition in [`stubborn_system::system`] on its own; the reference
//! interpreter is the other account of it, and the tests hold the two together.

pub mod body;
pub mod channel;
pub mod code;
pub mod compile;
pub mod evaluate;
mod footprint;
mod joint;
pub mod joint_step;
pub mod key;
pub mod layout;
pub mod local;
mod memo;
mod model;
pub mod noted;
pub mod participants;
mod plain;
mod portions;
mod shape;
mod simplify;
mod specialise;
mod steps;
pub mod walk;

pub use model::{Expression, Packed, StepRef};
pub use steps::Scratch;
