//! Random runs beside a monitor: search for what a finite run violates.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::product::AnyProduct;
use super::shared::is_deadlock;
use crate::options::{Options, RandomRuns};
use crate::search::found::{self, Searched};
use crate::search::layers::Look;
use crate::search::random::{Found, STEPS_OF_SHRINKING, Seek, search};
use crate::search::shrink::shrunk;
use crate::search::{Meter, Stop};
use crate::successors::{Label, Memory};
use crate::verdict::{Reason, Violation};

/// Makes random runs of a product until one shows a violation: a reject, or a deadlock.
pub fn random_runs(
    product: &AnyProduct<'_>,
    how: RandomRuns,
    options: &Options,
    meter: &mut Meter<'_>,
) -> Searched {
    let observer = || Finite {
        product,
        scratch: product.scratch(),
        noted: None,
        is_done: false,
    };
    let how = (how, options.threads());
    let (flow, made) = search(&product, how, meter, observer, &|_, _| {});
    let stop = match flow {
        ControlFlow::Break(Stop::Limit(reason)) => reason,
        _ => Reason::Runs(made.runs.runs),
    };
    let found = made.found.into_iter().min_by_key(|found| found.path.len());
    let mut budget = STEPS_OF_SHRINKING;
    let mut shrunk =
        |found: &Found<Violation>| shrunk(&product, &found.path, (&mut budget, meter), observer);
    let found = found.map(|found| shrunk(&found).unwrap_or(found));
    Searched {
        stop: found.is_none().then_some(stop),
        found: found.and_then(|found| {
            Some(found::Found {
                violation: found.noted.first().copied()?,
                path: found.path,
                cycle: Vec::new(),
            })
        }),
        states: made.figures.states,
        edges: made.figures.edges,
        visits: made.figures.states,
        runs: Some(made.runs),
        ..Searched::default()
    }
}

/// Observer of what a finite run violates.
struct Finite<'p> {
    product: &'p AnyProduct<'p>,
    scratch: Memory,
    noted: Option<Violation>,
    is_done: bool,
}

impl Finite<'_> {
    fn note(&mut self, is_violated: bool, violation: Violation) -> ControlFlow<Stop> {
        if !is_violated {
            return ControlFlow::Continue(());
        }
        (self.noted, self.is_done) = (Some(violation), true);
        ControlFlow::Break(Stop::Decided)
    }
}

impl Look for Finite<'_> {
    fn found(&mut self, _: usize, state: &[u64]) -> ControlFlow<Stop> {
        self.note(self.product.marks(state).reject, Violation::Reject)
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        let is_violated = is_deadlock(self.product, state, &mut self.scratch);
        self.note(is_violated, Violation::Deadlock)
    }
}

impl Seek for Finite<'_> {
    type Noted = Violation;

    fn take(&mut self) -> Vec<Violation> {
        self.noted.take().into_iter().collect()
    }

    fn forget(&mut self, _: &Violation) {
        self.is_done = true;
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
