//! The special case of Latvala and Tauriainen 2004, §4: where every state is marked `livelock`, at
//! most two visits a state are enough for all four kinds of violation.
//!
//! Every cycle of invisible steps is illegal then. So neither search needs to be
//! unfolded, and the second search may stop where any step leads to a state on the stack of the
//! top-level search: the cycle that this closes goes through an `infinite` state. If it has a step
//! that the monitor sees it is an illegal infinite trace, and otherwise an illegal divergence. Which of
//! them it is the counterexample tells.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Label, Visit, Wanted};
use stubborn_space::verdict::Violation;
use stubborn_system::system::Failure;

use super::found::Found;
use super::four_pass::{self, After, Copies};
use super::listener::Listener;
use super::meter::Stop;
use super::run::Run;
use crate::store::Store;

/// Finds a violation if there is one of any kind. Every state must be marked `livelock`.
pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
) -> (ControlFlow<Stop>, Option<Found>) {
    let (flow, found) = four_pass::search(run, Copies::One, After::Stop);
    let mut found = found.into_iter().next();
    if let Some(found) = &mut found
        && found.violation == Violation::Infinite
        && !has_accepting_step(run.model, found, run.closes_cycles())
    {
        found.violation = Violation::Livelock;
    }
    (flow, found)
}

/// Whether a step of the cycle can be a visible one from an `infinite` state.
fn has_accepting_step<M: Monitored>(model: &M, found: &Found, of_all: bool) -> bool {
    let mut scratch = model.scratch();
    let around: Vec<&Box<[u64]>> = found.path.last().into_iter().chain(&found.cycle).collect();
    around.windows(2).any(|pair| {
        let mut between = Between {
            model,
            from: pair[0],
            to: pair[1],
            is_visible: false,
            of_all,
        };
        let is_infinite = model.marks(pair[0]).infinite;
        let _ = model.visit(pair[0], &mut scratch, &mut between);
        is_infinite && between.is_visible
    })
}

/// Looks for a visible step to a state.
struct Between<'a, M> {
    model: &'a M,
    from: &'a [u64],
    to: &'a [u64],
    is_visible: bool,
    /// More steps may have been taken than those of sets.
    of_all: bool,
}

impl<M: Monitored> Visit for Between<'_, M> {
    fn wanted(&self) -> Wanted {
        match self.of_all {
            true => Wanted::All,
            false => Wanted::Reduced,
        }
    }

    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if outcome == Ok(self.to) && self.model.is_visible(label, self.from, self.to) {
            self.is_visible = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
