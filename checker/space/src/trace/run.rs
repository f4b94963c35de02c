//! A run as the steps that were taken and what each of them changed.

use stubborn_system::system::{ActionId, Failure, InstanceId, StepId};

use super::changes::Change;
use crate::state::State;
use crate::successors::Label;

/// A run of the model as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub(super) start: State,
    pub(super) steps: Vec<TraceStep>,
    /// Goes from the state after `steps` back to that same state; empty where the violation is not
    /// a cycle.
    pub(super) cycle: Vec<TraceStep>,
    /// The state after `steps`.
    pub(super) last: State,
    /// What the monitor did meanwhile, where the property has one that a person has written.
    pub(super) monitor: Option<MonitorRun>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// Who takes it, in the order of the instances, each with the step that it takes.
    pub participants: Vec<(InstanceId, StepId)>,
    /// Of a joint step, with the action's values.
    pub action: Option<(ActionId, Vec<i64>)>,
    /// A failing step stands last in a trace, and changes nothing.
    pub failure: Option<Failure>,
    /// What is other afterwards, in the order of [`changes`].
    pub changes: Vec<Change>,
}

/// A run of a monitor beside a trace. In a `tau` step of a tester the trace has a step without
/// participants, which changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorRun {
    pub start: MonitorState,
    /// One for each step of the trace, then for each of its cycle.
    pub moves: Vec<MonitorMove>,
}

/// The number of a tester's or an automaton's state; of a refinement the locations (ascending) of
/// the specification's states.
pub type MonitorState = Vec<u32>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorMove {
    /// Whether it takes part in the step.
    pub takes_part: bool,
    pub after: MonitorState,
    /// Of a tester that takes part, which of its state's steps it takes; of a refinement none.
    pub step: Option<u32>,
}

impl Trace {
    /// The run that takes these steps.
    pub fn new(start: State, steps: Vec<TraceStep>, cycle: Vec<TraceStep>) -> Trace {
        let mut last = start.clone();
        for step in &steps {
            last.apply(&step.changes);
        }
        Trace {
            start,
            steps,
            cycle,
            last,
            monitor: None,
        }
    }

    #[must_use]
    pub fn beside(self, monitor: Option<MonitorRun>) -> Trace {
        Trace { monitor, ..self }
    }

    pub fn start(&self) -> &State {
        &self.start
    }

    pub fn steps(&self) -> &[TraceStep] {
        &self.steps
    }

    pub fn cycle(&self) -> &[TraceStep] {
        &self.cycle
    }

    pub fn monitor(&self) -> Option<&MonitorRun> {
        self.monitor.as_ref()
    }

    /// The state in which the steps end: where a violation that is no cycle shows.
    pub fn last(&self) -> &State {
        &self.last
    }

    /// How many steps it has, those of the cycle among them.
    pub fn len(&self) -> usize {
        self.steps.len() + self.cycle.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All steps, those of the cycle last.
    pub fn all_steps(&self) -> impl DoubleEndedIterator<Item = &TraceStep> + Clone {
        self.steps.iter().chain(&self.cycle)
    }

    /// Goes along the run from its start, once round the cycle.
    pub fn walk(&self) -> Walk<'_> {
        Walk {
            trace: self,
            at: 0,
            state: self.start.clone(),
        }
    }

    /// The start, and the state after each step: all at once, which is for short runs.
    pub fn states(&self) -> Vec<State> {
        let mut walk = self.walk();
        let mut states = vec![walk.state().clone()];
        while walk.advance().is_some() {
            states.push(walk.state().clone());
        }
        states
    }

    /// Memory in use, in bytes, about.
    pub fn bytes(&self) -> u64 {
        self.all_steps().map(TraceStep::bytes).sum()
    }
}

impl TraceStep {
    pub fn label(&self) -> Label<'_> {
        Label::new(&self.participants, &self.action)
    }

    /// Memory in use, in bytes, about.
    pub fn bytes(&self) -> u64 {
        let values = self.action.as_ref().map_or(&[][..], |(_, values)| values);
        let heap = self.participants.len() * size_of::<(InstanceId, StepId)>()
            + size_of_val(values)
            + self.changes.iter().map(Change::bytes).sum::<usize>();
        (size_of::<TraceStep>() + heap) as u64
    }
}

/// A place on a run, and the state there.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    trace: &'a Trace,
    at: usize,
    state: State,
}

impl<'a> Walk<'a> {
    /// How many steps have been taken.
    pub fn taken(&self) -> usize {
        self.at
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// The step that comes next, if there is one.
    pub fn next_step(&self) -> Option<&'a TraceStep> {
        let steps = &self.trace.steps;
        match self.at.checked_sub(steps.len()) {
            None => steps.get(self.at),
            Some(on_cycle) => self.trace.cycle.get(on_cycle),
        }
    }

    /// Takes the next step. Costs time for what it changes.
    pub fn advance(&mut self) -> Option<&'a TraceStep> {
        let step = self.next_step()?;
        self.state.apply(&step.changes);
        self.at += 1;
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_takes_the_memory_of_its_actions_values_too() {
        let step = |values: &[i64]| TraceStep {
            participants: vec![(0, 0)],
            action: Some((0, values.to_vec())),
            failure: None,
            changes: Vec::new(),
        };
        let without = step(&[]).bytes();
        assert_eq!(step(&[1, 2, 3]).bytes(), without + 3 * 8);
    }
}
