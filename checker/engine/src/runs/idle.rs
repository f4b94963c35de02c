//! Inner steps that nothing in a run comes after.
//!
//! A trace of a slice in which steps are merged is lifted with all parts of each. Those behind the last
//! step that an instance otherwise takes have no part in what the run shows, unless that is about a run that
//! has come to its end: nobody else can observe or disturb them
//! ([`Merged`](stubborn_system::slice::Merged)), so that the rest of the run can be taken without them.

use std::collections::HashSet;
use std::ops::ControlFlow;

use stubborn_system::slice::Slice;
use stubborn_system::system::{InstanceId, System};

use super::no_trace::Poll;
use super::path::{path, taken};
use crate::trace::Trace;

/// The run of the whole System without these steps: of one that was lifted from a run of the slice, and
/// has no cycle. `None` where it has no such steps, or a limit is reached.
pub fn without_idle(
    system: &System,
    slice: &Slice,
    sliced: &Trace,
    lifted: &Trace,
    poll: Poll<'_>,
) -> Option<Trace> {
    if slice.merged.is_empty() || !sliced.cycle().is_empty() {
        return None;
    }
    // Of each step who takes it, where it is an inner one.
    let mut inner: Vec<Option<InstanceId>> = Vec::new();
    for step in sliced.steps() {
        inner.push(None);
        if step.failure.is_some() {
            break;
        }
        for (instance, step) in &step.participants {
            let whole = *slice.instances.get(*instance as usize)?;
            let parts = slice.merged.parts(*instance, *step);
            inner.extend(parts.rest().iter().map(|_| Some(whole)));
        }
    }
    debug_assert_eq!(inner.len(), lifted.steps().len(), "each part is a step");
    let mut is_kept = vec![true; inner.len()];
    let mut moved: HashSet<InstanceId> = HashSet::new();
    for (at, step) in lifted.steps().iter().enumerate().rev() {
        match inner.get(at)? {
            Some(instance) => is_kept[at] = moved.contains(instance),
            None => moved.extend(step.participants.iter().map(|(instance, _)| *instance)),
        }
    }
    if !is_kept.contains(&false) {
        return None;
    }
    let bytes = lifted.bytes();
    let poll = std::cell::RefCell::new(poll);
    let goes_on = || matches!((poll.borrow_mut())(bytes), ControlFlow::Continue(()));
    let mut all = path(system, lifted, &goes_on)?;
    let mut is_kept = is_kept.into_iter();
    all.steps.retain(|_| is_kept.next() == Some(true));
    taken(system, &all, &goes_on)
}
