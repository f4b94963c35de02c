//! Automata that watch runs: Büchi automata, testing automata, and what formulas of linear temporal
//! logic become; what can be decided of them, how one becomes another, and how they get smaller.
//!
//! An automaton reads *valuations*: which of its propositions hold in a state. This crate knows no
//! systems and no searches; what a proposition means is somebody else's matter.

mod accept;
pub mod buchi;
mod components;
pub mod forever;
pub mod label;
pub mod limits;
pub mod testing;
pub mod word;

#[cfg(test)]
mod tests;

pub use buchi::{Buchi, BuchiState};
pub use forever::Forever;
pub use label::{Cube, Label, Valuation};
pub use limits::TooLarge;
pub use testing::{Testing, TestingState};
pub use word::Word;
