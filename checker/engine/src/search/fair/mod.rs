//! Whether there is a fair run of some kind: one that ends in a terminal state of that kind, or goes on for ever as is
//! asked for and meets assumptions of weak and strong fairness (`language.md` §9).
//!
//! A run that goes on for ever is, from some point on, among states and steps each of which it meets infinitely often:
//! they are strongly connected. So there is a fair one exactly if there is a strongly connected part of the state space,
//! with a step at least, in which each weak assumption has a step or a state where none of its steps is possible, and
//! each strong one has a step or no state where one is possible: generalised Büchi and Streett acceptance. Such a part
//! is found as O. Lichtenstein and A. Pnueli do ("Checking That Finite State Concurrent Programs Satisfy Their Linear
//! Specification", POPL 1985; E. A. Emerson and C.-L. Lei, "Modalities for Model Checking", 1987): [`parts`].
//!
//! What is possible in a state is asked of the system, not of the product: a step is, whatever a monitor makes of it.
//!
//! The state space is generated breadth first, as far as so many states at first and then ever more: a part of it in
//! which all that is said of states is known shows a violation as well as the whole.

mod assumed;
mod cycle;
mod graph;
mod parts;

use std::ops::ControlFlow;

use stubborn_system::system::{Failure, InstanceId, LocationId};

pub use assumed::Assumed;

use self::graph::Graph;
use super::listener::{Listener, Ways};
use super::meter::{Meter, Stop};
use super::monitor::{Alone, Flags, Monitored};
use super::steps::OwnedLabel;
use super::whole::cycles::Step;
use super::{Run, Space, breadth_first};
use crate::options::{Limits, Order};
use crate::packed::Packed;
use crate::store::exact::Exact;
use crate::successors::{Label, Successors, Visit};
use crate::verdict::Reason;

/// So many states are looked at before there are more; each time it is done again.
const FIRST: u64 = 1 << 12;
/// Then so many times as many.
const GROWTH: u64 = 16;

/// A model whose states say in which state the system is.
pub trait OfSystem: Monitored {
    /// Gives all steps of the system.
    fn visit_system<V: Visit>(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut V,
    ) -> ControlFlow<()>;

    fn location(&self, state: &[u64], instance: InstanceId) -> LocationId;
}

impl OfSystem for Alone<'_, Packed<'_>> {
    fn visit_system<V: Visit>(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut V,
    ) -> ControlFlow<()> {
        self.visit(state, scratch, visitor)
    }

    fn location(&self, state: &[u64], instance: InstanceId) -> LocationId {
        self.model().location(state, instance)
    }
}

/// Which run is looked for, besides that it is fair.
pub trait Question {
    /// The state alone shows what is looked for, however a run goes on.
    fn shows(&mut self, state: &[u64]) -> bool;

    /// A run that ends in this state is one.
    fn ends(&mut self, state: &[u64]) -> bool;

    /// Whether it may stay in a state.
    fn stays(&mut self, state: &[u64]) -> bool;

    /// Whether it may take a step again and again, and whether it has to take one like it.
    fn step(&mut self, from: &[u64], label: Label<'_>, to: &[u64]) -> Step;
}

/// A run that was looked for.
#[derive(Debug)]
pub struct FairRun {
    pub shown: Shown,
    pub start: Box<[u64]>,
    /// Each step with the state after it, those of the cycle last.
    pub steps: Vec<(OwnedLabel, Box<[u64]>)>,
    /// How many of these come before the cycle.
    pub before_cycle: usize,
}

/// What shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The last state.
    State,
    /// The last state, in which the run ends.
    End,
    Cycle,
}

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
/// Costs a few words for each step besides the states, and time in proportion to the steps, times one more than the
/// number of strong assumptions at the worst.
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

/// A search for such a run that goes on.
type Looking<'q, 'a, 'm, M, Q> = Run<'a, 'm, M, Exact, Passing<'q, Q>>;

/// Looks at what single states show.
struct Passing<'q, Q> {
    question: &'q mut Q,
    shown: Option<(u32, Shown)>,
}

impl<Q: Question> Listener for Passing<'_, Q> {
    fn found(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if !self.question.shows(state) {
            return ControlFlow::Continue(());
        }
        self.shown = Some((number, Shown::State));
        ControlFlow::Break(Stop::Decided)
    }

    fn edge(&mut self, _: u32, _: Option<Label<'_>>, _: Flags, _: u32) {}

    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if !self.question.ends(state) {
            return ControlFlow::Continue(());
        }
        self.shown = Some((number, Shown::End));
        ControlFlow::Break(Stop::Decided)
    }
}
