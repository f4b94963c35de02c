//! The states of automata and testers, as text of the language, as they could stand in a tester file,
//! and as graphs in the language of Graphviz.

use std::fmt::Write as _;

use stubborn_automata::{Buchi, Label, Testing, Valuation};
use stubborn_report::picture::quoted;
use stubborn_system::property::Tester;
use stubborn_system::source_map::{MonitorSource, SourceMap};

use super::source::{Source, one_line};

/// The states of an automaton or a tester, with the names that belong to them.
pub struct States {
    form: Form,
    /// Text before the states.
    head: String,
    all: Vec<State>,
}

#[derive(PartialEq, Eq)]
enum Form {
    /// The condition is what a state reads; its steps have no labels.
    Buchi,
    /// The condition is what a run begins with in an initial state; its steps are labelled with changes.
    Testing,
    /// It has no conditions; its steps are labelled with actions.
    Tester,
}

struct State {
    name: String,
    marks: Vec<&'static str>,
    condition: Option<String>,
    /// The label of each step, and the number of the state that it leads to.
    next: Vec<(String, u32)>,
}

impl States {
    /// States of a Büchi automaton, which may have names.
    pub fn of_buchi(source: &Source, buchi: &Buchi, names: &[String]) -> States {
        let all = buchi
            .states
            .iter()
            .enumerate()
            .map(|(number, state)| State {
                name: state_name(names, number),
                marks: set(&[
                    ("initial", state.initial),
                    ("reject", state.reject),
                    ("deadlock", state.deadlock),
                    ("infinite", state.infinite),
                ]),
                condition: condition(source, &state.label),
                next: state.next.iter().map(|to| (String::new(), *to)).collect(),
            });
        States {
            form: Form::Buchi,
            head: observed(source),
            all: all.collect(),
        }
    }

    /// States of a testing automaton, which may have names.
    pub fn of_testing(source: &Source, testing: &Testing, names: &[String]) -> States {
        let all = testing.states.iter().enumerate();
        let all = all.map(|(number, state)| State {
            name: state_name(names, number),
            marks: set(&[
                ("initial", state.initial.is_some()),
                ("reject", state.reject),
                ("deadlock", state.deadlock),
                ("livelock", state.livelock),
                ("infinite", state.infinite),
            ]),
            condition: (state.initial.as_ref()).and_then(|label| condition(source, label)),
            next: (state.next.iter())
                .map(|(change, to)| (changes(source, *change), *to))
                .collect(),
        });
        States {
            form: Form::Testing,
            head: observed(source),
            all: all.collect(),
        }
    }

    /// States of a tester, with the values of its parameters.
    pub fn of_tester(tester: &Tester, source: &MonitorSource, map: &SourceMap) -> States {
        let names: Vec<String> = source.states.iter().map(|one| one.name.clone()).collect();
        let all = tester
            .states
            .iter()
            .enumerate()
            .map(|(number, state)| State {
                name: state_name(&names, number),
                marks: set(&[
                    ("initial", number == tester.initial as usize),
                    ("reject", state.reject),
                    ("deadlock", state.deadlock),
                    ("livelock", state.livelock),
                    ("infinite", state.infinite),
                ]),
                condition: None,
                next: (state.steps.iter())
                    .map(|step| {
                        let on = step.on.as_ref().map(|on| map.action_pattern(on));
                        (on.unwrap_or_else(|| "tau".to_owned()), step.target)
                    })
                    .collect(),
            });
        let steps = || tester.states.iter().flat_map(|state| &state.steps);
        let mentioned = |visible: &_| steps().any(|step| step.on.as_ref() == Some(visible));
        let others = tester.visible.iter().filter(|visible| !mentioned(visible));
        let others: Vec<String> = others.map(|visible| map.action_pattern(visible)).collect();
        States {
            form: Form::Tester,
            head: match others.is_empty() {
                true => String::new(),
                false => format!("    visible {}\n", others.join(", ")),
            },
            all: all.collect(),
        }
    }

    /// Text of the language, under this name.
    pub fn text(&self, name: &str) -> String {
        let (keyword, step) = match self.form {
            Form::Buchi => ("buchi", ""),
            Form::Testing => ("testing", "change "),
            Form::Tester => ("tester", "on "),
        };
        let mut text = format!("{keyword} {name} {{\n{}", self.head);
        for state in &self.all {
            let words = state.marks.iter().chain(&["state"]);
            let words: Vec<&str> = words.copied().chain([&*state.name]).collect();
            let _ = write!(text, "    {}", words.join(" "));
            if let Some(condition) = &state.condition {
                let _ = write!(text, " when {condition}");
            }
            if state.next.is_empty() {
                text.push('\n');
                continue;
            }
            text.push_str(" {\n");
            for (label, to) in &state.next {
                let blank = if label.is_empty() { "" } else { " " };
                let to = &self.all[*to as usize].name;
                // Writing to a string does not fail.
                let _ = writeln!(text, "        {step}{label}{blank}-> {to}");
            }
            text.push_str("    }\n");
        }
        if self.all.is_empty() {
            // The language requires an initial state, even in an empty automaton.
            text.push_str("    initial state nowhere when false\n");
        }
        text.push_str("}\n");
        text
    }

    /// Graph under this name. Accepting states of infinite runs have two lines round them, as
    /// everywhere.
    pub fn dot(&self, name: &str) -> String {
        let mut text = format!("digraph {} {{\n", quoted(name));
        text.push_str("  rankdir=LR;\n  node [shape=box, style=rounded];\n");
        let is_initial = |state: &State| state.marks.contains(&"initial");
        let is_tester = self.form == Form::Tester;
        if is_tester && let Some(initial) = self.all.iter().position(is_initial) {
            let _ = writeln!(text, "  begin [shape=point];\n  begin -> {initial};");
        }
        for (number, state) in self.all.iter().enumerate() {
            let (inside, begins) = match self.form {
                Form::Testing => (None, state.condition.as_deref()),
                Form::Buchi | Form::Tester => (state.condition.as_deref(), None),
            };
            let marks = state.marks.iter().filter(|mark| **mark != "initial");
            let marks: Vec<&str> = marks.copied().collect();
            let mut lines = vec![&*state.name];
            lines.extend(inside);
            let together = marks.join(" ");
            match is_tester {
                true => lines.extend(&marks),
                false => lines.extend((!marks.is_empty()).then_some(&*together)),
            }
            let is_infinite = !is_tester && marks.contains(&"infinite");
            let twice = if is_infinite { ", peripheries=2" } else { "" };
            let label = quoted(&lines.join("\n"));
            let _ = writeln!(text, "  {number} [label={label}{twice}];");
            if !is_tester && is_initial(state) {
                let begins = quoted(begins.unwrap_or_default());
                let _ = writeln!(text, "  begin{number} [shape=point];");
                let _ = writeln!(text, "  begin{number} -> {number} [label={begins}];");
            }
        }
        for (number, state) in self.all.iter().enumerate() {
            for (label, to) in &state.next {
                let label = match self.form {
                    Form::Testing => quoted(&format!("{{{label}}}")),
                    Form::Buchi | Form::Tester => quoted(label),
                };
                let _ = writeln!(text, "  {number} -> {to} [label={label}];");
            }
        }
        text.push_str("}\n");
        text
    }
}

/// The marks that are set.
fn set(marks: &[(&'static str, bool)]) -> Vec<&'static str> {
    let set = marks.iter().filter(|(_, is_set)| *is_set);
    set.map(|(mark, _)| *mark).collect()
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

/// `p and not q or r`; nothing where every state is read.
fn condition(source: &Source, label: &Label) -> Option<String> {
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
fn changes(source: &Source, set: Valuation) -> String {
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

/// Name of a state, or its number.
fn state_name(names: &[String], number: usize) -> String {
    names
        .get(number)
        .cloned()
        .unwrap_or_else(|| format!("s{number}"))
}
