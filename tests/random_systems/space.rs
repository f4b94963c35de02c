//! The whole state space and what it says of each property: `language.md` §6 by its definitions,
//! with every state and every edge kept.

use std::collections::HashMap;

use super::evaluate::{Outcome, Scope};
use super::recurrence::Recurring;
use super::state::{GlobalState, System, product};
use super::steps::{self, Move};
use stubborn_random::model::{DeadlockSetting, Property, PropertyKind};
use stubborn_random::value::Value;

pub struct Space {
    pub states: Vec<GlobalState>,
    pub number: HashMap<GlobalState, usize>,
    /// How many steps each state is away from the initial one, which is state 0.
    pub depth: Vec<usize>,
    pub next: Vec<Vec<usize>>,
    pub fails: Vec<bool>,
    pub edges: usize,
}

impl Space {
    /// All of it, or nothing where it has more than `limit` states or `20 * limit` edges.
    pub fn of(system: &System, limit: usize) -> Option<Space> {
        let mut space = Space {
            states: vec![],
            number: HashMap::new(),
            depth: vec![],
            next: vec![],
            fails: vec![],
            edges: 0,
        };
        space.found(system.initial(), 0);
        let mut k = 0;
        while k < space.states.len() {
            let moves = steps::of(system, &space.states[k].clone());
            space.edges += moves.len();
            space.fails.push(moves.iter().any(|m| m.next.is_none()));
            let depth = space.depth[k] + 1;
            let next = moves.into_iter().filter_map(|m| m.next);
            let next = next.map(|s| space.found(s, depth)).collect();
            space.next.push(next);
            if space.states.len() > limit || space.edges > 20 * limit {
                return None;
            }
            k += 1;
        }
        Some(space)
    }

    fn found(&mut self, state: GlobalState, depth: usize) -> usize {
        if let Some(k) = self.number.get(&state) {
            return *k;
        }
        self.states.push(state.clone());
        self.depth.push(depth);
        self.number.insert(state, self.states.len() - 1);
        self.states.len() - 1
    }

    pub fn is_terminal(&self, k: usize) -> bool {
        self.next[k].is_empty() && !self.fails[k]
    }

    pub fn terminal(&self) -> usize {
        (0..self.states.len())
            .filter(|k| self.is_terminal(*k))
            .count()
    }

    /// The states from which one of `goal` can be reached.
    fn can_reach(&self, goal: &[bool]) -> Vec<bool> {
        let mut can = goal.to_vec();
        loop {
            let more: Vec<_> = (0..can.len())
                .filter(|k| !can[*k] && self.next[*k].iter().any(|n| can[*n]))
                .collect();
            if more.is_empty() {
                return can;
            }
            more.into_iter().for_each(|k| can[k] = true);
        }
    }

    /// The states with a maximal run inside `region`: one that ends there or never leaves it.
    fn can_stay(&self, region: &[bool]) -> Vec<bool> {
        let mut stays = region.to_vec();
        loop {
            let lost: Vec<_> = (0..stays.len())
                .filter(|k| {
                    let goes_on = self.next[*k].iter().any(|n| stays[*n]);
                    stays[*k] && !goes_on && !self.is_terminal(*k)
                })
                .collect();
            if lost.is_empty() {
                return stays;
            }
            lost.into_iter().for_each(|k| stays[k] = false);
        }
    }
}

/// What is expected of one property.
#[derive(Clone, Debug)]
pub struct Expected {
    pub name: String,
    pub kind: &'static str,
    /// The states that show the violation, or of `reachable` that it holds: none where there is nothing to show. A trace ends at one of them, or
    /// for `must` comes to one and stays at such.
    pub bad: Vec<bool>,
    /// Where its expression fails; any of them violates it too.
    pub failing: Vec<bool>,
    /// Of a recurrence: a trace comes to one of `bad`, and goes round from there.
    pub recurring: Option<Recurring>,
}

impl Expected {
    pub fn is_violated(&self) -> bool {
        self.has_run() != (self.kind == "reachable")
    }

    /// Whether there is something to show: a violation, or the witness of what can be reached.
    pub fn has_run(&self) -> bool {
        self.bad.iter().chain(&self.failing).any(|b| *b)
    }

    /// The length of the shortest trace to a state that shows it.
    pub fn shortest(&self, space: &Space) -> usize {
        let shows = |k: &usize| self.bad[*k] || self.failing[*k];
        nearest(space, shows).expect("it is violated")
    }

    /// The length of the shortest trace to a state where its expression fails: the property is
    /// violated there, though its goal may be out of reach before.
    pub fn shortest_to_failure(&self, space: &Space) -> Option<usize> {
        nearest(space, |k| self.failing[*k])
    }
}

fn nearest(space: &Space, wanted: impl FnMut(&usize) -> bool) -> Option<usize> {
    (0..space.states.len())
        .filter(wanted)
        .map(|k| space.depth[k])
        .min()
}

/// Whether the model is taken to have a place to stop (§6, `termination`).
pub fn can_stop(system: &System) -> bool {
    let alive = |k: &usize| !system.model.processes[*k].gone;
    (0..system.points.len())
        .filter(alive)
        .any(|k| system.points[k].iter().any(|p| p.is_reached && p.is_final))
}

/// Every property that must be listed.
pub fn expected(system: &System, space: &Space) -> Vec<Expected> {
    let n = space.states.len();
    let none = vec![false; n];
    let mut list = Vec::new();
    let mut add = |name: String, kind, bad, failing| {
        list.push(Expected {
            name,
            kind,
            bad,
            failing,
            recurring: None,
        });
    };
    add("errors".into(), "errors", space.fails.clone(), none.clone());
    let all_final = |s: &GlobalState| {
        let mut pairs = system.instances.iter().zip(&s.instances);
        pairs.all(|(i, here)| system.points[i.process][here.point].is_final)
    };
    if !matches!(system.model.deadlock, DeadlockSetting::Ignored) {
        let mut bad = none.clone();
        let mut failing = none.clone();
        for (k, s) in space.states.iter().enumerate() {
            if !space.is_terminal(k) || all_final(s) {
                continue;
            }
            match &system.model.deadlock {
                DeadlockSetting::Allowed(e) => {
                    let scope = Scope {
                        system,
                        state: s,
                        me: None,
                        bound: vec![],
                    };
                    match scope.truth(e) {
                        Ok(allowed) => bad[k] = !allowed,
                        Err(_) => failing[k] = true,
                    }
                }
                _ => bad[k] = true,
            }
        }
        add("deadlock".into(), "deadlock", bad, failing);
    }
    if !system.model.termination_not_required && can_stop(system) {
        let terminal: Vec<_> = (0..n).map(|k| space.is_terminal(k)).collect();
        let can = space.can_reach(&terminal);
        let bad = can.into_iter().map(|can| !can).collect();
        add("termination".into(), "termination", bad, none.clone());
    }
    for property in &system.model.properties {
        list.extend(expected_of(system, space, property));
    }
    for recurrence in &system.model.recurrences {
        let types = recurrence.parameters.iter().map(|(_, t)| t.values());
        for values in product(&types.collect::<Vec<_>>()) {
            let recurring = Recurring::of(system, recurrence, &values);
            list.push(Expected {
                name: applied(system, &recurrence.name, &values),
                kind: "recurrence",
                bad: recurring.violations(system, space),
                failing: none.clone(),
                recurring: Some(recurring),
            });
        }
    }
    list
}

/// What is expected of a property, for each value of its parameters.
pub fn expected_of(system: &System, space: &Space, property: &Property) -> Vec<Expected> {
    let types = property.parameters.iter().map(|(_, t)| t.values());
    let mut all = product(&types.collect::<Vec<_>>());
    all.retain(|values| !property.left_out.contains(values));
    let one = |values: Vec<Value>| {
        let (bad, failing) = judge(system, space, property, &values);
        let kind = match property.kind {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Reachable => "reachable",
            _ => "progress",
        };
        Expected {
            name: applied(system, &property.name, &values),
            kind,
            bad,
            failing,
            recurring: None,
        }
    };
    all.into_iter().map(one).collect()
}

fn judge(
    system: &System,
    space: &Space,
    property: &Property,
    values: &[Value],
) -> (Vec<bool>, Vec<bool>) {
    let names = property.parameters.iter().map(|(n, _)| n.clone());
    let bound: Vec<_> = names.zip(values.iter().cloned()).collect();
    let outcomes: Vec<Outcome<bool>> = (space.states.iter())
        .map(|state| {
            Scope {
                system,
                state,
                me: None,
                bound: bound.clone(),
            }
            .truth(&property.body)
        })
        .collect();
    let failing = outcomes.iter().map(|o| o.is_err()).collect();
    let yes: Vec<_> = outcomes.iter().map(|o| *o == Ok(true)).collect();
    let no: Vec<_> = outcomes.iter().map(|o| *o == Ok(false)).collect();
    let bad = match property.kind {
        PropertyKind::Invariant => no,
        // Where it fails it is not true.
        PropertyKind::Reachable => return (yes, vec![false; space.states.len()]),
        PropertyKind::May => space.can_reach(&yes).into_iter().map(|can| !can).collect(),
        PropertyKind::Must => space.can_stay(&no),
    };
    (bad, failing)
}

/// `access`, `access(2)`, `f(1,red)`.
pub fn applied(system: &System, name: &str, values: &[Value]) -> String {
    if values.is_empty() {
        return name.to_string();
    }
    let values: Vec<_> = values.iter().map(|v| text_of(system, v)).collect();
    format!("{name}({})", values.join(","))
}

/// A scalar value as the output writes it.
pub fn text_of(system: &System, v: &Value) -> String {
    match v {
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Enum(e, k) => system.model.enums[*e].1[*k].clone(),
        other => panic!("{other:?} is not scalar"),
    }
}

/// The moves of a state, for those who replay a trace.
pub fn moves(system: &System, state: &GlobalState) -> Vec<Move> {
    steps::of(system, state)
}
