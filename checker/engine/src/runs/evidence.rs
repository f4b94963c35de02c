//! What a search has to show for a violation, and the run that it stands for.

use stubborn_system::system::Failure;

use super::no_trace::{NoTrace, Poll, not_found, polled};
use super::unfold::{IsMeant, unfolded};
use crate::graph::lasso::Lasso;
use crate::packed::{Packed, Scratch};
use crate::properties::Kind;
use crate::search::{Alone, OwnedLabel, Ways};
use crate::successors::{Label, Successors, find_step};
use crate::symmetry::Orbits;
use crate::trace::{Recorder, Trace};

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

/// Returns the run of the searched system for which the evidence stands, with the states that the
/// search has come to by these ways: canonical ones where there are permutations. Of several steps
/// between two states of the cycle it takes one that the kind of property asks about, if there is
/// one.
///
/// # Errors
/// If a limit is reached, or a step that the search has taken is not found again.
pub fn recorded(
    (packed, orbits): (&Packed<'_>, Option<&Orbits>),
    kind: &dyn Kind,
    evidence: &Evidence,
    ways: &dyn Ways,
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let recurring = kind.recurring(packed.system());
    let recurs = |from: &[u64], label: Label<'_>, _: &[u64]| {
        let at = |instance| packed.location(from, instance);
        (recurring.as_ref()).is_none_or(|recurring| recurring.wants(label, &at))
    };
    let may_recur = |from: &[u64], label: Label<'_>, _: &[u64]| {
        let at = |instance| packed.location(from, instance);
        (recurring.as_ref()).is_none_or(|recurring| recurring.allows(label, &at))
    };
    let kinds: &[IsMeant<'_>] = &[&recurs, &may_recur];
    let state = |number: &u32| {
        let mut state = vec![0; packed.words()].into_boxed_slice();
        ways.copy(*number, &mut state);
        state
    };
    let (path, cycle) = (&evidence.path, &evidence.cycle);
    let (path, cycle) = (path.iter().map(state), cycle.iter().map(state));
    let held = evidence.bytes();
    let Some(orbits) = orbits else {
        let poll = &mut |bytes| poll(held + bytes);
        return through(
            packed,
            (path, cycle),
            evidence.failing.as_ref(),
            kinds,
            poll,
        );
    };
    let (path, cycle) = unfolded((&Alone::new(packed), orbits), path, cycle, kinds, poll)?;
    let mut failing = None;
    if let (Some(_), Some(last)) = (&evidence.failing, path.last()) {
        let found = find_step(packed, last, &mut packed.scratch(), |label, outcome| {
            let failure = outcome.err()?;
            kind.at_failing_step(failure)?;
            Some((OwnedLabel::of(label), failure.clone()))
        });
        failing = Some(found.ok_or_else(not_found)?);
    }
    let states = (path.into_iter(), cycle.into_iter());
    let each = packed.words() as u64 * 8 + 16;
    let held = held + (states.0.len() + states.1.len()) as u64 * each;
    let poll = &mut |bytes| poll(held + bytes);
    through(packed, states, failing.as_ref(), kinds, poll)
}

/// Returns the run through the states of a path, and those of a cycle from its last state back to
/// it. Each step of the cycle is of the first of the kinds that a step to its state is of; one of
/// them at least is of the first kind of all.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn through(
    packed: &Packed<'_>,
    (mut path, cycle): (
        impl Iterator<Item = Box<[u64]>>,
        impl Iterator<Item = Box<[u64]>>,
    ),
    failing: Option<&(OwnedLabel, Failure)>,
    kinds: &[IsMeant<'_>],
    poll: Poll<'_>,
) -> Result<Trace, NoTrace> {
    let mut scratch = packed.scratch();
    let mut now = path.next().ok_or_else(not_found)?;
    let mut run = Recorder::new(packed.unpack(&now));
    let mut take = |run: &mut Recorder, next: Box<[u64]>, kinds: &[IsMeant<'_>]| {
        polled(poll, run.bytes())?;
        let label = step_between(packed, &mut scratch, &now, &next, kinds)?;
        let is_first_kind = kinds[0](&now, label.label(), &next);
        run.step(label.label(), packed.unpack(&next));
        now = next;
        Ok::<bool, NoTrace>(is_first_kind)
    };
    for next in path {
        take(&mut run, next, &[&|_, _, _| true])?;
    }
    let begin = run.len();
    let mut recurs = false;
    for next in cycle {
        recurs |= take(&mut run, next, kinds)?;
    }
    let has_cycle = run.len() > begin;
    if has_cycle && !recurs {
        let defect = "no step of a cycle is one that recurs";
        return Err(NoTrace::Defect(defect.to_owned()));
    }
    if let Some((label, failure)) = failing {
        run.failing(label.label(), failure.clone());
    }
    Ok(run.finish(has_cycle.then_some(begin)))
}

/// Returns the first step from one state to the other that is of the first of the kinds that a step
/// between them is of.
///
/// # Errors
/// Where there is none, which is a defect.
pub fn step_between(
    packed: &Packed<'_>,
    scratch: &mut Scratch,
    from: &[u64],
    to: &[u64],
    kinds: &[IsMeant<'_>],
) -> Result<OwnedLabel, NoTrace> {
    let mut steps = kinds.iter().map(|is_meant| {
        find_step(packed, from, scratch, |label, outcome| {
            let is_found = outcome == Ok(to) && is_meant(from, label, to);
            is_found.then(|| OwnedLabel::of(label))
        })
    });
    steps.find_map(|found| found).ok_or_else(not_found)
}
