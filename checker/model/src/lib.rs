//! From trees to systems: names, types, constants, and lowering to a [`System`](stubborn_system::system::System) with a
//! [`SourceMap`](stubborn_system::source_map::SourceMap) beside it.
//!
//! This crate knows nothing of searches, editors, protocols or terminals. It reads no files: a
//! `Program` is given to it whole.

pub mod analysis;
mod asked;
mod body;
mod consequences;
mod declarations;
pub mod elaborate;
mod evaluate;
mod expressions;
mod hints;
mod instantiate;
mod interrupt;
mod memory;
pub mod names;
pub mod problem;
mod processes;
pub mod program;
mod properties;
pub mod spans;
mod steps;
mod template;
mod types;
mod warnings;

pub use analysis::{Analysis, Model, analyze, analyze_remembering, analyze_within, grammar};
pub use asked::{Around, Asked, read_expression};
pub use memory::Memory;
pub use properties::{FormulaPart, NamedProperty, Premise, PremiseKind};
pub use stubborn_syntax::Interrupted;

#[cfg(test)]
mod tests;
