//! The special case of Latvala and Tauriainen 2004, §4: where every state is marked `livelock`, at
//! most two visits a state are enough for all four kinds of violation.
//!
//! Every cycle of invisible steps is illegal then. Therefore neither search needs to be unfolded, and
//! the second search may stop where any step leads to a state on the stack of the top-level search:
//! the cycle that this closes goes through an `infinite` state. If it has a step that the monitor
//! sees it is an illegal infinite trace, and otherwise an illegal divergence.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::Wanted;
use stubborn_space::verdict::Violation;

use super::Run;
use super::four_pass::{self, Copies};
use super::listener::Listener;
use super::meter::Stop;
use super::steps::{Rest, expand};
use crate::store::Store;

/// Finds a violation if there is one of any kind. Every state must be marked `livelock`.
pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
) -> ControlFlow<Stop> {
    let flow = four_pass::search(run, Copies::One);
    if let Some(mut found) = run.found.take() {
        let around: Vec<&[u64]> = (found.path.last().into_iter().chain(&found.cycle))
            .map(|state| &**state)
            .collect();
        if found.violation == Violation::Infinite && !has_accepting_step(run, &around) {
            found.violation = Violation::Livelock;
        }
        run.found = Some(found);
    }
    flow
}

/// Whether a step between neighbours can be a visible one from an `infinite` state.
fn has_accepting_step<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    around: &[&[u64]],
) -> bool {
    // More steps may have been taken than those of sets.
    let wanted = match run.closes_cycles() {
        true => Wanted::All,
        false => Wanted::Reduced,
    };
    around.windows(2).any(|pair| {
        let mut rest = Rest::Nothing;
        loop {
            run.steps.truncate(0);
            let how = (run.order, wanted);
            let (scratch, steps) = (&mut run.scratch, &mut run.steps);
            let poll = &mut || ControlFlow::Continue(());
            let _ = expand(run.model, pair[0], scratch, how, &mut rest, steps, poll);
            let mut targets = (0..run.steps.len()).filter_map(|at| run.target(at));
            if targets.any(|(state, flags)| state == pair[1] && flags.is_accepting()) {
                return true;
            }
            if rest == Rest::Nothing {
                return false;
            }
        }
    })
}
