//! Inputs of the database, as the queries see them.

use std::sync::Arc;

use super::files::SourceFile;
use super::memories::Memories;
use crate::jobs::Verdicts;

/// Inputs of the queries.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The file with this path; it is an input even before it is opened.
    fn file(&self, path: &str) -> SourceFile;

    /// Results of the searches.
    fn verdict_input(&self) -> VerdictInput;

    /// Earlier parse results, for incremental parsing.
    fn memories(&self) -> &Memories;
}

/// Answer to work that asks whether it is to end: it unwinds where an input is to change.
pub fn is_to_end(db: &dyn Db) -> bool {
    db.unwind_if_revision_cancelled();
    false
}

/// Results of the searches, as an input.
#[salsa::input]
pub struct VerdictInput {
    pub table: Arc<Verdicts>,
}
