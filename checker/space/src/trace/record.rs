//! Writing down a run, state by state.

use super::{Trace, TraceStep, changes};
use crate::state::State;
use crate::successors::Label;
use stubborn_system::system::Failure;

/// Keeps the steps of a run with what they change, as they are taken.
pub struct Recorder {
    start: State,
    now: State,
    steps: Vec<TraceStep>,
    bytes: u64,
}

impl Recorder {
    pub fn new(start: State) -> Recorder {
        Recorder {
            now: start.clone(),
            start,
            steps: Vec::new(),
            bytes: 0,
        }
    }

    /// The state after all steps so far.
    pub fn now(&self) -> &State {
        &self.now
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Memory in use, in bytes, about.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A step that leads to this state.
    pub fn step(&mut self, label: Label<'_>, after: State) {
        self.push(step(label, None, changes(&self.now, &after)));
        self.now = after;
    }

    /// A step that fails, which is the last.
    pub fn failing(&mut self, label: Label<'_>, failure: Failure) {
        self.push(step(label, Some(failure), Vec::new()));
    }

    fn push(&mut self, step: TraceStep) {
        self.bytes += step.bytes();
        self.steps.push(step);
    }

    /// The run, of which the steps from `cycle` on are gone round.
    pub fn finish(mut self, cycle: Option<usize>) -> Trace {
        let cycle = cycle.map_or_else(Vec::new, |begin| self.steps.split_off(begin));
        Trace::new(self.start, self.steps, cycle)
    }
}

fn step(label: Label<'_>, failure: Option<Failure>, changes: Vec<super::Change>) -> TraceStep {
    let action = label.action;
    TraceStep {
        participants: label.participants.to_vec(),
        action: action.map(|(action, values)| (action, values.to_vec())),
        failure,
        changes,
    }
}
