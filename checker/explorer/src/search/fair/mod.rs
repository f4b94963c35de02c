//! Whether there is a fair run of some kind: one that ends in a terminal state of that kind, or
//! goes on for ever as is asked for and meets assumptions of weak and strong fairness
//! (`language.md` §9).
//!
//! A run that goes on for ever is, from some point on, among states and steps each of which it
//! meets infinitely often: they are strongly connected. So there is a fair one exactly if there is
//! a strongly connected part of the state space, with a step at least, in which each weak
//! assumption has a step or a state where none of its steps is possible, and each strong one has a
//! step or no state where one is possible: generalised Büchi and Streett acceptance. Such a part is
//! found as O. Lichtenstein and A. Pnueli do ("Checking That Finite State Concurrent Programs
//! Satisfy Their Linear Specification", POPL 1985; E. A. Emerson and C.-L. Lei, "Modalities for
//! Model Checking", 1987): [`parts`].
//!
//! Enabledness is that of the system, not of the product: a monitor disables no step.
//!
//! The state space is generated breadth first, a few states at first and then more and more: a fair
//! cycle of a part is one of the whole.

mod asked;
mod assumed;
mod cycle;
mod graph;
mod parts;

use std::ops::ControlFlow;

pub use asked::{FairRun, OfSystem, Shown};
pub use assumed::Assumed;

use stubborn_space::options::{Limits, Order};
use stubborn_space::verdict::Reason;

use self::asked::{Looking, Passing};
use self::graph::Graph;
use super::meter::{Meter, Stop};
use super::{Question, Run, Space, breadth_first};

/// So many states are looked at before there are more; each time it is done again.
const FIRST: u64 = 1 << 12;
/// Then so many times as many.
const GROWTH: u64 = 16;

/// What a search came to.
#[derive(Debug)]
pub struct Searched {
    pub found: Option<FairRun>,
    pub states: u64,
    pub edges: u64,
    /// All that there is was generated.
    pub full: bool,
    /// Why it gave up. Where this and `found` are none, there is no such run.
    pub stop: Option<Reason>,
}

/// Looks for such a run within limits, which `meter` has too.
///
/// Costs a few words for each step besides the states, and time in proportion to the steps, times
/// one more than the number of strong assumptions at the worst.
pub fn search<M: OfSystem, Q: Question>(
    model: &M,
    assumed: &Assumed,
    question: &mut Q,
    order: Order,
    (meter, limits): (&mut Meter<'_>, Limits),
) -> Searched {
    let all = meter.most_states();
    let mut most = FIRST;
    loop {
        if most >= all {
            return once(model, assumed, question, order, meter);
        }
        let mut capped = meter.with(Limits {
            max_states: Some(most),
            ..limits
        });
        let searched = once(model, assumed, question, order, &mut capped);
        if !matches!(searched.stop, Some(Reason::States(_))) {
            return searched;
        }
        most = most.saturating_mul(GROWTH);
    }
}

fn once<M: OfSystem, Q: Question>(
    model: &M,
    assumed: &Assumed,
    question: &mut Q,
    order: Order,
    meter: &mut Meter<'_>,
) -> Searched {
    let mut initials = model.initials().to_vec();
    if order == Order::Reverse {
        initials.reverse();
    }
    let space = Space::new(model.words(), &initials);
    let passing = Passing {
        question,
        shown: None,
    };
    let mut run = Run::new(model, order, meter, space, passing);
    let flow = breadth_first::search(&mut run);
    let full = flow.is_continue();
    let mut stop = match flow {
        ControlFlow::Break(Stop::Limit(reason)) => Some(reason),
        ControlFlow::Break(Stop::Decided) | ControlFlow::Continue(()) => None,
    };
    let mut found = None;
    let may_look = matches!(stop, None | Some(Reason::States(_)));
    if let Some((state, shown)) = run.listener.shown {
        found = Some(cycle::to_state(&mut run, state, shown));
    } else if may_look {
        match look_for_cycle(&mut run, assumed) {
            ControlFlow::Continue(cycle) => found = cycle,
            ControlFlow::Break(Stop::Limit(reason)) => stop = Some(reason),
            ControlFlow::Break(Stop::Decided) => {}
        }
    }
    if found.is_some() {
        stop = None;
    }
    Searched {
        found,
        states: run.space.states(),
        edges: run.space.edges,
        full,
        stop,
    }
}

/// On a cycle.
fn look_for_cycle<M: OfSystem, Q: Question>(
    run: &mut Looking<'_, '_, '_, M, Q>,
    assumed: &Assumed,
) -> ControlFlow<Stop, Option<FairRun>> {
    let graph = Graph::gather(run, assumed)?;
    let held = run.figures();
    let figures = super::Figures {
        bytes: held.bytes + 2 * graph.bytes(),
        ..held
    };
    let meter = &mut *run.meter;
    let mut poll = || meter.poll_memory(figures);
    let Some(part) = parts::nearest(&graph, assumed, &mut poll)? else {
        return ControlFlow::Continue(None);
    };
    let lasso = cycle::through(&graph, assumed, &part, &mut poll)?;
    ControlFlow::Continue(Some(cycle::taken(run, assumed, &graph, &lasso)))
}
