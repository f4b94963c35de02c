//! What a share is made for, and with.

use std::sync::atomic::AtomicU64;

use crate::search::meter::Meter;
use crate::search::spilled::Follow;
use crate::several::{FailingStep, Shown};

/// States are looked up so many at a time, so that the waits for memory overlap.
pub const BATCH: usize = 64;

/// Who looks, and what comes of it.
pub trait Gathers: Follow {
    /// What was found since this was asked.
    fn shown(&mut self) -> Vec<Shown>;

    /// These properties are still open, and no others.
    fn go_on(&mut self, open: &[usize]);

    /// Failing steps to be told.
    fn told(&self) -> Vec<FailingStep>;
}

/// What a worker may use, together with the others of its process.
pub struct Means<'m> {
    pub meter: Meter<'m>,
    /// Memory that they have in use together, in bytes.
    pub account: &'m AtomicU64,
}
