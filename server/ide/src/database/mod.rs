//! From texts to Systems, each step worked out once and again only where its input has changed.
//!
//! The inputs are the files' texts and the verdicts of the searches. Everything else is a pure
//! function of these: text -> tree -> program -> analysis -> System -> slices. A step whose
//! result equals the one before ends the work: after an edit that changes only comments, layout or
//! names the System is equal, and what is made of it stands.
//!
//! Invariant: no query reads a disk, a clock or a setting; a file that is not there is an input
//! like any other, and so is one that nobody has looked for yet. No search runs in here. Reading a
//! text and analysing a model look at what they came to the time before, which changes nothing in what
//! they find: within a text the items are the steps ([`stubborn_syntax::parse_again`]), and within an
//! analysis the processes, and an edit in one does not read the others ([`stubborn_model::Memory`]).

mod coverage;
mod explained;
mod files;
mod found;
mod inputs;
mod memories;
mod other_value;
mod queries;
mod vacuity;

use std::sync::{Arc, OnceLock};

use salsa::Setter;

pub use coverage::{coverage_of_root, coverage_of_slice, every_step};
pub use explained::{report, reports};
pub use files::{Contents, SourceFile, normalize};
pub use found::{run, verdicts};
pub use inputs::{Db, VerdictInput, is_to_end};
pub use queries::{Whole, analyzed, fingerprint, parsed, properties, scopes, system, texts, whole};

pub use vacuity::{Question, idle, premises};

pub use other_value::{Stand, WithValue, reports_with, run_with, with_value};

use crate::jobs::Verdicts;
use files::Files;
use memories::Memories;

/// The database. A clone is a handle for a reader: whoever changes an input waits until all clones
/// are dropped, and readers at work are made to unwind.
#[salsa::db]
#[derive(Clone, Default)]
pub struct Database {
    storage: salsa::Storage<Self>,
    files: Files,
    verdicts: Arc<OnceLock<VerdictInput>>,
    memories: Memories,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn file(&self, path: &str) -> SourceFile {
        self.files
            .get(path, |path| SourceFile::new(self, path, Contents::Unread))
    }

    fn verdict_input(&self) -> VerdictInput {
        *self
            .verdicts
            .get_or_init(|| VerdictInput::new(self, Arc::default()))
    }

    fn memories(&self) -> &Memories {
        &self.memories
    }
}

impl Database {
    /// Sets what is known of a file's text. Costs nothing where that was known already; else waits
    /// for the readers.
    pub fn set_contents(&mut self, path: &str, contents: Contents) {
        let file = self.file(path);
        if *file.contents(self) != contents {
            file.set_contents(self).to(contents);
        }
    }

    /// Sets what the searches have found. Waits for the readers.
    pub fn set_verdicts(&mut self, table: Arc<Verdicts>) {
        self.verdict_input().set_table(self).to(table);
    }
}

#[cfg(test)]
mod tests;
