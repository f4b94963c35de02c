//! Expectation, in the middle of a search with numbers, that it needs none.

use std::ops::ControlFlow;

use crate::check::conclude::Numbered;
use crate::options::Options;
use crate::packed::Packed;
use crate::plan::facts::Facts;
use crate::plan::numbers::{Price, needs_termination};
use crate::search::Monitored;
use crate::successors::{Polled, Successors, Wanted};

/// Walks through a model. It is assumed to terminate if one of them does.
const WALKS: u64 = 8;

/// Most steps of a walk.
const LONGEST_WALK: usize = 1 << 12;

/// Whether a search with numbers for these properties, at the end of a layer, seems to need none.
pub fn seems_to_need_no_numbers<M: Monitored>(
    run: &Numbered<'_, '_, M>,
    properties: &[usize],
    (facts, options): (&[Facts], &Options),
) -> bool {
    let seen = &run.listener;
    let packed = seen.verdicts.packed();
    let shows_something = seen.has_dead_ends() || !seen.undecided().eq(properties.iter().copied());
    // If nothing is left out in the end either, everything is decided, which may be expensive.
    let open = || seen.undecided().map(|property| &facts[property]);
    let is_paid = || Price::of(open()).is_paid(packed.words(), options);
    if shows_something || run.space.is_plain() && !is_paid() {
        return false;
    }
    !needs_termination(open()) || !seen.terminal.is_empty() || seems_to_end(packed)
}

/// Whether one of a few walks comes to a terminal state. They are the same each time.
fn seems_to_end(packed: &Packed<'_>) -> bool {
    let mut scratch = packed.scratch();
    // Any number will do.
    let mut chance: u64 = 0x9e37_79b9_7f4a_7c15;
    (0..WALKS).any(|_| {
        let mut at = packed.initial().to_vec();
        (0..LONGEST_WALK).any(|_| {
            let (mut to, mut steps) = (at.clone(), 0);
            // Chooses one of the steps, each with the same chance. If many values are tried in
            // vain, it is no model to walk through.
            let mut choose = Polled(Wanted::All, |step| {
                let Some((_, outcome)) = step else {
                    return ControlFlow::Break(());
                };
                steps += 1;
                chance ^= chance << 13;
                chance ^= chance >> 7;
                chance ^= chance << 17;
                if let Ok(target) = outcome
                    && (chance >> 32).is_multiple_of(steps)
                {
                    to.copy_from_slice(target);
                }
                ControlFlow::Continue(())
            });
            let flow = packed.visit(&at, &mut scratch, &mut choose);
            at = to;
            flow.is_continue() && steps == 0
        })
    })
}
