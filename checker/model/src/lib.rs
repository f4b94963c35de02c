//! From trees to systems: names, types, constants, and lowering to a [`system::System`] with a
//! [`source_map::SourceMap`] beside it.
//!
//! This crate knows nothing of searches, editors, protocols or terminals. It reads no files: a
//! `Program` is given to it whole.

pub mod analysis;
mod body;
pub mod claim;
mod claims;
pub mod declarations;
pub mod dump;
pub mod elaborate;
mod evaluate;
pub mod expressions;
pub mod names;
pub mod problem;
mod processes;
pub mod program;
pub mod slice;
pub mod source;
pub mod source_map;
mod steps;
pub mod system;
pub mod types;
mod warnings;

pub use analysis::{Analysis, Model, analyze};
pub use claims::Property;

#[cfg(test)]
mod tests;
