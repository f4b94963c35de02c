//! Automata as text.

use std::fmt::Write;

use stubborn_automata::label::{Cube, Label};
use stubborn_automata::{Buchi, BuchiState};

use super::automaton::{DEADLOCK, REJECT};

/// An automaton in the format, its propositions with these names; a proposition without one, or with
/// that of another one, gets a name of its own.
///
/// `reject` states lead to a last state that accepts everything, as any continuation of their runs is
/// accepted (Hansen, Penczek and Valmari 2002, Theorem 2.1, with one state that reads everything in
/// place of a clique). Accepting runs that end has no place in the format: header items that other
/// programs ignore keep which states are `deadlock` and `reject` states.
pub fn write(buchi: &Buchi, names: &[String], name: Option<&str>) -> String {
    let mut text = String::from("HOA: v1\n");
    if let Some(name) = name {
        let _ = writeln!(text, "name: {}", quoted(name));
    }
    text.push_str("tool: \"stubborn\"\n");
    let rejects = buchi.states.iter().any(|state| state.reject);
    let sink = buchi.states.len();
    let _ = writeln!(text, "States: {}", sink + usize::from(rejects));
    let numbered = || buchi.states.iter().enumerate();
    for (number, _) in numbered().filter(|(_, state)| state.initial) {
        let _ = writeln!(text, "Start: {number}");
    }
    let _ = write!(text, "AP: {}", buchi.propositions);
    for name in distinct(names, buchi.propositions) {
        let _ = write!(text, " {}", quoted(&name));
    }
    text.push_str("\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n");
    text.push_str("properties: state-labels state-acc no-univ-branch\n");
    type IsNamed = fn(&BuchiState) -> bool;
    let own_items: [(bool, &str, IsNamed); 2] = [
        (rejects, REJECT, |state| state.reject),
        (!buchi.ends_repeat, DEADLOCK, |state| state.deadlock),
    ];
    for (_, item, is_named) in own_items.into_iter().filter(|(needed, ..)| *needed) {
        let _ = write!(text, "{item}:");
        for (number, _) in numbered().filter(|(_, state)| is_named(state)) {
            let _ = write!(text, " {number}");
        }
        text.push('\n');
    }
    text.push_str("--BODY--\n");
    for (number, state) in numbered() {
        let accepting = if state.infinite { " {0}" } else { "" };
        let _ = writeln!(text, "State: [{}] {number}{accepting}", label(&state.label));
        let reject = state.reject.then_some(sink as u32);
        let next: Vec<String> = state
            .next
            .iter()
            .copied()
            .chain(reject)
            .map(|n| n.to_string())
            .collect();
        if !next.is_empty() {
            let _ = writeln!(text, "  {}", next.join(" "));
        }
    }
    if rejects {
        let _ = writeln!(text, "State: [t] {sink} {{0}}\n  {sink}");
    }
    text.push_str("--END--\n");
    text
}

fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

fn distinct(names: &[String], propositions: u32) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for number in 0..propositions as usize {
        let wanted = names
            .get(number)
            .cloned()
            .unwrap_or_else(|| format!("p{number}"));
        let mut name = wanted.clone();
        let mut counter = 1;
        while all.contains(&name) {
            counter += 1;
            name = format!("{wanted} ({counter})");
        }
        all.push(name);
    }
    all
}

fn label(label: &Label) -> String {
    if label.cubes.is_empty() {
        return "f".into();
    }
    let cubes: Vec<String> = label.cubes.iter().map(|&cube| conjunction(cube)).collect();
    cubes.join(" | ")
}

fn conjunction(cube: Cube) -> String {
    let mut literals = Vec::new();
    for number in 0..64 {
        if cube.holds >> number & 1 == 1 {
            literals.push(number.to_string());
        }
        if cube.fails >> number & 1 == 1 {
            literals.push(format!("!{number}"));
        }
    }
    if literals.is_empty() {
        return "t".into();
    }
    literals.join("&")
}
