//! Deciding properties: which searches are made for them, and what follows from each.

pub mod again;
mod conclude;
mod conclude_reduced;
mod observations;
mod ordinary;
pub mod quick;
pub mod shorten;
pub mod sliced;
mod verdicts;

#[cfg(test)]
mod told;

pub use ordinary::spilled::memory_alone;
pub use ordinary::{check as check_in_one_search, search};
pub use verdicts::Noting;
