//! A system and what watches it: drawn by lot, and read as text.

use std::sync::Arc;

use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::Property;
use stubborn_system::system::{ActionId, Expr, System};

use crate::automata::{self, Buchi, Testing};
use crate::formula::{self, Formula};
use crate::model::{self, Body, Definition, Model, PropertyKind};
use crate::random::Random;
use crate::tester::{self, Tester};
use crate::{contention, generate, meetings, render};

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

/// What a case's text means.
pub struct Read {
    pub system: Arc<System>,
    /// The monitor's.
    pub property: Property,
    /// The conditions `look0`, `look1`, … as the model's own text has them.
    pub looks: Vec<Expr>,
    /// The number of each of the model's actions.
    pub actions: Vec<ActionId>,
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
    let mut r = Random::new(seed ^ 0x0b5e_41e5);
    let mut model = match (kind, seed % 8) {
        (_, 0) => generate::model(seed),
        (_, 1..=3) => contention::model(seed),
        _ => meetings::model(seed),
    };
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

const MODEL: &str = "model.stb";

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

    /// What the text means, unless it has errors.
    ///
    /// # Errors
    /// With the first of them, if it is in the tester file: what is drawn there is right.
    pub fn read(&self) -> Result<Option<Read>, String> {
        let (model, watch) = self.texts();
        let model = Arc::new(ParsedFile::new(MODEL, model));
        let root = Arc::new(ParsedFile::new("watch.tester", watch));
        let program = Program::assemble(root, &mut |_| Some(model.clone()));
        let outside = self.model.constants.iter().filter(|c| c.from_outside);
        let given = Settings {
            parameters: outside
                .map(|c| (c.name.clone(), c.value.int().to_string()))
                .collect(),
        };
        let analysis = stubborn_model::analyze(&program, &given);
        let mut errors = analysis.problems.iter();
        if let Some(error) = errors.find(|problem| problem.severity == Severity::Error) {
            let file = error.span.map(|span| program.file(span.file));
            if file.is_some_and(|file| file.path == MODEL) {
                return Ok(None);
            }
            return Err(format!("an error in the text: {}", error.message));
        }
        let Some(meant) = analysis.model else {
            return Ok(None);
        };
        let mut property = None;
        let mut looks = Vec::new();
        for listed in &meant.properties {
            match &listed.property {
                _ if listed.name == "watch" => property = Some(listed.property.clone()),
                Property::Invariant(look) => looks.push(look.clone()),
                _ => {}
            }
        }
        let number = |action: &model::Action| {
            let mut sources = meant.source_map.actions.iter();
            sources.position(|source| source.name == action.name)
        };
        let actions = self.model.actions.iter().map(number);
        let actions: Option<Vec<usize>> = actions.collect();
        let actions = actions.ok_or("an action is not in the system")?;
        Ok(Some(Read {
            system: meant.system,
            property: property.ok_or("the monitor is not listed")?,
            looks,
            actions: actions.into_iter().map(|a| a as ActionId).collect(),
        }))
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
}
