//! Goes through the traces of violations: each step of the system is one, the monitor makes the
//! moves that it is said to make, and the end or the cycle shows what it is said to show.

use stubborn_engine::interpreter::steps;
use stubborn_engine::{MonitorRun, State, Trace, TraceStep, Violation};
use stubborn_system::system::{Expr, System};

use super::process::Process;
use super::space::{Space, valuation};
use stubborn_random::watch::automata::{Buchi, Testing};
use stubborn_random::watch::formula::Formula;
use stubborn_random::watch::marks::Marks;

type Replayed = Result<(), String>;

fn ensure(condition: bool, complaint: impl FnOnce() -> String) -> Replayed {
    if condition { Ok(()) } else { Err(complaint()) }
}

/// A monitor, and what is needed to go along with it.
pub enum Watcher<'a> {
    Tester(&'a Process),
    Buchi(&'a Buchi),
    Testing(&'a Testing),
    Formula(&'a Formula),
}

pub struct Replay<'a> {
    pub system: &'a System,
    pub space: &'a Space,
    /// Of the states of the space; nothing for a tester.
    pub valuations: &'a [u64],
    pub looks: &'a [Expr],
    pub watcher: Watcher<'a>,
}

impl Replay<'_> {
    /// # Errors
    /// Where the trace is not a run that violates the property in this way.
    pub fn shows(&self, violation: Violation, trace: &Trace) -> Replayed {
        self.is_run(trace)?;
        let has_cycle = matches!(violation, Violation::Livelock | Violation::Infinite);
        let is_formula = matches!(self.watcher, Watcher::Formula(_));
        // What a formula becomes may put it either way.
        if !is_formula {
            ensure(trace.cycle().is_empty() != has_cycle, || {
                format!(
                    "{violation:?} with a cycle of {} steps",
                    trace.cycle().len()
                )
            })?;
        }
        match self.watcher {
            Watcher::Formula(formula) => self.falsifies(formula, violation, trace),
            _ => {
                let run = trace.monitor();
                self.watched(violation, trace, run.ok_or("the monitor's run is missing")?)
            }
        }
    }

    /// Each step can be taken, and a cycle closes.
    fn is_run(&self, trace: &Trace) -> Replayed {
        ensure(*trace.start() == State::initial(self.system), || {
            "the trace does not begin in the initial state".into()
        })?;
        let states = trace.states();
        for (at, (step, state)) in trace.all_steps().zip(&states).enumerate() {
            let after = &states[at + 1];
            ensure(step.failure.is_none(), || format!("step {at} fails"))?;
            let is_step = if step.participants.is_empty() {
                let is_tester = matches!(self.watcher, Watcher::Tester(_));
                is_tester && step.action.is_none() && after == state
            } else {
                let mut all = steps(self.system, state).into_iter();
                all.any(|occurrence| {
                    occurrence.participants == step.participants
                        && occurrence.action == step.action
                        && occurrence.outcome.as_ref() == Ok(after)
                })
            };
            ensure(is_step, || format!("step {at} of the trace is none"))?;
        }
        ensure(
            trace.cycle().is_empty() || states.last() == Some(trace.last()),
            || "the cycle of the trace does not close".into(),
        )
    }

    /// The trace's states in the space, with the one it begins in.
    fn numbers(&self, trace: &Trace) -> Result<Vec<u32>, String> {
        let number = |state: &State| {
            let found = self.space.states.iter().position(|known| known == state);
            found
                .map(|n| n as u32)
                .ok_or("a state cannot be reached".to_string())
        };
        trace.states().iter().map(number).collect()
    }

    fn falsifies(&self, formula: &Formula, violation: Violation, trace: &Trace) -> Replayed {
        let numbers = self.numbers(trace)?;
        let of = |number: &u32| self.valuations[*number as usize];
        let mut run: Vec<u64> = numbers.iter().map(of).collect();
        let last = numbers[numbers.len() - 1];
        let back = if trace.cycle().is_empty() {
            // A run that ends; or all that comes after would be wrong too, repeating the last
            // state as well, and something does come after.
            let goes_on = violation == Violation::Reject && self.space.are_on_runs()[last as usize];
            ensure(self.space.ends(last) || goes_on, || {
                format!("{violation:?}: the trace ends where the run does not")
            })?;
            run.len() - 1
        } else {
            // The last state of a cycle is its first again.
            run.pop();
            trace.steps().len()
        };
        ensure(!formula.along(&run, back)[0], || {
            format!("{violation:?}: the trace satisfies the formula")
        })
    }

    fn watched(&self, violation: Violation, trace: &Trace, run: &MonitorRun) -> Replayed {
        let steps: Vec<&TraceStep> = trace.all_steps().collect();
        let states = trace.states();
        ensure(run.moves.len() == steps.len(), || {
            "the monitor has not a move for each step".into()
        })?;
        let valuation = |state: &State| match self.watcher {
            Watcher::Tester(_) => Some(0),
            _ => valuation(self.system, state, self.looks),
        };
        let one = |list: &[u32]| match list {
            [one] if (*one as usize) < self.monitor_states() => Ok(*one),
            _ => Err(format!("{list:?} is no state of the monitor")),
        };
        let mut value = valuation(trace.start()).ok_or("a condition fails")?;
        let mut own = one(&run.start)?;
        ensure(self.begins(own, value), || {
            "the monitor does not begin there".into()
        })?;
        // Before each step: where the monitor is, and whether it sees the step.
        let mut visited = Vec::new();
        for (at, (step, its)) in steps.iter().zip(&run.moves).enumerate() {
            let after = one(&its.after)?;
            let next = valuation(&states[at + 1]).ok_or("a condition fails")?;
            let change = value ^ next;
            let (is_move, seen) = match self.watcher {
                Watcher::Tester(tester) => {
                    let seen = step.participants.is_empty()
                        || step.action.as_ref().is_some_and(|a| tester.is_visible(a));
                    let is_move = if seen {
                        its.step.is_some_and(|number| {
                            tester.can_take(own, number, step.action.as_ref())
                                && tester.steps[own as usize][number as usize].1 == after
                        })
                    } else {
                        its.step.is_none() && own == after
                    };
                    (is_move, seen)
                }
                Watcher::Buchi(buchi) => (buchi.goes(own, after, next), true),
                Watcher::Testing(testing) => {
                    let change = testing.observes(change);
                    (testing.goes(own, after, change), change != 0)
                }
                Watcher::Formula(_) => (true, true),
            };
            ensure(is_move, || format!("move {at} of the monitor is none"))?;
            ensure(its.takes_part == seen, || {
                format!("move {at}: whether the monitor takes part is wrong")
            })?;
            visited.push((own, seen));
            (own, value) = (after, next);
        }
        let begins_cycle = trace.steps().len();
        let at_end = self.marks(own);
        let cycle = &visited[begins_cycle..];
        if let Some((first, _)) = cycle.first() {
            ensure(*first == own, || {
                "the monitor's cycle does not close".into()
            })?;
        }
        let accepting = match (violation, &self.watcher) {
            (Violation::Reject, _) => at_end.reject,
            (Violation::Deadlock, _) => at_end.deadlock && self.ends(trace.last(), own),
            // Of a Büchi automaton it is accepting, whichever way the search has seen it.
            (_, Watcher::Buchi(buchi)) => cycle.iter().any(|(s, _)| buchi.marks(*s).infinite),
            (Violation::Livelock, _) => cycle
                .iter()
                .all(|(state, seen)| self.marks(*state).livelock && !seen),
            (Violation::Infinite, _) => cycle
                .iter()
                .any(|(state, seen)| self.marks(*state).infinite && *seen),
        };
        ensure(accepting, || {
            format!("the trace does not show {violation:?}")
        })
    }

    fn monitor_states(&self) -> usize {
        match self.watcher {
            Watcher::Tester(tester) => tester.marks.len(),
            Watcher::Buchi(buchi) => buchi.states.len(),
            Watcher::Testing(testing) => testing.states.len(),
            Watcher::Formula(_) => 0,
        }
    }

    fn begins(&self, own: u32, valuation: u64) -> bool {
        match self.watcher {
            Watcher::Tester(tester) => tester.initial == own,
            Watcher::Buchi(buchi) => buchi.begins(valuation).any(|s| s == own),
            Watcher::Testing(testing) => testing.begins(valuation).any(|s| s == own),
            Watcher::Formula(_) => true,
        }
    }

    fn marks(&self, own: u32) -> Marks {
        match self.watcher {
            Watcher::Tester(tester) => tester.marks[own as usize],
            Watcher::Buchi(buchi) => buchi.marks(own),
            Watcher::Testing(testing) => testing.marks(own),
            Watcher::Formula(_) => Marks::default(),
        }
    }

    /// Whether the run ends.
    fn ends(&self, state: &State, own: u32) -> bool {
        let found = self.space.states.iter().position(|known| known == state);
        let Some(number) = found.map(|n| n as u32) else {
            return false;
        };
        match self.watcher {
            Watcher::Tester(tester) => tester.leads(self.space, (number, own)).ends,
            _ => self.space.ends(number),
        }
    }
}
