//! Inputs of the database, as the queries see them.

use std::sync::Arc;

use super::files::SourceFile;
use super::memories::Memories;
use crate::jobs::Verdicts;

/// What the queries see of the database.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The file with this path, which is an input even if nobody has looked for it yet.
    fn file(&self, path: &str) -> SourceFile;

    /// What the searches have found.
    fn verdict_input(&self) -> VerdictInput;

    /// What was read last, for the next time.
    fn memories(&self) -> &Memories;
}

/// Answer to work that asks whether it is to end: it unwinds where an input is to change.
pub fn is_to_end(db: &dyn Db) -> bool {
    db.unwind_if_revision_cancelled();
    false
}

/// What the searches have found, as an input.
#[salsa::input]
pub struct VerdictInput {
    pub table: Arc<Verdicts>,
}
