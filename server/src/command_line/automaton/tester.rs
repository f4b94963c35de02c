//! A tester as text of the language, and as a graph.

use std::fmt::Write as _;

use stubborn_system::property::{Tester, TesterState};
use stubborn_system::source_map::{MonitorSource, SourceMap};
use stubborn_system::system::ActionPattern;

/// A tester with the names that belong to it.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// `overtaking(1)`.
    pub name: &'a str,
    pub base: &'a str,
    pub tester: &'a Tester,
    pub source: &'a MonitorSource,
    pub map: &'a SourceMap,
}

impl Named<'_> {
    /// As it could stand in a tester file, the values of its parameters put in.
    pub fn text(&self) -> String {
        let mut text = format!("tester {} {{\n", self.base);
        let unmentioned: Vec<String> = self
            .tester
            .visible
            .iter()
            .filter(|pattern| !self.steps_mention(pattern))
            .map(|pattern| self.map.action_pattern(pattern))
            .collect();
        if !unmentioned.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "    visible {}", unmentioned.join(", "));
        }
        for (number, state) in self.tester.states.iter().enumerate() {
            let modifiers: String = self
                .marks(number, state)
                .iter()
                .map(|mark| format!("{mark} "))
                .collect();
            let _ = write!(text, "    {modifiers}state {}", self.state(number));
            if state.steps.is_empty() {
                text.push('\n');
                continue;
            }
            text.push_str(" {\n");
            for step in &state.steps {
                let on = self.on(step.on.as_ref());
                let target = self.state(step.target as usize);
                let _ = writeln!(text, "        on {on} -> {target}");
            }
            text.push_str("    }\n");
        }
        text.push_str("}\n");
        text
    }

    /// In the language of Graphviz.
    pub fn dot(&self) -> String {
        let mut text = format!(
            "digraph \"{}\" {{\n  rankdir=LR;\n  node [shape=box, style=rounded];\n",
            self.name
        );
        let _ = writeln!(text, "  begin [shape=point];");
        let _ = writeln!(text, "  begin -> {};", self.tester.initial);
        for (number, state) in self.tester.states.iter().enumerate() {
            let mut label = self.state(number);
            for mark in self.marks(number, state) {
                if mark != "initial" {
                    let _ = write!(label, "\\n{mark}");
                }
            }
            let _ = writeln!(text, "  {number} [label=\"{label}\"];");
        }
        for (number, state) in self.tester.states.iter().enumerate() {
            for step in &state.steps {
                let on = self.on(step.on.as_ref());
                let _ = writeln!(text, "  {number} -> {} [label=\"{on}\"];", step.target);
            }
        }
        text.push_str("}\n");
        text
    }

    fn marks(&self, number: usize, state: &TesterState) -> Vec<&'static str> {
        let marks = [
            ("initial", number == self.tester.initial as usize),
            ("reject", state.reject),
            ("deadlock", state.deadlock),
            ("livelock", state.livelock),
            ("infinite", state.infinite),
        ];
        let set = marks.into_iter().filter(|(_, is_set)| *is_set);
        set.map(|(mark, _)| mark).collect()
    }

    fn on(&self, pattern: Option<&ActionPattern>) -> String {
        pattern.map_or_else(
            || "tau".to_owned(),
            |pattern| self.map.action_pattern(pattern),
        )
    }

    fn state(&self, number: usize) -> String {
        let source = self.source.states.get(number);
        source.map_or_else(|| format!("s{number}"), |source| source.name.clone())
    }

    fn steps_mention(&self, pattern: &ActionPattern) -> bool {
        let steps = self.tester.states.iter().flat_map(|state| &state.steps);
        steps
            .filter_map(|step| step.on.as_ref())
            .any(|on| on == pattern)
    }
}
