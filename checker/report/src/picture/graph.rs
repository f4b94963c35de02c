//! A graph as plain data, whichever of its kinds is drawn.

use std::collections::HashMap;

use serde::{Serialize, Serializer};
use stubborn_engine::{State, Trace, TraceStep};

use crate::Place;

/// A picture has no more nodes than this: a person sees nothing in it, and no layout ends.
pub const MOST_NODES: usize = 300;
/// Nor more edges.
pub const MOST_EDGES: usize = 2_000;

/// A graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Variables that differ between nodes; [`Node::values`] has their values.
    pub variables: Vec<String>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Node {
    /// The name of a place in a process, the number of a state, or why a step fails.
    pub label: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// Left to readers that number the files.
    #[serde(skip)]
    pub place: Option<Place>,
    pub marks: Marks,
    /// After how many steps the run that is shown is here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub is_initial: bool,
    /// It is right to stay here for ever.
    pub is_final: bool,
    /// No step leads on.
    pub is_terminal: bool,
    /// No state: what a step fails with leads here.
    pub is_failure: bool,
    /// The run that is shown ends here.
    pub is_violation: bool,
}

impl Serialize for Marks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let marks = [
            (self.is_initial, "initial"),
            (self.is_final, "final"),
            (self.is_terminal, "terminal"),
            (self.is_failure, "failure"),
            (self.is_violation, "violation"),
        ];
        to.collect_seq(marks.iter().filter(|(is, _)| *is).map(|(_, name)| name))
    }
}

/// All steps from one node to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// The different labels of the steps.
    pub labels: Vec<String>,
    /// Place of the first of them in the text.
    #[serde(skip)]
    pub place: Option<Place>,
    /// Which steps of the run that is shown go along it, the first of them 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub run: Vec<usize>,
}

/// There would be more than a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub nodes: usize,
}

impl Picture {
    /// The edge between these two, which is made if there is none. `None` where there are too many.
    pub(super) fn edge(
        &mut self,
        numbers: &mut EdgeNumbers,
        from: usize,
        to: usize,
    ) -> Option<&mut Edge> {
        let next = self.edges.len();
        let number = *numbers.entry((from, to)).or_insert(next);
        if number == next && next < MOST_EDGES {
            self.edges.push(Edge {
                from,
                to,
                labels: Vec::new(),
                place: None,
                run: Vec::new(),
            });
        }
        self.edges.get_mut(number)
    }

    /// Marks where a run goes that begins at a node. `goes` says where a step leads that is taken at a node, to a
    /// state; nowhere, if the picture does not show it.
    pub(super) fn follow(
        &mut self,
        numbers: &EdgeNumbers,
        run: &Trace,
        begins: usize,
        goes: &dyn Fn(usize, &TraceStep, &State) -> Option<usize>,
    ) {
        let mut at = begins;
        self.nodes[at].run.push(0);
        let mut walk = run.walk();
        while let Some(step) = walk.advance() {
            if let Some(to) = goes(at, step, walk.state()) {
                if let Some(edge) = numbers.get(&(at, to)) {
                    self.edges[*edge].run.push(walk.taken());
                }
                self.nodes[to].run.push(walk.taken());
                at = to;
            }
        }
        self.nodes[at].marks.is_violation = true;
    }
}

pub(super) type EdgeNumbers = HashMap<(usize, usize), usize>;

impl Edge {
    pub(super) fn add(&mut self, label: String, place: impl FnOnce() -> Place) {
        if !self.labels.contains(&label) {
            self.labels.push(label);
        }
        self.place.get_or_insert_with(place);
    }
}
