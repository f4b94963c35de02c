//! What a search has to show for a violation, and the run that it stands for.

use std::mem::swap;
use std::ops::ControlFlow;

use stubborn_system::system::{Failure, InstanceId, LocationId};

use super::unfold::unfolded;
use crate::graph::lasso::Lasso;
use crate::interpreter::Mismatch;
use crate::packed::{Packed, Scratch};
use crate::properties::Kind;
use crate::recurring::Recurring;
use crate::search::{Alone, OwnedLabel, Stop, Ways};
use crate::successors::{Label, Successors, Visit};
use crate::symmetry::Orbits;
use crate::trace::{Recorder, Trace};
use crate::verdict::Reason;

/// A run by the states of the system that was searched, which have the numbers that the search gives
/// them: what may be long is not copied before anybody has asked for how much memory there is.
#[derive(Clone)]
pub struct Evidence {
    /// From an initial state on, each a step from the one before.
    pub path: Vec<u32>,
    /// The states after the last one of the path, up to it again; empty where there is no cycle.
    pub cycle: Vec<u32>,
    /// The step that fails in the last state.
    pub failing: Option<(OwnedLabel, Failure)>,
}

impl From<Lasso> for Evidence {
    fn from(lasso: Lasso) -> Evidence {
        Evidence {
            // The cycle begins with the last state of the path.
            cycle: lasso.cycle.get(1..).unwrap_or_default().to_vec(),
            ..Evidence::path(lasso.path)
        }
    }
}

impl Evidence {
    pub fn path(path: Vec<u32>) -> Evidence {
        Evidence {
            path,
            cycle: Vec::new(),
            failing: None,
        }
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64 {
        ((self.path.len() + self.cycle.len()) * size_of::<u32>()) as u64
    }
}

/// Why there is no run for what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoTrace {
    Limit(Reason),
    /// Two accounts of the model disagree: in the words of a bug report.
    Defect(String),
}

impl From<Stop> for NoTrace {
    fn from(stop: Stop) -> NoTrace {
        match stop {
            Stop::Limit(reason) => NoTrace::Limit(reason),
            Stop::Decided => NoTrace::Defect("a search has ended too early".to_owned()),
        }
    }
}

impl From<Mismatch> for NoTrace {
    fn from(mismatch: Mismatch) -> NoTrace {
        NoTrace::Defect(format!(
            "the reference interpreter does not replay a trace: {mismatch}"
        ))
    }
}

impl NoTrace {
    pub fn reason(self) -> Reason {
        match self {
            NoTrace::Limit(reason) => reason,
            NoTrace::Defect(defect) => Reason::Internal(defect),
        }
    }
}

/// Asked for each step of a run that is made, with the bytes that the run takes so far.
pub type Poll<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<Stop>;

pub(crate) fn polled(poll: Poll<'_>, bytes: u64) -> Result<(), NoTrace> {
    match poll(bytes) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(stop) => Err(stop.into()),
    }
}

/// Returns the run of the searched system for which the evidence stands, with the states that the
/// search has come to by these ways: canonical ones where there are permutations. Of several steps
/// between two states of the cycle it takes one that the kind of property asks about, if there is
/// one.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn recorded(
    (packed, orbits): (&Packed<'_>, Option<&Orbits>),
    kind: &dyn Kind,
    evidence: &Evidence,
    ways: &dyn Ways,
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let recurring = kind.recurring(packed.system());
    let recurring = recurring.as_ref();
    let Some(orbits) = orbits else {
        let copy = &|state, buffer: &mut [u64]| ways.copy(state, buffer);
        return through(packed, recurring, evidence, copy, poll);
    };
    let state = |number: &u32| {
        let mut state = vec![0; packed.words()].into_boxed_slice();
        ways.copy(*number, &mut state);
        state
    };
    let recurs = |from: &[u64], label: Label<'_>, _: &[u64]| {
        is_wanted(recurring, label, &|instance| {
            packed.location(from, instance)
        })
    };
    let may_recur = |from: &[u64], label: Label<'_>, _: &[u64]| {
        let at = |instance| packed.location(from, instance);
        recurring.is_none_or(|recurring| recurring.allows(label, &at))
    };
    let (mut states, cycle) = unfolded(
        (&Alone::new(packed), orbits),
        evidence.path.iter().map(state),
        evidence.cycle.iter().map(state),
        &[&recurs, &may_recur],
        poll,
    )?;
    let mut failing = None;
    if let (Some(_), Some(last)) = (&evidence.failing, states.last()) {
        let mut finder = Failing { kind, found: None };
        let _ = packed.visit(last, &mut packed.scratch(), &mut finder);
        failing = Some(finder.found.ok_or_else(not_found)?);
    }
    let begin = states.len() as u32;
    states.extend(cycle);
    let evidence = Evidence {
        path: (0..begin).collect(),
        cycle: (begin..states.len() as u32).collect(),
        failing,
    };
    let held: u64 = states
        .iter()
        .map(|state| size_of_val(&**state) as u64 + 16)
        .sum();
    let copy = &|state, buffer: &mut [u64]| buffer.copy_from_slice(&states[state as usize]);
    through(packed, recurring, &evidence, copy, &mut |bytes| {
        poll(held + bytes)
    })
}

/// Returns the run through the states of the evidence, which `copy` gives by their numbers.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn through(
    packed: &Packed<'_>,
    recurring: Option<&Recurring>,
    evidence: &Evidence,
    copy: &dyn Fn(u32, &mut [u64]),
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let mut scratch = packed.scratch();
    let held = evidence.bytes();
    let [start, path @ ..] = &evidence.path[..] else {
        return Err(NoTrace::Defect("a search has found no state".to_owned()));
    };
    let mut from = vec![0; packed.words()];
    let mut to = from.clone();
    copy(*start, &mut from);
    let mut run = Recorder::new(packed.unpack(&from));
    let mut recurs = evidence.cycle.is_empty();
    for (nth, next) in path.iter().chain(&evidence.cycle).enumerate() {
        polled(poll, held + run.bytes())?;
        copy(*next, &mut to);
        let recurring = recurring.filter(|_| nth >= path.len());
        let at = |instance| packed.location(&from, instance);
        let label = meant(recurring, &at, |is_meant| {
            step_between(packed, &mut scratch, &from, &to, is_meant)
        })?;
        recurs |= nth >= path.len() && is_wanted(recurring, label.label(), &at);
        run.step(label.label(), packed.unpack(&to));
        swap(&mut from, &mut to);
    }
    if !recurs {
        let defect = "no step of a cycle is one that recurs";
        return Err(NoTrace::Defect(defect.to_owned()));
    }
    if let Some((label, failure)) = &evidence.failing {
        run.failing(label.label(), failure.clone());
    }
    Ok(run.finish((!evidence.cycle.is_empty()).then_some(path.len())))
}

/// Finds a step of a cycle by `find`, which is told of the steps that are meant: those that recur where there is one,
/// or else those that may be taken again and again.
///
/// # Errors
/// Where there is none, which is a defect.
fn meant<T>(
    recurring: Option<&Recurring>,
    at: &dyn Fn(InstanceId) -> LocationId,
    mut find: impl FnMut(&dyn Fn(Label<'_>) -> bool) -> Result<T, NoTrace>,
) -> Result<T, NoTrace> {
    let Some(recurring) = recurring else {
        return find(&|_| true);
    };
    find(&|label| recurring.wants(label, at))
        .or_else(|_| find(&|label| recurring.allows(label, at)))
}

/// Whether a cycle with this step is one of the kind that a property asks about.
fn is_wanted(
    recurring: Option<&Recurring>,
    label: Label<'_>,
    at: &dyn Fn(InstanceId) -> LocationId,
) -> bool {
    recurring.is_none_or(|recurring| recurring.wants(label, at))
}

/// The first step that is meant and leads from one state to the other.
///
/// # Errors
/// Where there is none, which is a defect.
pub fn step_between(
    packed: &Packed<'_>,
    scratch: &mut Scratch,
    from: &[u64],
    to: &[u64],
    is_meant: &dyn Fn(Label<'_>) -> bool,
) -> Result<OwnedLabel, NoTrace> {
    let mut finder = Finder {
        to,
        is_meant,
        found: None,
    };
    let _ = packed.visit(from, scratch, &mut finder);
    finder.found.ok_or_else(not_found)
}

pub(crate) fn not_found() -> NoTrace {
    NoTrace::Defect("a step that a search has taken is not found again".to_owned())
}

struct Finder<'a> {
    to: &'a [u64],
    is_meant: &'a dyn Fn(Label<'_>) -> bool,
    found: Option<OwnedLabel>,
}

impl Visit for Finder<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if outcome == Ok(self.to) && (self.is_meant)(label) {
            self.found = Some(OwnedLabel::of(label));
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
