//! The values that a plan of searches is made of, and its progress.

pub mod attempt;
pub mod progress;
pub mod stages;
