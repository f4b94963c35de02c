//! The special case of Latvala and Tauriainen 2004, §4: where every state is marked `livelock`, at
//! most two visits a state are enough for all four kinds of violation.
//!
//! Every cycle of invisible steps is illegal then. Therefore neither search needs to be unfolded, and
//! the second search may stop where any step leads to a state on the stack of the top-level search:
//! the cycle that this closes goes through an `infinite` state. If it has a step that the monitor
//! sees it is an illegal infinite trace, and otherwise an illegal divergence.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Label, Wanted, Wanting};
use stubborn_space::verdict::Violation;
use stubborn_system::system::Failure;

use super::Run;
use super::found::Found;
use super::four_pass::{self, Copies};
use super::listener::Listener;
use super::meter::Stop;
use crate::store::Store;

/// Finds a violation if there is one of any kind. Every state must be marked `livelock`.
pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
) -> ControlFlow<Stop> {
    let flow = four_pass::search(run, Copies::One);
    if let Some(mut found) = run.found.take() {
        let is_infinite = found.violation == Violation::Infinite;
        if is_infinite && !has_accepting_step(run.model, &found, run.closes_cycles()) {
            found.violation = Violation::Livelock;
        }
        run.found = Some(found);
    }
    flow
}

/// Whether a step of the cycle can be a visible one from an `infinite` state. `of_all` steps of a
/// state, since more may have been taken than those of its set.
fn has_accepting_step<M: Monitored>(model: &M, found: &Found, of_all: bool) -> bool {
    let mut scratch = model.scratch();
    let around: Vec<&Box<[u64]>> = found.path.last().into_iter().chain(&found.cycle).collect();
    around.windows(2).any(|pair| {
        let [from, to] = [&pair[0][..], &pair[1][..]];
        let visible = |label: Label<'_>, outcome: Result<&[u64], &Failure>| match outcome == Ok(to)
            && model.is_visible(label, from, to)
        {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut visible = Wanting(Wanted::again(!of_all), visible);
        model.marks(from).infinite && model.visit(from, &mut scratch, &mut visible).is_break()
    })
}
