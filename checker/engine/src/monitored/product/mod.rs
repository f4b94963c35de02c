//! A system with a monitor beside it, as the searches see it.

pub mod automaton;
pub mod tester;
pub mod visibility;

pub use automaton::{AutomatonProduct, Watcher};
pub use tester::{TesterProduct, WithTester};
pub use visibility::OfSystem;
