//! Automata as text of the language, as they could stand in a tester file.

use std::fmt::Write as _;

use stubborn_automata::{Buchi, Label, Testing, Valuation};

use super::source::{Source, one_line};

/// A Büchi automaton under the name of its source.
pub fn buchi(source: &Source, buchi: &Buchi, names: &[String]) -> String {
    let mut text = format!("buchi {} {{\n", source.called("buchi"));
    text.push_str(&observed(source));
    let initial = |number: usize| buchi.states[number].initial;
    let name = |number: usize| state_name(names, number);
    for (number, state) in buchi.states.iter().enumerate() {
        let marks = [
            ("initial", initial(number)),
            ("reject", state.reject),
            ("deadlock", state.deadlock),
            ("infinite", state.infinite),
        ];
        let condition = condition(source, &state.label);
        let steps = state
            .next
            .iter()
            .map(|next| format!("-> {}", name(*next as usize)));
        text.push_str(&written(
            &marks,
            &name(number),
            condition,
            &steps.collect::<Vec<_>>(),
        ));
    }
    nothing(&mut text, buchi.states.is_empty());
    text.push_str("}\n");
    text
}

/// A testing automaton under the name of its source.
pub fn testing(source: &Source, testing: &Testing, names: &[String]) -> String {
    let mut text = format!("testing {} {{\n", source.called("testing"));
    text.push_str(&observed(source));
    let name = |number: usize| state_name(names, number);
    for (number, state) in testing.states.iter().enumerate() {
        let marks = [
            ("initial", state.initial.is_some()),
            ("reject", state.reject),
            ("deadlock", state.deadlock),
            ("livelock", state.livelock),
            ("infinite", state.infinite),
        ];
        let condition = state
            .initial
            .as_ref()
            .and_then(|label| condition(source, label));
        let steps = state.next.iter().map(|(change, next)| {
            let changes = changes(source, *change);
            format!("change {changes} -> {}", name(*next as usize))
        });
        text.push_str(&written(
            &marks,
            &name(number),
            condition,
            &steps.collect::<Vec<_>>(),
        ));
    }
    nothing(&mut text, testing.states.is_empty());
    text.push_str("}\n");
    text
}

/// The language wants an automaton to begin somewhere, also one that accepts nothing.
fn nothing(text: &mut String, is_empty: bool) {
    if is_empty {
        text.push_str("    initial state nowhere when false\n");
    }
}

/// The line for each proposition. What it stands for is not known of a formula by itself.
fn observed(source: &Source) -> String {
    let mut text = String::new();
    for proposition in &source.propositions {
        let meaning = proposition.meaning.as_deref().unwrap_or(&proposition.name);
        // Writing to a string does not fail.
        let _ = write!(text, "    observe {} = {meaning}", proposition.name);
        if let (None, Some(other)) = (&proposition.meaning, &proposition.text) {
            let _ = write!(text, "  // {}", one_line(other));
        }
        text.push('\n');
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn written(
    marks: &[(&str, bool)],
    name: &str,
    condition: Option<String>,
    steps: &[String],
) -> String {
    let mut text = String::from("    ");
    for (mark, _) in marks.iter().filter(|(_, is_set)| *is_set) {
        text.push_str(mark);
        text.push(' ');
    }
    text.push_str("state ");
    text.push_str(name);
    if let Some(condition) = condition {
        let _ = write!(text, " when {condition}");
    }
    match steps {
        [] => text.push('\n'),
        steps => {
            text.push_str(" {\n");
            for step in steps {
                let _ = writeln!(text, "        {step}");
            }
            text.push_str("    }\n");
        }
    }
    text
}

/// `p and not q or r`; nothing where every state is read.
pub fn condition(source: &Source, label: &Label) -> Option<String> {
    let name = |at: u32| proposition_name(source, at);
    let cube = |holds: Valuation, fails: Valuation| {
        let mut parts = Vec::new();
        for at in 0..Valuation::BITS {
            if holds >> at & 1 == 1 {
                parts.push(name(at));
            }
            if fails >> at & 1 == 1 {
                parts.push(format!("not {}", name(at)));
            }
        }
        parts
    };
    let cubes: Vec<Vec<String>> = label
        .cubes
        .iter()
        .filter(|one| !one.is_empty())
        .map(|one| cube(one.holds, one.fails))
        .collect();
    if cubes.is_empty() {
        return Some("false".to_owned());
    }
    if cubes.iter().any(Vec::is_empty) {
        return None;
    }
    let parts: Vec<String> = cubes.iter().map(|parts| parts.join(" and ")).collect();
    Some(parts.join(" or "))
}

/// `p, q`.
pub fn changes(source: &Source, set: Valuation) -> String {
    let members = (0..Valuation::BITS).filter(|at| set >> at & 1 == 1);
    let members = members.map(|at| proposition_name(source, at));
    members.collect::<Vec<_>>().join(", ")
}

fn proposition_name(source: &Source, at: u32) -> String {
    match source.propositions.get(at as usize) {
        Some(proposition) => proposition.name.clone(),
        None => format!("p{at}"),
    }
}

/// A state that nobody has named has its number.
pub fn state_name(names: &[String], number: usize) -> String {
    names
        .get(number)
        .cloned()
        .unwrap_or_else(|| format!("s{number}"))
}
