//! A tester as a process, run beside a system (A. Valmari, "On-the-fly verification with stubborn
//! sets", CAV 1993, Def. 3.1).

use stubborn_random::model::Model;
use stubborn_random::watch::marks::Marks;
use stubborn_random::watch::tester::{Expanded, Pattern, Tester};
use stubborn_system::system::ActionId;

use super::product::{Leads, Pair};
use super::space::Space;

/// A tester as a process: its steps one by one.
#[derive(Debug)]
pub struct Process {
    visible: Vec<Expanded>,
    pub marks: Vec<Marks>,
    /// Of each state; `None` for `tau`.
    pub steps: Vec<Vec<(Option<Expanded>, u32)>>,
    pub initial: u32,
}

fn takes(pattern: &Expanded, (action, values): &(ActionId, Vec<i64>)) -> bool {
    let mut pairs = pattern.1.iter().zip(values);
    pattern.0 == *action && pairs.all(|(wanted, value)| wanted.is_none_or(|w| w == *value))
}

impl Process {
    /// What a tester does; `numbers` are those of the model's actions in the system.
    pub fn of(tester: &Tester, model: &Model, numbers: &[ActionId]) -> Process {
        let expanded = |pattern: &Pattern| pattern.expanded(model, numbers);
        let mut visible: Vec<Expanded> = tester.visible.iter().flat_map(expanded).collect();
        let mut steps = Vec::new();
        for state in &tester.states {
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
            marks: tester.states.iter().map(|state| state.marks).collect(),
            steps,
            initial: tester.initial as u32,
        }
    }

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
