//! A system with a monitor beside it, as the searches see it.

pub mod automaton;
pub mod tester;

pub use automaton::{AutomatonProduct, Watcher};
pub use tester::{TesterProduct, WithTester};
