//! Testers (A. Valmari, "On-the-fly verification with stubborn sets", CAV 1993, Def. 3.1): drawn by
//! lot, and written as text.

use super::marks::{Marks, fewer, words};
use crate::model::{Action, Model};
use crate::random::Random;
use crate::value::{Shape, Type};

/// As it stands in the text.
#[derive(Clone, Debug)]
pub struct Tester {
    /// `visible a, b(*)`
    pub visible: Vec<Pattern>,
    pub states: Vec<State>,
    pub initial: usize,
}

#[derive(Clone, Debug)]
pub struct State {
    pub marks: Marks,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug)]
pub struct Step {
    /// `None` for `tau`.
    pub on: Option<Pattern>,
    pub target: usize,
}

#[derive(Clone, Debug)]
pub struct Pattern {
    /// By its place among the model's actions.
    pub action: usize,
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument {
    Value(i64),
    /// `*`
    Any,
    /// The variable of the step's `for`, which goes through the argument's type. One at the most.
    Each,
}

/// An action, by its number in the system, and each argument if it is fixed.
pub type Expanded = (u32, Vec<Option<i64>>);

/// The values of a type of an action's argument, as the system has them.
fn values(ty: &Type) -> std::ops::RangeInclusive<i64> {
    match ty.shape {
        Shape::Bool => 0..=1,
        Shape::Range(lo, hi) => lo..=hi,
        Shape::Enum(_, count) => 0..=count as i64 - 1,
        _ => panic!("{ty:?} is no type of an argument"),
    }
}

fn literal(model: &Model, ty: &Type, value: i64) -> String {
    match ty.shape {
        Shape::Bool => (value != 0).to_string(),
        Shape::Enum(e, _) => model.enums[e].1[value as usize].clone(),
        _ => value.to_string(),
    }
}

/// A tester of a model's actions, of which there must be some.
pub fn draw(model: &Model, r: &mut Random) -> Tester {
    let count = 1 + r.below(4);
    // Which marks there are at all: with few of them each search has its turn.
    let likely: [usize; 4] = std::array::from_fn(|_| if r.one_in(2) { 45 } else { 0 });
    let likely = if likely == [0; 4] {
        [0, 30, 60, 60]
    } else {
        likely
    };
    let mut states: Vec<State> = (0..count)
        .map(|_| State {
            marks: Marks {
                reject: r.percent(likely[0] / 2),
                deadlock: r.percent(likely[1]),
                livelock: r.percent(likely[2]),
                infinite: r.percent(likely[3]),
            },
            steps: vec![],
        })
        .collect();
    let with_tau = r.one_in(3);
    for (s, state) in states.iter_mut().enumerate() {
        // Enough steps that little is blocked, most of the time.
        for action in 0..model.actions.len() {
            for _ in 0..[0, 1, 1, 1, 2][r.below(5)] {
                let on = pattern(&model.actions[action], action, true, r);
                let target = r.below(count);
                state.steps.push(Step {
                    on: Some(on),
                    target,
                });
            }
        }
        // Only onwards, so there is no cycle of `tau`.
        if with_tau && s + 1 < count && !state.marks.deadlock && r.one_in(2) {
            let target = s + 1 + r.below(count - s - 1);
            state.steps.push(Step { on: None, target });
        }
        if state.steps.len() > 1 {
            let at = r.below(state.steps.len());
            state.steps.rotate_left(at);
        }
    }
    let visible = (0..model.actions.len()).filter(|_| r.one_in(6));
    let visible: Vec<_> = visible.collect();
    Tester {
        visible: visible
            .into_iter()
            .map(|a| pattern(&model.actions[a], a, false, r))
            .collect(),
        states,
        initial: if r.one_in(4) { r.below(count) } else { 0 },
    }
}

fn pattern(action: &Action, number: usize, may_go_through: bool, r: &mut Random) -> Pattern {
    let mut goes_through = false;
    let arguments = action.arguments.iter().map(|ty| match r.below(6) {
        0 if may_go_through && !goes_through => {
            goes_through = true;
            Argument::Each
        }
        0..=2 => Argument::Any,
        _ => {
            let values = values(ty);
            Argument::Value(r.between(*values.start(), *values.end()))
        }
    });
    Pattern {
        action: number,
        arguments: arguments.collect(),
    }
}

impl Tester {
    /// The item of a tester file.
    pub fn text(&self, model: &Model) -> String {
        let mut text = String::from("tester watch {\n");
        if !self.visible.is_empty() {
            let list = self.visible.iter().map(|p| p.text(model));
            let list: Vec<_> = list.collect();
            text += &format!("    visible {}\n", list.join(", "));
        }
        for (s, state) in self.states.iter().enumerate() {
            let initial = if s == self.initial { "initial " } else { "" };
            text += &format!("    {initial}{}state q{s} {{\n", words(state.marks));
            for step in &state.steps {
                let on = match &step.on {
                    None => "on tau".into(),
                    Some(pattern) => {
                        let each = match pattern.goes_through(model) {
                            Some(ty) => format!("for each in {} ", ty.text),
                            None => String::new(),
                        };
                        format!("{each}on {}", pattern.text(model))
                    }
                };
                text += &format!("        {on} -> q{}\n", step.target);
            }
            text += "    }\n";
        }
        text + "}\n"
    }

    /// Whatever is a little less than this.
    pub fn smaller(&self) -> Vec<Tester> {
        let mut all = Vec::new();
        for k in 0..self.visible.len() {
            let mut less = self.clone();
            less.visible.remove(k);
            all.push(less);
        }
        for s in 0..self.states.len() {
            for k in 0..self.states[s].steps.len() {
                let mut less = self.clone();
                less.states[s].steps.remove(k);
                all.push(less);
            }
            for marks in fewer(self.states[s].marks) {
                let mut less = self.clone();
                less.states[s].marks = marks;
                all.push(less);
            }
        }
        all
    }
}

impl Pattern {
    fn text(&self, model: &Model) -> String {
        let action = &model.actions[self.action];
        if self.arguments.is_empty() {
            return action.name.clone();
        }
        let list = self.arguments.iter().zip(&action.arguments);
        let list = list.map(|(argument, ty)| match argument {
            Argument::Value(value) => literal(model, ty, *value),
            Argument::Any => "*".into(),
            Argument::Each => "each".into(),
        });
        let list: Vec<_> = list.collect();
        format!("{}({})", action.name, list.join(", "))
    }

    fn goes_through<'a>(&self, model: &'a Model) -> Option<&'a Type> {
        let at = self.arguments.iter().position(|a| *a == Argument::Each)?;
        Some(&model.actions[self.action].arguments[at])
    }

    /// One pattern for each value of the step's `for`.
    pub fn expanded(&self, model: &Model, numbers: &[u32]) -> Vec<Expanded> {
        let with = |each: i64| {
            let arguments = self.arguments.iter().map(|argument| match argument {
                Argument::Value(value) => Some(*value),
                Argument::Any => None,
                Argument::Each => Some(each),
            });
            (numbers[self.action], arguments.collect())
        };
        match self.goes_through(model) {
            Some(ty) => values(ty).map(with).collect(),
            None => vec![with(0)],
        }
    }
}
