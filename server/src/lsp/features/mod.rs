//! What the server shows, each a function from the database and a place to plain data.
//!
//! Invariant: nothing here knows the protocol; places are bytes of a file.

mod again;
pub mod definition;
pub mod diagnostics;
pub mod fixes;
#[cfg(test)]
mod fixture;
pub mod formatting;
pub mod hover;
pub mod lens;
pub mod references;
pub mod rename;
pub mod run;
pub mod semantic_tokens;
pub mod state;
pub mod symbols;
pub mod undecided;
pub mod violation;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// What to write in the place of what, file by file, in the order of each text.
pub type Edits = BTreeMap<Arc<str>, Vec<(Range<usize>, String)>>;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub path: Arc<str>,
    pub bytes: Range<usize>,
}
