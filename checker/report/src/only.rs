//! Some of a run: the steps of some instances, and those that change some variables.

use std::collections::VecDeque;

use super::state::{NamedValues, Passed, Shown};
use super::step::StepReport;
use super::trace::{
    FIRST_STEPS, LAST_STEPS, MOST_STEPS, NumberedStep, Part, TraceReport, parts_of,
};

/// Which steps and values of a run are to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Only {
    pub names: Vec<OnlyName>,
}

/// A name that something in a run has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OnlyName {
    /// An instance, `customer(1)`, or all of a process, `customer`; a tester or an automaton.
    Who(String),
    /// A shared variable or a channel, or a part of one, `gate`, `gate[1]`, `bridge.cars`.
    Shared(String),
    /// An action, with these values or with any: `enter(1)`, `enter`.
    Action(String),
    /// A local variable or a part of one: of these instances, of all where it is not said of whom.
    Local { of: Option<String>, name: String },
}

/// What is shown of a run, with the numbers that its steps have in the whole of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Excerpt {
    /// The steps before the cycle, how many of which are shown, and whether there is one.
    steps: usize,
    before_cycle: usize,
    has_cycle: bool,
    /// How many steps are shown, those left out of a long excerpt too.
    count: usize,
    first: Vec<(usize, StepReport)>,
    last: VecDeque<(usize, StepReport)>,
    /// How many steps are others'.
    pub others: usize,
}

impl Only {
    /// The steps of a run that somebody who is named takes, or that change something that is named. Of a long run
    /// each step is told once more.
    pub fn of(&self, trace: &TraceReport) -> Excerpt {
        let mut excerpt = Excerpt {
            steps: trace.steps,
            before_cycle: 0,
            has_cycle: trace.cycle > 0,
            count: 0,
            first: Vec::new(),
            last: VecDeque::new(),
            others: 0,
        };
        for (at, step) in trace.every_step(0).enumerate() {
            let Some(step) = self.step(step) else {
                excerpt.others += 1;
                continue;
            };
            excerpt.count += 1;
            excerpt.before_cycle += usize::from(at < trace.steps);
            if excerpt.first.len() < FIRST_STEPS {
                excerpt.first.push((at + 1, step));
                continue;
            }
            // Where the excerpt is not long, these are all there are behind the first.
            if excerpt.last.len() == LAST_STEPS {
                excerpt.last.pop_front();
            }
            excerpt.last.push_back((at + 1, step));
        }
        debug_assert_eq!(MOST_STEPS, FIRST_STEPS + LAST_STEPS);
        excerpt
    }

    /// A step without those who are not named, and what they change; `None` where nothing of it is.
    fn step(&self, step: StepReport) -> Option<StepReport> {
        let mut shown: Vec<bool> = step.by.iter().map(|who| self.has_instance(who)).collect();
        // In an action that is named all are shown who take part, and what they change.
        let is_named = step.action.as_ref().is_some_and(|one| self.has_action(one));
        if is_named {
            shown.fill(true);
        }
        let is_taken = shown.contains(&true);
        let values = || step.changes.iter().chain(&step.unchanged);
        if !is_taken && !values().any(|(name, value)| self.has_value(name, value)) {
            return None;
        }
        // Of a step that only changes something named all are shown who take it.
        let shown = if is_taken {
            shown
        } else {
            vec![true; step.by.len()]
        };
        let names_values = self
            .names
            .iter()
            .any(|name| !matches!(name, OnlyName::Who(_) | OnlyName::Action(_)));
        let is_shown = |name: &str, value: &Shown| {
            if self.has_value(name, value) {
                return true;
            }
            match owner(name) {
                Some(owner) if is_named || self.has_instance(owner) => true,
                // Of others' own variables, and of shared ones where some are named, nothing else.
                Some(owner) if step.by.iter().any(|who| who == owner) => false,
                _ => is_taken && !names_values,
            }
        };
        let values = |all: &NamedValues| -> NamedValues {
            let shown = all.iter().filter(|(name, value)| is_shown(name, value));
            shown.cloned().collect()
        };
        let (changes, unchanged) = (values(&step.changes), values(&step.unchanged));
        let passes = |passed: &&Passed| changes.iter().any(|(name, _)| *name == passed.channel);
        let messages = step.messages.iter().filter(passes);
        Some(StepReport {
            messages: messages.cloned().collect(),
            by: chosen(&step.by, &shown),
            places: chosen(&step.places, &shown),
            statements: chosen(&step.statements, &shown),
            chosen: chosen(&step.chosen, &shown),
            outcomes: chosen(&step.outcomes, &shown),
            from: chosen(&step.from, &shown),
            to: chosen(&step.to, &shown),
            changes,
            unchanged,
            // Where what it assigns is left out there is nothing to be said of what is shown.
            assigns_in_vain: step.assigns_in_vain && is_taken && step.unchanged.is_empty(),
            takes_no_branch: step.takes_no_branch && is_taken,
            ..step
        })
    }

    fn has_instance(&self, instance: &str) -> bool {
        let names = self.names.iter();
        let mut who = names.filter_map(|name| match name {
            OnlyName::Who(who) => Some(who),
            _ => None,
        });
        who.any(|who| is_meant(instance, who))
    }

    fn has_action(&self, taken: &str) -> bool {
        self.names.iter().any(|name| match name {
            OnlyName::Action(action) => is_meant(taken, action),
            _ => false,
        })
    }

    fn has_value(&self, value: &str, shown: &Shown) -> bool {
        self.names.iter().any(|name| name.is_value(value, shown))
    }
}

impl OnlyName {
    /// Whether it names a variable, a channel, or a part of one.
    pub fn is_value(&self, value: &str, shown: &Shown) -> bool {
        match self {
            OnlyName::Who(_) | OnlyName::Action(_) => false,
            OnlyName::Shared(shared) => is_part_of(value, shared),
            OnlyName::Local { of: wanted, name } => {
                let own = value
                    .split_once('.')
                    .filter(|_| !matches!(shown, Shown::Messages(_)));
                own.is_some_and(|(owner, local)| {
                    let is_wanted = wanted.as_ref().is_none_or(|wanted| is_meant(owner, wanted));
                    is_wanted && is_part_of(local, name)
                })
            }
        }
    }
}

/// Returns the participants that are shown.
fn chosen<T: Clone>(all: &[T], shown: &[bool]) -> Vec<T> {
    let chosen = all.iter().zip(shown).filter(|(_, shown)| **shown);
    chosen.map(|(one, _)| one.clone()).collect()
}

/// Whose local variable it is, or the record of which it is a field.
fn owner(name: &str) -> Option<&str> {
    name.split_once('.').map(|(owner, _)| owner)
}

/// Whether `wanted` means what has this name: `access(2)` has itself and `access`.
pub fn is_meant(name: &str, wanted: &str) -> bool {
    let rest = name.strip_prefix(wanted);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
}

/// Whether it is this variable, or a cell or field of it.
fn is_part_of(name: &str, whole: &str) -> bool {
    let rest = name.strip_prefix(whole);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
}

impl Excerpt {
    /// What is shown, in its order.
    pub fn parts(&self) -> Vec<Part<NumberedStep<'_>>> {
        let mut parts = Vec::new();
        let step = |at: usize| {
            let (number, step) = match at.checked_sub(self.first.len()) {
                None => &self.first[at],
                Some(at) => &self.last[at - (self.count - self.first.len() - self.last.len())],
            };
            NumberedStep {
                number: *number,
                step,
                on_cycle: *number > self.steps,
            }
        };
        let left_out = self.first.len()..self.count - self.last.len();
        parts_of(0..self.before_cycle, &left_out, &step, &mut parts);
        if self.has_cycle {
            parts.push(Part::CycleBegins);
            parts_of(self.before_cycle..self.count, &left_out, &step, &mut parts);
            parts.push(Part::CycleCloses(self.steps));
        }
        parts
    }
}
