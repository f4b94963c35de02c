//! A system and what watches it: drawn by lot, written as text, and made smaller.

pub mod automata;
pub mod formula;
pub mod marks;
pub mod tester;

use automata::{Buchi, Testing};
use formula::Formula;
use tester::Tester;

use crate::model::{self, Body, Definition, Model, PropertyKind};
use crate::random::Random;
use crate::{contention, generate, meetings, render, shrink};

#[derive(Clone, Debug)]
pub struct Case {
    pub model: Model,
    pub monitor: Monitor,
}

#[derive(Clone, Debug)]
pub enum Monitor {
    Tester(Tester),
    Formula(Formula),
    Buchi(Buchi),
    Testing(Testing),
}

/// What a case is drawn of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Tester,
    Formula,
    Automaton,
}

const MOST_LOOKS: usize = 4;

/// The case of a seed, unless the system drawn has nothing to watch.
pub fn draw(kind: Kind, seed: u64) -> Option<Case> {
    let model = match seed % 8 {
        0 => generate::model(seed),
        1..=3 => contention::model(seed),
        _ => meetings::model(seed),
    };
    of(model, kind, seed)
}

/// The same, of this model.
pub fn of(mut model: Model, kind: Kind, seed: u64) -> Option<Case> {
    let mut r = Random::new(seed ^ 0x0b5e_41e5);
    model.recurrences.clear();
    let properties = std::mem::take(&mut model.properties);
    if kind == Kind::Tester {
        if model.actions.is_empty() {
            return None;
        }
        let monitor = Monitor::Tester(tester::draw(&model, &mut r));
        return Some(Case { model, monitor });
    }
    let bodies = properties.into_iter().filter(|p| p.parameters.is_empty());
    let mut bodies: Vec<model::Expr> = bodies.map(|property| property.body).collect();
    let wanted = 1 + r.below(MOST_LOOKS);
    let mut looks = Vec::new();
    while looks.len() < wanted {
        looks.push(match bodies.pop().filter(|_| r.one_in(2)) {
            Some(body) => body,
            None => place(&model, &mut r)?,
        });
    }
    let count = looks.len();
    for (k, body) in looks.into_iter().enumerate() {
        model.definitions.push(Definition {
            name: format!("look{k}"),
            parameters: vec![],
            body,
        });
        model.properties.push(model::Property {
            left_out: vec![],
            name: format!("looked{k}"),
            kind: PropertyKind::Invariant,
            parameters: vec![],
            body: model::Expr::Use(model.definitions.len() - 1, vec![]),
        });
    }
    let monitor = match kind {
        Kind::Formula => Monitor::Formula(formula::draw(count, &mut r)),
        _ if r.one_in(2) => Monitor::Buchi(automata::draw_buchi(count, &mut r)),
        _ => Monitor::Testing(automata::draw_testing(count, &mut r)),
    };
    Some(Case { model, monitor })
}

/// That some process is at one of its states, if the model has a process of states.
fn place(model: &Model, r: &mut Random) -> Option<model::Expr> {
    let with_states = (0..model.processes.len()).filter_map(|p| match &model.processes[p].body {
        Body::States(states) => Some((p, states)),
        Body::Statements(_) => None,
    });
    let with_states: Vec<_> = with_states.collect();
    if with_states.is_empty() {
        return None;
    }
    let (p, states) = *r.pick(&with_states);
    let mut arguments = Vec::new();
    for (_, ty) in &model.processes[p].parameters {
        let crate::value::Shape::Range(lo, hi) = ty.shape else {
            return None;
        };
        arguments.push(model::Expr::int(r.between(lo, hi)));
    }
    let mut names: Vec<_> = states.iter().map(|state| state.name.clone()).collect();
    while names.len() > 1 && r.one_in(2) || names.len() > 2 {
        names.remove(r.below(names.len()));
    }
    Some(model::Expr::At(p, arguments, names))
}

/// The file that a case's tester file uses.
pub const MODEL: &str = "model.stb";

impl Case {
    /// The text of the model and of the tester file.
    pub fn texts(&self) -> (String, String) {
        let (model, _) = render::text(&self.model);
        let item = match &self.monitor {
            Monitor::Tester(tester) => tester.text(&self.model),
            Monitor::Formula(formula) => {
                let names = |look| format!("look{look}");
                format!("ltl watch: {}\n", formula.text(&names, self.model.layout))
            }
            Monitor::Buchi(buchi) => buchi.text(),
            Monitor::Testing(testing) => testing.text(),
        };
        (model, format!("use \"{MODEL}\"\n\n{item}"))
    }

    /// Whatever is a little less in the monitor.
    pub fn with_less_to_watch(&self) -> Vec<Case> {
        let monitors: Vec<Monitor> = match &self.monitor {
            Monitor::Tester(m) => m.smaller().into_iter().map(Monitor::Tester).collect(),
            Monitor::Formula(m) => m.smaller().into_iter().map(Monitor::Formula).collect(),
            Monitor::Buchi(m) => m.smaller().into_iter().map(Monitor::Buchi).collect(),
            Monitor::Testing(m) => m.smaller().into_iter().map(Monitor::Testing).collect(),
        };
        let with = |monitor| Case {
            model: self.model.clone(),
            monitor,
        };
        monitors.into_iter().map(with).collect()
    }

    /// Less to watch and less to be watched, in turn.
    pub fn smallest(mut self, differs: &dyn Fn(&Case) -> bool) -> Case {
        for _ in 0..2 {
            while let Some(less) = self.with_less_to_watch().into_iter().find(differs) {
                self = less;
            }
            let monitor = self.monitor.clone();
            let with = |model: &Model| Case {
                model: model.clone(),
                monitor: monitor.clone(),
            };
            self = with(&shrink::shrink(self.model.clone(), |model| {
                differs(&with(model))
            }));
        }
        self
    }
}
