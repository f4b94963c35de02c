//! Testers (A. Valmari, "On-the-fly verification with stubborn sets", CAV 1993, Def. 3.1): drawn by
//! lot, written as text, and run beside a system.

use stubborn_system::system::ActionId;

use crate::model::{Action, Model};
use crate::product::{Leads, Marked, Pair};
use crate::random::Random;
use crate::space::Space;
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
    pub marks: Marked,
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

/// An action, and each argument if it is fixed.
type Expanded = (ActionId, Vec<Option<i64>>);

/// A tester as a process: its steps one by one.
#[derive(Debug)]
pub struct Process {
    visible: Vec<Expanded>,
    pub marks: Vec<Marked>,
    /// Of each state; `None` for `tau`.
    pub steps: Vec<Vec<(Option<Expanded>, u32)>>,
    pub initial: u32,
}

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
            marks: Marked {
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
            text += &format!("    {initial}{}state q{s} {{\n", marks(state.marks));
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

    /// What it does; `numbers` are those of the model's actions in the system.
    pub fn process(&self, model: &Model, numbers: &[ActionId]) -> Process {
        let expanded = |pattern: &Pattern| pattern.expanded(model, numbers);
        let mut visible: Vec<Expanded> = self.visible.iter().flat_map(expanded).collect();
        let mut steps = Vec::new();
        for state in &self.states {
            let mut list = Vec::new();
            for step in &state.steps {
                let target = step.target as u32;
                match &step.on {
                    None => list.push((None, target)),
                    Some(pattern) => {
                        for one in expanded(pattern) {
                            visible.push(one.clone());
                            list.push((Some(one), target));
                        }
                    }
                }
            }
            steps.push(list);
        }
        Process {
            visible,
            marks: self.states.iter().map(|state| state.marks).collect(),
            steps,
            initial: self.initial as u32,
        }
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

/// The words before `state`.
pub fn marks(marks: Marked) -> String {
    let words = [
        (marks.reject, "reject "),
        (marks.deadlock, "deadlock "),
        (marks.livelock, "livelock "),
        (marks.infinite, "infinite "),
    ];
    words
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, w)| *w)
        .collect()
}

/// The same without one of the marks.
pub fn fewer(marks: Marked) -> Vec<Marked> {
    let without = [
        Marked {
            reject: false,
            ..marks
        },
        Marked {
            deadlock: false,
            ..marks
        },
        Marked {
            livelock: false,
            ..marks
        },
        Marked {
            infinite: false,
            ..marks
        },
    ];
    without.into_iter().filter(|less| *less != marks).collect()
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
    fn expanded(&self, model: &Model, numbers: &[ActionId]) -> Vec<Expanded> {
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

fn takes(pattern: &Expanded, (action, values): &(ActionId, Vec<i64>)) -> bool {
    let mut pairs = pattern.1.iter().zip(values);
    pattern.0 == *action && pairs.all(|(wanted, value)| wanted.is_none_or(|w| w == *value))
}

impl Process {
    /// Whether it is in the tester's alphabet.
    pub fn is_visible(&self, action: &(ActionId, Vec<i64>)) -> bool {
        self.visible.iter().any(|pattern| takes(pattern, action))
    }

    /// Whether a step of the tester can be taken on an action, or is `tau` where there is none.
    pub fn can_take(&self, state: u32, step: u32, action: Option<&(ActionId, Vec<i64>)>) -> bool {
        let step = self.steps[state as usize].get(step as usize);
        step.is_some_and(|(on, _)| match (on, action) {
            (None, None) => true,
            (Some(pattern), Some(action)) => takes(pattern, action),
            _ => false,
        })
    }

    /// What leads out of a state of P = P_T || P_S (Thm 3.3).
    pub fn leads(&self, space: &Space, (system, tester): Pair) -> Leads {
        let own = &self.steps[tester as usize];
        let mut leads = Leads::default();
        let mut fails = false;
        for (on, target) in own {
            if on.is_none() {
                leads.to.push(((system, *target), true));
            }
        }
        for taken in &space.steps[system as usize] {
            match taken.target {
                None => {
                    // Beside a tester that has no step for it, a visible one cannot happen.
                    let can_happen = |action: &(ActionId, Vec<i64>)| {
                        let mut steps = own.iter().filter_map(|(on, _)| on.as_ref());
                        !self.is_visible(action) || steps.any(|pattern| takes(pattern, action))
                    };
                    fails |= taken.actions.is_empty() || taken.actions.iter().any(can_happen);
                }
                Some(next) => match taken.actions.first().filter(|a| self.is_visible(a)) {
                    None => leads.to.push(((next, tester), false)),
                    Some(action) => {
                        for (on, target) in own {
                            if on.as_ref().is_some_and(|pattern| takes(pattern, action)) {
                                leads.to.push(((next, *target), true));
                            }
                        }
                    }
                },
            }
        }
        leads.ends = leads.to.is_empty() && !fails;
        leads
    }
}
