//! What a search has to show for a violation, and the run that it stands for.

use std::mem::swap;
use std::ops::ControlFlow;

use stubborn_system::system::{Failure, InstanceId, LocationId};

use crate::graph::lasso::Lasso;
use crate::interpreter::Mismatch;
use crate::packed::{Packed, Scratch};
use crate::properties::Kind;
use crate::recurring::Recurring;
use crate::search::{OwnedLabel, Stop, Ways};
use crate::successors::{Label, Successors, Visit};
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

/// The run of the system that was searched for which the evidence stands, with the states that the
/// search has come to by these ways. Of several steps between two states of the cycle one is taken
/// that the kind of property asks about, if there is one.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn recorded(
    packed: &Packed<'_>,
    kind: &dyn Kind,
    evidence: &Evidence,
    ways: &dyn Ways,
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let mut scratch = packed.scratch();
    let held = evidence.bytes();
    let [start, path @ ..] = &evidence.path[..] else {
        return Err(NoTrace::Defect("a search has found no state".to_owned()));
    };
    let mut from = vec![0; packed.words()];
    let mut to = from.clone();
    ways.copy(*start, &mut from);
    let mut run = Recorder::new(packed.unpack(&from));
    for next in path {
        polled(poll, held + run.bytes())?;
        ways.copy(*next, &mut to);
        let label = step_between(packed, &mut scratch, &from, &to, &|_| true)?;
        run.step(label.label(), packed.unpack(&to));
        swap(&mut from, &mut to);
    }
    let begin = run.len();
    let recurring = kind.recurring(packed.system());
    let mut recurs = false;
    for next in &evidence.cycle {
        polled(poll, held + run.bytes())?;
        ways.copy(*next, &mut to);
        let at = |instance| packed.location(&from, instance);
        let label = meant(recurring.as_ref(), &at, |is_meant| {
            step_between(packed, &mut scratch, &from, &to, is_meant)
        })?;
        recurs |= is_wanted(recurring.as_ref(), label.label(), &at);
        run.step(label.label(), packed.unpack(&to));
        swap(&mut from, &mut to);
    }
    if !recurs && !evidence.cycle.is_empty() {
        return Err(nothing_recurs());
    }
    if let Some((label, failure)) = &evidence.failing {
        run.failing(label.label(), failure.clone());
    }
    Ok(run.finish((!evidence.cycle.is_empty()).then_some(begin)))
}

/// Finds a step of a cycle by `find`, which is told of the steps that are meant: those that recur where there is one,
/// or else those that may be taken again and again.
///
/// # Errors
/// Where there is none, which is a defect.
pub(super) fn meant<T>(
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
pub(super) fn is_wanted(
    recurring: Option<&Recurring>,
    label: Label<'_>,
    at: &dyn Fn(InstanceId) -> LocationId,
) -> bool {
    recurring.is_none_or(|recurring| recurring.wants(label, at))
}

pub(super) fn nothing_recurs() -> NoTrace {
    NoTrace::Defect("no step of a cycle is one that recurs".to_owned())
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
    finder.found.ok_or_else(|| {
        NoTrace::Defect("a step that a search has taken is not found again".to_owned())
    })
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
