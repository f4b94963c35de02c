//! The searches of a session: which run, which wait, and what they have found.
//!
//! A search is known by the fingerprint of its System, and a verdict by those of the property's slice
//! and of the property. So a comment, a layout or a name that changes in the text changes nothing here,
//! nor does a process that the property does not depend on; a slice is never searched twice for one
//! property; and only properties that no text makes any more, about slices as they are, make a search
//! stale.
//!
//! Invariant: nothing here knows of the database or of the protocol, and no search holds anything
//! that an edit would have to wait for.

mod fingerprint;
mod gate;
mod job;
pub mod kept;
mod properties;
mod search;
mod shares;
mod table;
mod turns;
mod verdicts;

pub use fingerprint::Fingerprint;
pub use kept::Kept;
pub(crate) use properties::sliced_again;
pub use properties::{Key, Sliced, sliced};
pub use search::{JobId, News, Purpose, Wanted};
pub use stubborn_engine::plan::editor::slow_states;
pub use table::{Change, JobTable, Standing, Statistics, UnderWay};
pub use verdicts::{Answer, Known, Verdicts};
