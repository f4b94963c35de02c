//! The monitors of properties beside one run, each from its definition.

mod automata;
mod tester;

pub use automata::{Valuation, automaton_beside, valuations};
pub use tester::TesterBeside;
