//! The special case of Latvala and Tauriainen 2004, §4: where every state is marked `livelock`, at
//! most two visits a state are enough for all four kinds of violation.
//!
//! Every cycle of steps that the monitor does not see is illegal then. So neither search needs to be
//! unfolded, and the second search may stop where any step leads to a state on the stack of the
//! top-level search: the cycle that this closes goes through an `infinite` state. If it has a step
//! that the monitor sees it is an illegal infinite trace, and otherwise an illegal divergence. Which of
//! them it is the counterexample tells.

use std::ops::ControlFlow;

use super::Found;
use super::explorer::{Explorer, Flagged, Flags};
use super::four_pass::{self, After, Copies};
use super::storage::Storage;
use crate::monitored::watched::Watched;
use crate::search::Stop;
use crate::successors::{Label, Successors, Visit, Wanted};
use crate::verdict::Violation;
use stubborn_system::system::Failure;

/// Finds a violation if there is one of any kind. Every state must be marked `livelock`.
pub fn search<W: Watched, S: Storage>(
    explorer: &mut Explorer<'_, '_, W, S>,
) -> (ControlFlow<Stop>, Option<Found>) {
    let (flow, found) = four_pass::search(explorer, Copies::One, After::Stop);
    let mut found = found.into_iter().next();
    if let Some(found) = &mut found
        && found.violation == Violation::Infinite
        && !has_accepting_step(explorer.watched, found)
    {
        found.violation = Violation::Livelock;
    }
    (flow, found)
}

/// Whether a step of the cycle can be one that the monitor sees, from an `infinite` state.
fn has_accepting_step<W: Watched>(watched: &W, found: &Found) -> bool {
    let flagged = Flagged::new(watched);
    let mut scratch = flagged.scratch();
    let around: Vec<&Box<[u64]>> = found.path.last().into_iter().chain(&found.cycle).collect();
    around.windows(2).any(|pair| {
        let mut between = Between {
            to: pair[1],
            is_accepting: false,
        };
        let _ = flagged.visit(pair[0], &mut scratch, &mut between);
        between.is_accepting
    })
}

/// Looks for an accepting step to a state.
struct Between<'a> {
    to: &'a [u64],
    is_accepting: bool,
}

impl Visit for Between<'_> {
    fn wanted(&self) -> Wanted {
        Wanted::Reduced
    }

    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let target = outcome.ok().and_then(Flags::split);
        if target.is_some_and(|(state, flags)| state == self.to && flags.is_accepting()) {
            self.is_accepting = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
