//! The sentences for what monitors watch for: testers, automata, formulas, specifications.

use std::collections::BTreeSet;

use stubborn_engine::interpreter::steps;
use stubborn_engine::{Trace, TraceStep, Violation};
use stubborn_model::NamedProperty;
use stubborn_system::property::{Property, Tester};
use stubborn_system::system::ActionPattern;

use super::about::About;
use super::monitor::Beside;
use super::parts::{Broken, broken};
use super::phrases::{after, counted, from, round};
use super::specification::{Standing, is_of, shortened};

/// What a monitor has found, in one sentence without a full stop.
pub(super) fn watched(
    named: &NamedProperty,
    violation: Violation,
    trace: &Trace,
    about: About<'_>,
    on_the_way: &dyn Fn(),
) -> String {
    let seen = Seen {
        named,
        monitor: Beside::new(named, trace),
        trace,
        about,
        on_the_way,
    };
    match named.property.asked() {
        Property::Tester(tester) => seen.of_tester(tester, violation),
        Property::Refinement(_) => seen.of_refinement(violation),
        Property::Ltl(_) => seen.of_formula(violation),
        _ => seen.of_automaton(violation),
    }
}

struct Seen<'a> {
    named: &'a NamedProperty,
    monitor: Option<Beside<'a>>,
    trace: &'a Trace,
    about: About<'a>,
    on_the_way: &'a dyn Fn(),
}

impl Seen<'_> {
    fn of_tester(&self, tester: &Tester, violation: Violation) -> String {
        match violation {
            Violation::Reject => {
                format!(
                    "the tester is in its reject state {} {}",
                    self.at(),
                    self.after()
                )
            }
            Violation::Deadlock => {
                let refused = match self.offered(tester) {
                    offered if offered.is_empty() => "it offers no action there".to_owned(),
                    offered => format!("refused: {offered}"),
                };
                format!(
                    "{} nothing can happen any more while the tester is in its deadlock state {}; \
                     {refused}",
                    from(self.trace.steps().len()),
                    self.at()
                )
            }
            Violation::Livelock => format!(
                "{}, of which the tester sees none, while it is in its livelock state {}",
                round(self.trace),
                self.at()
            ),
            Violation::Infinite => {
                let marked = |state: u32| {
                    let state = tester.states.get(state as usize);
                    state.is_some_and(|state| state.infinite)
                };
                format!(
                    "{}, and the tester, which sees it, is in its infinite trace state {} again and \
                     again",
                    round(self.trace),
                    self.on_cycle(marked)
                )
            }
        }
    }

    fn of_refinement(&self, violation: Violation) -> String {
        let specification = self.specification();
        match violation {
            Violation::Reject => {
                let steps = &self.trace.steps();
                let before = after(steps.len().saturating_sub(1));
                let last = steps.iter().enumerate().rev();
                let mut last = last.filter_map(|(at, step)| Some((at, self.action(step)?)));
                match last.next() {
                    Some((at, action)) => format!(
                        "`{action}` happens {before}, which {specification} cannot do then{}",
                        self.instead(&steps[..at])
                    ),
                    None => format!(
                        "what has happened {} is nothing that {specification} can do",
                        self.after()
                    ),
                }
            }
            Violation::Deadlock => {
                let offers = match self.offers() {
                    offers if offers.is_empty() => {
                        "the system offers none of the actions that are seen".to_owned()
                    }
                    offers => format!("the system offers nothing but {offers}"),
                };
                format!(
                    "{} {offers}, and by itself it cannot go on; {specification}, which may be at \
                     {}, never refuses that much{}",
                    from(self.trace.steps().len()),
                    self.at(),
                    self.instead(self.trace.steps())
                )
            }
            Violation::Livelock => format!(
                "{} without any of the actions that {specification} has, which {specification} \
                 cannot do then{}",
                round(self.trace),
                self.instead(self.trace.steps())
            ),
            Violation::Infinite => {
                let mut actions: Vec<String> = Vec::new();
                for action in self
                    .trace
                    .cycle()
                    .iter()
                    .filter_map(|step| self.action(step))
                {
                    let action = format!("`{action}`");
                    if !actions.contains(&action) {
                        actions.push(action);
                    }
                }
                format!(
                    "{}, with {} again and again, which {specification} cannot go on doing",
                    round(self.trace),
                    shortened(actions)
                )
            }
        }
    }

    /// ": at `s` with owed = 1 it can do `put(0)`", after these steps of the run.
    fn instead(&self, steps: &[TraceStep]) -> String {
        let (Property::Refinement(refinement), Some(source)) =
            (&self.named.property, &self.named.monitor)
        else {
            return String::new();
        };
        let standing = Standing::after(refinement, self.about, source, steps, self.on_the_way);
        standing.map_or_else(String::new, |standing| format!(": {}", standing.sentence()))
    }

    fn of_formula(&self, violation: Violation) -> String {
        let formula = self.formula(violation);
        match violation {
            Violation::Reject => format!(
                "{} it is decided that this run does not satisfy {formula}, however it goes on",
                from(self.trace.steps().len())
            ),
            _ if self.trace.cycle().is_empty() => format!(
                "a run ends {}, its last state is read as repeating for ever, and this run does not \
                 satisfy {formula}",
                self.after()
            ),
            _ => format!(
                "{}, and this run does not satisfy {formula}",
                round(self.trace)
            ),
        }
    }

    /// "the formula", or which parts of it the run breaks.
    fn formula(&self, violation: Violation) -> String {
        let broken = broken(
            &self.named.parts,
            violation,
            self.trace,
            self.about.system,
            self.on_the_way,
        );
        match broken {
            None => "the formula".to_owned(),
            Some(Broken { first, others: 0 }) => format!("the formula's part {}", first.text),
            Some(Broken { first, others }) => {
                let others = counted(others, "other part");
                format!("the formula's part {} (nor {others})", first.text)
            }
        }
    }

    fn of_automaton(&self, violation: Violation) -> String {
        match violation {
            Violation::Reject => format!(
                "the automaton is in its reject state {} {}",
                self.at(),
                self.after()
            ),
            Violation::Deadlock => format!(
                "the run ends {} while the automaton is in its deadlock state {}",
                self.after(),
                self.at()
            ),
            Violation::Livelock => format!(
                "{}, on which nothing changes that the automaton observes, while it is in its \
                 livelock state {}",
                round(self.trace),
                self.at()
            ),
            Violation::Infinite => {
                let marked = |state: u32| match self.named.property.asked() {
                    Property::Buchi(buchi) => {
                        let state = buchi.states.get(state as usize);
                        state.is_some_and(|state| state.infinite)
                    }
                    Property::Testing(testing) => {
                        let state = testing.states.get(state as usize);
                        state.is_some_and(|state| state.infinite)
                    }
                    _ => false,
                };
                format!(
                    "{}, and the accepting state {} is met again and again",
                    round(self.trace),
                    self.on_cycle(marked)
                )
            }
        }
    }

    fn after(&self) -> String {
        after(self.trace.steps().len())
    }

    /// The monitor's state after the steps.
    fn at(&self) -> String {
        match &self.monitor {
            Some(monitor) => format!("`{}`", monitor.after(self.trace.steps().len())),
            None => String::new(),
        }
    }

    /// The first of the monitor's states on the cycle that is marked.
    fn on_cycle(&self, marked: impl Fn(u32) -> bool) -> String {
        let before = self.trace.steps().len();
        let run = self.trace.monitor();
        let is_marked = |at: &usize| {
            let state = run.and_then(|run| match at.checked_sub(1) {
                Some(at) => run.moves.get(at).map(|one| &one.after),
                None => Some(&run.start),
            });
            state.is_some_and(|state| state.iter().any(|one| marked(*one)))
        };
        let at = (before..before + self.trace.cycle().len()).find(is_marked);
        match &self.monitor {
            Some(monitor) => format!("`{}`", monitor.after(at.unwrap_or(before))),
            None => String::new(),
        }
    }

    /// `queue` of `refines queue in traces`.
    fn specification(&self) -> String {
        let name = &*self.named.name;
        let name = name.strip_prefix("refines ").unwrap_or(name);
        let name = name.split_once(" in ").map_or(name, |(name, _)| name);
        format!("`{name}`")
    }

    /// Of a step that the specification sees.
    fn action(&self, step: &TraceStep) -> Option<String> {
        let (action, values) = step.action.as_ref()?;
        let visible = &self.alphabet()?;
        visible
            .iter()
            .any(|pattern| is_of(pattern, *action, values))
            .then(|| self.about.map.action(*action, values))
    }

    fn alphabet(&self) -> Option<&[ActionPattern]> {
        match &self.named.property {
            Property::Refinement(refinement) => Some(&refinement.specification.alphabet),
            _ => None,
        }
    }

    /// The actions for which the tester has a step where the run ends, and none of which can happen.
    fn offered(&self, tester: &Tester) -> String {
        let run = self.trace.monitor();
        let last = run.map(|run| {
            let taken = self.trace.steps().len().checked_sub(1);
            let taken = taken.and_then(|at| run.moves.get(at));
            taken.map_or(&run.start, |taken| &taken.after)
        });
        let state = last
            .and_then(|state| state.first())
            .and_then(|state| tester.states.get(*state as usize));
        let mut names: Vec<String> = Vec::new();
        for on in state
            .iter()
            .flat_map(|state| &state.steps)
            .filter_map(|step| step.on.as_ref())
        {
            let name = format!("`{}`", self.about.map.action_pattern(on));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        shortened(names)
    }

    /// What the system can do where the run ends.
    fn offers(&self) -> String {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for occurrence in steps(self.about.system, self.trace.last()) {
            if let Some((action, values)) = &occurrence.action {
                names.insert(format!("`{}`", self.about.map.action(*action, values)));
            }
        }
        shortened(names.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_actions_are_named_and_the_others_counted() {
        let told = |count: usize| shortened((1..=count).map(|at| at.to_string()).collect());
        assert_eq!(
            [5, 6, 7].map(told),
            [
                "1, 2, 3, 4, 5",
                "1, 2, 3, 4, 5, 6",
                "1, 2, 3, 4, 5, 6, and 1 more"
            ]
        );
    }
}
