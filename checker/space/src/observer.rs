//! Events of a search, for its caller.

use crate::coverage::Coverage;
use crate::options::Progress;
use crate::plan::attempt::Finished;
use crate::verdict::Outcome;

/// Event of a search while it runs. Properties are given by their indices.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// Figures so far, some ten times a second.
    Progress(&'e Progress),
    /// A property was decided and its trace replayed. The figures of the outcome are those of the
    /// search so far, which may go on for other properties; the outcomes that `check` returns have
    /// the final ones. A violation may be repeated with a shorter run.
    Decided(usize, &'e Outcome),
    /// One of the searches of a check is over; all so far have generated this many states.
    Searched(u64),
    /// Coverage of the searches for these properties, decided or not, if the options ask for it: of
    /// all these searches the one that visited most. Repeated if a search is made again for lack of
    /// time: keep the better one ([`Coverage::is_better_than`]). There is none for properties with
    /// a monitor, whose searches visit a product.
    Saw(&'e [usize], &'e Coverage),
    /// An attempt of the plan for these properties is over.
    Attempted(&'e [usize], &'e Finished),
}

/// Receiver of the events of a search, on any of its threads. Closures are observers.
pub trait Observer: Sync {
    fn event(&self, event: Event<'_>);
}

impl<F: Fn(Event<'_>) + Sync> Observer for F {
    fn event(&self, event: Event<'_>) {
        self(event);
    }
}

/// Observer that ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event<'_>) {}
}
