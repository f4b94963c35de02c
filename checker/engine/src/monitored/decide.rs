//! Deciding one property that a monitor watches for.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use stubborn_automata::{Word, ltl};
use stubborn_system::property::{Ltl, Property};
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::{Expr, Failure, System};

use super::extension::maximal_run;
use super::monitors::{BuchiBeside, TesterBeside, TestingBeside, valuations};
use super::path::{of_automaton, of_tester};
use super::plan::{Plan, PlannedMonitor, plans};
use super::product::{AutomatonProduct, OfSystem, TesterProduct, Watcher, WithTester};
use super::witness::{beside_prefix, witnessed};
use crate::error::CheckError;
use crate::interpreter::{holds, is_terminal, replay};
use crate::options::{Limits, Options, Reduction, Storage};
use crate::packed::Packed;
use crate::reduction::Stubborn;
use crate::related::{Related, Tester};
use crate::runs::confirm::replayed;
use crate::runs::evidence::NoTrace;
use crate::runs::lifting::{NotTaken, lifted_within};
use crate::runs::limits::{Limited, for_a_run, for_shortening};
use crate::search::found::{Found, Searched};
use crate::search::lasso::shorten;
use crate::search::violations::search;
use crate::search::{Figures, Meter, Monitored, Stop};
use crate::state::State;
use crate::successors::Successors;
use crate::trace::{MonitorRun, Trace};
use crate::verdict::{Finding, Outcome, Reason, Verdict, Violation};
use crate::watch::{Silent, Watch};

/// Decides a property by a search of its own.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn decide(
    system: &System,
    property: &Property,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Outcome, CheckError> {
    let mut deciding = Deciding {
        system,
        property,
        options,
        meter: Meter::new(options.limits, watch),
        watch,
        states: 0,
        edges: 0,
    };
    // Making a monitor takes its time too.
    if let ControlFlow::Break(Stop::Limit(reason)) = deciding.meter.poll(Figures {
        states: 0,
        edges: 0,
        bytes: 0,
    }) {
        return Ok(deciding.outcome(Verdict::Undecided(reason), None));
    }
    let plans = match plans(system, property, options, &mut deciding.meter) {
        Ok(plans) => plans,
        Err(reason) => return Ok(deciding.outcome(Verdict::Undecided(reason), None)),
    };
    for plan in &plans {
        // Data that the property does not depend on may keep a cycle from closing for long; then they
        // are searched too.
        for slices in [true, false] {
            if slices && options.is_plain() {
                continue;
            }
            match deciding.carry_out(plan, slices)? {
                Ok(outcome) => return Ok(outcome),
                Err(Unconfirmed::CycleTooLong) => {}
                Err(Unconfirmed::NotOfTheProperty) => break,
            }
        }
    }
    let defect = "what a search has found is not confirmed by the property's own definition";
    let verdict = Verdict::Undecided(Reason::Internal(defect.to_owned()));
    Ok(deciding.outcome(verdict, None))
}

/// The verdict on a System of which a property's violation is known from a run: of a slice, or of the
/// System before an edit outside the slice. The run is one of this System by itself; what the monitor
/// does beside it is found again.
pub fn confirmed_again(
    system: &System,
    property: &Property,
    finding: &Finding,
    trace: Trace,
) -> Verdict {
    let options = Options::default();
    let mut deciding = Deciding {
        system,
        property,
        options: &options,
        meter: Meter::new(options.limits, &Silent),
        watch: &Silent,
        states: 0,
        edges: 0,
    };
    let fails = match finding {
        Finding::ExpressionFails(failure) => Some(failure.clone()),
        _ => None,
    };
    // How a run goes on that is only decided so far has been looked at when it was found.
    if let (Property::Ltl(_), None) = (property, &fails) {
        return match replay(system, &trace) {
            Ok(()) => Verdict::Violated {
                finding: finding.clone(),
                trace: Arc::new(trace),
            },
            Err(mismatch) => Verdict::Undecided(Reason::Internal(mismatch.to_string())),
        };
    }
    let found = InSearched {
        violation: match finding {
            Finding::Watched(violation) => *violation,
            _ => Violation::Reject,
        },
        trace,
        fails,
        extension: Some((Vec::new(), None)),
    };
    let plan = match plans(system, property, &options, &mut deciding.meter) {
        Ok(plans) => plans.into_iter().next(),
        Err(reason) => return Verdict::Undecided(reason),
    };
    let confirmed = plan.and_then(|plan| deciding.confirmed(&plan, None, found).ok());
    confirmed.unwrap_or_else(|| {
        let defect = "the monitor does not find again what it has found";
        Verdict::Undecided(Reason::Internal(defect.to_owned()))
    })
}

/// Why what was found is no verdict.
enum Unconfirmed {
    /// The cycle that was found in the slice closes in the whole System after too many steps.
    CycleTooLong,
    /// What was found is no violation of the property as it stands.
    NotOfTheProperty,
}

struct Deciding<'a> {
    system: &'a System,
    property: &'a Property,
    options: &'a Options,
    meter: Meter<'a>,
    watch: &'a dyn Watch,
    /// What the last search has generated.
    states: u64,
    edges: u64,
}

/// What was found, in the System that was searched.
struct InSearched {
    violation: Violation,
    /// Of the system alone.
    trace: Trace,
    fails: Option<Failure>,
    /// The states of a maximal run that goes on where the trace has neither end nor cycle, the last
    /// equal to the one with this number of all.
    extension: Option<(Vec<State>, Option<usize>)>,
}

/// What was found, or why it makes no trace.
type FoundInSearched = Result<Option<InSearched>, NoTrace>;

impl<'a> Deciding<'a> {
    fn outcome(&self, verdict: Verdict, searched: Option<&Searched>) -> Outcome {
        Outcome {
            verdict,
            states: self.states,
            edges: self.edges,
            full: searched.is_some_and(|searched| searched.full),
            reduction: Reduction::needed(searched.is_some_and(|searched| searched.leaves_out)),
            seconds: self.meter.seconds(),
        }
    }

    fn carry_out(
        &mut self,
        plan: &Plan,
        slices: bool,
    ) -> Result<Result<Outcome, Unconfirmed>, CheckError> {
        let watched_for = match &plan.monitor {
            PlannedMonitor::Tester(tester, _) => Property::Tester(tester.clone()),
            PlannedMonitor::Watcher(..) => self.property.clone(),
        };
        let slice = slices.then(|| {
            let dependencies = Dependencies::new(self.system);
            Slice::new(self.system, &dependencies.cone([&watched_for]))
        });
        let (system, watched_for) = match &slice {
            Some(slice) => (&slice.system, slice.property(&watched_for)),
            None => (self.system, watched_for),
        };
        let (searched, found) = match (&plan.monitor, &watched_for) {
            (PlannedMonitor::Tester(..), Property::Tester(tester)) => {
                let with = WithTester::new(system, tester);
                self.search_beside_tester(system, plan, &with)?
            }
            (PlannedMonitor::Watcher(watcher, observed), property) => {
                let all = propositions(property);
                let observed = observed.iter().map(|number| all[*number as usize].clone());
                let observed: Vec<Expr> = observed.collect();
                self.search_beside_automaton(system, plan, watcher, &observed)?
            }
            _ => unreachable!("a tester stays one in a slice"),
        };
        let verdict = match (found, &searched.stop) {
            (Err(none), _) => Verdict::Undecided(none.reason()),
            (Ok(Some(found)), _) => match self.confirmed(plan, slice.as_ref(), found) {
                Ok(verdict) => verdict,
                Err(unconfirmed) => return Ok(Err(unconfirmed)),
            },
            (Ok(None), Some(reason)) => Verdict::Undecided(reason.clone()),
            (Ok(None), None) if matches!(self.options.storage, Storage::Bitstate { .. }) => {
                Verdict::Undecided(Reason::Bitstate)
            }
            (Ok(None), None) if !plan.decides => {
                Verdict::Undecided(Reason::Liveness(self.options.liveness))
            }
            (Ok(None), None) => Verdict::Holds,
        };
        Ok(Ok(self.outcome(verdict, Some(&searched))))
    }

    fn search_beside_tester(
        &mut self,
        system: &System,
        plan: &Plan,
        with: &WithTester,
    ) -> Result<(Searched, FoundInSearched), CheckError> {
        let packed = Packed::new(&with.system)?;
        let plain = TesterProduct::new(with, &packed, &packed);
        let mut searched = if plan.reduces {
            match Related::new(&packed, &[], &mut |bytes| self.meter.prepare(bytes)) {
                ControlFlow::Break(stop) => Searched::stopped(stop),
                ControlFlow::Continue(related) => {
                    let tester = OfSystem(Tester::new(&related, with.monitor, with.awaits()));
                    let product = TesterProduct::new(with, &packed, related);
                    self.search(&Stubborn::beside(product, tester), plan)
                }
            }
        } else {
            self.search(&plain, plan)
        };
        let Some(found) = self.shortened(&plain, &mut searched) else {
            return Ok((searched, Ok(None)));
        };
        let limited = self.limited(found.bytes());
        let poll = &mut |bytes| limited.poll(bytes);
        let trace = of_tester(system, &packed, with, &found, poll);
        let in_searched = trace.map(|trace| InSearched {
            violation: found.violation,
            trace,
            fails: None,
            extension: None,
        });
        Ok((searched, in_searched.map(Some)))
    }

    fn search_beside_automaton(
        &mut self,
        system: &System,
        plan: &Plan,
        watcher: &Watcher,
        propositions: &[Expr],
    ) -> Result<(Searched, FoundInSearched), CheckError> {
        let packed = Packed::new(system)?;
        let plain = AutomatonProduct::new(&packed, &packed, watcher, propositions);
        let mut searched = match watcher {
            Watcher::Testing(_) if plan.reduces => {
                let codes: Vec<_> = propositions.iter().map(|e| packed.expression(e)).collect();
                let poll = &mut |bytes| self.meter.prepare(bytes);
                match Related::observing(&packed, &codes, poll) {
                    ControlFlow::Break(stop) => Searched::stopped(stop),
                    ControlFlow::Continue((related, observed)) => {
                        let product =
                            AutomatonProduct::new(&packed, related, watcher, propositions);
                        self.search(&Stubborn::beside(product, OfSystem(observed)), plan)
                    }
                }
            }
            _ => self.search(&plain, plan),
        };
        let Some(found) = self.shortened(&plain, &mut searched) else {
            return Ok((searched, Ok(None)));
        };
        let limited = self.limited(found.bytes());
        let poll = &mut |bytes| limited.poll(bytes);
        let trace = match of_automaton(&packed, &plain, &found, poll) {
            Ok(trace) => trace,
            Err(defect) => return Ok((searched, Err(defect))),
        };
        let last = found.path.last().map(|state| &state[..]).unwrap_or(&[]);
        let fails = plain.failure(last, &mut plain.scratch());
        let mut extension = None;
        if found.violation == Violation::Reject && fails.is_none() {
            let from = plain.system_words(last);
            let mut meter = self.meter.with(self.limits_of_a_run());
            match maximal_run(&packed, from, &mut meter) {
                ControlFlow::Continue(None) => {}
                ControlFlow::Continue(Some(run)) => {
                    let states = run.states.iter().map(|state| packed.unpack(state));
                    extension = Some((states.collect(), run.back));
                }
                ControlFlow::Break(stop) => return Ok((searched, Err(stop.into()))),
            }
        }
        let in_searched = InSearched {
            violation: found.violation,
            trace,
            fails,
            extension,
        };
        Ok((searched, Ok(Some(in_searched))))
    }

    /// The verdict on the whole System, confirmed by the reference interpreter and by the property's
    /// own definition.
    fn confirmed(
        &self,
        plan: &Plan,
        slice: Option<&Slice>,
        found: InSearched,
    ) -> Result<Verdict, Unconfirmed> {
        let undecided = |none: NoTrace| Ok(Verdict::Undecided(none.reason()));
        let limited = self.limited(0);
        let poll = &mut |bytes| limited.poll(bytes);
        let trace = match slice {
            // The interpreter takes it in the whole System.
            Some(slice) => match lifted_within(self.system, slice, &found.trace, poll) {
                Ok(trace) => trace,
                Err(NotTaken::TooLong) => return Err(Unconfirmed::CycleTooLong),
                Err(not_taken) => return undecided(not_taken.into()),
            },
            None => match replayed(self.system, &found.trace, poll) {
                Ok(()) => found.trace.clone(),
                Err(none) => return undecided(none),
            },
        };
        let observed = match valuations(self.system, propositions(self.property), &trace) {
            Ok(observed) if found.fails.is_none() => observed,
            Err((place, failure)) => {
                let finding = Finding::ExpressionFails(failure);
                let trace = up_to(&trace, place);
                let monitor = self.beside_failure(&trace);
                let trace = Arc::new(trace.beside(monitor));
                return Ok(Verdict::Violated { finding, trace });
            }
            Ok(_) => {
                let defect = "the reference interpreter does not agree where an expression fails";
                return undecided(NoTrace::Defect(defect.to_owned()));
            }
        };
        // An automaton speaks of maximal runs, a tester of all.
        let is_open = found.violation == Violation::Reject && found.extension.is_none();
        let is_tester = matches!(plan.monitor, PlannedMonitor::Tester(..));
        if is_open && !is_tester {
            return Err(Unconfirmed::NotOfTheProperty);
        }
        let witness = match (self.property, &plan.monitor) {
            (Property::Ltl(ltl), _) => {
                let is_false = self.is_false(ltl, slice, &observed, &trace, &found);
                is_false.then(|| (found.violation, trace.clone()))
            }
            (Property::Buchi(buchi), _) => witnessed(
                &BuchiBeside {
                    system: self.system,
                    buchi,
                    trace: &trace,
                    valuations: &observed,
                },
                &trace,
            ),
            (Property::Testing(testing), _) => witnessed(
                &TestingBeside {
                    system: self.system,
                    testing,
                    trace: &trace,
                    valuations: &observed,
                },
                &trace,
            ),
            (_, PlannedMonitor::Tester(tester, shown)) => {
                let shown = shown.as_deref();
                let beside = TesterBeside::new(self.system, tester, &trace, shown);
                witnessed(&beside, &trace)
            }
            _ => None,
        };
        match witness {
            Some((violation, trace)) => Ok(Verdict::Violated {
                finding: Finding::Watched(violation),
                trace: Arc::new(trace),
            }),
            None => Err(Unconfirmed::NotOfTheProperty),
        }
    }

    /// Whether the formula, evaluated on the run itself, is false.
    fn is_false(
        &self,
        ltl: &Ltl,
        slice: Option<&Slice>,
        observed: &[Vec<bool>],
        trace: &Trace,
        found: &InSearched,
    ) -> bool {
        let bits = |values: &Vec<bool>| {
            let numbered = values.iter().enumerate();
            numbered.fold(0_u64, |set, (at, holds)| set | u64::from(*holds) << at)
        };
        let mut read: Vec<u64> = observed.iter().map(bits).collect();
        let mut back = (!trace.cycle().is_empty()).then_some(trace.steps().len());
        if let Some((states, round)) = &found.extension {
            let extended = |(system, propositions): (&System, &[Expr])| {
                let mut values = Vec::new();
                for state in states {
                    let all = propositions.iter().map(|e| holds(system, state, e));
                    values.push(bits(&all.collect::<Result<_, _>>().ok()?));
                }
                Some(values)
            };
            let sliced = slice.map(|slice| slice.property(self.property));
            let more = match (slice, &sliced) {
                (Some(slice), Some(property)) => extended((&slice.system, propositions(property))),
                _ => extended((self.system, &ltl.propositions)),
            };
            let Some(more) = more else { return false };
            back = round.map(|round| read.len() - 1 + round);
            read.extend(more);
        }
        let word = match back {
            // The last equals the one where the cycle begins.
            Some(back) => {
                read.pop();
                let cycle = read.split_off(back);
                Word::Lasso {
                    prefix: read,
                    cycle,
                }
            }
            None => {
                if found.extension.is_none() && !is_terminal(self.system, trace.last()) {
                    return false;
                }
                Word::Ends(read)
            }
        };
        !ltl::holds(&ltl.formula, &word)
    }

    /// What the automaton has done before an expression has no value.
    fn beside_failure(&self, trace: &Trace) -> Option<MonitorRun> {
        let last = trace.steps().len().checked_sub(1)?;
        let steps = trace.steps()[..last].to_vec();
        let before = Trace::new(trace.start().clone(), steps, Vec::new());
        let observed = valuations(self.system, propositions(self.property), &before).ok()?;
        match self.property {
            Property::Buchi(buchi) => {
                let beside = BuchiBeside {
                    system: self.system,
                    buchi,
                    trace: &before,
                    valuations: &observed,
                };
                beside_prefix(&beside, trace)
            }
            Property::Testing(testing) => {
                let beside = TestingBeside {
                    system: self.system,
                    testing,
                    trace: &before,
                    valuations: &observed,
                };
                beside_prefix(&beside, trace)
            }
            _ => None,
        }
    }

    /// While so much memory is held.
    fn limited(&self, held: u64) -> Limited<'a> {
        Limited::new(self.limits_of_a_run(), self.watch, held)
    }

    /// While the run of a violation is made that is known.
    fn limits_of_a_run(&self) -> Limits {
        for_a_run(self.options.limits, self.meter.begun())
    }

    fn search<M: Monitored>(&mut self, product: &M, plan: &Plan) -> Searched {
        let searched = search(product, plan.algorithm, self.options, &mut self.meter);
        self.states = searched.states;
        self.edges = searched.edges;
        searched
    }

    fn shortened<M: Monitored>(&mut self, plain: &M, searched: &mut Searched) -> Option<Found> {
        let found = searched.found.take()?;
        let budget = searched.states.saturating_mul(2);
        let budget = match self.options.storage {
            Storage::Exact => budget.max(LEAST_BUDGET),
            // States are kept whole here.
            Storage::Bitstate { .. } => budget.clamp(LEAST_BUDGET, MOST_BUDGET),
        };
        let order = self.options.order;
        let limits = for_shortening(self.options.limits, Instant::now());
        Some(shorten(
            plain,
            found,
            order,
            budget,
            &mut self.meter.with(limits),
        ))
    }
}

/// The first steps of a trace, those of its cycle counted on.
fn up_to(trace: &Trace, place: usize) -> Trace {
    let steps = trace.all_steps().take(place).cloned().collect();
    Trace::new(trace.start().clone(), steps, Vec::new())
}

/// A counterexample is made shorter among so many states at the least.
const LEAST_BUDGET: u64 = 20_000;
/// And at the most, where they are not kept in memory anyway.
const MOST_BUDGET: u64 = 1_000_000;

fn propositions(property: &Property) -> &[Expr] {
    match property {
        Property::Ltl(ltl) => &ltl.propositions,
        Property::Buchi(buchi) => &buchi.propositions,
        Property::Testing(testing) => &testing.propositions,
        _ => &[],
    }
}
