//! Partial-order reduction with stubborn sets.
//!
//! [`reduction`] chooses a stubborn set in each state of any model that has relations; [`related`]
//! finds the relations of a System.

pub mod reduction;
pub mod related;
