//! Automata that watch runs: Büchi automata, testing automata, and what formulas of linear temporal
//! logic become; what can be decided of them, how one becomes another, and how they get smaller.
//!
//! An automaton reads *valuations*: which of its propositions hold in a state. This crate knows no
//! systems and no searches; what a proposition means is somebody else's matter.

mod accept;
pub mod buchi;
mod classes;
mod ends;
pub mod forever;
mod inclusion;
pub mod label;
pub mod limits;
mod reduce;
mod split;
pub mod stuttering;
pub mod testing;
mod to_buchi;
mod to_testing;
pub mod word;
pub mod work;

#[cfg(test)]
mod tests;

pub mod ltl;

pub use buchi::{Buchi, BuchiState};
pub use forever::Forever;
pub use label::{Cube, Label, Valuation};
pub use limits::TooLarge;
pub use stuttering::Insensitivity;
pub use testing::{Testing, TestingState};
pub use to_buchi::buchi_of;
pub use to_testing::testing_of;
pub use word::Word;
pub use work::{NotMade, Stopped, Work};
