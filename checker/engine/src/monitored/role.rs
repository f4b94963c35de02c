//! Role of this process in a search.

use crate::several::Several;
use crate::worker_model::Work;

/// Role of this process in a search.
pub enum Role<'a> {
    Alone,
    /// The leader, which carries out the plan with this number, in a slice or not.
    First(&'a dyn Several, u32, bool),
    Worker(Work<'a>),
}
