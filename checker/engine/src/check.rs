//! Deciding properties.

use std::fmt;
use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::bitstate;
use crate::conclude::conclude;
use crate::conclude_reduced::{Reach, conclude_cycles, conclude_reduced};
use crate::graph::recurrence::Question;
use crate::options::{Options, Reduction, Search, Storage, Watch};
use crate::packed::{Expression, Packed};
use crate::properties::Properties;
use crate::reduction::Stubborn;
use crate::reduction::cycles::Seen;
use crate::related::{Related, StateCheck};
use crate::search::{Meter, Space, Stop, search};
use crate::shorten::{Budget, Violation, shorten};
use crate::verdict::{Outcome, Reason, Verdict};

/// Why there is no answer at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// One state takes this many bits, more than can be searched.
    StateTooLarge { bits: u64 },
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::StateTooLarge { bits } => write!(
                f,
                "one state of this model takes {bits} bits, more than can be searched; smaller \
                 types, channels or numbers of instances would mend it"
            ),
        }
    }
}

impl std::error::Error for CheckError {}

/// Decides the properties, and gives an outcome for each, in their order.
///
/// With a reduction there is one search with stubborn sets, and then, for what that cannot decide,
/// one of the plain state space: must-progress always, and may-progress where the model is not AG EF
/// terminating. Recurrence is there decided by a search with a cycle proviso, if nothing else is
/// left. Without a reduction there is the plain search alone.
///
/// In bitstate storage violations are looked for, and nothing is proved ([`bitstate`]).
///
/// A property that is decided early stays decided; a search ends when all are. Costs time and memory
/// in proportion to the number of states and, for termination, progress and every reduced search,
/// of edges.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn check(
    system: &System,
    properties: &[Property],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    debug_assert!(
        !properties.iter().any(Property::is_monitored),
        "monitors have searches of their own"
    );
    let meter = Meter::new(options.limits, watch);
    let packed = Packed::new(system)?;
    if let Storage::Bitstate { bits } = options.storage {
        return Ok(bitstate::check(&packed, properties, bits, options, watch));
    }
    let mut checking = Checking {
        packed: &packed,
        options,
        watch,
        meter,
        found: Properties::new(
            &packed,
            properties,
            watch,
            options.search == Search::Breadth,
        ),
        outcomes: vec![None; properties.len()],
    };
    let mut flow = ControlFlow::Continue(());
    if options.reduction == Reduction::Stubborn && checking.has_reducible() {
        flow = checking.reduced();
        if flow.is_continue() && checking.has_recurrences_alone() {
            flow = checking.cyclic();
        }
    }
    if flow.is_continue() && checking.found.undecided().next().is_some() {
        checking.plain();
    }
    let outcomes: Vec<Outcome> = checking.outcomes.into_iter().flatten().collect();
    debug_assert_eq!(
        outcomes.len(),
        properties.len(),
        "every property has an outcome"
    );
    Ok(outcomes)
}

struct Checking<'a> {
    packed: &'a Packed<'a>,
    options: &'a Options,
    watch: &'a dyn Watch,
    meter: Meter<'a>,
    found: Properties<'a>,
    /// Of the properties that the searches so far have decided.
    outcomes: Vec<Option<Outcome>>,
}

impl Checking<'_> {
    fn has_reducible(&self) -> bool {
        let mut open = self.found.undecided();
        open.any(|property| !matches!(self.found.property(property), Property::MustProgress(_)))
    }

    /// Where the plain state space is needed in any case, it decides recurrences as well.
    fn has_recurrences_alone(&self) -> bool {
        let is_recurrence =
            |property| matches!(self.found.property(property), Property::Recurrence { .. });
        let mut open = self.found.undecided().peekable();
        open.peek().is_some() && open.all(is_recurrence)
    }

    /// Decides recurrences in a model that is not AG EF terminating. Breaks where a limit was
    /// reached.
    fn cyclic(&mut self) -> ControlFlow<Stop> {
        let open: Vec<usize> = self.found.undecided().collect();
        let questions = open
            .iter()
            .filter_map(|property| match self.found.property(*property) {
                Property::Recurrence {
                    infinitely,
                    implies,
                } => Some(Question::new(self.packed.system(), infinitely, implies)),
                _ => None,
            });
        let seen = Seen(questions.collect());
        self.found
            .begin(self.options.search == Search::Breadth, true);
        let mut space = Space::new(self.packed);
        let meter = &mut self.meter;
        let related = match Related::new(self.packed, &[], &mut |bytes| meter.prepare(bytes)) {
            ControlFlow::Continue(related) => related,
            ControlFlow::Break(stop) => {
                self.end(ControlFlow::Break(stop.clone()), &space);
                return ControlFlow::Break(stop);
            }
        };
        let stubborn = Stubborn::beside(related, seen);
        let flow = search(
            &stubborn,
            self.options,
            &mut self.meter,
            &mut space,
            &mut self.found,
        );
        let flow = match flow {
            ControlFlow::Continue(()) => conclude_cycles(
                self.packed,
                &stubborn,
                self.options.order,
                &mut self.found,
                &mut space,
                &mut self.meter,
            ),
            stopped => stopped,
        };
        self.end(flow.clone(), &space);
        if !space.is_plain() {
            self.shorten(&open, &space, &Reach::default());
        }
        flow
    }

    fn plain(&mut self) {
        self.found
            .begin(self.options.search == Search::Breadth, false);
        let mut space = Space::new(self.packed);
        let flow = search(
            self.packed,
            self.options,
            &mut self.meter,
            &mut space,
            &mut self.found,
        );
        let flow = match flow {
            ControlFlow::Continue(()) => {
                conclude(self.packed, &mut self.found, &space, &mut self.meter)
            }
            stopped => stopped,
        };
        self.end(flow, &space);
    }

    /// Breaks where a limit was reached.
    fn reduced(&mut self) -> ControlFlow<Stop> {
        let open: Vec<usize> = self.found.undecided().collect();
        let checks = open
            .iter()
            .filter_map(|property| match self.found.property(*property) {
                Property::Invariant(e) => Some((self.packed.expression(e), StateCheck::Falsehood)),
                Property::MayProgress(e) => Some((self.packed.expression(e), StateCheck::Failure)),
                _ => None,
            });
        let checks: Vec<(Expression, StateCheck)> = checks.collect();
        let checks: Vec<(&Expression, StateCheck)> =
            checks.iter().map(|(e, how)| (e, *how)).collect();
        self.found
            .begin(self.options.search == Search::Breadth, true);
        let mut space = Space::new(self.packed);
        let meter = &mut self.meter;
        let related = match Related::new(self.packed, &checks, &mut |bytes| meter.prepare(bytes)) {
            ControlFlow::Continue(related) => related,
            ControlFlow::Break(stop) => {
                self.end(ControlFlow::Break(stop.clone()), &space);
                return ControlFlow::Break(stop);
            }
        };
        let stubborn = Stubborn::new(related);
        let mut reach = Reach::default();
        let flow = search(
            &stubborn,
            self.options,
            &mut self.meter,
            &mut space,
            &mut self.found,
        );
        let flow = match flow {
            ControlFlow::Continue(()) => conclude_reduced(
                self.packed,
                &stubborn,
                (self.options.order, &mut reach),
                &mut self.found,
                &mut space,
                &mut self.meter,
            ),
            stopped => stopped,
        };
        let flow = match flow {
            ControlFlow::Break(Stop::Decided) if self.found.undecided().next().is_none() => {
                ControlFlow::Continue(())
            }
            flow => flow,
        };
        self.end(flow.clone(), &space);
        if !space.is_plain() {
            self.shorten(&open, &space, &reach);
        }
        flow
    }

    /// The search is over: what it has decided has its outcome, and where it was broken off there
    /// will be no other.
    fn end(&mut self, flow: ControlFlow<Stop>, space: &Space) {
        if let ControlFlow::Break(stop) = flow {
            self.found.settle_for_dead_ends(space);
            for property in self.found.undecided() {
                let reason = match &stop {
                    Stop::Limit(reason) => reason.clone(),
                    Stop::Decided => Reason::Internal("the search ended too early".to_owned()),
                };
                self.found
                    .decide(property, Verdict::Undecided(reason), space);
            }
        }
        let seconds = self.meter.seconds();
        let verdicts = self.found.verdicts.iter().zip(&mut self.outcomes);
        for (verdict, outcome) in verdicts {
            if outcome.is_none()
                && let Some(verdict) = verdict
            {
                *outcome = Some(Outcome {
                    verdict: verdict.clone(),
                    states: space.states(),
                    edges: space.edges,
                    full: space.full,
                    reduction: space.reduction(),
                    seconds,
                });
            }
        }
    }

    /// Makes the traces shorter that a reduced search has found for some of the properties.
    fn shorten(&mut self, of: &[usize], space: &Space, reach: &Reach) {
        let number = |state: &[u64]| space.store.find(space.store.hash(state), state).ok();
        let found = &self.found;
        let known_bad = |property: usize| {
            move |state: &[u64]| {
                number(state).is_some_and(|state| match found.property(property) {
                    Property::Termination => reach.ends_nowhere(state),
                    _ => found.terminal.contains(state) && !found.goals[property].contains(state),
                })
            }
        };
        let known_bad: Vec<_> = (0..self.outcomes.len()).map(known_bad).collect();
        let outcomes = self.outcomes.iter_mut().enumerate();
        let outcomes = outcomes.filter(|(property, _)| of.contains(property));
        let mut violations: Vec<Violation<'_>> = outcomes
            .filter_map(|(property, outcome)| {
                Some(Violation {
                    property: found.property(property),
                    verdict: &mut outcome.as_mut()?.verdict,
                    known_bad: &known_bad[property],
                })
            })
            .collect();
        let budget = Budget {
            generated: space.states(),
            held: space.bytes(),
            options: self.options,
            watch: self.watch,
        };
        shorten(self.packed, &mut violations, &budget);
    }
}
