//! What the server shows, each a function from the database and a place to plain data.
//!
//! Invariant: nothing here knows the protocol; places are bytes of a file.

pub mod completion;
pub mod definition;
pub mod diagnostics;
#[cfg(test)]
mod fixture;
pub mod formatting;
pub mod hints;
pub mod hover;
pub mod lens;
pub mod parameters;
pub mod signature;
pub mod state;
pub mod symbols;

use std::ops::Range;
use std::sync::Arc;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub path: Arc<str>,
    pub bytes: Range<usize>,
}
