//! Automata as graphs, in the language of Graphviz.

use std::fmt::Write as _;

use stubborn_automata::{Buchi, Testing};
use stubborn_report::picture::quoted;

use super::language::{changes, condition, state_name};
use super::source::Source;

/// A Büchi automaton: what a state reads stands in it.
pub fn buchi(source: &Source, buchi: &Buchi) -> String {
    let states = buchi.states.iter().enumerate().map(|(number, state)| Node {
        name: state_name(&source.states, number),
        begins: state.initial.then(String::new),
        reads: condition(source, &state.label),
        marks: vec![
            ("reject", state.reject),
            ("deadlock", state.deadlock),
            ("infinite", state.infinite),
        ],
        next: state
            .next
            .iter()
            .map(|next| (String::new(), *next))
            .collect(),
    });
    graph(&source.name, &states.collect::<Vec<_>>())
}

/// A testing automaton: what changes stands at the arrows, with what a run begins at those that
/// lead to initial states.
pub fn testing(source: &Source, testing: &Testing) -> String {
    let states = testing
        .states
        .iter()
        .enumerate()
        .map(|(number, state)| Node {
            name: state_name(&source.states, number),
            begins: state
                .initial
                .as_ref()
                .map(|label| condition(source, label).unwrap_or_default()),
            reads: None,
            marks: vec![
                ("reject", state.reject),
                ("deadlock", state.deadlock),
                ("livelock", state.livelock),
                ("infinite", state.infinite),
            ],
            next: state
                .next
                .iter()
                .map(|(change, next)| (format!("{{{}}}", changes(source, *change)), *next))
                .collect(),
        });
    graph(&source.name, &states.collect::<Vec<_>>())
}

struct Node {
    name: String,
    /// Of an initial state, with what.
    begins: Option<String>,
    reads: Option<String>,
    marks: Vec<(&'static str, bool)>,
    next: Vec<(String, u32)>,
}

/// Accepting states of infinite runs have two lines round them, as everywhere.
fn graph(name: &str, nodes: &[Node]) -> String {
    let mut text = format!("digraph {} {{\n", quoted(name));
    text.push_str("  rankdir=LR;\n  node [shape=box, style=rounded];\n");
    for (number, node) in nodes.iter().enumerate() {
        let marks: Vec<&str> = node
            .marks
            .iter()
            .filter(|(_, is_set)| *is_set)
            .map(|(mark, _)| *mark)
            .collect();
        let is_infinite = marks.contains(&"infinite");
        let twice = if is_infinite { ", peripheries=2" } else { "" };
        let label = quoted(&label_of(node, &marks));
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {number} [label={label}{twice}];");
        if let Some(begins) = &node.begins {
            let _ = writeln!(text, "  begin{number} [shape=point];");
            let _ = writeln!(
                text,
                "  begin{number} -> {number} [label={}];",
                quoted(begins)
            );
        }
    }
    for (number, node) in nodes.iter().enumerate() {
        for (label, next) in &node.next {
            let _ = writeln!(text, "  {number} -> {next} [label={}];", quoted(label));
        }
    }
    text.push_str("}\n");
    text
}

/// The state's name, what it reads and what it is marked as, below each other.
fn label_of(node: &Node, marks: &[&str]) -> String {
    let mut lines = vec![node.name.clone()];
    lines.extend(node.reads.clone());
    if !marks.is_empty() {
        lines.push(marks.join(" "));
    }
    lines.join("\n")
}
