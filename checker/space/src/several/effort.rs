//! How a search that several processes share was divided.

use serde::{Deserialize, Serialize};

/// What sharing a search has come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sharing {
    pub processes: u32,
    /// Workers, those of the first process first.
    pub workers: Vec<Effort>,
}

/// What one worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    pub process: u32,
    pub states: u64,
    /// The most memory that its states took.
    pub bytes: u64,
    /// Bytes of states that were sent to workers of other processes.
    pub sent: u64,
    /// Seconds in which it had nothing to do, because others were not done yet.
    pub waited: f64,
}
