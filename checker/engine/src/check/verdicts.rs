//! Conclusions about the properties of a check; they outlive its searches.

mod evaluate;
mod goals;
mod noted;

pub use noted::{Noted, Noting};

use evaluate::Evaluator;

use std::mem;
use std::sync::Arc;
use std::time::Instant;

use stubborn_system::property::Property;

use crate::caller::Caller;
use crate::observer::Event;
use crate::options::{Options, Reduction};
use crate::packed::Packed;
use crate::plan::theorems::{Condition, Shown, is_reducible, shown};
use crate::properties::{Conclusion, Kind};
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

/// Verdicts on properties, with figures. Their traces are runs of the searched system; whether these
/// are runs of the whole System that show the violation is confirmed later.
pub struct Verdicts<'a> {
    packed: &'a Packed<'a>,
    properties: &'a [Property],
    evaluators: Vec<Evaluator<'a>>,
    options: Options,
    caller: Caller<'a>,
    /// Permutations under which states are merged.
    orbits: Option<&'a Orbits>,
    begun: Instant,
    pub outcomes: Vec<Option<Outcome>>,
    /// Properties whose outcomes do not have the figures of a whole search yet.
    decided: Vec<usize>,
    /// Properties of which a violation was visited, but no run of it could be made.
    pub without_run: Vec<usize>,
    /// Memory of the traces, in bytes.
    recorded: u64,
}

impl<'a> Verdicts<'a> {
    pub fn new(
        packed: &'a Packed<'a>,
        properties: &'a [Property],
        (options, orbits): (&Options, Option<&'a Orbits>),
        (caller, begun): (Caller<'a>, Instant),
    ) -> Verdicts<'a> {
        let evaluators = properties.iter().map(|one| Evaluator::new(packed, one));
        Verdicts {
            packed,
            properties,
            evaluators: evaluators.collect(),
            options: *options,
            caller,
            orbits,
            begun,
            outcomes: vec![None; properties.len()],
            decided: Vec::new(),
            without_run: Vec::new(),
            recorded: 0,
        }
    }

    pub fn packed(&self) -> &'a Packed<'a> {
        self.packed
    }

    pub fn orbits(&self) -> Option<&'a Orbits> {
        self.orbits
    }

    pub fn evaluator(&self, property: usize) -> &Evaluator<'a> {
        &self.evaluators[property]
    }

    pub fn kind(&self, property: usize) -> &dyn Kind {
        &*self.evaluators[property].kind
    }

    pub fn conclusion(&self, property: usize) -> Conclusion {
        self.kind(property).conclusion()
    }

    /// Returns what proves the property after a complete reduced search under this condition.
    pub fn shown(&self, condition: Condition, property: usize) -> Option<Shown> {
        shown(condition, self.kind(property).preserved())
    }

    /// Whether a reduced search may decide the property.
    pub fn is_reducible(&self, property: usize) -> bool {
        is_reducible(self.kind(property).preserved())
    }

    /// Whether the property holds unless a single state or step violates it.
    pub fn is_decided_in_passing(&self, property: usize) -> bool {
        self.conclusion(property) == Conclusion::Holds
    }

    /// Whether it also does if any reduced search visits no violation.
    pub fn is_always_decided_in_passing(&self, property: usize) -> bool {
        self.is_decided_in_passing(property) && self.shown(Condition::Always, property).is_some()
    }

    /// Whether the property sees steps.
    pub fn has_state_check(&self, property: usize) -> bool {
        self.kind(property).state_check().is_some()
    }

    /// Returns a collector of the violations of the undecided properties.
    pub fn noting(&self) -> Noting<'a> {
        let open = self.undecided();
        Noting::new(self.packed, open.map(|one| (one, &self.properties[one])))
    }

    pub fn is_undecided(&self, property: usize) -> bool {
        self.outcomes[property].is_none()
    }

    pub fn undecided(&self) -> impl Iterator<Item = usize> + use<> {
        let all = self.outcomes.iter().enumerate();
        let open = all.filter(|(_, outcome)| outcome.is_none());
        let open: Vec<usize> = open.map(|(property, _)| property).collect();
        open.into_iter()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.recorded
    }

    pub fn decide(&mut self, property: usize, verdict: Verdict, counted: Counted<'_>) {
        debug_assert!(self.is_undecided(property), "a property is decided once");
        self.outcomes[property] = Some(self.announce(property, verdict, counted));
        self.decided.push(property);
    }

    /// Tells the observer a verdict, and returns it with the figures so far.
    pub fn announce(&self, property: usize, verdict: Verdict, counted: Counted<'_>) -> Outcome {
        let outcome = self.outcome(property, verdict, counted);
        let event = Event::Decided(property, &outcome);
        self.caller.observer.event(event);
        outcome
    }

    /// Gives the properties that a search has decided the figures of the whole search. Returns
    /// these properties.
    pub fn end_search(&mut self, counted: Counted<'_>) -> Vec<usize> {
        let decided = mem::take(&mut self.decided);
        // Readers see that properties have shared a search by their having the same time.
        let seconds = self.seconds();
        for &property in &decided {
            if let Some(outcome) = self.outcomes[property].take() {
                self.outcomes[property] = Some(Outcome {
                    seconds,
                    ..self.outcome(property, outcome.verdict, counted)
                });
            }
        }
        decided
    }

    /// Time since the check began.
    fn seconds(&self) -> f64 {
        let now = self.caller.budget.now();
        now.duration_since(self.begun).as_secs_f64()
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
        let within = self.packed.cut();
        let is_sought = matches!(self.properties[property], Property::Reachable(_));
        let verdict = match verdict {
            Verdict::Holds if is_sought && within != 0 => Verdict::Undecided(Reason::CutOff),
            verdict => verdict,
        };
        Outcome {
            verdict,
            states: figures.states,
            edges: figures.edges,
            full: ways.is_full(),
            reduction,
            round: round.map(|(round, _)| round),
            symmetry: permuted(system, &self.options, self.orbits, (None, figures.states)),
            sharing: None,
            within,
            runs: ways.runs(),
            depth: None,
            seconds: self.seconds(),
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
            Err(none) => {
                self.without_run.push(property);
                Verdict::Undecided(none.reason())
            }
        }
    }

    /// Returns what the end of the trace shows: a failure may have other values there than in the
    /// canonical state.
    fn finding_at_end(&self, property: usize, finding: Finding, trace: &Trace) -> Finding {
        let failure = match finding {
            Finding::StepFails(_) => {
                let last = trace.steps().last();
                let failure = last.and_then(|step| step.failure.as_ref());
                failure.and_then(|failure| self.kind(property).at_failing_step(failure))
            }
            Finding::ExpressionFails(_) => {
                let state = self.packed.pack(trace.last());
                let scratch = &mut self.packed.scratch();
                let expression = self.evaluator(property).expression.as_ref();
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
