//! The run that a search through canonical states stands for.
//!
//! Beside each state r of the search goes the permutation ρ that makes the real state of it, ρ(r). The first one is
//! the inverse of the permutation that has made the canonical form of the initial state. A step from r to t, of which σ(t) is the canonical
//! form, is one from ρ(r) to ρ(t) by those that ρ moves to; and ρ(t) is what ρ after the inverse of σ makes of
//! σ(t). A cycle of the search leads from ρ(r) to some other ρ'(r), and gone round again and again,
//! by the same steps, back to ρ(r): a permutation that is repeated comes to the identity.

use std::ops::ControlFlow;

use stubborn_system::symmetry::Element;
use stubborn_system::system::Failure;

use super::evidence::{
    Evidence, NoTrace, Poll, is_wanted, meant, nothing_recurs, polled, step_between,
};
use crate::packed::{Packed, Scratch};
use crate::properties::Kind;
use crate::recurring::Recurring;
use crate::search::{OwnedLabel, Ways};
use crate::successors::{Label, Successors, Visit};
use crate::symmetry::{Canonical, Orbits, inverse, then};
use crate::trace::{Recorder, Trace};

/// The run of the system for which the evidence stands, where states are canonical forms.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn recorded(
    (packed, orbits): (&Packed<'_>, &Orbits),
    kind: &dyn Kind,
    evidence: &Evidence,
    ways: &dyn Ways,
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let mut canonical = orbits.scratch();
    let initial = packed.initial();
    let begin = orbits.canonical(initial, &mut canonical).to_vec();
    let mut turning = Turning {
        packed,
        orbits,
        ways,
        scratch: packed.scratch(),
        back: inverse(&canonical.permutation),
        canonical,
        at: begin,
        real: initial.to_vec(),
        run: Recorder::new(packed.unpack(initial)),
    };
    let [start, path @ ..] = &evidence.path[..] else {
        return Err(NoTrace::Defect("a search has found no state".to_owned()));
    };
    turning.is_at(*start)?;
    for next in path {
        polled(poll, turning.run.bytes())?;
        turning.go(*next, None)?;
    }
    let begin = turning.run.len();
    if !evidence.cycle.is_empty() {
        let recurring = kind.recurring(packed.system());
        let recurring = recurring.as_ref();
        let real = turning.real.clone();
        let mut recurs = false;
        loop {
            for next in &evidence.cycle {
                polled(poll, turning.run.bytes())?;
                recurs |= turning.go(*next, recurring)?;
            }
            if !recurs {
                return Err(nothing_recurs());
            }
            if turning.real == real {
                break;
            }
        }
    }
    if evidence.failing.is_some() {
        let (label, failure) = turning.failing(kind)?;
        turning.run.failing(label.label(), failure);
    }
    Ok(turning
        .run
        .finish((!evidence.cycle.is_empty()).then_some(begin)))
}

struct Turning<'a> {
    packed: &'a Packed<'a>,
    orbits: &'a Orbits,
    ways: &'a dyn Ways,
    scratch: Scratch,
    canonical: Canonical,
    /// The state of the search.
    at: Vec<u64>,
    /// The permutation that makes the real state of it.
    back: Vec<Element>,
    real: Vec<u64>,
    run: Recorder,
}

impl Turning<'_> {
    /// # Errors
    /// Where the state with this number is another one.
    fn is_at(&self, number: u32) -> Result<(), NoTrace> {
        let mut state = self.at.clone();
        self.ways.copy(number, &mut state);
        match state == self.at {
            true => Ok(()),
            false => Err(NoTrace::Defect(
                "a run does not begin where the search does".to_owned(),
            )),
        }
    }

    /// Goes on to the state with this number; whether by a step that recurs.
    fn go(&mut self, number: u32, recurring: Option<&Recurring>) -> Result<bool, NoTrace> {
        let mut next = self.at.clone();
        self.ways.copy(number, &mut next);
        let at = |instance| self.packed.location(&self.at, instance);
        let (target, turned) = meant(recurring, &at, |is_meant| {
            let mut finder = Finder {
                orbits: self.orbits,
                canonical: &mut self.canonical,
                to: &next,
                is_meant,
                found: None,
            };
            let _ = self.packed.visit(&self.at, &mut self.scratch, &mut finder);
            finder.found.ok_or_else(not_found)
        })?;
        let mut real = target.clone();
        self.orbits.apply(&self.back, &target, &mut real);
        let at = |instance| self.packed.location(&self.real, instance);
        let label = meant(recurring, &at, |is_meant| {
            step_between(self.packed, &mut self.scratch, &self.real, &real, is_meant)
        })?;
        let recurs = is_wanted(recurring, label.label(), &at);
        self.run.step(label.label(), self.packed.unpack(&real));
        self.real = real;
        self.at = next;
        self.back = then(&inverse(&turned), &self.back);
        Ok(recurs)
    }

    /// A step of the real state that fails, as one of the state of the search does.
    fn failing(&mut self, kind: &dyn Kind) -> Result<(OwnedLabel, Failure), NoTrace> {
        let mut failing = Failing { kind, found: None };
        let _ = self
            .packed
            .visit(&self.real, &mut self.scratch, &mut failing);
        failing.found.ok_or_else(not_found)
    }
}

fn not_found() -> NoTrace {
    NoTrace::Defect("a step that a search has taken is not found again".to_owned())
}

/// Finds a step to a state with the given canonical form, and the permutation that makes it of that state.
struct Finder<'a> {
    orbits: &'a Orbits,
    canonical: &'a mut Canonical,
    to: &'a [u64],
    is_meant: &'a dyn Fn(Label<'_>) -> bool,
    found: Option<(Vec<u64>, Vec<Element>)>,
}

impl Visit for Finder<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if let Ok(state) = outcome
            && (self.is_meant)(label)
            && self.orbits.canonical(state, self.canonical) == self.to
        {
            self.found = Some((state.to_vec(), self.canonical.permutation.clone()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Finds a step that fails and shows something.
struct Failing<'a> {
    kind: &'a dyn Kind,
    found: Option<(OwnedLabel, Failure)>,
}

impl Visit for Failing<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if let Err(failure) = outcome
            && self.kind.at_failing_step(failure).is_some()
        {
            self.found = Some((OwnedLabel::of(label), failure.clone()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
