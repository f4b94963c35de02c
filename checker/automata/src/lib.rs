//! Automata that watch runs: Büchi automata, testing automata, and what formulas of linear temporal
//! logic become; what can be decided of them, how one becomes another, and how they get smaller.
//!
//! An automaton reads *valuations*: which of its propositions hold in a state. This crate knows no
//! systems and no searches; what a proposition means is somebody else's matter.

pub mod buchi;
pub mod label;
pub mod testing;
pub mod word;

pub use buchi::{Buchi, BuchiState};
pub use label::{Cube, Label, Valuation};
pub use testing::{Testing, TestingState};
pub use word::Word;
