//! The Hanoi Omega-Automata format, version 1 (Babiak et al. 2015; <https://adl.github.io/hoaf/>).
//!
//! [`read`] takes every form of the format but universal branching: labels and acceptance on states or
//! on edges, implicit labels, aliases, every acceptance condition. [`write()`] takes a Büchi automaton
//! with labels and acceptance on its states. Properties that the format has no place for stand in
//! header items of our own, which other programs may ignore: a file that was written here is read
//! back as the same automaton.
//!
//! There is a crate for the format, `hoars`. Its version 0.2.0 unwraps the numbers that it reads,
//! gives no places for what is wrong beyond the syntax, and brings a parser generator, a library of
//! decision diagrams and a subscriber for logs along; the format needs less than that.

mod acceptance;
mod automaton;
mod labels;
mod parser;
mod place;
mod read;
mod tokens;
mod write;

#[cfg(test)]
mod tests;

pub use place::Refused;
pub use read::{Read, read};
pub use write::write;
