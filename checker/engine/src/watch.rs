//! What a caller hears of a search while it runs.

use std::time::Instant;

use crate::options::Progress;
use crate::seen::Seen;
use crate::verdict::Outcome;

/// Somebody who follows a search. All methods may do nothing.
pub trait Watch: Sync {
    /// Called some ten times a second.
    fn progress(&self, _: &Progress) {}
    /// The property with this index was decided, its trace replayed. The figures of the outcome are
    /// those of the search so far, which may go on for other properties; the outcomes that
    /// [`check`](crate::check) returns have the final ones.
    fn decided(&self, _property: usize, _: &Outcome) {}
    /// One of the searches that a check consists of is over, and has generated so many states.
    fn searched(&self, _states: u64) {}
    /// What the searches have seen that were made for the properties with these indices, which need not
    /// have been decided; of all that the one that looked at most. Told once for properties that shared
    /// their searches, if the options ask for it, and again where these are made again for want of time:
    /// whoever keeps it asks which is better ([`Seen::is_better_than`]). What a monitor watches for is
    /// looked for in a product, of which nothing is told.
    fn saw(&self, _properties: &[usize], _: &Seen) {}
    /// Asked often; once it is true the search ends soon.
    fn is_cancelled(&self) -> bool {
        false
    }
    /// The time by which limits and costs are counted. It stands still while the search is held, which
    /// a watch may do whenever it is asked something. Who passes on to another watch passes this on.
    fn now(&self) -> Instant {
        Instant::now()
    }
}

/// Nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {}
