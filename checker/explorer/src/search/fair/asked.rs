//! What is asked of a search for a fair run, of which model, and what it finds.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Alone, Flags, Monitored};
use stubborn_space::packed::Packed;
use stubborn_space::successors::{Label, Successors, Visit};
use stubborn_system::system::{Failure, InstanceId, LocationId};

use crate::search::Run;
use crate::search::listener::{Listener, Ways};
use crate::search::meter::Stop;
use crate::search::steps::OwnedLabel;
use crate::search::whole::cycles::Step;
use crate::store::exact::Exact;

/// A model whose states say in which state the system is.
pub trait OfSystem: Monitored {
    /// Gives all steps of the system.
    fn visit_system(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()>;

    fn location(&self, state: &[u64], instance: InstanceId) -> LocationId;
}

impl OfSystem for Alone<'_, Packed<'_>> {
    fn visit_system(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
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

/// A search for such a run that goes on.
pub type Looking<'q, 'a, 'm, M, Q> = Run<'a, 'm, M, Exact, Passing<'q, Q>>;

/// Looks at what single states show.
pub struct Passing<'q, Q> {
    pub question: &'q mut Q,
    pub shown: Option<(u32, Shown)>,
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
