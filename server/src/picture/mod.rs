//! What can be drawn of a model: the state graph of one process, the state space as long as it is small, and how
//! it grows where it is not. Plain data, with a place in the text for whatever has one; who lays it out, and who
//! shows it, is known above.

mod dot;
mod levels;
mod process;
mod space;

pub use dot::dot;
pub use levels::{Growth, Level, Levels, levels};
pub use process::process;
pub use space::space;

use stubborn_model::Model;

use crate::report::{Place, Texts};

/// A picture has no more nodes than this: a person sees nothing in it, and no layout ends.
pub const MOST_NODES: usize = 300;
/// Nor more edges.
pub const MOST_EDGES: usize = 2_000;

/// A model with its text.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    pub model: &'a Model,
    pub texts: &'a Texts,
}

/// A graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// What differs from node to node, each with its values in [`Node::values`].
    pub variables: Vec<String>,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// The name of a place in a process, the number of a state, or why a step fails.
    pub label: String,
    pub values: Vec<String>,
    pub place: Option<Place>,
    pub marks: Marks,
    /// After how many steps the run that is shown is here.
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

/// All steps from one node to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// What is done, each different one once.
    pub labels: Vec<String>,
    /// Where the first of them stands.
    pub place: Option<Place>,
    /// Which steps of the run that is shown go along it, the first of them 1.
    pub run: Vec<usize>,
}

/// Why there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge {
    pub nodes: usize,
}

impl Picture {
    /// The edge between these two, which is made if there is none. `None` where there are too many.
    fn edge(&mut self, at: &mut EdgeNumbers, from: usize, to: usize) -> Option<&mut Edge> {
        let next = self.edges.len();
        let number = *at.entry((from, to)).or_insert(next);
        if number == next {
            if next == MOST_EDGES {
                at.remove(&(from, to));
                return None;
            }
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
}

type EdgeNumbers = std::collections::HashMap<(usize, usize), usize>;

impl Edge {
    fn add(&mut self, label: String, place: impl FnOnce() -> Place) {
        if !self.labels.contains(&label) {
            self.labels.push(label);
        }
        self.place.get_or_insert_with(place);
    }
}

#[cfg(test)]
mod fixture {
    use std::sync::Arc;

    use stubborn_model::elaborate::Settings;
    use stubborn_model::program::{ParsedFile, Program};
    use stubborn_model::{Model, analyze};

    use crate::report::Texts;

    /// What a text means.
    pub fn model(text: &str) -> (Model, Texts) {
        let file = Arc::new(ParsedFile::new("m.stb", text));
        let program = Program::assemble(file, &mut |_| None);
        let analysis = analyze(&program, &Settings::default());
        let model = analysis
            .model
            .unwrap_or_else(|| panic!("{:?}", analysis.problems));
        (model, Texts::new([("m.stb".into(), text.into())]))
    }
}
