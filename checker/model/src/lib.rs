//! From trees to systems: names, types, constants, and lowering to a [`system::System`] with a
//! [`source_map::SourceMap`] beside it.
//!
//! This crate knows nothing of searches, editors, protocols or terminals. It reads no files: a
//! `Program` is given to it whole.

pub mod claim;
pub mod declarations;
pub mod elaborate;
mod evaluate;
pub mod expressions;
pub mod names;
pub mod problem;
pub mod program;
pub mod source;
pub mod source_map;
pub mod system;
pub mod types;
