//! What all the tests of the automata use, and the tests of several constructions together.

pub mod figures;
pub mod random;
