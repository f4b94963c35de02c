//! What the server shows, each a function from the database and a place to plain data.
//!
//! Invariant: nothing here knows the protocol; places are bytes of a file.

pub mod definition;
pub mod diagnostics;
#[cfg(test)]
mod fixture;
pub mod formatting;
pub mod hover;
pub mod lens;
pub mod run;
pub mod state;
pub mod symbols;
pub mod undecided;
pub mod violation;

use std::ops::Range;
use std::sync::Arc;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub path: Arc<str>,
    pub bytes: Range<usize>,
}
