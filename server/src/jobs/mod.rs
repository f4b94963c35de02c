//! The searches of a session: which run, which wait, and what they have found.
//!
//! A search is known by the fingerprint of its System, and a verdict by those of System and claim.
//! So a comment, a layout or a name that changes in the text changes nothing here; a System is
//! never searched twice for one claim; and only a System that is no longer in any text, or a claim,
//! makes a search stale.
//!
//! Invariant: nothing here knows of the database or of the protocol, and no search holds anything
//! that an edit would have to wait for.

pub mod fingerprint;
pub mod search;
mod table;
pub mod verdicts;

pub use fingerprint::Fingerprint;
pub use search::{JobId, News};
pub use table::{Change, JobTable, Statistics, Wanted};
pub use verdicts::{Answer, Known, Verdicts};
