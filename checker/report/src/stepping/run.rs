//! A run, and a place on it from which one may go on or back.

use std::num::NonZeroUsize;
use std::sync::Arc;

use stubborn_engine::interpreter::first_steps;
use stubborn_engine::{Change, State, Trace, TraceStep, changes};
use stubborn_model::NamedProperty;
use stubborn_system::property::Property;
use stubborn_system::source::Span;
use stubborn_system::system::InstanceId;

use super::chance::Chance;
use super::conditions::{Condition, Truth, Turned};
use super::model::Stepped;
use crate::monitor::Beside;
use crate::{failure, grouped, waits};

/// A run that is stood on.
#[derive(Clone, Debug)]
pub struct Run {
    model: Arc<Stepped>,
    given: Option<Given>,
    now: State,
    /// How the model's conditions stand here.
    truths: Vec<Truth>,
    taken: Vec<Taken>,
}

/// A run that is made up has no more steps.
pub const LONGEST: usize = 100_000;

/// A run that is gone along, not made up.
#[derive(Clone, Debug)]
pub struct Given {
    pub trace: Arc<Trace>,
    /// The property that it violates, whose monitor, if it has one, watches the run.
    pub property: Option<NamedProperty>,
}

impl Given {
    /// The tester, the automaton or the specification that watches the run, if one does.
    pub(super) fn monitor(&self) -> Option<Beside<'_>> {
        Beside::new(self.property.as_ref()?, &self.trace)
    }
}

/// Somebody who takes part in steps of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Instance(InstanceId),
    /// What watches a given run.
    Monitor,
}

/// A step that was taken.
#[derive(Clone, Debug)]
struct Taken {
    /// Unless it is one of the given run.
    step: Option<TraceStep>,
    /// What leads back.
    back: Vec<Change>,
}

/// What can be taken in a state.
#[derive(Clone, Debug, Default)]
pub struct Enabled {
    pub steps: Vec<TraceStep>,
    /// There are more than these.
    pub are_more: bool,
}

/// Of a deadlock so many are told who wait.
const MOST_WAITING: usize = 12;

/// Why a run does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The last step has failed, for this reason.
    Failed(String),
    /// No step can be taken, and everybody is where it is right to stay, or the model allows it.
    Terminal,
    /// No step can be taken: who waits for what.
    Deadlock(String),
    /// The run that is gone along has no more steps.
    RunEnds,
}

impl Run {
    /// A run that is made up on the way, before its first step.
    pub fn new(model: Arc<Stepped>) -> Run {
        let now = State::initial(&model.system);
        Run {
            truths: model.truths(&now),
            now,
            model,
            given: None,
            taken: Vec::new(),
        }
    }

    /// A run of the model that is gone along. After the last step of its cycle comes the first one again.
    pub fn along(model: Arc<Stepped>, given: Given) -> Run {
        debug_assert_eq!(
            stubborn_engine::interpreter::replay(&model.system, &without_own_moves(&given.trace)),
            Ok(()),
            "what is gone along is a run of the model"
        );
        Run {
            given: Some(given),
            ..Run::new(model)
        }
    }

    pub fn model(&self) -> &Arc<Stepped> {
        &self.model
    }

    pub fn given(&self) -> Option<&Given> {
        self.given.as_ref()
    }

    /// The state after all steps that were taken.
    pub fn state(&self) -> &State {
        &self.now
    }

    /// How many steps were taken.
    pub fn len(&self) -> usize {
        self.taken.len()
    }

    pub fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    /// The step that was taken last, and the state before it.
    pub fn last(&self) -> Option<(State, &TraceStep)> {
        let Taken { back, .. } = self.taken.last()?;
        let mut before = self.now.clone();
        before.apply(back);
        Some((before, self.last_step()?))
    }

    fn last_step(&self) -> Option<&TraceStep> {
        match &self.taken.last()?.step {
            Some(step) => Some(step),
            None => self.given_step(self.taken.len() - 1),
        }
    }

    /// The number of the given run's step that comes after `taken` ones, from 0 and counted on through its cycle once.
    pub fn number(&self, taken: usize) -> usize {
        let Some(Given { trace, .. }) = &self.given else {
            return taken;
        };
        let (steps, cycle) = (trace.steps().len(), trace.cycle().len());
        match taken.checked_sub(steps) {
            Some(on_cycle) if cycle > 0 => steps + on_cycle % cycle,
            _ => taken,
        }
    }

    /// How often the cycle of the given run has been gone round; nothing where it has none, or is not reached yet.
    pub fn rounds(&self) -> Option<usize> {
        let Given { trace, .. } = self.given.as_ref()?;
        let on_cycle = self.len().checked_sub(trace.steps().len())?;
        on_cycle.checked_div(trace.cycle().len())
    }

    /// Whether it is where the cycle of the given run begins.
    pub fn is_where_cycle_begins(&self) -> bool {
        self.given.as_ref().is_some_and(|given| {
            !given.trace.cycle().is_empty() && self.number(self.len()) == given.trace.steps().len()
        })
    }

    /// The step of the given run that comes next.
    pub fn next_given(&self) -> Option<&TraceStep> {
        self.given_step(self.len())
    }

    fn given_step(&self, taken: usize) -> Option<&TraceStep> {
        let Given { trace, .. } = self.given.as_ref()?;
        let number = self.number(taken);
        match number.checked_sub(trace.steps().len()) {
            Some(on_cycle) => trace.cycle().get(on_cycle),
            None => trace.steps().get(number),
        }
    }

    /// Whether the given run has an end, and does not go round for ever.
    pub fn goes_to_end(&self) -> bool {
        self.given
            .as_ref()
            .is_none_or(|given| given.trace.cycle().is_empty())
    }

    /// Whether somebody takes part in the step of the given run that comes after `taken` ones.
    pub fn takes_part(&self, who: Who, taken: usize) -> bool {
        match who {
            Who::Instance(who) => self
                .given_step(taken)
                .is_some_and(|step| has_part(step, who)),
            Who::Monitor => self.given.as_ref().is_some_and(|given| {
                let monitor = given.monitor();
                monitor.is_some_and(|one| one.takes_part(self.number(taken)))
            }),
        }
    }

    /// The text of the step that what watches a given run takes, where it takes part in the one after so many.
    pub fn step_of_monitor(&self, taken: usize) -> Option<Span> {
        let monitor = self.given.as_ref()?.monitor()?;
        monitor.step_at(self.number(taken))
    }

    /// What can be taken here, `most` steps at most: what comes next of a run that is given; nothing after a step that
    /// has failed.
    pub fn enabled(&self, most: usize) -> Enabled {
        if self.given.is_some() {
            return Enabled {
                steps: self.next_given().cloned().into_iter().collect(),
                are_more: false,
            };
        }
        if self.failure().is_some() {
            return Enabled::default();
        }
        let (steps, are_more) = first_steps(&self.model.system, &self.now, most);
        Enabled {
            steps: steps.iter().map(|one| one.taken(&self.now)).collect(),
            are_more,
        }
    }

    /// Whether the run is made up, and as long as such a run may be.
    pub fn is_at_limit(&self) -> bool {
        self.given.is_none() && self.len() >= LONGEST
    }

    /// Draws one of the first `most` steps that can be taken here, among those in which `who` takes part.
    pub fn draw(
        &self,
        chance: &mut Chance,
        most: usize,
        who: Option<InstanceId>,
    ) -> Option<TraceStep> {
        let mut steps = self.enabled(most).steps;
        steps.retain(|step| who.is_none_or(|who| has_part(step, who)));
        let count = NonZeroUsize::new(steps.len())?;
        Some(steps.swap_remove(chance.below(count)))
    }

    /// The model's conditions, each with how it stands here.
    pub fn conditions(&self) -> impl Iterator<Item = (Condition<'_>, &Truth)> {
        self.model.conditions().zip(&self.truths)
    }

    /// Compares how the conditions stand here with how they stood, and returns those that have turned.
    fn turned(&mut self) -> Vec<Turned> {
        let now = self.model.truths(&self.now);
        let before = std::mem::replace(&mut self.truths, now);
        let all = self.conditions().zip(&before);
        all.filter(|((_, now), before)| now != before)
            .map(|((one, now), _)| one.standing(now))
            .collect()
    }

    /// Takes a step that can be taken here, and returns the conditions that turn. Costs time for what it changes, for a copy
    /// of the state, and for the conditions.
    pub fn take(&mut self, step: TraceStep) -> Vec<Turned> {
        let mut after = self.now.clone();
        after.apply(&step.changes);
        let back = changes(&after, &self.now);
        self.now = after;
        debug_assert!(self.given.is_none() || self.next_given() == Some(&step));
        let step = self.given.is_none().then_some(step);
        self.taken.push(Taken { step, back });
        self.turned()
    }

    /// Takes the last step back, and returns the conditions that turn; `None` at the start.
    pub fn back(&mut self) -> Option<Vec<Turned>> {
        let Taken { back, .. } = self.taken.pop()?;
        self.now.apply(&back);
        Some(self.turned())
    }

    /// Goes back to the beginning.
    pub fn restart(&mut self) {
        self.taken.clear();
        self.now = State::initial(&self.model.system);
        self.truths = self.model.truths(&self.now);
    }

    /// Why the last step has failed.
    pub fn failure(&self) -> Option<String> {
        self.last_step()?.failure.as_ref().map(failure)
    }

    /// Why nothing comes next, where that is so.
    pub fn end(&self) -> Option<End> {
        if let Some(why) = self.failure() {
            return Some(End::Failed(why));
        }
        if self.given.is_some() && self.next_given().is_some() {
            return None;
        }
        if !first_steps(&self.model.system, &self.now, 1).0.is_empty() {
            return self.given.is_some().then_some(End::RunEnds);
        }
        let waiting = waits(self.model.about(), &self.now);
        if waiting.is_empty() || self.allows_deadlock() {
            return Some(End::Terminal);
        }
        let told = waiting.iter().take(MOST_WAITING).map(|one| one.sentence());
        let mut told: Vec<String> = told.collect();
        if let more @ 1.. = waiting.len() - told.len() {
            told.push(format!("and {} more", grouped(more as u64)));
        }
        Some(End::Deadlock(told.join("; ")))
    }

    /// Whether the model does not mind that some are stuck here.
    fn allows_deadlock(&self) -> bool {
        let asked = self
            .model
            .properties
            .iter()
            .find_map(|one| match &one.property {
                Property::Deadlock { allowed } => Some(allowed),
                _ => None,
            });
        match asked {
            None => true,
            Some(None) => false,
            Some(Some(allowed)) => {
                let system = &self.model.system;
                stubborn_engine::interpreter::holds(system, &self.now, allowed) == Ok(true)
            }
        }
    }
}

/// Whether an instance takes part in a step.
pub fn has_part(step: &TraceStep, who: InstanceId) -> bool {
    step.participants.iter().any(|(one, _)| *one == who)
}

/// The run without the steps that are a monitor's alone, which no system has.
fn without_own_moves(trace: &Trace) -> Trace {
    let of_system = |steps: &[TraceStep]| {
        let steps = steps.iter().filter(|step| !step.participants.is_empty());
        steps.cloned().collect()
    };
    Trace::new(
        trace.start().clone(),
        of_system(trace.steps()),
        of_system(trace.cycle()),
    )
}

impl End {
    /// It in few words.
    pub fn name(&self) -> &'static str {
        match self {
            End::Failed(_) => "a step has failed",
            End::Terminal | End::RunEnds => "the run ends",
            End::Deadlock(_) => "deadlock",
        }
    }

    /// It as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            End::Failed(why) => format!("the step has failed: {why}"),
            End::Terminal => {
                "the run has come to its end: no step can be taken, and that is right here"
                    .to_owned()
            }
            End::Deadlock(why) => format!("deadlock: no step can be taken; {why}"),
            End::RunEnds => "the run ends here".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use proptest::prelude::*;
    use stubborn_engine::interpreter::steps;

    use super::super::chance::Chance;
    use super::super::fixture::stepped;
    use super::*;

    const MODEL: &str = "\
type Id = 0..1
var turn: Id
var gate: array[Id] of 0..2
channel c: queue[2] of Id
action meet(Id)
process p(i in Id) {
    var j: 0..3
    loop {
        either { gate[i] = (gate[i] + 1) % 3 } or { send c(i) } or { on meet(*) do j = 1 } or { assert j == 0 }
    }
}
process taker { var k: Id loop { receive c(?k) turn = k } }
";

    proptest! {
        #[test]
        fn every_step_leads_where_the_interpreter_says_and_back_again(seed: u64, steps_taken in 1_usize..60) {
            let model = Arc::new(stepped(MODEL));
            let mut chance = Chance::new(seed);
            let mut run = Run::new(model.clone());
            let mut met = vec![run.state().clone()];
            for _ in 0..steps_taken {
                let enabled = run.enabled(1_000);
                let Some(count) = NonZeroUsize::new(enabled.steps.len()) else { break };
                let at = chance.below(count);
                let expected = &steps(&model.system, run.state())[at];
                run.take(enabled.steps[at].clone());
                match &expected.outcome {
                    Ok(after) => prop_assert_eq!(run.state(), after),
                    Err(_) => {
                        prop_assert_eq!(Some(run.state()), met.last());
                        prop_assert!(matches!(run.end(), Some(End::Failed(_))));
                        prop_assert!(run.enabled(10).steps.is_empty());
                    }
                }
                met.push(run.state().clone());
            }
            for state in met.iter().rev() {
                prop_assert_eq!(run.state(), state);
                prop_assert_eq!(run.last().map(|(before, _)| before), run.len().checked_sub(1).map(|at| met[at].clone()));
                run.back();
            }
            prop_assert!(run.back().is_none());
        }
    }

    #[test]
    fn a_cycle_goes_round() {
        let model = Arc::new(stepped(
            "var x: 0..3\nprocess p { x = 1 loop { x = 2 x = 3 } }\n",
        ));
        let mut made = Run::new(model.clone());
        for _ in 0..3 {
            let step = made.enabled(1).steps.remove(0);
            made.take(step);
        }
        let mut taken = made
            .taken
            .iter()
            .filter_map(|one| one.step.clone())
            .collect::<Vec<_>>();
        let back_to_two = made.enabled(1).steps.remove(0);
        // x = 1, x = 2; then round: x = 3, x = 2.
        let cycle = vec![taken.pop().expect("three"), back_to_two];
        let trace = Arc::new(Trace::new(State::initial(&model.system), taken, cycle));
        let given = Given {
            trace,
            property: None,
        };
        let mut run = Run::along(model, given);
        let mut met = Vec::new();
        for _ in 0..7 {
            met.push((
                run.number(run.len()),
                run.rounds(),
                run.is_where_cycle_begins(),
            ));
            let step = run.next_given().expect("it goes on for ever").clone();
            run.take(step);
        }
        assert_eq!(
            met,
            [
                (0, None, false),
                (1, None, false),
                (2, Some(0), true),
                (3, Some(0), false),
                (2, Some(1), true),
                (3, Some(1), false),
                (2, Some(2), true)
            ]
        );
        assert_eq!(run.end(), None);
        run.restart();
        assert_eq!((run.len(), run.state().shared.len()), (0, 1));
    }

    #[test]
    fn where_nothing_can_be_taken_it_is_said_why() {
        let end = |text: &str| {
            let mut run = Run::new(Arc::new(stepped(text)));
            while let Some(step) = run.enabled(1).steps.pop() {
                run.take(step);
            }
            run.end().expect("it has come to its end")
        };
        assert_eq!(end("process p { skip }\n"), End::Terminal);
        let stuck = "var x: bool\nprocess p { await x }\n";
        assert_eq!(
            end(stuck).sentence(),
            "deadlock: no step can be taken; p at line 2 waits for `x`"
        );
        assert_eq!(end(&format!("{stuck}deadlock ignored\n")), End::Terminal);
        assert_eq!(
            end(&format!("{stuck}deadlock allowed when not x\n")),
            End::Terminal
        );
        assert!(matches!(
            end(&format!("{stuck}deadlock allowed when x\n")),
            End::Deadlock(_)
        ));
        assert_eq!(
            end("process p { assert false }\n").sentence(),
            "the step has failed: an assertion is false"
        );
    }
}
