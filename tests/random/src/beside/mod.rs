//! Monitors drawn beside a System, without a text.

pub mod automata;
pub mod testers;
