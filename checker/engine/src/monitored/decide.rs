//! Deciding one property that a monitor watches for.

mod all_states;
mod searches;

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_system::property::{Fair, Property};
use stubborn_system::system::{Expr, System};

use super::confirm::{InSearched, Unconfirmed, Watched, observed};
use super::conjunction::{conjuncts, decide_each};
use super::extension::maximal_run;
use super::fair::{self, met::is_fair};
use super::path::{Plain, of_cycle};
use super::plan::{Plan, PlannedMonitor, plans};
use super::product::{Watcher, WithTester};
use super::role::Role;
use super::sliced::sliced;
use crate::budget::Budget;
use crate::caller::Caller;
use crate::error::CheckError;
use crate::observer::{Event, Phase};
use crate::options::{Limits, Options, Reduction, Search, Symmetry};
use crate::packed::Packed;
use crate::plan::attempt::{Attempt, Ended, Finished, Strategy};
use crate::plan::monitors::{Runs, beside_monitor, next_beside_monitor, searches_for_fair_runs};
use crate::plan::stages::Stage;
use crate::runs::limits::{Limited, for_a_run};
use crate::runs::no_trace::NoTrace;
use crate::runs::unfold::unfolded;
use crate::search::found::{Found, Searched};
use crate::search::{Figures, Meter, Monitored, Stop};
use crate::several::Sharing;
use crate::symmetry::Orbits;
use crate::symmetry::permutations::{orbits, permuted};
use crate::verdict::{Finding, Outcome, Reason, Round, Verdict, Violation};

/// Decides a property by a search of its own.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn decide(
    system: &System,
    property: &Property,
    options: &Options,
    caller: Caller<'_>,
) -> Result<Outcome, CheckError> {
    let mut options = *options;
    if options.limits.max_depth.is_some() {
        options.symmetry = Symmetry::Off;
    }
    let options = &options;
    let caller = caller.with(options.limits);
    if let Some(conjuncts) = conjuncts(property) {
        return Ok(decide_each(system, &conjuncts, options, caller));
    }
    let meter = Meter::new(caller);
    let mut deciding = Deciding::new((system, property), options, (meter, caller), Role::Alone);
    let several = caller.resources.several;
    if let Property::Fair(fair) = property {
        let undecided = |reason| Ok(deciding.outcome(Verdict::Undecided(reason), None));
        if several.is_some() {
            return undecided(Reason::OneProcessOnly);
        }
        let not_for_fair_runs = match (options.search, options.limits.max_depth) {
            (Search::Random(_), _) => Some(Reason::NotByRandomRuns),
            (_, Some(_)) => Some(Reason::NotToDepth),
            (_, None) => None,
        };
        if let Some(reason) = not_for_fair_runs {
            let found = of_all_runs(system, fair, options, caller)?;
            return found.decided.map_or_else(|| undecided(reason), Ok);
        }
        return of_fair_runs(system, fair, options, caller);
    }
    // Making a monitor takes its time too.
    if let ControlFlow::Break(Stop::Limit(reason)) = deciding.meter.poll(Figures::default()) {
        return Ok(deciding.outcome(Verdict::Undecided(reason), None));
    }
    let mut plans = match plans(system, property, options, &mut deciding.meter) {
        Ok(plans) => plans,
        Err(reason) => return Ok(deciding.outcome(Verdict::Undecided(reason), None)),
    };
    if let Search::Random(_) = options.search {
        plans.retain(Plan::sees_finite_runs);
        if plans.is_empty() {
            return Ok(deciding.outcome(Verdict::Undecided(Reason::NoFiniteRun), None));
        }
    }
    let mut next = next_beside_monitor(options, plans.len(), None);
    while let Some(attempt) = next {
        let Strategy::BesideMonitor { monitor, sliced } = attempt.strategy else {
            break;
        };
        if let Some(several) = several {
            deciding.role = Role::First(several, monitor as u32, sliced);
        }
        let ended = match deciding.carry_out(&plans[monitor], attempt)? {
            Ok(outcome) => return Ok(outcome),
            Err(Unconfirmed::CycleTooLong) => Ended::CycleTooLong,
            Err(Unconfirmed::NotOfTheProperty | Unconfirmed::NoTrace(_)) => Ended::NotConfirmed,
        };
        next = next_beside_monitor(options, plans.len(), Some((monitor, sliced, &ended)));
    }
    let defect = "what a search has found is not confirmed by the property's own definition";
    Ok(deciding.outcome(Verdict::defect(defect), None))
}

/// Decides a property of fair runs by the searches that are [planned](searches_for_fair_runs).
fn of_fair_runs(
    system: &System,
    fair: &Fair,
    options: &Options,
    caller: Caller<'_>,
) -> Result<Outcome, CheckError> {
    let mut furthest: Option<Outcome> = None;
    let mut may_decide = true;
    for (runs, max_states) in searches_for_fair_runs(options, fair.property.is_monitored()) {
        let limits = Limits {
            max_states,
            ..options.limits
        };
        let options = &Options { limits, ..*options };
        let caller = caller.with(limits);
        if runs == Runs::All {
            if may_decide {
                let of_all = of_all_runs(system, fair, options, caller)?;
                if let Some(outcome) = of_all.decided {
                    return Ok(outcome);
                }
                may_decide = of_all.is_limited;
            }
            continue;
        }
        let mut outcome = fair::decide(system, fair, options, caller)?;
        outcome.keep_furthest(furthest.as_ref());
        if !matches!(outcome.verdict, Verdict::Undecided(Reason::States(_))) {
            return Ok(outcome);
        }
        furthest = Some(outcome);
    }
    Ok(furthest.expect("the last search is one for fair runs"))
}

/// Result of a search of all runs for a property of fair ones.
struct OfAllRuns {
    /// The outcome for fair runs, if it shows that.
    decided: Option<Outcome>,
    /// Whether a limit on states has ended it.
    is_limited: bool,
}

/// Decides a property of fair runs by a search of all runs, if it does: if all runs have it, the fair
/// ones do, and a violating run may be fair.
fn of_all_runs(
    system: &System,
    fair: &Fair,
    options: &Options,
    caller: Caller<'_>,
) -> Result<OfAllRuns, CheckError> {
    let begun = caller.budget.now();
    let of_all = decide(system, &fair.property, options, caller)?;
    let limited = Limited::new(for_a_run(caller.budget, begun), 0);
    let is_it = match &of_all.verdict {
        Verdict::Holds | Verdict::Undecided(Reason::Time | Reason::Cancelled) => true,
        Verdict::Violated {
            finding: Finding::ExpressionFails(_),
            ..
        } => true,
        Verdict::Violated { trace, .. } => {
            let poll = &mut |bytes| limited.poll(bytes);
            is_fair(system, &fair.assumptions, trace, poll).unwrap_or(false)
        }
        Verdict::Undecided(_) => false,
    };
    Ok(OfAllRuns {
        is_limited: matches!(of_all.verdict, Verdict::Undecided(Reason::States(_))),
        decided: is_it.then_some(of_all),
    })
}

/// Shortens the run of a formula ([`Trace::rolled`]): its automaton is not in the text, so the run
/// need not show its moves.
fn rolled(property: &Property, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Violated { finding, trace } if matches!(property, Property::Ltl(_)) => {
            let trace = Arc::new(Arc::unwrap_or_clone(trace).rolled());
            Verdict::Violated { finding, trace }
        }
        verdict => verdict,
    }
}

pub(super) struct Deciding<'a> {
    pub(super) system: &'a System,
    pub(super) property: &'a Property,
    pub(super) options: &'a Options,
    pub(super) meter: Meter<'a>,
    caller: Caller<'a>,
    /// States and edges that the last search has generated.
    pub(super) states: u64,
    edges: u64,
    /// The round of the last search, if it was one of several.
    round: Option<Round>,
    /// The present attempt.
    attempt: Attempt,
    /// When it began, in seconds.
    began: f64,
    /// The permutations under which states are merged.
    pub(super) orbits: Option<Orbits>,
    pub(super) role: Role<'a>,
    /// The bounds that have cut off states of its searches, a bit for each.
    pub(super) within: u64,
    /// The processes of the last search.
    pub(super) sharing: Option<Arc<Sharing>>,
    /// The figures of the search that came furthest.
    furthest: Option<Outcome>,
}

/// What runs beside the system that is searched.
pub(super) enum BesideSystem<'p> {
    Tester(WithTester),
    /// With the propositions that it observes.
    Automaton(&'p Watcher, Vec<Expr>),
}

impl<'p> BesideSystem<'p> {
    /// Returns what runs beside a system for what a plan watches for in it.
    pub(super) fn of(system: &System, plan: &'p Plan, watched_for: &Property) -> BesideSystem<'p> {
        match (&plan.monitor, watched_for) {
            (PlannedMonitor::Tester(..), Property::Tester(tester)) => {
                BesideSystem::Tester(WithTester::new(system, tester))
            }
            (PlannedMonitor::Watcher(watcher, numbers), property) => {
                BesideSystem::Automaton(watcher, observed(property, numbers))
            }
            _ => unreachable!("a tester stays one in a slice"),
        }
    }
}

/// What was found, or why it makes no trace.
type FoundInSearched = Result<Option<InSearched>, NoTrace>;

impl<'a> Deciding<'a> {
    pub(super) fn new(
        (system, property): (&'a System, &'a Property),
        options: &'a Options,
        (meter, caller): (Meter<'a>, Caller<'a>),
        role: Role<'a>,
    ) -> Deciding<'a> {
        Deciding {
            system,
            property,
            options,
            meter,
            caller,
            states: 0,
            edges: 0,
            round: None,
            attempt: beside_monitor(options, 0, false),
            began: 0.0,
            orbits: None,
            role,
            within: 0,
            sharing: None,
            furthest: None,
        }
    }

    fn outcome(&self, verdict: Verdict, searched: Option<&Searched>) -> Outcome {
        let needed = Reduction::needed(searched.is_some_and(|searched| searched.leaves_out));
        let reduction = match (needed, self.round, self.options.reduction) {
            (Reduction::Stubborn, Some(_), Reduction::SensitiveCycles) => {
                Reduction::SensitiveCycles
            }
            (Reduction::Stubborn, Some(round), asked) if !round.is_exact => asked,
            (needed, ..) => needed,
        };
        Outcome {
            verdict,
            states: self.states,
            edges: self.edges,
            full: searched.is_some_and(|searched| searched.full),
            reduction,
            round: self.round,
            symmetry: permuted(
                self.system,
                self.options,
                self.orbits.as_ref(),
                (None, self.states),
            ),
            sharing: self.sharing.clone(),
            within: self.within,
            runs: searched.and_then(|searched| searched.runs),
            depth: searched.and_then(|searched| searched.depth),
            seconds: self.meter.seconds(),
        }
    }

    pub(super) fn carry_out(
        &mut self,
        plan: &Plan,
        attempt: Attempt,
    ) -> Result<Result<Outcome, Unconfirmed>, CheckError> {
        self.attempt = attempt;
        self.round = None;
        self.orbits = None;
        let watched_for = plan.watched_for(self.property);
        let strategy = self.attempt.strategy;
        let slices = matches!(strategy, Strategy::BesideMonitor { sliced: true, .. });
        let (options, meter) = (self.options, &mut self.meter);
        let slice = match sliced(slices, self.system, &watched_for, options, meter) {
            ControlFlow::Continue(slice) => slice,
            ControlFlow::Break(stop) => {
                let verdict = Verdict::Undecided(NoTrace::from(stop).reason());
                return Ok(Ok(self.outcome(verdict, None)));
            }
        };
        let (system, watched_for) = match &slice {
            Some(slice) => (&slice.system, slice.property(&watched_for)),
            None => (self.system, watched_for),
        };
        let watching = BesideSystem::of(system, plan, &watched_for);
        let (searched, found) = self.search_in_stages(system, plan, &watching)?;
        let is_clear = matches!(found, Ok(None));
        let verdict = match (found, &searched.stop) {
            (Err(none), _) => Verdict::Undecided(none.reason()),
            (Ok(Some(found)), _) => {
                let in_slice = slice.as_ref().map(|_| found.trace.len());
                let limited = self.limited(0);
                let poll = &mut |bytes| limited.poll(bytes);
                let confirmed = self.watched(plan).confirmed(slice.as_ref(), found, poll);
                match (confirmed, in_slice) {
                    (Ok(verdict), Some(steps)) => {
                        rolled(self.property, self.nearer_in_whole(plan, steps, verdict))
                    }
                    (Ok(verdict), None) => rolled(self.property, verdict),
                    (Err(Unconfirmed::NoTrace(none)), _) => Verdict::Undecided(none.reason()),
                    (Err(unconfirmed), _) => return Ok(Err(unconfirmed)),
                }
            }
            (Ok(None), Some(reason)) => Verdict::Undecided(reason.clone()),
            (Ok(None), None) => match searched.omissions {
                Some(omissions) => Verdict::Undecided(Reason::Missed(Box::new(omissions))),
                None if !plan.search.decides => {
                    Verdict::Undecided(Reason::Liveness(self.options.liveness))
                }
                None => Verdict::Holds,
            },
        };
        let mut outcome = self.outcome(verdict, Some(&searched));
        if !is_clear && !outcome.verdict.is_violated() {
            // A violation was found, and a limit has kept it from being shown.
            outcome.runs = None;
        }
        outcome.keep_furthest(self.furthest.as_ref());
        Ok(Ok(outcome))
    }

    /// Searches first without permutations, and if that does not suffice with those that preserve
    /// what the monitor sees, if they pay ([`Stage`]).
    fn search_in_stages(
        &mut self,
        system: &System,
        plan: &Plan,
        watching: &BesideSystem<'_>,
    ) -> Result<(Searched, FoundInSearched), CheckError> {
        let planned = self.attempt.clone();
        let mut stage = Stage::of(system, self.options);
        let mut permutations: Option<Orbits> = None;
        loop {
            if stage.turns() {
                if permutations.is_none() {
                    permutations = self.permutations(system, watching)?;
                }
                self.orbits = permutations.take();
                if self.orbits.is_none() {
                    stage = Stage::Plain;
                }
            }
            self.attempt = Attempt {
                stage,
                max_states: stage.limits(self.options).max_states,
                ..planned.clone()
            };
            self.began = self.meter.seconds();
            let phase = Phase::Search.begin(self.caller.observer);
            let (searched, found) = match watching {
                BesideSystem::Tester(with) => self.search_beside_tester(plan, with),
                BesideSystem::Automaton(watcher, observed) => {
                    self.search_beside_automaton(system, plan, watcher, observed)
                }
            }?;
            drop(phase);
            let limit = searched.stop.clone();
            self.report(limit.map_or(Ended::Complete, Ended::Limit), &searched);
            let verdict = Verdict::Undecided(Reason::Cancelled);
            let outcome = self.outcome(verdict, Some(&searched));
            if (self.furthest.as_ref()).is_none_or(|other| other.states < outcome.states) {
                self.furthest = Some(outcome);
            }
            match stage.after(searched.stop.as_ref(), self.options) {
                Some(next) => stage = next,
                None => return Ok((searched, found)),
            }
            permutations = self.orbits.take().or(permutations);
        }
    }

    /// Reports the end of the present attempt; the next one begins.
    fn report(&mut self, ended: Ended, searched: &Searched) {
        let now = self.meter.seconds();
        let finished = Finished {
            attempt: self.attempt.clone(),
            states: searched.states,
            edges: searched.edges,
            seconds: now - self.began,
            open: (0..usize::from(ended != Ended::Complete)).collect(),
            ended,
        };
        self.began = now;
        let observer = self.caller.observer;
        observer.event(Event::Attempted(&[0], &finished));
    }

    /// The permutations that leave what the monitor sees as it is, if they pay.
    fn permutations(
        &mut self,
        system: &System,
        watching: &BesideSystem<'_>,
    ) -> Result<Option<Orbits>, CheckError> {
        let _phase = Phase::Symmetry.begin(self.caller.observer);
        let (options, meter) = (self.options, &mut self.meter);
        let goes_on = &mut || meter.prepare(0).is_continue();
        Ok(match watching {
            BesideSystem::Tester(with) => {
                orbits(&Packed::new(&with.system)?, &[], options, goes_on)
            }
            BesideSystem::Automaton(_, observed) => {
                let observed = observed.iter().cloned().map(Property::Invariant);
                let observed: Vec<Property> = observed.collect();
                orbits(&Packed::new(system)?, &observed, options, goes_on)
            }
        })
    }

    /// Replaces the canonical states in what was found by states of the product.
    fn unfolded<M: Monitored>(&self, product: &M, searched: &mut Searched) -> Result<(), NoTrace> {
        let (Some(orbits), Some(found)) = (&self.orbits, &mut searched.found) else {
            return Ok(());
        };
        let limited = self.limited(found.bytes());
        let is_of_cycle = of_cycle(product, found.violation);
        (found.path, found.cycle) = unfolded(
            (product, orbits),
            found.path.iter().cloned(),
            found.cycle.iter().cloned(),
            &[&is_of_cycle, &|_, _, _| true],
            &mut |bytes| limited.poll(bytes),
        )?;
        Ok(())
    }

    /// Makes a run of the system of what was found.
    fn shown<P: Plain>(
        &mut self,
        plain: &P,
        mut searched: Searched,
    ) -> (Searched, FoundInSearched) {
        let shown = match self.unfolded(plain, &mut searched) {
            Err(none) => Err(none),
            Ok(()) => match self.shortened(plain, &mut searched) {
                None => Ok(None),
                Some(found) => self.in_searched(plain, &found).map(Some),
            },
        };
        (searched, shown)
    }

    pub(super) fn in_searched<P: Plain>(
        &self,
        plain: &P,
        found: &Found,
    ) -> Result<InSearched, NoTrace> {
        let limited = self.limited(found.bytes());
        let trace = plain.run(found, &mut |bytes| limited.poll(bytes))?;
        let last = found.path.last().map_or(&[][..], |state| state);
        let fails = plain.failure(last, &mut plain.scratch());
        let mut extension = None;
        if found.violation == Violation::Reject
            && fails.is_none()
            && let Some(packed) = plain.of_maximal_runs()
        {
            let budget = self.budget_of_a_run();
            extension = match maximal_run(packed, trace.last(), budget) {
                ControlFlow::Continue(extension) => extension,
                ControlFlow::Break(stop) => return Err(stop.into()),
            };
        }
        Ok(InSearched {
            violation: found.violation,
            trace,
            fails,
            extension,
        })
    }

    pub(super) fn watched<'w>(&'w self, plan: &'w Plan) -> Watched<'w> {
        Watched {
            system: self.system,
            property: self.property,
            tester: plan.tester(),
        }
    }

    /// While so much memory is held.
    pub(super) fn limited(&self, held: u64) -> Limited<'a> {
        Limited::new(self.budget_of_a_run(), held)
    }

    /// The same while others are asked for a run: this process waits for them, and asks ever so
    /// often meanwhile. Each sees to its own memory.
    pub(super) fn limited_by_others(&self) -> Limited<'a> {
        Limited::from_the_beginning(self.budget_of_a_run(), 0)
    }

    /// While the run of a violation is made that is known.
    fn budget_of_a_run(&self) -> Budget<'a> {
        for_a_run(self.caller.budget, self.meter.begun())
    }
}
