//! States on the stacks of depth-first searches.

use super::steps::Rest;

use crate::store::Key;

/// A state on a stack.
pub struct Frame<D> {
    /// Number of its first step among the collected steps of the run.
    pub begin: usize,
    /// Number of its steps that were taken.
    pub taken: u32,
    pub key: Key,
    pub rest: Rest,
    /// Whether a reduction leaves steps of it out.
    pub leaves_out: bool,
    pub datum: D,
}
