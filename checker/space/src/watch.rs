//! What a caller hears of a search while it runs.

use std::time::Instant;

use crate::coverage::Coverage;
use crate::disk::Disk;
use crate::options::Progress;
use crate::plan::attempt::Finished;
use crate::several::Several;
use crate::verdict::Outcome;

/// Somebody who follows a search. All methods may do nothing.
pub trait Watch: Sync {
    /// Whoever is told and asked everything that this one does not see to by a method of its own.
    fn passes_to(&self) -> Option<&dyn Watch> {
        None
    }
    /// Called some ten times a second.
    fn progress(&self, progress: &Progress) {
        if let Some(to) = self.passes_to() {
            to.progress(progress);
        }
    }
    /// The property with this index was decided, its trace replayed. The figures of the outcome are
    /// those of the search so far, which may go on for other properties; the outcomes that
    /// `check` returns have the final ones. One that is violated may be told again, with a shorter
    /// run.
    fn decided(&self, property: usize, outcome: &Outcome) {
        if let Some(to) = self.passes_to() {
            to.decided(property, outcome);
        }
    }
    /// One of the searches that a check consists of is over; all so far have generated so many states.
    fn searched(&self, states: u64) {
        if let Some(to) = self.passes_to() {
            to.searched(states);
        }
    }
    /// Coverage of the search that covered most of those for the properties with these indices, which
    /// need not be decided. Called once for properties that share their searches, if the options ask for
    /// it, and again if these are repeated ([`Coverage::is_better_than`] compares them). Products with
    /// monitors report none.
    fn saw(&self, properties: &[usize], coverage: &Coverage) {
        if let Some(to) = self.passes_to() {
            to.saw(properties, coverage);
        }
    }
    /// An attempt of the plan for the properties with these indices is over.
    fn attempted(&self, properties: &[usize], finished: &Finished) {
        if let Some(to) = self.passes_to() {
            to.attempted(properties, finished);
        }
    }
    /// Asked often; once it is true the search ends soon.
    fn is_cancelled(&self) -> bool {
        self.passes_to().is_some_and(|to| to.is_cancelled())
    }
    /// Where a search may put its states that has no memory for them; nowhere, unless somebody wants it. Then what
    /// single states and steps show is looked for on the disk once memory has run out.
    fn disk(&self) -> Option<&dyn Disk> {
        self.passes_to()?.disk()
    }
    /// Others to search with; nobody, unless somebody wants it.
    fn several(&self) -> Option<&dyn Several> {
        self.passes_to()?.several()
    }
    /// The time by which limits and costs are counted. It stands still while the search is held, which
    /// a watch may do whenever it is asked something.
    fn now(&self) -> Instant {
        self.passes_to().map_or_else(Instant::now, |to| to.now())
    }
}

/// Hears nothing, and may end it: of a search that is a part of another one.
pub struct Unheard<'w>(pub &'w dyn Watch);

impl Watch for Unheard<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn now(&self) -> Instant {
        self.0.now()
    }
}

/// Nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Watch for Silent {}
