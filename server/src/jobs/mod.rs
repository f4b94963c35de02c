//! The searches of a session: which run, which wait, and what they have found.
//!
//! A search is known by the fingerprint of its System, and a verdict by those of the claim's slice
//! and of the claim. So a comment, a layout or a name that changes in the text changes nothing here,
//! nor does a process that the claim does not depend on; a slice is never searched twice for one
//! claim; and only claims that no text makes any more, about slices as they are, make a search
//! stale.
//!
//! Invariant: nothing here knows of the database or of the protocol, and no search holds anything
//! that an edit would have to wait for.

pub mod claims;
pub mod fingerprint;
pub mod search;
mod table;
pub mod verdicts;

pub use claims::{Key, Sliced, sliced};
pub use fingerprint::Fingerprint;
pub use search::{JobId, News};
pub use table::{Change, JobTable, Statistics, Wanted};
pub use verdicts::{Answer, Known, Verdicts};
