//! Edits that may become fixes.

use std::ops::Range;

use stubborn_model::Analysis;
use stubborn_model::program::Program;
use stubborn_system::source::FileId;

/// A quick fix that may be offered.
pub(super) struct Proposal {
    pub title: String,
    pub edits: Vec<(FileId, Range<usize>, String)>,
    pub is_the_one: bool,
}

impl Proposal {
    pub fn new(title: impl Into<String>, edits: Vec<(FileId, Range<usize>, String)>) -> Proposal {
        Proposal {
            title: title.into(),
            edits,
            is_the_one: false,
        }
    }
}

/// A root, as those see it who look for fixes.
#[derive(Clone, Copy)]
pub(super) struct Root<'a> {
    pub program: &'a Program,
    pub analysis: &'a Analysis,
}
