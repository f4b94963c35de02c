//! A tester beside a run (Valmari 1993, Def. 3.1).

use stubborn_system::property::{Tester, TesterStep};
use stubborn_system::system::{ActionId, ActionPattern, System};

use crate::interpreter::steps;
use crate::monitored::witness::{Monitor, Move};
use crate::search::Marks;
use crate::trace::{MonitorState, Trace};

pub struct TesterBeside<'a> {
    system: &'a System,
    tester: &'a Tester,
    trace: &'a Trace,
    /// Of a canonical tester, what its states are shown as.
    shown: Option<&'a [Vec<u32>]>,
}

type Event<'a> = (ActionId, &'a [i64]);

impl<'a> TesterBeside<'a> {
    pub fn new(
        system: &'a System,
        tester: &'a Tester,
        trace: &'a Trace,
        shown: Option<&'a [Vec<u32>]>,
    ) -> TesterBeside<'a> {
        TesterBeside {
            system,
            tester,
            trace,
            shown,
        }
    }

    fn event(&self, step: usize) -> Option<Event<'a>> {
        let all = self.trace.all_steps();
        let (action, values) = all.clone().nth(step)?.action.as_ref()?;
        Some((*action, values))
    }

    fn is_visible(&self, event: Event<'_>) -> bool {
        let mut patterns = self.tester.patterns();
        patterns.any(|pattern| stands_for(pattern, event))
    }

    fn steps(&self, at: u32) -> impl Iterator<Item = (u32, &'a TesterStep)> {
        (0..).zip(&self.tester.states[at as usize].steps)
    }
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
            Some(event) if self.is_visible(event) => self
                .steps(at)
                .filter(|(_, step)| step.on.as_ref().is_some_and(|on| stands_for(on, event)))
                .map(|(number, step)| Move {
                    to: step.target,
                    takes_part: true,
                    step: self.shown.is_none().then_some(number),
                })
                .collect(),
            _ => vec![Move {
                to: at,
                takes_part: false,
                step: None,
            }],
        }
    }

    fn own_moves(&self, at: u32) -> Vec<Move> {
        self.steps(at)
            .filter(|(_, step)| step.on.is_none())
            .map(|(number, step)| Move {
                to: step.target,
                takes_part: true,
                step: self.shown.is_none().then_some(number),
            })
            .collect()
    }

    fn marks(&self, at: u32) -> Marks {
        let state = &self.tester.states[at as usize];
        Marks {
            reject: state.reject,
            deadlock: state.deadlock,
            livelock: state.livelock,
            infinite: state.infinite,
        }
    }

    fn is_visible(&self, step: usize) -> bool {
        self.event(step).is_some_and(|event| self.is_visible(event))
    }

    /// Every step of the system, failing ones too, is an action that the tester sees and has no step
    /// for; and the tester has no move of its own.
    fn ends(&self, at: u32) -> bool {
        let all = steps(self.system, self.trace.last());
        let is_blocked = |action: &Option<(ActionId, Vec<i64>)>| {
            action.as_ref().is_some_and(|(action, values)| {
                let event = (*action, values.as_slice());
                let mut own = self.steps(at);
                self.is_visible(event)
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
