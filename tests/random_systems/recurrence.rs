//! Recurrence (`language.md` §6): every execution in which `A` occurs infinitely often has `B`
//! infinitely often. It is violated where one can come to a step of `A`, and then again and again
//! to the same, without a step of `B` in between.

use super::evaluate::Scope;
use super::space::{self, Space};
use super::state::{GlobalState, System};
use super::steps::Move;
use stubborn_random::model::{Event, Expr, Recurrence};
use stubborn_random::value::Value;

/// A recurrence for some values of its parameters.
#[derive(Clone, Debug)]
pub struct Recurring {
    infinitely: Vec<Steps>,
    implies: Vec<Steps>,
}

#[derive(Clone, Debug)]
enum Steps {
    Of(usize, Vec<Option<Value>>),
    /// The instances, and the states and labels.
    From(Vec<usize>, Vec<String>),
}

impl Recurring {
    pub fn of(system: &System, recurrence: &Recurrence, values: &[Value]) -> Recurring {
        let names = recurrence.parameters.iter().map(|(n, _)| n.clone());
        let initial = system.initial();
        let scope = Scope {
            system,
            state: &initial,
            me: None,
            bound: names.zip(values.iter().cloned()).collect(),
        };
        let all = |list: &[Event]| list.iter().map(|e| steps(&scope, e)).collect();
        Recurring {
            infinitely: all(&recurrence.infinitely),
            implies: all(&recurrence.implies),
        }
    }

    /// Whether a step is one of `A`.
    pub fn occurs(&self, system: &System, before: &GlobalState, step: &Move) -> bool {
        self.infinitely.iter().any(|s| s.has(system, before, step))
    }

    /// Whether a step is one of `B`.
    pub fn follows(&self, system: &System, before: &GlobalState, step: &Move) -> bool {
        self.implies.iter().any(|s| s.has(system, before, step))
    }

    /// The states on a way round that shows the violation.
    pub fn violations(&self, system: &System, space: &Space) -> Vec<bool> {
        let n = space.states.len();
        let mut without = vec![vec![]; n];
        let mut wanted = Vec::new();
        for (k, state) in space.states.iter().enumerate() {
            for step in space::moves(system, state) {
                let Some(next) = &step.next else { continue };
                if !self.follows(system, state, &step) {
                    let next = space.number[next];
                    without[k].push(next);
                    if self.occurs(system, state, &step) {
                        wanted.push((k, next));
                    }
                }
            }
        }
        let mut backwards = vec![vec![]; n];
        for (k, list) in without.iter().enumerate() {
            list.iter().for_each(|next| backwards[*next].push(k));
        }
        let mut found = vec![false; n];
        for (from, to) in wanted {
            // What lies on a way back from the end of the step to its beginning.
            if !found[from] || !found[to] {
                let (after, before) = (reached(&without, to), reached(&backwards, from));
                for k in (0..n).filter(|k| after[*k] && before[*k]) {
                    found[k] = true;
                }
            }
        }
        found
    }
}

fn reached(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut open = vec![from];
    while let Some(k) = open.pop() {
        if !std::mem::replace(&mut seen[k], true) {
            open.extend(&next[k]);
        }
    }
    seen
}

fn steps(scope: &Scope, event: &Event) -> Steps {
    let all = |list: &[Option<Expr>]| -> Vec<Option<Value>> {
        let value = |e: &Expr| scope.value(e).expect("a literal or a parameter");
        list.iter().map(|e| e.as_ref().map(value)).collect()
    };
    match event {
        Event::Action(action, wanted) => Steps::Of(*action, all(wanted)),
        Event::At(process, wanted, places) => {
            let wanted = all(wanted);
            let instances = scope.system.instances.iter().enumerate();
            let meant =
                instances.filter(|(_, i)| i.process == *process && fit(&wanted, &i.arguments));
            Steps::From(meant.map(|(k, _)| k).collect(), places.clone())
        }
    }
}

fn fit(wanted: &[Option<Value>], values: &[Value]) -> bool {
    let mut pairs = wanted.iter().zip(values);
    pairs.all(|(w, v)| w.is_none() || w.as_ref() == Some(v))
}

impl Steps {
    fn has(&self, system: &System, before: &GlobalState, step: &Move) -> bool {
        match self {
            Steps::Of(action, wanted) => match &step.action {
                Some((a, values)) => a == action && fit(wanted, values),
                None => false,
            },
            Steps::From(instances, places) => instances.iter().any(|i| {
                let points = &system.points[system.instances[*i].process];
                let holds = &points[before.instances[*i].point].holds;
                step.by.contains(i) && places.iter().any(|p| holds.contains(p))
            }),
        }
    }
}
