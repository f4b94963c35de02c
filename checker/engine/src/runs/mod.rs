//! Runs: what a search has to show as a run of the system that was searched, that run as one of the
//! whole System, and whether it shows what it is said to show. All within limits, for a run may be
//! long.

pub(crate) mod confirm;
pub(crate) mod evidence;
pub(crate) mod idle;
pub mod lifting;
pub(crate) mod limits;
pub(crate) mod no_trace;
pub mod path;
pub(crate) mod unfold;
