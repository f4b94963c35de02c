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
    /// The thread that checks begins or ends a phase, which may contain others.
    Begins(Phase),
    Ends(Phase),
}

/// Kind of work that a check spends its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Slices, monitors, and what else comes before a search.
    Preparation,
    /// Relations between steps, for stubborn sets.
    Reduction,
    /// Permutations that preserve the properties.
    Symmetry,
    Search,
    /// Searches for shorter runs.
    Shortening,
    /// Searches for steps and states that are never reached.
    Coverage,
    /// Searches for premises that are never true.
    Vacuity,
    /// Explanations of verdicts.
    Reports,
}

impl Phase {
    /// Begins the phase, which ends when the result is dropped.
    pub fn begin(self, observer: &dyn Observer) -> InPhase<'_> {
        observer.event(Event::Begins(self));
        InPhase(self, observer)
    }

    /// The name of the phase in results.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Preparation => "preparation",
            Phase::Reduction => "reduction",
            Phase::Symmetry => "symmetry",
            Phase::Search => "search",
            Phase::Shortening => "shortening",
            Phase::Coverage => "coverage",
            Phase::Vacuity => "vacuity",
            Phase::Reports => "reports",
        }
    }
}

/// Phase that lasts as long as this value.
#[must_use]
pub struct InPhase<'a>(Phase, &'a dyn Observer);

impl Drop for InPhase<'_> {
    fn drop(&mut self) {
        self.1.event(Event::Ends(self.0));
    }
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
