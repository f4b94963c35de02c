//! Conclusions about the properties of a check; they outlive its searches.

pub mod evaluate;
mod goals;
mod noted;

pub use noted::{Noted, Noting};

use std::sync::Arc;
use std::time::Instant;

use stubborn_system::property::Property;

use crate::caller::Caller;
use crate::observer::Event;
use crate::options::{Options, Reduction};
use crate::packed::{Expression, Packed};
use crate::plan::theorems::{Condition, Shown, is_reducible, shown};
use crate::properties::{Conclusion, Kind, kind_of};
use crate::runs::evidence::{Evidence, recorded};
use crate::runs::limits::{Limited, for_a_run};
use crate::search::Ways;
use crate::successors::Successors as _;
use crate::symmetry::Orbits;
use crate::symmetry::permutations::permuted;
use crate::trace::Trace;
use crate::verdict::{Finding, Outcome, Reason, Round, Verdict};

/// Round that a search is, and the name of its reduction if it leaves steps out.
pub type InRound = (Round, Reduction);

/// Search whose figures an outcome has.
pub type Counted<'w> = (&'w dyn Ways, Option<InRound>);

/// Verdicts on properties. Their traces are runs of the searched system; whether these are runs of
/// the whole System that show the violation is confirmed later.
pub struct Verdicts<'a> {
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    kinds: Vec<Box<dyn Kind + 'a>>,
    expressions: Vec<Option<Expression>>,
    options: Options,
    caller: Caller<'a>,
    /// Permutations under which states are merged.
    orbits: Option<&'a Orbits>,
    begun: Instant,
    pub verdicts: Vec<Option<Verdict>>,
    /// Memory of the traces, in bytes.
    recorded: u64,
}

impl<'a> Verdicts<'a> {
    pub fn new(
        packed: &'a Packed<'a>,
        properties: &'a [Property],
        options: &Options,
        caller: Caller<'a>,
        orbits: Option<&'a Orbits>,
    ) -> Verdicts<'a> {
        let kinds: Vec<Box<dyn Kind + 'a>> = properties.iter().map(kind_of).collect();
        let expressions = kinds.iter().map(|kind| kind.looks_at().expression());
        Verdicts {
            packed,
            properties,
            expressions: expressions
                .map(|e| e.map(|e| packed.expression(e)))
                .collect(),
            kinds,
            options: *options,
            caller,
            orbits,
            begun: caller.budget.now(),
            verdicts: vec![None; properties.len()],
            recorded: 0,
        }
    }

    pub fn packed(&self) -> &'a Packed<'a> {
        self.packed
    }

    pub fn orbits(&self) -> Option<&'a Orbits> {
        self.orbits
    }

    pub fn kind(&self, property: usize) -> &dyn Kind {
        &*self.kinds[property]
    }

    pub fn expression(&self, property: usize) -> Option<&Expression> {
        self.expressions[property].as_ref()
    }

    pub fn conclusion(&self, property: usize) -> Conclusion {
        self.kinds[property].conclusion()
    }

    /// Returns what proves the property after a complete reduced search under this condition.
    pub fn shown(&self, condition: Condition, property: usize) -> Option<Shown> {
        shown(condition, self.kinds[property].preserved())
    }

    /// Whether a reduced search may decide the property.
    pub fn is_reducible(&self, property: usize) -> bool {
        is_reducible(self.kinds[property].preserved())
    }

    /// Whether the property holds unless a single state or step violates it.
    pub fn is_decided_in_passing(&self, property: usize) -> bool {
        self.conclusion(property) == Conclusion::Holds
    }

    /// The same in every reduced search.
    pub fn is_always_decided_in_passing(&self, property: usize) -> bool {
        self.is_decided_in_passing(property) && self.shown(Condition::Always, property).is_some()
    }

    /// Whether the property sees steps.
    pub fn has_state_check(&self, property: usize) -> bool {
        self.kinds[property].state_check().is_some()
    }

    /// Returns a collector of the violations of the undecided properties.
    pub fn noting(&self) -> Noting<'a> {
        let open = self.undecided();
        Noting::new(self.packed, open.map(|one| (one, &self.properties[one])))
    }

    pub fn undecided(&self) -> impl Iterator<Item = usize> + use<> {
        let all = self.verdicts.iter().enumerate();
        let open = all.filter(|(_, verdict)| verdict.is_none());
        let open: Vec<usize> = open.map(|(property, _)| property).collect();
        open.into_iter()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.recorded
    }

    pub fn decide(&mut self, property: usize, verdict: Verdict, counted: Counted<'_>) {
        debug_assert!(
            self.verdicts[property].is_none(),
            "a property is decided once"
        );
        self.verdicts[property] = Some(self.announce(property, verdict, counted));
    }

    /// Tells the observer a verdict, and returns it.
    pub fn announce(&self, property: usize, verdict: Verdict, counted: Counted<'_>) -> Verdict {
        let outcome = self.outcome(property, verdict, counted);
        let event = Event::Decided(property, &outcome);
        self.caller.observer.event(event);
        outcome.verdict
    }

    /// Gives the properties that a search has decided their outcomes, with the figures of the whole
    /// search and the time that the check has taken.
    pub fn note(&self, outcomes: &mut [Option<Outcome>], counted: Counted<'_>, seconds: f64) {
        for (property, outcome) in outcomes.iter_mut().enumerate() {
            if let (Some(verdict), None) = (&self.verdicts[property], &outcome) {
                *outcome = Some(Outcome {
                    seconds,
                    ..self.outcome(property, verdict.clone(), counted)
                });
            }
        }
    }

    /// Returns a verdict with the figures of a search.
    pub fn outcome(&self, property: usize, verdict: Verdict, counted: Counted<'_>) -> Outcome {
        let (ways, round) = counted;
        let figures = ways.figures();
        // To a property that sees no steps all rounds are the same, except with sensitive cycles.
        let differs = |(_, called): &InRound| {
            *called == Reduction::SensitiveCycles || self.has_state_check(property)
        };
        let round = round.filter(differs);
        let reduction = match (ways.reduction(), round) {
            (Reduction::None, _) => Reduction::None,
            (_, Some((_, called))) => called,
            (needed, None) => needed,
        };
        let system = self.packed.system();
        let taken = self.caller.budget.now().duration_since(self.begun);
        Outcome {
            verdict,
            states: figures.states,
            edges: figures.edges,
            full: ways.is_full(),
            reduction,
            round: round.map(|(round, _)| round),
            symmetry: permuted(system, &self.options, self.orbits, (None, figures.states)),
            sharing: None,
            seconds: taken.as_secs_f64(),
        }
    }

    /// Returns the verdict that the property is violated, with the run for the evidence, or why
    /// there is none within the limits. The search holds `held` bytes besides its states.
    pub fn violation(
        &mut self,
        property: usize,
        finding: Finding,
        evidence: &Evidence,
        ways: &dyn Ways,
        held: u64,
    ) -> Verdict {
        let held = ways.figures().bytes + held + self.recorded;
        let limited = Limited::new(for_a_run(self.caller.budget, self.begun), held);
        let kind = self.kind(property);
        let poll = &mut |bytes| limited.poll(bytes);
        match recorded((self.packed, self.orbits), kind, evidence, ways, poll) {
            Ok(trace) => {
                let finding = match self.orbits {
                    None => finding,
                    Some(_) => self.finding_at_end(property, finding, &trace),
                };
                self.recorded += trace.bytes();
                Verdict::Violated {
                    finding,
                    trace: Arc::new(trace),
                }
            }
            Err(none) => Verdict::Undecided(none.reason()),
        }
    }

    /// Returns what the end of the trace shows: a failure may have other values there than in the
    /// canonical state.
    fn finding_at_end(&self, property: usize, finding: Finding, trace: &Trace) -> Finding {
        let failure = match finding {
            Finding::StepFails(_) => {
                let last = trace.steps().last();
                let failure = last.and_then(|step| step.failure.as_ref());
                failure.and_then(|failure| self.kinds[property].at_failing_step(failure))
            }
            Finding::ExpressionFails(_) => {
                let state = self.packed.pack(trace.last());
                let scratch = &mut self.packed.scratch();
                let expression = self.expression(property);
                let value = expression.map(|e| self.packed.holds(e, &state, scratch));
                value
                    .and_then(Result::err)
                    .map(|failure| Finding::ExpressionFails(*failure))
            }
            _ => None,
        };
        failure.unwrap_or(finding)
    }
}

/// Reason for a property that a complete search has not decided, which is a defect.
pub(super) fn nothing_decided() -> Reason {
    Reason::Internal("a search has ended and not found out about a property".to_owned())
}
