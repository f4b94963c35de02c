//! Deciding a property of fair runs alone (`language.md` §9).
//!
//! The whole state space is searched of what the property and its assumptions depend on, with no
//! steps left out: the sets of Valmari's theorems keep an execution of each kind, not a fair one,
//! since steps that are put off may be those of an assumption.
//!
//! Slices are those of runs without fairness: what is left out of them is read by no guard and can
//! fail nowhere, so that what is possible in a state is what is possible in its slice; and a run of
//! the slice is fair as the run of the whole is that takes its steps.

pub mod met;
mod questions;
mod sooner;

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_automata::{Buchi, NotMade, Work};
use stubborn_system::property::{Fair, Property};
use stubborn_system::slice::Slice;
use stubborn_system::system::{Failure, System};

use self::met::is_fair;
use self::questions::{Accepted, Avoiding};
use super::confirm::{InSearched, Unconfirmed, Watched};
use super::making::within_limits;
use super::plan::violating;
use super::product::{AutomatonProduct, Watcher};
use super::sliced::sliced;
use crate::caller::Caller;
use crate::error::CheckError;
use crate::interpreter::evaluate;
use crate::observer::{Event, Phase};
use crate::options::{Obstacle, Options, Storage};
use crate::packed::Packed;
use crate::plan::attempt::{Ended, Finished, Strategy};
use crate::plan::monitors::next_for_fair_runs;
use crate::recurring::Recurring;
use crate::runs::confirm::{replayed, shows};
use crate::runs::lifting::lifted;
use crate::runs::limits::{Limited, for_a_run};
use crate::runs::no_trace::{NoTrace, Poll, polled};
use crate::search::fair::{Assumed, FairRun, OfSystem, Searched, Shown, search};
use crate::search::{Alone, Figures, Meter, Question, Recurrence, Stop};
use crate::successors::Successors;
use crate::symmetry::permutations::permuted;
use crate::trace::{Recorder, Trace};
use crate::verdict::{Finding, Outcome, Reason, Verdict, Violation};

/// Decides a property of fair runs by a search of its own. Costs time and memory in proportion to
/// the states and steps of the plain state space, of the product with an automaton where one is
/// needed.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn decide(
    system: &System,
    fair: &Fair,
    options: &Options,
    caller: Caller<'_>,
) -> Result<Outcome, CheckError> {
    let mut deciding = Deciding {
        system,
        fair,
        options,
        meter: Meter::new(caller),
        caller,
        searched: None,
        within: 0,
    };
    let phase = Phase::Search.begin(caller.observer);
    let verdict = deciding.verdict()?;
    drop(phase);
    let verdict = match deciding.rejected_sooner(verdict) {
        // It is as fair as it was.
        Verdict::Violated { finding, trace } => {
            let trace = Arc::new(Arc::unwrap_or_clone(trace).rolled());
            Verdict::Violated { finding, trace }
        }
        verdict => verdict,
    };
    let searched = deciding.searched.as_ref();
    let states = searched.map_or(0, |searched| searched.states);
    Ok(Outcome {
        states,
        edges: searched.map_or(0, |searched| searched.edges),
        full: searched.is_some_and(|searched| searched.full),
        symmetry: permuted(system, options, None, (Some(Obstacle::FairRuns), states)),
        within: deciding.within,
        seconds: deciding.meter.seconds(),
        ..Outcome::without_search(verdict)
    })
}

struct Deciding<'a> {
    system: &'a System,
    fair: &'a Fair,
    options: &'a Options,
    meter: Meter<'a>,
    caller: Caller<'a>,
    /// The last search, without what it has found.
    searched: Option<Searched>,
    /// The bounds that have cut off states, a bit for each.
    within: u64,
}

/// What a search has shown, in the System that was searched.
struct Found {
    shown: Shown,
    trace: Trace,
    /// Where an expression of an automaton has no value in the last state.
    fails: Option<Failure>,
}

impl<'a> Deciding<'a> {
    fn verdict(&mut self) -> Result<Verdict, CheckError> {
        if let Some(quick) = self.options.quick {
            // There are no rounds: nothing is left out.
            return Ok(Verdict::Undecided(Reason::Rounds(quick.rounds)));
        }
        if self.options.storage != Storage::Exact {
            return Ok(Verdict::Undecided(Reason::NeedsExactStorage));
        }
        if let ControlFlow::Break(Stop::Limit(reason)) = self.meter.poll(Figures::default()) {
            return Ok(Verdict::Undecided(reason));
        }
        let mut next = next_for_fair_runs(self.options, None);
        while let Some(attempt) = next {
            let Strategy::FairRuns { sliced } = attempt.strategy else {
                break;
            };
            let began = self.meter.seconds();
            let found = self.searched(sliced)?;
            let ended = match &found {
                Ok(Verdict::Undecided(reason)) => Ended::Limit(reason.clone()),
                Ok(_) => Ended::Complete,
                Err(Unconfirmed::CycleTooLong) => Ended::CycleTooLong,
                Err(_) => Ended::NotConfirmed,
            };
            next = next_for_fair_runs(self.options, Some((sliced, &ended)));
            let searched = self.searched.as_ref();
            let finished = Finished {
                attempt,
                states: searched.map_or(0, |searched| searched.states),
                edges: searched.map_or(0, |searched| searched.edges),
                seconds: self.meter.seconds() - began,
                open: (0..usize::from(ended != Ended::Complete)).collect(),
                ended,
            };
            self.caller
                .observer
                .event(Event::Attempted(&[0], &finished));
            match found {
                Ok(verdict) => return Ok(verdict),
                Err(Unconfirmed::NoTrace(none)) => return Ok(Verdict::Undecided(none.reason())),
                Err(Unconfirmed::CycleTooLong | Unconfirmed::NotOfTheProperty) => {}
            }
        }
        let defect = "what a search for a fair run has found is not confirmed";
        Ok(Verdict::defect(defect))
    }

    fn searched(&mut self, slices: bool) -> Result<Result<Verdict, Unconfirmed>, CheckError> {
        let whole = Property::Fair(self.fair.clone());
        let (options, meter) = (self.options, &mut self.meter);
        let slice = match sliced(slices, self.system, &whole, options, meter) {
            ControlFlow::Continue(slice) => slice,
            ControlFlow::Break(stop) => return Ok(Err(NoTrace::from(stop).into())),
        };
        let sliced = slice.as_ref().map(|slice| slice.property(&whole));
        let (system, fair) = match (&slice, &sliced) {
            (Some(slice), Some(Property::Fair(fair))) => (&slice.system, fair),
            _ => (self.system, self.fair),
        };
        let found = match self.search(system, fair)? {
            Ok(found) => found,
            Err(none) => return Ok(Err(none.into())),
        };
        let Some(found) = found else {
            let searched = self.searched.as_ref();
            let stop = searched.and_then(|searched| searched.stop.clone());
            return Ok(Ok(stop.map_or(Verdict::Holds, Verdict::Undecided)));
        };
        let limited = self.limited(found.trace.bytes());
        Ok(self.confirmed(slice.as_ref(), found, &mut |bytes| limited.poll(bytes)))
    }

    /// Looks for a fair run that violates the property.
    fn search(
        &mut self,
        system: &System,
        fair: &Fair,
    ) -> Result<Result<Option<Found>, NoTrace>, CheckError> {
        let packed = Packed::new(system)?;
        let assumed = Assumed::new(system, &fair.assumptions);
        let found = match &*fair.property {
            Property::MustProgress(goal) => {
                let mut asked = Avoiding::new(&packed, packed.expression(goal));
                self.look(&Alone::new(&packed), &packed, &assumed, &mut asked)
            }
            Property::Recurrence(infinitely, implies) => {
                let mut asked = Recurrence {
                    packed: &packed,
                    recurring: Recurring::new(system, infinitely, implies),
                };
                self.look(&Alone::new(&packed), &packed, &assumed, &mut asked)
            }
            property => {
                let meter = &mut self.meter;
                let made = within_limits(&mut |bytes| meter.prepare(bytes), |work| {
                    automaton(property, work)
                });
                // A run that is rejected before it is over may have no fair one that begins with
                // it.
                let (buchi, observed) = match made {
                    Ok((buchi, observed)) => (buchi.without_reject(), observed),
                    Err(reason) => return Ok(Err(NoTrace::Limit(reason))),
                };
                let observed = super::confirm::observed(property, &observed);
                let watcher = Watcher::Buchi(buchi);
                let product = AutomatonProduct::new(&packed, &packed, &watcher, &observed);
                self.look(&product, &packed, &assumed, &mut Accepted(&product))
            }
        };
        self.within |= packed.cut();
        Ok(found)
    }

    fn look<M: OfSystem, Q: Question>(
        &mut self,
        model: &M,
        packed: &Packed<'_>,
        assumed: &Assumed,
        question: &mut Q,
    ) -> Result<Option<Found>, NoTrace> {
        let limits = (&mut self.meter, self.options.limits);
        let mut searched = search(model, assumed, question, self.options.order, limits);
        let found = searched.found.take();
        self.searched = Some(searched);
        let Some(run) = found else {
            return Ok(None);
        };
        let limited = self.limited(0);
        let trace = of_system(packed, &run, &mut |bytes| limited.poll(bytes))?;
        let last = run.steps.last().map_or(&run.start, |(_, state)| state);
        Ok(Some(Found {
            shown: run.shown,
            trace,
            fails: model.failure(last, &mut model.scratch()),
        }))
    }

    /// While so much memory is held besides.
    fn limited(&self, held: u64) -> Limited<'a> {
        Limited::new(for_a_run(self.caller.budget, self.meter.begun()), held)
    }

    /// The verdict on the whole System, by the property's own definition and the assumptions on the
    /// run.
    fn confirmed(
        &self,
        slice: Option<&Slice>,
        found: Found,
        poll: Poll<'_>,
    ) -> Result<Verdict, Unconfirmed> {
        let property = &*self.fair.property;
        let trace = match slice {
            // The interpreter takes it in the whole System.
            Some(slice) => lifted(self.system, slice, &found.trace, poll)?,
            None => {
                replayed(self.system, &found.trace, poll)?;
                found.trace
            }
        };
        // Where an expression has no value in a state it does not matter how a run goes on.
        let needs_fairness = found.shown != Shown::State;
        if needs_fairness && !is_fair(self.system, &self.fair.assumptions, &trace, poll)? {
            return Err(Unconfirmed::NotOfTheProperty);
        }
        let finding = match (found.shown, property) {
            (Shown::Cycle, Property::MustProgress(_)) => Finding::GoalAvoidedByCycle,
            (Shown::End, Property::MustProgress(_)) => Finding::GoalAvoidedByEnd,
            (Shown::State, Property::MustProgress(goal)) => {
                match evaluate(self.system, trace.last(), goal) {
                    Err(failure) => Finding::ExpressionFails(failure),
                    Ok(_) => return Err(Unconfirmed::NotOfTheProperty),
                }
            }
            (_, Property::Recurrence(..)) => Finding::RecurrenceViolated,
            (shown, property) => {
                let watched = Watched {
                    system: self.system,
                    property,
                    tester: None,
                };
                let found = InSearched {
                    violation: match shown {
                        Shown::State => Violation::Reject,
                        Shown::End => Violation::Deadlock,
                        Shown::Cycle => Violation::Infinite,
                    },
                    trace,
                    fails: found.fails,
                    extension: None,
                };
                return watched.confirmed(None, found, poll);
            }
        };
        shows(self.system, property, &finding, &trace)?;
        Ok(Verdict::Violated {
            finding,
            trace: Arc::new(trace),
        })
    }
}

/// An automaton that accepts the maximal runs which violate the property, with the numbers of what
/// it observes.
fn automaton(property: &Property, work: &Work<'_>) -> Result<(Buchi, Vec<u32>), NotMade<Reason>> {
    let buchi = violating(property, work)?;
    let (buchi, observed) = buchi.without_unmentioned(work)?;
    Ok((buchi.reduced(false, work)?, observed))
}

/// The run of the system alone, whose words come first in each state.
///
/// # Errors
/// Where a limit is reached.
fn of_system(packed: &Packed<'_>, run: &FairRun, poll: Poll<'_>) -> Result<Trace, NoTrace> {
    let words = packed.words();
    let mut trace = Recorder::new(packed.unpack(&run.start[..words]));
    for (label, state) in &run.steps {
        polled(poll, trace.bytes())?;
        trace.step(label.label(), packed.unpack(&state[..words]));
    }
    Ok(trace.finish((run.shown == Shown::Cycle).then_some(run.before_cycle)))
}
