//! Which states have been found.

pub mod exact;
