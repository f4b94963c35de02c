//! What a share's states are asked all together, once they are found: see [`backward`](super::backward).

use std::ops::ControlFlow;

use stubborn_space::several::{Asked, Phase, Shown};
use stubborn_space::successors::{Footprints, Label, Visit, Wanted, WorkingMemory};
use stubborn_space::verdict::Reason;
use stubborn_system::system::Failure;

use super::Share;
use super::backward::{Backward, said};
use super::gathers::{Gathers, STATES_AT_ONCE, WORDS_AT_ONCE};
use super::taking::Taking;
use crate::search::meter::{Figures, Meter, Stop};
use crate::search::whole::cycles::Step;

/// Whoever has as many states at one worker has to share them out among more.
const MOST_NUMBERS: u64 = 1 << 31;

/// A question that is being asked.
pub struct Asking {
    asked: Asked,
    own: u32,
    backward: Backward,
    /// The next state whose steps are to be told to those whom they lead to.
    at: u64,
}

impl Asking {
    pub fn bytes(&self) -> u64 {
        self.backward.bytes()
    }

    pub fn waiting(&self) -> u64 {
        self.backward.waiting()
    }
}

fn no_question() -> Stop {
    Stop::Limit(Reason::Internal("nothing was asked".to_owned()))
}

impl<S: Footprints, L: Gathers> Share<'_, '_, S, L> {
    pub(super) fn begins_asking(&mut self, asked: Asked) -> ControlFlow<Stop> {
        self.asking = None;
        let numbers = self.kept.numbers();
        if numbers >= MOST_NUMBERS {
            let reason = self.taking.too_many(MOST_NUMBERS);
            return ControlFlow::Break(Stop::Limit(reason));
        }
        let counts = !asked.is_about_reaching();
        self.taking.account_for(self.kept.bytes())?;
        self.taking.may_hold(Backward::bytes_for(numbers, counts))?;
        self.asking = Some(Asking {
            asked,
            own: self.own,
            backward: Backward::new(self.own, numbers as u32, counts),
            at: 0,
        });
        ControlFlow::Continue(())
    }

    /// Takes the steps of some states again. `told` is told where they lead, and what is to be said there. Whether
    /// there are more.
    pub(super) fn takes_steps_back(
        &mut self,
        told: &mut dyn FnMut(&[u64], u64),
    ) -> ControlFlow<Stop, bool> {
        let Some(asking) = &mut self.asking else {
            return ControlFlow::Break(no_question());
        };
        let numbers = self.kept.numbers();
        let mut words = 0;
        for _ in 0..STATES_AT_ONCE {
            if asking.at >= numbers || words >= WORDS_AT_ONCE {
                break;
            }
            let number = asking.at;
            asking.at += 1;
            if !self.kept.copy(number, &mut self.state) {
                self.taking.measure()?;
                continue;
            }
            let asked = asking.asked;
            let figures = self.taking.figures();
            let Taking { look, meter, .. } = &mut self.taking;
            let stays = asked.is_about_reaching() || look.is_asked(asked, &self.state, false);
            let mut back = Back {
                asked,
                look,
                meter,
                figures,
                from: &self.state,
                source: (asking.own, number as u32),
                told,
                stays,
                steps: 0,
                words: 0,
                stop: None,
            };
            let _ = self.model.visit(&self.state, &mut self.scratch, &mut back);
            let (steps, stop) = (back.steps, back.stop.take());
            words += back.words;
            if let Some(stop) = stop {
                return ControlFlow::Break(stop);
            }
            let is_marked = match asked.is_about_reaching() {
                true => self.taking.look.is_asked(asked, &self.state, steps == 0),
                false => stays,
            };
            if is_marked {
                asking.backward.mark(number as u32);
            }
            self.taking.measure()?;
        }
        self.taking.worked_out = self.scratch.bytes();
        ControlFlow::Continue(asking.at < numbers)
    }

    /// What was told of steps that lead to states of this share: the words of each state, and what was said. Those that
    /// lead to none that was found are passed over: they were left out.
    pub(super) fn takes_told(&mut self, rows: &[u64]) -> ControlFlow<Stop> {
        let words = self.state.len();
        for row in rows.chunks_exact(words + 1) {
            let Some(asking) = &mut self.asking else {
                return ControlFlow::Break(no_question());
            };
            self.taking.measure()?;
            let (state, said) = (&row[..words], row[words]);
            let Some(number) = self.kept.number(state) else {
                continue;
            };
            let more = asking.backward.bytes_to_grow();
            if more > 0 {
                let held = self.kept.bytes() + asking.bytes();
                self.taking.account_for(held)?;
                self.taking.may_hold(more)?;
            }
            if !asking.backward.note(number as u32, said) {
                let reason = self.taking.too_many(u32::MAX.into());
                return ControlFlow::Break(Stop::Limit(reason));
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn backward(&mut self) -> Option<&mut Backward> {
        Some(&mut self.asking.as_mut()?.backward)
    }

    pub(super) fn begins_phase(&mut self, phase: Phase) {
        if let Some(backward) = self.backward() {
            backward.begin(phase);
        }
    }

    /// Whether a state that belongs here is one that the answer is about: from which no goal can be reached, or from which
    /// a cycle can be.
    fn answers(&self, number: u64) -> bool {
        self.asking.as_ref().is_some_and(|asking| {
            let is_marked = asking.backward.is_marked(number as u32);
            is_marked != asking.asked.is_about_reaching()
        })
    }

    pub(super) fn is_answer(&self, state: &[u64]) -> bool {
        let number = self.kept.number(state);
        number.is_some_and(|number| self.answers(number))
    }

    /// How many states the answer is about.
    pub(super) fn answer(&self) -> u64 {
        let Some(asking) = &self.asking else { return 0 };
        let many = asking.backward.many();
        match asking.asked.is_about_reaching() {
            true => self.taking.states.saturating_sub(many),
            false => many,
        }
    }

    /// The nearest state that the answer is about, and of several the least.
    pub(super) fn nearest_answer(&mut self) -> ControlFlow<Stop, Option<Shown>> {
        let mut nearest: Option<(u64, Vec<u64>)> = None;
        let mut state = self.state.clone();
        for number in 0..self.kept.numbers() {
            self.taking.measure()?;
            if !self.answers(number) || !self.kept.copy(number, &mut state) {
                continue;
            }
            let Some(layer) = self.kept.level_of(number) else {
                continue;
            };
            let is_nearer = |(known, other): &(u64, Vec<u64>)| (layer, &state) < (*known, other);
            if nearest.as_ref().is_none_or(is_nearer) {
                nearest = Some((layer, state.clone()));
            }
        }
        ControlFlow::Continue(nearest.map(|(layer, state)| Shown {
            property: 0,
            layer,
            state,
        }))
    }
}

/// Tells where the steps of a state lead.
struct Back<'b, 'm, L> {
    asked: Asked,
    look: &'b mut super::taking::Heard<L>,
    meter: &'b mut Meter<'m>,
    figures: Figures,
    from: &'b [u64],
    /// The worker, and the state's number there.
    source: (u32, u32),
    told: &'b mut dyn FnMut(&[u64], u64),
    /// A run that is looked for may stay in the state.
    stays: bool,
    steps: u64,
    words: usize,
    stop: Option<Stop>,
}

impl<L: Gathers> Visit for Back<'_, '_, L> {
    /// Those too that were left out: where they lead to states that were found they are steps between these, and a
    /// run of them is one of the model.
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.steps += 1;
        if let (Ok(to), true) = (outcome, self.stays) {
            let step = match self.asked.is_about_reaching() {
                true => Step::Wanted,
                false => self.look.step(self.asked, self.from, label, to),
            };
            if step != Step::Forbidden {
                let (worker, number) = self.source;
                (self.told)(to, said(worker, number, step == Step::Wanted));
                self.words += to.len() + 1;
            }
        }
        let figures = self.figures;
        let flow = self.meter.step(|| figures);
        flow.map_break(|stop| self.stop = Some(stop))
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.meter.poll(self.figures);
        flow.map_break(|stop| self.stop = Some(stop))
    }
}
