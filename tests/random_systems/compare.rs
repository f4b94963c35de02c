//! Holds what the program says of a model against the oracle: verdicts, figures, and each trace
//! step by step.

use serde_json::Value as Json;

use super::recurrence::Recurring;
use super::show::{Names, Shown};
use super::space::{self, Expected, Space, applied};
use super::state::{GlobalState, System};
use super::steps::Move;
use stubborn_random::render::Positions;

/// What the program was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// Whether the plain state space was to be searched, so that figures must agree.
    pub plain: bool,
    /// Whether traces must be as short as can be.
    pub breadth_first: bool,
}

pub struct Comparison<'a> {
    pub system: &'a System,
    pub space: &'a Space,
    pub expected: &'a [Expected],
    pub positions: &'a Positions,
    pub names: Names,
    pub asked: Asked,
}

type Agreement = Result<(), String>;

fn ensure(condition: bool, complaint: impl FnOnce() -> String) -> Agreement {
    if condition { Ok(()) } else { Err(complaint()) }
}

impl Comparison<'_> {
    /// Everything in the output of `check --format json`.
    pub fn output(&self, status: Option<i32>, output: &Json) -> Agreement {
        let problems = output["problems"].as_array().ok_or("no list of problems")?;
        let errors: Vec<_> = problems
            .iter()
            .filter(|p| p["severity"] == "error")
            .collect();
        ensure(errors.is_empty(), || {
            // Which they are comes first: another one is another difference.
            format!("text {}: {errors:?}", errors[0]["code"])
        })?;
        let listed = output["properties"]
            .as_array()
            .ok_or("no list of properties")?;
        let name = |p: &Json| p["name"].as_str().unwrap_or("").to_string();
        let mut names: Vec<_> = listed.iter().map(name).collect();
        let own: Vec<_> = self
            .expected
            .iter()
            .filter(|e| !is_built_in(e.kind))
            .collect();
        let in_text: Vec<_> = own.iter().map(|e| e.name.clone()).collect();
        let in_output: Vec<_> = names
            .iter()
            .filter(|n| in_text.contains(n))
            .cloned()
            .collect();
        ensure(in_text == in_output, || {
            format!("properties {in_output:?}, not {in_text:?}")
        })?;
        let mut all: Vec<_> = self.expected.iter().map(|e| e.name.clone()).collect();
        all.sort();
        names.sort();
        ensure(all == names, || {
            format!("properties {names:?} are listed, not {all:?}")
        })?;
        let violated = self.expected.iter().any(|e| e.is_violated());
        for expected in self.expected {
            let found = listed.iter().find(|p| name(p) == expected.name).unwrap();
            self.property(expected, found)
                .map_err(|complaint| format!("{}: {complaint}\n{found:#}", expected.name))?;
        }
        let wanted = if violated { 1 } else { 0 };
        ensure(status == Some(wanted), || {
            format!("exit status {status:?}, not {wanted}")
        })
    }

    fn property(&self, expected: &Expected, found: &Json) -> Agreement {
        ensure(found["kind"] == expected.kind, || {
            format!("kind is not {}", expected.kind)
        })?;
        let verdict = if expected.is_violated() {
            "violated"
        } else {
            "holds"
        };
        ensure(found["verdict"] == verdict, || {
            format!("should be: {verdict}")
        })?;
        let holds = !expected.is_violated();
        if self.asked.plain {
            ensure(found["reduction"] == "none", || {
                "reduction is not none".into()
            })?;
            let (states, edges) = (self.space.states.len(), self.space.edges);
            let has_run = expected.has_run();
            if !has_run || found["full"] == true {
                ensure(has_run || found["full"] == true, || {
                    "holds without a full search".into()
                })?;
                let same = found["states"] == states && found["edges"] == edges;
                ensure(same, || {
                    format!("should have {states} states and {edges} edges")
                })?;
            } else {
                let fewer = found["states"]
                    .as_u64()
                    .is_some_and(|n| n as usize <= states);
                ensure(fewer, || format!("there are only {states} states"))?;
            }
        }
        ensure(holds || found["why"].is_string(), || {
            "no reason is given".into()
        })?;
        if !expected.has_run() {
            return ensure(found["trace"].is_null(), || {
                "there is nothing to show, but a trace".into()
            });
        }
        self.trace(expected, &found["trace"])
    }

    fn trace(&self, expected: &Expected, trace: &Json) -> Agreement {
        let start = trace["start"].as_object().ok_or("no trace")?;
        let initial = self.space.states[0].clone();
        self.start(&initial, start)?;
        let steps = trace["steps"].as_array().ok_or("no steps")?;
        let cycle = trace["cycle"].as_array().ok_or("no cycle")?;
        let is_errors = expected.kind == "errors";
        // Places of the text that stand for several points leave more than one state possible.
        let mut possible = vec![initial];
        for (k, step) in steps.iter().enumerate() {
            let fails = is_errors && k + 1 == steps.len();
            let next = self.step(&possible, step, fails);
            possible = next.map_err(|e| format!("step {}: {e}", k + 1))?;
        }
        let length = steps.len();
        let shortest = expected.shortest(self.space) + is_errors as usize;
        ensure(!is_errors || length > 0, || {
            "the trace does not end in a failing step".into()
        })?;
        let ends = possible.iter().map(|s| self.end(expected, s, cycle));
        let wrong: Vec<_> = ends.filter_map(|e| e.err()).collect();
        ensure(is_errors || wrong.len() < possible.len(), || {
            wrong[0].clone()
        })?;
        ensure(!is_errors || cycle.is_empty(), || {
            "errors have no cycle".into()
        })?;
        let is_about_runs = self.is_must(expected) || expected.recurring.is_some();
        let may_be_longer = is_about_runs || !self.asked.breadth_first;
        let ends_in_failure = possible
            .iter()
            .any(|s| expected.failing[self.space.number[s]]);
        let is_shortest = length == shortest
            || ends_in_failure && expected.shortest_to_failure(self.space) == Some(length);
        ensure(may_be_longer || is_shortest, || {
            format!("the trace has {length} steps, {shortest} would do")
        })
    }

    /// Whether a trace that comes to this state, and then goes round `cycle`, shows a violation.
    fn end(&self, expected: &Expected, state: &GlobalState, cycle: &[Json]) -> Agreement {
        let end = self.space.number[state];
        if let Some(recurring) = &expected.recurring {
            return self.way_round(recurring, state, cycle);
        }
        let is_must = self.is_must(expected);
        if cycle.is_empty() {
            let shows = expected.failing[end] || expected.bad[end];
            ensure(shows, || {
                "the trace does not end in what it is said to show".into()
            })?;
            let stops = !is_must || expected.failing[end] || self.space.is_terminal(end);
            return ensure(stops, || {
                "the run does not stop where the trace does".into()
            });
        }
        ensure(is_must, || "there is a cycle where none can be".into())?;
        let mut possible = vec![state.clone()];
        for (k, step) in cycle.iter().enumerate() {
            possible.retain(|s| expected.bad[self.space.number[s]]);
            let met = possible.is_empty();
            ensure(!met, || {
                format!("the goal is met before step {} of the cycle", k + 1)
            })?;
            let next = self.step(&possible, step, false);
            possible = next.map_err(|e| format!("step {} of the cycle: {e}", k + 1))?;
        }
        ensure(possible.contains(state), || {
            "the cycle does not close".into()
        })
    }

    /// Whether the steps lead back to this state with one of those that recur among them, and none
    /// of those that should then recur too.
    fn way_round(&self, recurring: &Recurring, state: &GlobalState, cycle: &[Json]) -> Agreement {
        // Where the run may be, and whether what recurs has been met.
        let mut possible = vec![(state.clone(), false)];
        for (k, step) in cycle.iter().enumerate() {
            let mut next = Vec::new();
            let mut complaint = String::new();
            for (state, met) in &possible {
                let found = match self.taken(state, step, false) {
                    Ok(found) => found,
                    Err(e) => {
                        complaint = e;
                        continue;
                    }
                };
                for (m, after) in found {
                    if recurring.follows(self.system, state, &m) {
                        complaint = "it should not be in the cycle".into();
                        continue;
                    }
                    let met = *met || recurring.occurs(self.system, state, &m);
                    if !next.contains(&(after.clone(), met)) {
                        next.push((after, met));
                    }
                }
            }
            ensure(!next.is_empty(), || {
                format!("step {} of the cycle: {complaint}: {step}", k + 1)
            })?;
            possible = next;
        }
        ensure(possible.contains(&(state.clone(), true)), || {
            "the cycle does not close, or has no step of those that recur".into()
        })
    }

    fn is_must(&self, expected: &Expected) -> bool {
        let stem = expected.name.split('(').next().unwrap();
        let mut properties = self.system.model.properties.iter();
        expected.kind == "progress"
            && properties
                .any(|p| p.name == stem && p.kind == stubborn_random::model::PropertyKind::Must)
    }

    fn start(&self, state: &GlobalState, shown: &serde_json::Map<String, Json>) -> Agreement {
        let values = self.names.values(self.system, state);
        for (name, value) in &values {
            let found = shown.get(name).unwrap_or(&Json::Null);
            ensure(self.same(name, value, found), || {
                format!("start: {name} is {found}, not {value}")
            })?;
        }
        for (k, name) in self.names.instances.iter().enumerate() {
            let found = shown.get(name).unwrap_or(&Json::Null);
            let right = self.names.is_location(self.system, state, k, found);
            let place = self.names.location(self.system, state, k);
            ensure(right, || {
                format!("start: {name} is at {found}, not {place}")
            })?;
        }
        let count = values.len() + self.names.instances.len();
        ensure(shown.len() == count, || {
            format!("start: {} names, not {count}", shown.len())
        })
    }

    fn same(&self, name: &str, a: &Json, b: &Json) -> bool {
        let stem = name.split('[').next().unwrap();
        if let (true, Some(a), Some(b)) = (
            Names::bags(self.system).iter().any(|n| n == stem),
            a.as_array(),
            b.as_array(),
        ) {
            let sorted = |list: &Vec<Json>| {
                let mut list: Vec<_> = list.iter().map(|m| m.to_string()).collect();
                list.sort();
                list
            };
            return sorted(a) == sorted(b);
        }
        a == b
    }

    /// The states that a step of a trace can lead to; where it fails, it leaves all as it was.
    fn step(
        &self,
        possible: &[GlobalState],
        step: &Json,
        fails: bool,
    ) -> Result<Vec<GlobalState>, String> {
        let mut complaint = String::new();
        let mut next = Vec::new();
        for state in possible {
            match self.taken(state, step, fails) {
                Ok(taken) => {
                    for (_, after) in taken {
                        if !next.contains(&after) {
                            next.push(after);
                        }
                    }
                }
                Err(e) => complaint = e,
            }
        }
        if next.is_empty() {
            Err(format!("{complaint}: {step}"))
        } else {
            Ok(next)
        }
    }

    /// The steps of a state that a step of a trace can be, and the states after them.
    fn taken(
        &self,
        state: &GlobalState,
        step: &Json,
        fails: bool,
    ) -> Result<Vec<(Move, GlobalState)>, String> {
        let by: Vec<_> = step["by"]
            .as_array()
            .ok_or("`by` is missing")?
            .iter()
            .collect();
        let mut complaint = "no such step is enabled".to_string();
        let mut taken = Vec::new();
        let before = self.names.values(self.system, state);
        for m in space::moves(self.system, state) {
            let mut who = m.by.iter().map(|i| &self.names.instances[*i]).zip(&by);
            let same = m.by.len() == by.len() && who.all(|(a, b)| **b == *a);
            let fits = m.next.is_none() == fails && self.same_action(&m, &step["action"]);
            if !same || !fits {
                continue;
            }
            let after = m.next.as_ref().unwrap_or(state).clone();
            match self.outcome(&m, &before, &after, step) {
                Ok(()) => taken.push((m, after)),
                Err(e) => complaint = e,
            }
        }
        if taken.is_empty() {
            Err(complaint)
        } else {
            Ok(taken)
        }
    }

    fn same_action(&self, m: &Move, shown: &Json) -> bool {
        match &m.action {
            None => shown.is_null(),
            Some((action, values)) => {
                let name = &self.system.model.actions[*action].name;
                let whole = applied(self.system, name, values);
                // Of a failing step not every value need be known.
                *shown == whole
                    || m.next.is_none() && shown.as_str().is_some_and(|s| s.starts_with(name))
            }
        }
    }

    fn outcome(&self, m: &Move, before: &Shown, after: &GlobalState, step: &Json) -> Agreement {
        let values = self.names.values(self.system, after);
        let changes = step["changes"].as_object().ok_or("`changes` is missing")?;
        for (name, value) in &values {
            match changes.get(name) {
                Some(found) if before[name] == *value => {
                    return Err(format!("{name} does not change, but is shown as {found}"));
                }
                Some(found) => {
                    ensure(self.same(name, value, found), || {
                        format!("{name} is {value} afterwards, not {found}")
                    })?;
                }
                None => {
                    let same = before[name] == *value;
                    ensure(same, || {
                        format!("{name} is {value} afterwards, which is not shown")
                    })?;
                }
            }
        }
        let known = |n: &&String| values.contains_key(*n);
        ensure(changes.keys().all(|n| known(&n)), || {
            "unknown names in `changes`".into()
        })?;
        let at = step["at"].as_object().ok_or("`at` is missing")?;
        ensure(at.len() == m.by.len(), || {
            "`at` does not show each participant".into()
        })?;
        for i in &m.by {
            let found = at.get(&self.names.instances[*i]).unwrap_or(&Json::Null);
            let right = self.names.is_location(self.system, after, *i, found);
            let place = self.names.location(self.system, after, *i);
            ensure(right, || {
                format!("{} is at {place}, not {found}", self.names.instances[*i])
            })?;
        }
        if let [id] = m.trail.as_slice() {
            let line = self.positions[id].0;
            let shown = &step["range"]["start"]["line"];
            ensure(*shown == line, || {
                format!("the step stands on line {line}, not {shown}")
            })?;
        }
        Ok(())
    }
}

fn is_built_in(kind: &str) -> bool {
    matches!(kind, "errors" | "deadlock" | "termination")
}
