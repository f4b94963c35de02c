//! Whether what a search has found beside a monitor is a violation of the property: by the
//! reference interpreter, which takes the run in the whole System, and by the property's own
//! definition on that run. All within limits, for a run may be long.

use std::sync::Arc;

use stubborn_automata::{Word, ltl};
use stubborn_system::property::{Fair, Ltl, Property, Tester};
use stubborn_system::slice::Slice;
use stubborn_system::system::{Expr, Failure, System};

use super::conjunction::{conjuncts, conjuncts_of_formula};
use super::fair::met::meets;
use super::making::within_limits;
use super::monitors::{TesterBeside, Valuation, automaton_beside, valuations};
use super::refinement::tester_of;
use super::witness::{beside_prefix, witnessed};
use crate::interpreter::{holds, is_terminal};
use crate::runs::confirm::{confirm, replayed};
use crate::runs::lifting::lifted;
use crate::runs::no_trace::{NoTrace, Poll, polled};
use crate::state::State;
use crate::trace::{MonitorRun, Trace};
use crate::verdict::{Finding, Reason, Verdict, Violation};

/// What was found, in the System that was searched.
pub struct InSearched {
    pub violation: Violation,
    /// Of the system alone.
    pub trace: Trace,
    pub fails: Option<Failure>,
    /// The states of a maximal run that goes on where the trace has neither end nor cycle, the last
    /// equal to the one with this number of all.
    pub extension: Option<(Vec<State>, Option<usize>)>,
}

/// Why what was found is no verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconfirmed {
    /// The cycle that was found in the slice closes in the whole System after too many steps.
    CycleTooLong,
    /// What was found is no violation of the property as it stands.
    NotOfTheProperty,
    /// A limit was reached, or the interpreter does not agree.
    NoTrace(NoTrace),
}

impl From<NoTrace> for Unconfirmed {
    fn from(none: NoTrace) -> Unconfirmed {
        match none {
            NoTrace::CycleTooLong(_) => Unconfirmed::CycleTooLong,
            none => Unconfirmed::NoTrace(none),
        }
    }
}

/// A tester that watches for a property; of a refinement the canonical one, with what its states
/// are shown as.
#[derive(Clone, Copy)]
pub struct Watching<'a> {
    pub tester: &'a Tester,
    pub shown: Option<&'a [Vec<u32>]>,
}

/// A property that a monitor watches for, in the whole System.
#[derive(Clone, Copy)]
pub struct Watched<'a> {
    pub system: &'a System,
    pub property: &'a Property,
    /// `None` where it is an automaton or a formula.
    pub tester: Option<Watching<'a>>,
}

impl Watched<'_> {
    /// The verdict on the whole System from what was found in it, or in its slice.
    ///
    /// # Errors
    /// Where what was found does not show that the property is violated, or a limit is reached.
    pub fn confirmed(
        self,
        slice: Option<&Slice>,
        found: InSearched,
        poll: Poll<'_>,
    ) -> Result<Verdict, Unconfirmed> {
        let Watched {
            system, property, ..
        } = self;
        let InSearched {
            violation,
            trace,
            fails,
            extension,
        } = found;
        let trace = match slice {
            // The interpreter takes it in the whole System.
            Some(slice) => lifted(system, slice, &trace, poll)?,
            None => {
                replayed(system, &trace, poll)?;
                trace
            }
        };
        let observed = match valuations(system, propositions(property), &trace, poll)? {
            Ok(observed) if fails.is_none() => observed,
            Err((place, failure)) => return Ok(self.without_value(&trace, place, failure, poll)),
            Ok(_) => {
                let defect = "the reference interpreter does not agree where an expression fails";
                return Err(NoTrace::Defect(defect.to_owned()).into());
            }
        };
        // An automaton speaks of maximal runs, a tester of all.
        let is_open = violation == Violation::Reject && extension.is_none();
        if is_open && self.tester.is_none() {
            return Err(Unconfirmed::NotOfTheProperty);
        }
        let witness = match (property, self.tester) {
            (Property::Ltl(ltl), _) => {
                let read = self.read(ltl, slice, &observed, &trace, extension, poll)?;
                let is_false = match read {
                    Some(word) => {
                        let evaluated =
                            within_limits(poll, |work| Ok(!ltl::holds(&ltl.formula, &word, work)?));
                        evaluated.map_err(NoTrace::Limit)?
                    }
                    None => false,
                };
                is_false.then_some((violation, trace))
            }
            (_, Some(Watching { tester, shown })) => {
                let beside = TesterBeside::new(system, tester, &trace, shown, poll)?;
                witnessed(&beside, &trace, poll)?
            }
            (property, None) => match automaton_beside(system, property, &trace, &observed) {
                Some(beside) => witnessed(&*beside, &trace, poll)?,
                None => None,
            },
        };
        match witness {
            Some((violation, trace)) => Ok(Verdict::Violated {
                finding: Finding::Watched(violation),
                trace: Arc::new(trace),
            }),
            None => Err(Unconfirmed::NotOfTheProperty),
        }
    }

    /// Valuations that a formula reads along the run; along a maximal run that begins with it if the
    /// run alone does not decide the formula. `None` if the run does not end and cannot be extended.
    fn read(
        self,
        ltl: &Ltl,
        slice: Option<&Slice>,
        observed: &[Valuation],
        trace: &Trace,
        extension: Option<(Vec<State>, Option<usize>)>,
        poll: Poll<'_>,
    ) -> Result<Option<Word>, NoTrace> {
        let mut read: Vec<u64> = observed.iter().map(|values| bits(values)).collect();
        let mut back = (!trace.cycle().is_empty()).then_some(trace.steps().len());
        let is_extended = extension.is_some();
        if let Some((states, round)) = extension {
            let held = trace.bytes();
            let sliced = slice.map(|slice| slice.property(self.property));
            let (system, propositions) = match (slice, &sliced) {
                (Some(slice), Some(property)) => (&slice.system, propositions(property)),
                _ => (self.system, &ltl.propositions[..]),
            };
            back = round.map(|round| read.len() - 1 + round);
            for state in &states {
                polled(poll, held + size_of_val(&read[..]) as u64)?;
                let all = propositions.iter().map(|e| holds(system, state, e));
                match all.collect::<Result<Valuation, _>>() {
                    Ok(values) => read.push(bits(&values)),
                    Err(_) => return Ok(None),
                }
            }
        }
        Ok(match back {
            // The last equals the one where the cycle begins.
            Some(back) => {
                read.pop();
                let cycle = read.split_off(back);
                Some(Word::Lasso {
                    prefix: read,
                    cycle,
                })
            }
            None => {
                let ends = is_extended || is_terminal(self.system, trace.last());
                ends.then_some(Word::Ends(read))
            }
        })
    }

    /// Number of steps after which an expression of the property has no value, which is a violation
    /// by itself.
    fn without_value(
        self,
        trace: &Trace,
        place: usize,
        failure: Failure,
        poll: Poll<'_>,
    ) -> Verdict {
        let up_to = |place: usize| {
            let steps = trace.all_steps().take(place).cloned().collect();
            Trace::new(trace.start().clone(), steps, Vec::new())
        };
        let before = place.checked_sub(1).map(up_to);
        // Where there is no time for what the monitor does, what is known is told without it.
        let monitor = before.and_then(|before| self.beside(&before, poll).ok().flatten());
        Verdict::Violated {
            finding: Finding::ExpressionFails(failure),
            trace: Arc::new(up_to(place).beside(monitor)),
        }
    }

    /// What the automaton has done before an expression has no value, after one more step.
    fn beside(self, before: &Trace, poll: Poll<'_>) -> Result<Option<MonitorRun>, NoTrace> {
        let system = self.system;
        let observed = valuations(system, propositions(self.property), before, poll)?;
        let Ok(valuations) = &observed else {
            return Ok(None);
        };
        match automaton_beside(system, self.property, before, valuations) {
            Some(beside) => beside_prefix(&*beside, before, poll),
            None => Ok(None),
        }
    }
}

/// The verdict on a System of which a property's violation is known from a run: of a slice, or of
/// the System before an edit outside the slice. The run is one of this System by itself; what the
/// monitor does beside it is found again.
pub fn confirmed_again(
    system: &System,
    property: &Property,
    finding: &Finding,
    trace: Trace,
    poll: Poll<'_>,
) -> Verdict {
    if let Property::Fair(fair) = property {
        return fair_again(system, fair, finding, trace, poll);
    }
    if let Some(conjuncts) = conjuncts(property) {
        return one_again(system, &conjuncts, finding, &trace, poll);
    }
    let fails = match finding {
        Finding::ExpressionFails(failure) => Some(failure.clone()),
        _ => None,
    };
    // How a run goes on that is only decided so far has been looked at when it was found.
    if matches!(property, Property::Ltl(_)) && is_open(system, finding, &trace) {
        return violated_if(replayed(system, &trace, poll), finding, trace);
    }
    // A formula reads the run as it is; a monitor may reject one that ends anywhere.
    let goes_round = matches!(property, Property::Ltl(_)) && !trace.cycle().is_empty();
    let extension = (!goes_round).then(|| (Vec::new(), None));
    let found = InSearched {
        violation: match finding {
            Finding::Watched(violation) => *violation,
            _ => Violation::Reject,
        },
        trace,
        fails,
        extension,
    };
    let canonical = match property {
        Property::Refinement(refinement) => {
            match within_limits(poll, |work| tester_of(system, refinement, work)) {
                Ok(canonical) => Some(canonical),
                Err(reason) => return Verdict::Undecided(reason),
            }
        }
        _ => None,
    };
    let tester = match (property, &canonical) {
        (Property::Tester(tester), _) => Some(Watching {
            tester,
            shown: None,
        }),
        (_, Some(canonical)) => Some(Watching {
            tester: &canonical.tester,
            shown: Some(&canonical.shown),
        }),
        _ => None,
    };
    let watched = Watched {
        system,
        property,
        tester,
    };
    match watched.confirmed(None, found, poll) {
        Ok(verdict) => verdict,
        Err(Unconfirmed::NoTrace(none)) => Verdict::Undecided(none.reason()),
        Err(Unconfirmed::CycleTooLong | Unconfirmed::NotOfTheProperty) => {
            Verdict::defect("the monitor does not find again what it has found")
        }
    }
}

/// A violation of one of the conjuncts of a formula.
fn one_again(
    system: &System,
    conjuncts: &[Property],
    finding: &Finding,
    trace: &Trace,
    poll: Poll<'_>,
) -> Verdict {
    let mut other = None;
    for conjunct in conjuncts {
        let verdict = confirmed_again(system, conjunct, finding, trace.clone(), poll);
        match &verdict {
            Verdict::Violated { finding: found, .. } if found == finding => return verdict,
            Verdict::Violated { .. } => other = other.or(Some(verdict)),
            Verdict::Undecided(Reason::Internal(_)) | Verdict::Holds => {}
            Verdict::Undecided(_) => return verdict,
        }
    }
    other.unwrap_or_else(|| Verdict::defect("no formula of the conjunction is violated again"))
}

/// A violation, if a run shows it.
fn violated_if(shown: Result<(), NoTrace>, finding: &Finding, trace: Trace) -> Verdict {
    match shown {
        Ok(()) => Verdict::Violated {
            finding: finding.clone(),
            trace: Arc::new(trace),
        },
        Err(none) => Verdict::Undecided(none.reason()),
    }
}

/// The same, of a property of fair runs.
fn fair_again(
    system: &System,
    fair: &Fair,
    finding: &Finding,
    trace: Trace,
    poll: Poll<'_>,
) -> Verdict {
    let property = &*fair.property;
    let verdict = match property.is_monitored() {
        true => confirmed_again(system, property, finding, trace, poll),
        false => {
            let shown = confirm(system, property, finding, &trace, poll);
            violated_if(shown, finding, trace)
        }
    };
    match meets(system, &fair.assumptions, &verdict, poll) {
        Ok(true) => verdict,
        Ok(false) => Verdict::defect("a run that was found to be fair is not"),
        Err(none) => Verdict::Undecided(none.reason()),
    }
}

/// Whether the run has neither a cycle nor an end, and so violates a formula by its beginning.
pub fn is_open(system: &System, finding: &Finding, trace: &Trace) -> bool {
    !matches!(finding, Finding::ExpressionFails(_))
        && trace.cycle().is_empty()
        && !is_terminal(system, trace.last())
}

/// Whether no run that begins with this one, which the interpreter has taken, satisfies the
/// formula.
///
/// # Errors
/// Where a limit is reached.
pub fn is_broken(
    system: &System,
    ltl: &Ltl,
    trace: &Trace,
    poll: Poll<'_>,
) -> Result<bool, NoTrace> {
    if let Some(conjuncts) = conjuncts_of_formula(ltl) {
        for conjunct in &conjuncts {
            if is_broken(system, conjunct, trace, poll)? {
                return Ok(true);
            }
        }
        return Ok(false);
    }
    let Ok(observed) = valuations(system, &ltl.propositions, trace, poll)? else {
        return Ok(false);
    };
    let read: Vec<u64> = observed.iter().map(|values| bits(values)).collect();
    let may_hold = within_limits(poll, |work| Ok(ltl::may_hold(&ltl.formula, &read, work)?));
    Ok(!may_hold.map_err(NoTrace::Limit)?)
}

fn bits(values: &[bool]) -> u64 {
    let numbered = values.iter().enumerate();
    numbered.fold(0, |set, (at, holds)| set | u64::from(*holds) << at)
}

/// The propositions of a property with these numbers.
pub fn observed(property: &Property, numbers: &[u32]) -> Vec<Expr> {
    let all = propositions(property);
    let observed = numbers.iter().map(|number| all[*number as usize].clone());
    observed.collect()
}

/// The expressions that an automaton or a formula asks about each state.
pub fn propositions(property: &Property) -> &[Expr] {
    match property.asked() {
        Property::Ltl(ltl) => &ltl.propositions,
        Property::Buchi(buchi) => &buchi.propositions,
        Property::Testing(testing) => &testing.propositions,
        _ => &[],
    }
}
