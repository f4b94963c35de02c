//! Model and result of a search for a fair run.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Alone, Monitored};
use stubborn_space::packed::Packed;
use stubborn_space::successors::{Successors, Visit};
use stubborn_system::system::{InstanceId, LocationId};

use crate::search::listener::{Listener, Ways};
use crate::search::meter::Stop;
use crate::search::steps::OwnedLabel;
use crate::search::{Question, Run};
use crate::store::exact::Exact;

/// A model whose states include the state of the system.
pub trait OfSystem: Monitored {
    /// Visits all steps of the system.
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

/// A fair run that answers the question.
#[derive(Debug)]
pub struct FairRun {
    pub shown: Shown,
    pub start: Box<[u64]>,
    /// Each step with the state after it, those of the cycle last.
    pub steps: Vec<(OwnedLabel, Box<[u64]>)>,
    /// How many of these come before the cycle.
    pub before_cycle: usize,
}

/// Part of a run that is the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The last state.
    State,
    /// The last state, in which the run ends.
    End,
    Cycle,
}

/// Search for such a run.
pub type Looking<'q, 'a, 'm, M, Q> = Run<'a, 'm, M, Exact, Passing<'q, Q>>;

/// Listener that asks the question of single states.
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

    fn terminal(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        if !self.question.ends(state) {
            return ControlFlow::Continue(());
        }
        self.shown = Some((number, Shown::End));
        ControlFlow::Break(Stop::Decided)
    }
}
