//! The plain state space, small enough to be looked at in every way.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stubborn_engine::packed::{Packed, Scratch};
use stubborn_engine::successors::{Successors, Visit};
use stubborn_engine::{Label, State};
use stubborn_system::property::Property;
use stubborn_system::system::{ActionId, Expr, Failure, InstanceId, StepId};

/// Which step it is: who takes it, and an action's values. What an `any` or a bag gives is not told
/// apart: the step then leads to several states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub participants: Vec<(InstanceId, StepId)>,
    pub action: Option<(ActionId, Vec<i64>)>,
}

impl Name {
    pub fn of(label: Label<'_>) -> Name {
        Name {
            participants: label.participants.to_vec(),
            action: label
                .action
                .map(|(action, values)| (action, values.to_vec())),
        }
    }
}

/// A step of a state; `None` where it fails.
#[derive(Clone, Debug)]
pub struct Edge {
    pub name: u32,
    pub target: Option<u32>,
}

pub struct Graph<'a> {
    pub packed: &'a Packed<'a>,
    scratch: Scratch,
    /// Whether the names of steps are told apart.
    named: bool,
    states: Vec<Vec<u64>>,
    numbers: HashMap<Vec<u64>, u32>,
    edges: Vec<Vec<Edge>>,
    pub names: Vec<Name>,
    by_name: HashMap<Name, u32>,
}

impl<'a> Graph<'a> {
    /// Every reachable state, unless there are more than `most`. Where steps are not `named`, all
    /// have the same name.
    pub fn new(packed: &'a Packed<'a>, most: usize, named: bool) -> Option<Graph<'a>> {
        let initial = packed.initial().to_vec();
        let mut graph = Graph {
            packed,
            scratch: packed.scratch(),
            named,
            numbers: HashMap::from([(initial.clone(), 0)]),
            states: vec![initial],
            edges: vec![],
            names: vec![],
            by_name: HashMap::new(),
        };
        while graph.edges.len() < graph.states.len() {
            let from = graph.edges.len();
            let edges = graph.take_steps(from);
            graph.edges.push(edges);
            if graph.states.len() > most {
                return None;
            }
        }
        Some(graph)
    }

    fn take_steps(&mut self, from: usize) -> Vec<Edge> {
        let mut collector = Collector {
            named: self.named,
            steps: vec![],
        };
        let _ = self
            .packed
            .visit(&self.states[from], &mut self.scratch, &mut collector);
        let steps = collector.steps.into_iter();
        steps
            .map(|(name, target)| Edge {
                name: name.map_or(0, |name| self.name(name)),
                target: target.map(|state| self.number(state)),
            })
            .collect()
    }

    /// The number of a step's name, given now if it is new.
    pub fn name(&mut self, name: Name) -> u32 {
        let next = self.names.len() as u32;
        *self.by_name.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            next
        })
    }

    fn number(&mut self, state: Vec<u64>) -> u32 {
        let next = self.states.len() as u32;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            next
        })
    }

    pub fn states(&self) -> u32 {
        self.states.len() as u32
    }

    pub fn edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub fn of(&self, state: u32) -> &[Edge] {
        &self.edges[state as usize]
    }

    pub fn words(&self, state: u32) -> &[u64] {
        &self.states[state as usize]
    }

    pub fn find_words(&self, state: &[u64]) -> Option<u32> {
        self.numbers.get(state).copied()
    }

    pub fn find(&self, state: &State) -> Option<u32> {
        self.numbers.get(&self.packed.pack(state)).copied()
    }

    pub fn is_terminal(&self, state: u32) -> bool {
        self.of(state).is_empty()
    }

    /// The value of an expression in each state; `None` where it fails.
    pub fn values(&mut self, expr: &Expr) -> Vec<Option<bool>> {
        let expression = self.packed.expression(expr);
        let values = self.states.iter().map(|state| {
            let value = self.packed.holds(&expression, state, &mut self.scratch);
            value.ok()
        });
        values.collect()
    }

    /// The states from which one of these can be reached.
    pub fn can_reach(&self, goals: impl Fn(u32) -> bool) -> Vec<bool> {
        let mut reaching: Vec<bool> = (0..self.states()).map(goals).collect();
        loop {
            let mut changed = false;
            for state in (0..self.states()).rev() {
                let leads = |edge: &Edge| edge.target.is_some_and(|t| reaching[t as usize]);
                if !reaching[state as usize] && self.of(state).iter().any(leads) {
                    reaching[state as usize] = true;
                    changed = true;
                }
            }
            if !changed {
                return reaching;
            }
        }
    }

    /// The states in which a trace may end that shows a property's violation without a cycle.
    pub fn violations(&mut self, property: &Property) -> Vec<bool> {
        let all = 0..self.states();
        match property {
            Property::Errors => all
                .map(|state| self.of(state).iter().any(|edge| edge.target.is_none()))
                .collect(),
            Property::Deadlock { allowed } => {
                let allowed = allowed.as_ref().map(|e| self.values(e));
                let is_allowed = |state: u32| {
                    let allowed = allowed.as_ref();
                    allowed.is_some_and(|values| values[state as usize] == Some(true))
                };
                all.map(|state| {
                    self.is_terminal(state)
                        && !self.packed.is_final(self.words(state))
                        && !is_allowed(state)
                })
                .collect()
            }
            Property::Termination => {
                let reaching = self.can_reach(|state| self.is_terminal(state));
                reaching.into_iter().map(|reaches| !reaches).collect()
            }
            Property::Invariant(e) => {
                let values = self.values(e);
                values.into_iter().map(|v| v != Some(true)).collect()
            }
            Property::Reachable(e) => {
                let values = self.values(e);
                values.into_iter().map(|v| v == Some(true)).collect()
            }
            Property::MayProgress(e) => {
                let values = self.values(e);
                let reaching = self.can_reach(|state| values[state as usize] == Some(true));
                let pairs = values.iter().zip(reaching);
                pairs.map(|(v, reaches)| v.is_none() || !reaches).collect()
            }
            Property::MustProgress(e) => {
                let values = self.values(e);
                let shows = |state: u32| match values[state as usize] {
                    None => true,
                    Some(goal) => !goal && self.is_terminal(state),
                };
                all.map(shows).collect()
            }
            _ => vec![false; self.states.len()],
        }
    }
}

struct Collector {
    named: bool,
    steps: Vec<(Option<Name>, Option<Vec<u64>>)>,
}

impl Visit for Collector {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let target = outcome.ok().map(<[u64]>::to_vec);
        self.steps
            .push((self.named.then(|| Name::of(label)), target));
        ControlFlow::Continue(())
    }
}
