//! A tester beside a run (Valmari 1993, Def. 3.1).

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_system::property::{Tester, TesterStep};
use stubborn_system::system::{ActionId, ActionPattern, System};

use crate::interpreter::steps;
use crate::monitored::product::tester::marks_of;
use crate::monitored::witness::{Monitor, Move};
use crate::runs::no_trace::{NoTrace, Poll, polled};
use crate::search::Marks;
use crate::trace::{MonitorState, Trace, TraceStep};

pub struct TesterBeside<'a> {
    system: &'a System,
    tester: &'a Tester,
    trace: &'a Trace,
    /// Of a canonical tester, what its states are shown as.
    shown: Option<&'a [Vec<u32>]>,
    /// What the tester names, each once.
    patterns: FxHashMap<ActionId, Vec<&'a ActionPattern>>,
    /// Of each step of the trace, whether the tester sees it: the tester may come by it in all of its
    /// states.
    visible: Vec<bool>,
}

type Event<'a> = (ActionId, &'a [i64]);

impl<'a> TesterBeside<'a> {
    /// # Errors
    /// Where a limit is reached.
    pub fn new(
        system: &'a System,
        tester: &'a Tester,
        trace: &'a Trace,
        shown: Option<&'a [Vec<u32>]>,
        poll: Poll<'_>,
    ) -> Result<TesterBeside<'a>, NoTrace> {
        let mut patterns: FxHashMap<ActionId, Vec<&ActionPattern>> = FxHashMap::default();
        let mut known = FxHashSet::default();
        for pattern in tester.patterns() {
            if known.insert(pattern) {
                patterns.entry(pattern.action).or_default().push(pattern);
            }
        }
        let mut beside = TesterBeside {
            system,
            tester,
            trace,
            shown,
            patterns,
            visible: Vec::new(),
        };
        let held = trace.bytes();
        for step in trace.all_steps() {
            polled(poll, held + beside.visible.len() as u64)?;
            let is_visible = event(step).is_some_and(|event| beside.sees(event));
            beside.visible.push(is_visible);
        }
        Ok(beside)
    }

    fn event(&self, step: usize) -> Option<Event<'a>> {
        event(self.trace.all_steps().nth(step)?)
    }

    fn sees(&self, event: Event<'_>) -> bool {
        let patterns = self.patterns.get(&event.0).into_iter().flatten();
        patterns.copied().any(|pattern| stands_for(pattern, event))
    }

    /// The move by a step of the tester.
    fn made(&self, (number, step): (u32, &TesterStep)) -> Move {
        Move {
            step: self.shown.is_none().then_some(number),
            ..Move::to(step.target)
        }
    }

    fn steps(&self, at: u32) -> impl Iterator<Item = (u32, &'a TesterStep)> {
        (0..).zip(&self.tester.states[at as usize].steps)
    }
}

fn event(step: &TraceStep) -> Option<Event<'_>> {
    let (action, values) = step.action.as_ref()?;
    Some((*action, values))
}

fn stands_for(pattern: &ActionPattern, (action, values): Event<'_>) -> bool {
    let mut pairs = pattern.arguments.iter().zip(values);
    pattern.action == action && pairs.all(|(wanted, value)| wanted.is_none_or(|w| w == *value))
}

impl Monitor for TesterBeside<'_> {
    fn begins(&self) -> Vec<u32> {
        vec![self.tester.initial]
    }

    fn moves(&self, at: u32, step: usize) -> Vec<Move> {
        match self.event(step) {
            Some(event) if self.visible[step] => self
                .steps(at)
                .filter(|(_, step)| step.on.as_ref().is_some_and(|on| stands_for(on, event)))
                .map(|step| self.made(step))
                .collect(),
            _ => vec![Move::none(at)],
        }
    }

    fn own_moves(&self, at: u32) -> Vec<Move> {
        self.steps(at)
            .filter(|(_, step)| step.on.is_none())
            .map(|step| self.made(step))
            .collect()
    }

    fn marks(&self, at: u32) -> Marks {
        marks_of(&self.tester.states[at as usize])
    }

    fn is_visible(&self, step: usize) -> bool {
        self.visible[step]
    }

    /// Every step of the system, failing ones too, is an action that the tester sees and has no step
    /// for; and the tester has no move of its own.
    fn ends(&self, at: u32) -> bool {
        let all = steps(self.system, self.trace.last());
        let is_blocked = |action: &Option<(ActionId, Vec<i64>)>| {
            action.as_ref().is_some_and(|(action, values)| {
                let event = (*action, values.as_slice());
                let mut own = self.steps(at);
                self.sees(event)
                    && !own.any(|(_, s)| s.on.as_ref().is_some_and(|on| stands_for(on, event)))
            })
        };
        self.own_moves(at).is_empty() && all.iter().all(|step| is_blocked(&step.action))
    }

    fn shown(&self, at: u32) -> MonitorState {
        match self.shown {
            Some(shown) => shown[at as usize].clone(),
            None => vec![at],
        }
    }
}
