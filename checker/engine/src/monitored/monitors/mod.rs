//! The monitors of properties beside one run, each from its definition.

mod automata;
mod tester;

pub use automata::{BuchiBeside, TestingBeside, Valuation, valuations};
pub use tester::TesterBeside;
