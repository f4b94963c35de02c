//! The state space as a graph, each state with the assumptions of which a step is possible in it,
//! and each step with those that it is one of.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use stubborn_space::successors::{Label, Visit};
use stubborn_system::system::Failure;

use super::asked::{Looking, OfSystem};
use super::assumed::Assumed;
use crate::graph::Edges;
use crate::search::whole::cycles::Step;
use crate::search::{Figures, Question, Space, Stop};

/// Between two looks at the limits.
const STATES_BETWEEN_POLLS: u32 = 256;
const EDGES_BETWEEN_POLLS: usize = 1 << 12;

/// The states in which a run may stay, and the steps that it may take again and again.
#[derive(Default)]
pub struct Graph {
    pub edges: Edges,
    /// Of each edge: the number of a set, and whether it is wanted.
    pub marks: Vec<Mark>,
    /// Of each state, the number of a set.
    possible: Vec<u32>,
    sets: Sets,
}

/// What a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    pub set: u32,
    pub is_wanted: bool,
}

impl Graph {
    /// Visits all states of a search again.
    pub fn gather<M: OfSystem, Q: Question>(
        run: &mut Looking<'_, '_, '_, M, Q>,
        assumed: &Assumed,
    ) -> ControlFlow<Stop, Graph> {
        let mut graph = Graph::default();
        let mut set = vec![0; assumed.words()];
        // What looking for parts takes, beside the edges.
        let later = run.space.states() * BYTES_PER_STATE;
        let held = run.figures();
        let mut polled = 0;
        for state in 0..run.space.len() {
            run.space.copy(state, &mut run.state);
            let has_many = graph.marks.len() - polled >= EDGES_BETWEEN_POLLS;
            if state % STATES_BETWEEN_POLLS == 0 || has_many {
                polled = graph.marks.len();
                run.meter.poll_memory(Figures {
                    bytes: held.bytes + later + 2 * graph.bytes(),
                    ..held
                })?;
            }
            set.fill(0);
            if run.listener.question.stays(&run.state) {
                let (model, from) = (run.model, &run.state[..]);
                let at = |instance| model.location(from, instance);
                let mut system = |label: Label<'_>, outcome: Result<&[u64], &Failure>| {
                    if outcome.is_ok() {
                        assumed.add(label, &at, &mut set);
                    }
                    ControlFlow::Continue(())
                };
                let _ = model.visit_system(from, &mut run.scratch, &mut system);
                let possible = graph.sets.number(&set);
                graph.possible.push(possible);
                let mut steps = Steps {
                    graph: &mut graph,
                    assumed,
                    model,
                    from,
                    space: &run.space,
                    question: &mut *run.listener.question,
                    set: &mut set,
                };
                let _ = model.visit(from, &mut run.scratch, &mut steps);
            } else {
                let nothing = graph.sets.number(&set);
                graph.possible.push(nothing);
            }
            graph.edges.end_state();
        }
        ControlFlow::Continue(graph)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let marks = size_of_val(&self.marks[..]) + size_of_val(&self.possible[..]);
        self.edges.bytes() + marks as u64 + self.sets.bytes()
    }

    /// The assumptions of which a step is possible in a state.
    pub fn possible(&self, state: u32) -> &[u64] {
        self.set(self.possible[state as usize])
    }

    pub fn set(&self, number: u32) -> &[u64] {
        &self.sets.all[number as usize]
    }

    /// The numbers of a state's edges, with where they lead.
    pub fn of(&self, state: u32) -> impl Iterator<Item = (usize, u32)> {
        let first = self.edges.first(state);
        (first..).zip(self.edges.of(state).iter().copied())
    }
}

/// Components, their numbers, and what a search within one of them takes.
const BYTES_PER_STATE: u64 = crate::graph::components::BYTES_PER_STATE + 16;

/// Different sets, each there once.
#[derive(Default)]
struct Sets {
    all: Vec<Box<[u64]>>,
    numbers: FxHashMap<Box<[u64]>, u32>,
}

impl Sets {
    fn number(&mut self, set: &[u64]) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(set.into());
        self.numbers.insert(set.into(), number);
        number
    }

    fn bytes(&self) -> u64 {
        let each = self
            .all
            .first()
            .map_or(0, |set| 2 * size_of_val(&set[..]) + 48);
        (self.all.len() * each) as u64
    }
}

/// Adds the edges of a state.
struct Steps<'a, 'q, M, Q> {
    graph: &'a mut Graph,
    assumed: &'a Assumed,
    model: &'a M,
    from: &'a [u64],
    space: &'a Space,
    question: &'q mut Q,
    set: &'a mut [u64],
}

impl<M: OfSystem, Q: Question> Visit for Steps<'_, '_, M, Q> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        // A search that is not over has not come to every state.
        let Some(to) = outcome
            .ok()
            .and_then(|to| Some((to, self.space.number(to)?)))
        else {
            return ControlFlow::Continue(());
        };
        let (to, number) = to;
        let step = match self.question.stays(to) {
            true => self.question.step(self.from, label, to),
            false => Step::Forbidden,
        };
        if step != Step::Forbidden {
            let mark = mark(self.assumed, self.model, self.from, label, self.set);
            self.graph.edges.push(number);
            self.graph.marks.push(Mark {
                set: self.graph.sets.number(mark),
                is_wanted: step == Step::Wanted,
            });
        }
        ControlFlow::Continue(())
    }
}

/// The assumptions that a step from a state is one of.
pub fn mark<'s, M: OfSystem>(
    assumed: &Assumed,
    model: &M,
    from: &[u64],
    label: Label<'_>,
    set: &'s mut [u64],
) -> &'s [u64] {
    set.fill(0);
    assumed.add(label, &|instance| model.location(from, instance), set);
    set
}
