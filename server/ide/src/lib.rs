//! Models as an editor sees them: the database of texts and verdicts, the searches of a session,
//! and features, which are functions from the database and a place to plain data.
//!
//! Invariant: nothing here knows a protocol, an asynchronous runtime or a terminal.

pub mod before;
pub mod database;
pub mod disk;
pub mod features;
pub mod files;
pub mod jobs;
pub mod looks;
pub mod spent;
pub mod tried;
