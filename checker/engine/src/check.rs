//! Deciding claims.

use std::fmt;
use std::ops::ControlFlow;

use stubborn_model::claim::Claim;
use stubborn_model::system::System;

use crate::bitstate;
use crate::claims::Claims;
use crate::conclude::conclude;
use crate::conclude_reduced::{Reach, conclude_cycles, conclude_reduced};
use crate::graph::recurrence::Question;
use crate::options::{Options, Reduction, Search, Storage, Watch};
use crate::packed::{Expression, Packed};
use crate::reduction::{Looked, Stubborn};
use crate::search::{Pace, Space, Stop, search};
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

/// Decides the claims, and gives an outcome for each, in their order.
///
/// With a reduction there is one search with stubborn sets, and then, for what that cannot decide,
/// one of the plain state space: must-progress always, and may-progress where the model is not AG EF
/// terminating. Recurrence is there decided by a search with a cycle condition, if nothing else is
/// left. Without a reduction there is the plain search alone.
///
/// In bitstate storage violations are looked for, and nothing is proved ([`bitstate`]).
///
/// A claim that is decided early stays decided; a search ends when all are. Costs time and memory
/// in proportion to the number of states and, for termination, progress and every reduced search,
/// of edges.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn check(
    system: &System,
    claims: &[Claim],
    options: &Options,
    watch: &dyn Watch,
) -> Result<Vec<Outcome>, CheckError> {
    debug_assert!(
        !claims.iter().any(Claim::is_monitored),
        "monitors have searches of their own"
    );
    let pace = Pace::new(options.limits, watch);
    let packed = Packed::new(system)?;
    if let Storage::Bitstate { bits } = options.storage {
        return Ok(bitstate::check(&packed, claims, bits, options, watch));
    }
    let mut checking = Checking {
        packed: &packed,
        options,
        watch,
        pace,
        found: Claims::new(&packed, claims, watch, options.search == Search::Breadth),
        outcomes: vec![None; claims.len()],
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
    debug_assert_eq!(outcomes.len(), claims.len(), "every claim has an outcome");
    Ok(outcomes)
}

struct Checking<'a> {
    packed: &'a Packed<'a>,
    options: &'a Options,
    watch: &'a dyn Watch,
    pace: Pace<'a>,
    found: Claims<'a>,
    /// Of the claims that the searches so far have decided.
    outcomes: Vec<Option<Outcome>>,
}

impl Checking<'_> {
    fn has_reducible(&self) -> bool {
        let mut open = self.found.undecided();
        open.any(|claim| !matches!(self.found.claim(claim), Claim::MustProgress(_)))
    }

    /// Where the plain state space is needed in any case, it decides recurrences as well.
    fn has_recurrences_alone(&self) -> bool {
        let is_recurrence = |claim| matches!(self.found.claim(claim), Claim::Recurrence { .. });
        let mut open = self.found.undecided().peekable();
        open.peek().is_some() && open.all(is_recurrence)
    }

    /// Decides recurrences in a model that is not AG EF terminating. Breaks where a limit was
    /// reached.
    fn cyclic(&mut self) -> ControlFlow<Stop> {
        let open: Vec<usize> = self.found.undecided().collect();
        let questions = open
            .iter()
            .filter_map(|claim| match self.found.claim(*claim) {
                Claim::Recurrence {
                    infinitely,
                    implies,
                } => Some(Question::new(self.packed.system(), infinitely, implies)),
                _ => None,
            });
        let stubborn = Stubborn::for_cycles(self.packed, questions.collect());
        self.found
            .begin(self.options.search == Search::Breadth, true);
        let mut space = Space::new(self.packed);
        let flow = search(
            &stubborn,
            self.options,
            &mut self.pace,
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
                &mut self.pace,
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
            &mut self.pace,
            &mut space,
            &mut self.found,
        );
        let flow = match flow {
            ControlFlow::Continue(()) => {
                conclude(self.packed, &mut self.found, &space, &mut self.pace)
            }
            stopped => stopped,
        };
        self.end(flow, &space);
    }

    /// Breaks where a limit was reached.
    fn reduced(&mut self) -> ControlFlow<Stop> {
        let open: Vec<usize> = self.found.undecided().collect();
        let looked = open
            .iter()
            .filter_map(|claim| match self.found.claim(*claim) {
                Claim::Invariant(e) => Some((self.packed.expression(e), Looked::ForFalsehood)),
                Claim::MayProgress(e) => Some((self.packed.expression(e), Looked::ForFailure)),
                _ => None,
            });
        let looked: Vec<(Expression, Looked)> = looked.collect();
        let looked: Vec<(&Expression, Looked)> = looked.iter().map(|(e, how)| (e, *how)).collect();
        let stubborn = Stubborn::new(self.packed, &looked);
        self.found
            .begin(self.options.search == Search::Breadth, true);
        let mut space = Space::new(self.packed);
        let mut reach = Reach::default();
        let flow = search(
            &stubborn,
            self.options,
            &mut self.pace,
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
                &mut self.pace,
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
            for claim in self.found.undecided() {
                let reason = match &stop {
                    Stop::Limit(reason) => reason.clone(),
                    Stop::Decided => Reason::Internal("the search ended too early".to_owned()),
                };
                self.found.decide(claim, Verdict::Undecided(reason), space);
            }
        }
        let seconds = self.pace.seconds();
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

    /// Makes the traces shorter that a reduced search has found for some of the claims.
    fn shorten(&mut self, of: &[usize], space: &Space, reach: &Reach) {
        let number = |state: &[u64]| space.store.find(space.store.hash(state), state).ok();
        let found = &self.found;
        let known_bad = |claim: usize| {
            move |state: &[u64]| {
                number(state).is_some_and(|state| match found.claim(claim) {
                    Claim::Termination => reach.ends_nowhere(state),
                    _ => found.terminal.contains(state) && !found.goals[claim].contains(state),
                })
            }
        };
        let known_bad: Vec<_> = (0..self.outcomes.len()).map(known_bad).collect();
        let outcomes = self.outcomes.iter_mut().enumerate();
        let outcomes = outcomes.filter(|(claim, _)| of.contains(claim));
        let mut violations: Vec<Violation<'_>> = outcomes
            .filter_map(|(claim, outcome)| {
                Some(Violation {
                    claim: found.claim(claim),
                    verdict: &mut outcome.as_mut()?.verdict,
                    known_bad: &known_bad[claim],
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
