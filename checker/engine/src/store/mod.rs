//! Which states have been found.

pub mod bitstate;
pub mod exact;
