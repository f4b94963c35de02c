//! From a finite run to a maximal one.
//!
//! An automaton that rejects has found a run that may only go on in ways which it accepts. But a
//! property is about maximal runs, and where all goes on to steps that fail there is none.

use std::ops::ControlFlow;

use crate::budget::Budget;
use crate::options::Limits;
use crate::packed::Packed;
use crate::plan::beside;
use crate::search::found::Found;
use crate::search::violations::{Algorithm, search};
use crate::search::{Alone, Marks, Meter, Stop};
use crate::state::State;
use crate::successors::{Erased, Successors as _};

/// States of a maximal run after its first, and the place of the state, counted from the first as
/// 0, that the last of them equals, if the run does not end.
pub type Extension = (Vec<State>, Option<usize>);

/// Searches depth first for a maximal run from a state. Returns `None` where every run comes to
/// steps that all fail, or the first that is found to a state that a bound cuts off.
pub fn maximal_run(
    packed: &Packed<'_>,
    from: &State,
    budget: Budget<'_>,
) -> ControlFlow<Stop, Option<Extension>> {
    // Every end and every cycle is one.
    let marks = Marks {
        deadlock: true,
        livelock: true,
        ..Marks::default()
    };
    let model = Alone::beginning(packed, packed.pack(from)).marked(marks);
    let options = beside::maximal_run();
    let limits = Limits {
        max_states: None,
        ..budget.limits
    };
    let meter = &mut Meter::quiet(budget.with(limits));
    let is_cut_off = |found: &Found| {
        let last = found.path.last();
        last.is_some_and(|last| !packed.is_inside(last, &mut packed.scratch()))
    };
    let searched = search(&Erased(&model), Algorithm::OnePass, &options, meter);
    match (searched.found, searched.stop) {
        (Some(found), _) if found.cycle.is_empty() && is_cut_off(&found) => {
            ControlFlow::Continue(None)
        }
        (Some(found), _) => {
            let states = found.path[1..].iter().chain(&found.cycle);
            let states = states.map(|state| packed.unpack(state)).collect();
            let back = (!found.cycle.is_empty()).then_some(found.path.len() - 1);
            ControlFlow::Continue(Some((states, back)))
        }
        (None, Some(reason)) => ControlFlow::Break(Stop::Limit(reason)),
        (None, None) => ControlFlow::Continue(None),
    }
}
