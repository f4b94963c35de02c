//! The labelled transition system of a specification: all its states, written out.

use std::ops::ControlFlow;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use stubborn_automata::{NotMade, Stopped, Work};
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId, System};

use super::events::{EventId, Events};
use crate::interpreter;
use crate::packed::Packed;
use crate::state::State;
use crate::successors::{Label, Polled, Successors, Wanted};
use crate::verdict::Reason;

/// How many states a specification may have.
pub const MOST_STATES: u64 = 100_000;

/// How many transitions its states may have together.
pub const MOST_TRANSITIONS: usize = 5_000_000;

/// How often 1024 values may be tried that give no step.
const MOST_PULSES: u32 = 50_000;

/// About what finding a state again takes, beside its words.
const BYTES_TO_FIND: usize = 48;

/// A process without data (Valmari 1993, Def. 2.1). Its own steps and those of events that never
/// occur in the model are what they are for the specification alone; transitions of the latter are
/// left out, since nothing is ever compared with what comes after them.
///
/// A step that fails is a step of its state that leads nowhere (`language.md` §4). So no trace goes
/// through it; a state with a failing step of its own is not stable; and what a state cannot refuse
/// has the events of its failing joint steps, an argument that fails matching every value. This is
/// how a failing step behaves in parallel with a tester, which thus does not find fault with the
/// specification itself.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    /// State 0 is the initial one.
    pub states: Vec<LtsState>,
}

#[derive(Clone, Debug, Default)]
pub struct LtsState {
    /// Where the specification is.
    pub location: u32,
    /// Where its own moves lead, ascending.
    pub own: Vec<u32>,
    /// Ascending; events that occur in the model alone.
    pub next: Vec<(EventId, u32)>,
    /// The visible part of `next(s)` of Def. 2.4, ascending: what it cannot refuse, if it is stable.
    pub offers: Vec<EventId>,
    /// It has no step of its own, failing or not.
    pub is_stable: bool,
}

impl Lts {
    /// Explores the specification, a System with a single instance.
    ///
    /// # Errors
    /// Where it has more states or transitions than are allowed, or the work has been stopped.
    pub fn new(
        alone: &System,
        events: &Events,
        most: u64,
        most_transitions: usize,
        work: &Work<'_>,
    ) -> Result<Lts, NotMade<Reason>> {
        let too_large = || NotMade::TooLarge(Reason::MonitorTooLarge(most));
        let packed = Packed::new(alone).map_err(|_| too_large())?;
        let bytes_of_state = 8 * packed.words() + std::mem::size_of::<LtsState>() + BYTES_TO_FIND;
        let mut exploration = Exploration {
            events,
            work,
            is_stopped: false,
            most,
            most_transitions,
            found: IndexSet::default(),
            here: LtsState::default(),
            failing: Vec::new(),
            transitions: 0,
            pulses: 0,
        };
        exploration.number(packed.initial());
        let mut scratch = packed.scratch();
        let mut lts = Lts::default();
        while let Some(words) = exploration.found.get_index(lts.states.len()) {
            let words = words.clone();
            exploration.here = LtsState {
                location: packed.location(&words, 0),
                is_stable: true,
                ..LtsState::default()
            };
            let mut visitor = Polled(Wanted::All, |step| match step {
                Some((label, outcome)) => exploration.step(label, outcome),
                None => exploration.pulse(),
            });
            let flow = packed.visit(&words, &mut scratch, &mut visitor);
            if exploration.is_stopped {
                return Err(Stopped.into());
            }
            if flow.is_break() || exploration.found.len() as u64 > most {
                return Err(too_large());
            }
            work.hold(bytes_of_state * exploration.found.len() + 12 * exploration.transitions)?;
            let failing = std::mem::take(&mut exploration.failing);
            if !failing.is_empty() {
                let state = packed.unpack(&words);
                for (participants, action) in failing {
                    work.spend(10 * events.list.len())?;
                    exploration.offer_failing(alone, &state, &participants, action);
                }
                if exploration.transitions > most_transitions {
                    return Err(too_large());
                }
            }
            let mut here = std::mem::take(&mut exploration.here);
            here.own.sort_unstable();
            here.own.dedup();
            here.next.sort_unstable();
            here.next.dedup();
            here.offers.sort_unstable();
            here.offers.dedup();
            lts.states.push(here);
        }
        Ok(lts)
    }

    /// For each state whether it can run by its own moves for ever.
    pub fn divergent(&self) -> Vec<bool> {
        // Whatever can go on for ever among finitely many states can go on to others that can:
        // taking away those that cannot go on, again and again, leaves these.
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        let mut ways: Vec<usize> = Vec::with_capacity(self.states.len());
        let mut ended: Vec<u32> = Vec::new();
        for (number, state) in (0..).zip(&self.states) {
            for to in &state.own {
                before[*to as usize].push(number);
            }
            ways.push(state.own.len());
            if state.own.is_empty() {
                ended.push(number);
            }
        }
        let mut diverges = vec![true; self.states.len()];
        while let Some(state) = ended.pop() {
            diverges[state as usize] = false;
            for from in &before[state as usize] {
                let ways = &mut ways[*from as usize];
                *ways -= 1;
                if *ways == 0 {
                    ended.push(*from);
                }
            }
        }
        diverges
    }
}

/// A failing joint step.
type Failing = (Vec<(InstanceId, StepId)>, ActionId);

struct Exploration<'a> {
    events: &'a Events,
    work: &'a Work<'a>,
    is_stopped: bool,
    /// How many states there may be.
    most: u64,
    most_transitions: usize,
    found: IndexSet<Box<[u64]>, FxBuildHasher>,
    /// The state whose steps are being given.
    here: LtsState,
    failing: Vec<Failing>,
    transitions: usize,
    pulses: u32,
}

impl Exploration<'_> {
    fn spend(&mut self, operations: usize) -> ControlFlow<()> {
        if self.work.spend(operations).is_err() {
            self.is_stopped = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn number(&mut self, state: &[u64]) -> u32 {
        let known = self.found.get_index_of(state);
        known.unwrap_or_else(|| self.found.insert_full(state.into()).0) as u32
    }

    /// Offers every event for which the step fails, or could be taken.
    fn offer_failing(
        &mut self,
        alone: &System,
        state: &State,
        participants: &[(InstanceId, StepId)],
        action: ActionId,
    ) {
        for (event, (other, values)) in (0..).zip(&self.events.list) {
            if *other != action {
                continue;
            }
            self.transitions += 1;
            let action = Some((action, &**values));
            let flow = interpreter::visit_one(alone, state, participants, action, &mut |_| {
                ControlFlow::Break(())
            });
            if flow.is_break() {
                self.here.offers.push(event);
            }
        }
    }

    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.spend(10)?;
        self.transitions += 1;
        let states = self.found.len() as u64;
        if self.transitions > self.most_transitions || states > self.most {
            return ControlFlow::Break(());
        }
        match (label.action, outcome) {
            (None, Ok(state)) => {
                self.here.is_stable = false;
                let to = self.number(state);
                if self.here.own.last() != Some(&to) {
                    self.here.own.push(to);
                }
            }
            (None, Err(_)) => self.here.is_stable = false,
            (Some((action, values)), Ok(state)) => {
                // All that a process does is in its alphabet.
                if let Some(event) = self.events.find(action, values) {
                    self.here.offers.push(event);
                    if self.events.occurs[event as usize] {
                        let to = self.number(state);
                        self.here.next.push((event, to));
                    }
                }
            }
            (Some((action, _)), Err(_)) => {
                let failing = (label.participants.to_vec(), action);
                if !self.failing.contains(&failing) {
                    self.failing.push(failing);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        // So many values have been tried.
        self.spend(1024)?;
        self.pulses += 1;
        if self.pulses > MOST_PULSES {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
