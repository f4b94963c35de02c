//! What all the tests of the automata use, and the tests of several constructions together.

mod conversions;
pub mod figures;
mod limits;
pub mod random;
