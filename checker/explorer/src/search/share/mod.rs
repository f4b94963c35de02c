//! What one of several workers has of a breadth-first search: the states that belong to it.
//!
//! States come from whoever takes a step to them, and are kept here once; the steps of those that are new are taken
//! when the next layer begins. A state of one word is kept as in [`layers`](super::layers), in a
//! [`Quotient`](crate::store::quotient::Quotient): whole only while its layer is at hand ([`one_word`]). So is the word that tells
//! a state of several ([`several_words`]); what no word tells is kept whole, with a number ([`numbered`]).
//!
//! A run to a state is found backwards, from layer to layer: whoever has a state of the layer before that has a step
//! to it says so. For that the layer of each state has to be known. It is
//! found out when it is asked for: all go through their states once more, from the initial one on, with every step
//! that leads to a state that is there, and note the layer beside each ([`levels`]). Where steps were left out a state
//! may be nearer by all steps than it was by those that were taken, and the run is shorter.

mod asking;
mod backward;
mod coded;
mod dealt;
mod deciding;
mod finding;
mod gathers;
mod kept;
mod levels;
mod numbered;
mod one_word;
mod owners;
pub mod round;
mod several_words;
mod taking;
mod telling;

use std::ops::ControlFlow;

use stubborn_space::options::Use;
use stubborn_space::profit::{Judgement, Profit};
use stubborn_space::several::{Asked, Backwards, Count, FailingStep, Part, Phase, Shown};
use stubborn_space::successors::{Footprints, WorkingMemory, end_layer};
use stubborn_space::verdict::Reason;

use self::asking::Asking;
use self::finding::{Finding, Looking};
use self::kept::Kept;
use self::one_word::{OneWords, not_ours};
use self::owners::Owners;
use self::several_words::SeveralWords;
use self::taking::{Seeking, Taking};
use self::telling::Itself;
use super::layers::passed::Passed;
use super::layers::remembered::Remembered;
use super::meter::Stop;
use super::spilled::Follow;

pub use self::deciding::decide;
pub use self::gathers::{Gathers, Means};
pub use self::owners::Decide;

/// A share of a model's states.
pub struct Share<'s, 'm, S: Footprints, L> {
    model: &'s S,
    scratch: S::Scratch,
    steps: Remembered,
    passed: Passed,
    /// For a state that somebody is told of.
    state: Vec<u64>,
    kept: Kept,
    owners: Owners,
    own: u32,
    taking: Taking<'m, L>,
    /// How many layers have begun.
    layers: u64,
    /// As many of the search, while its states are gone through once more.
    waiting: Option<u64>,
    /// Nobody needs the steps that are left of the present layer.
    is_left: bool,
    /// The states in which a run may begin, one after the other.
    initials: Vec<u64>,
    /// What is asked about all states.
    asking: Option<Asking>,
}

impl<'s, 'm, S: Footprints, L: Gathers> Share<'s, 'm, S, L> {
    /// Without a state. All bits of one that may ever be set are in one of `parts`: in a word of it, some
    /// of its bits. Some bits of a state `decide` whom it belongs to.
    pub fn new(
        model: &'s S,
        initials: Vec<u64>,
        parts: Vec<(u32, u64)>,
        decide: Decide,
        remembered: Use,
        look: L,
        means: Means<'m>,
    ) -> Share<'s, 'm, S, L> {
        let initial = model.initial();
        let scratch = model.scratch();
        let seat = means.seat;
        let (kept, owners) = match initial {
            [_] => {
                let bits = parts.iter().fold(0, |all, (_, bits)| all | bits);
                let width = u64::BITS - bits.leading_zeros();
                let owners = Owners::of_words(width, &decide, seat);
                let kept = Kept::One(Box::new(OneWords::new(width, &decide, seat)));
                (kept, owners)
            }
            _ => {
                let several = SeveralWords::new(initial, parts, &decide, seat);
                (
                    Kept::Several(Box::new(several)),
                    Owners::of_states(&decide, seat),
                )
            }
        };
        let mut taking = Taking::new(look, means, kept.initial(initial));
        taking.worked_out = scratch.bytes();
        Share {
            model,
            steps: Remembered::when(remembered),
            passed: Passed::default(),
            state: initial.to_vec(),
            kept,
            owners,
            own: seat.own as u32,
            taking,
            scratch,
            layers: 0,
            waiting: None,
            is_left: false,
            initials,
            asking: None,
        }
    }

    /// What is met from now on is of the layer behind the present one, whoever has taken a step to it.
    fn begin_layer(&mut self) {
        self.is_left = false;
        let layer = self.layers.saturating_sub(1);
        self.taking.meter.is_at(layer);
        self.taking.look.begins(layer, &self.state);
    }

    fn meets(&mut self, rows: &[u64]) -> ControlFlow<Stop> {
        let looking = Looking {
            passed: &mut self.passed,
            state: &mut self.state,
            layer: self.layers.saturating_sub(1),
        };
        let taking = &mut self.taking;
        match &mut self.kept {
            Kept::One(words) => {
                let kept = (&mut **words, &mut Itself::default());
                Finding::new(taking, kept, looking, &mut []).meet(rows)
            }
            Kept::Several(several) => {
                let mut states = rows.chunks_exact(looking.state.len());
                if !states.all(|state| several.coded.is_ours(state)) {
                    return ControlFlow::Break(not_ours());
                }
                if taking.is_noting {
                    return several.note(rows, taking);
                }
                let kept = (&mut several.words, &mut several.coded);
                Finding::new(taking, kept, looking, &mut []).meet_several(rows)
            }
        }
    }

    /// Takes the steps of some states, and gathers where they lead; but states that belong here are taken in, unless layers
    /// are noted. Whether there are more.
    fn takes_steps(&mut self, gathered: &mut [Vec<u64>]) -> ControlFlow<Stop, bool> {
        if self.is_left {
            return ControlFlow::Continue(false);
        }
        let looking = Looking {
            passed: &mut self.passed,
            state: &mut self.state,
            layer: self.layers.saturating_sub(1),
        };
        let (taking, model) = (&mut self.taking, (self.model, &mut self.steps));
        let flow = match &mut self.kept {
            Kept::One(words) => {
                let kept = (&mut **words, &mut Itself::default());
                Finding::new(taking, kept, looking, gathered).take_steps(model, &mut self.scratch)
            }
            Kept::Several(several) => {
                let kept = (&mut several.words, &mut several.coded);
                Finding::new(taking, kept, looking, gathered).take_steps(model, &mut self.scratch)
            }
        };
        self.taking.worked_out = self.scratch.bytes();
        let lists = gathered.iter().map(Vec::capacity);
        self.taking.of_others = lists.sum::<usize>() as u64 * 8;
        flow
    }

    fn judge_by(&mut self, judgement: Judgement) {
        if let Some(profit) = self.scratch.profit() {
            *profit = Profit::of_counts(judgement);
        }
    }

    /// Where there is nothing left to find out, the search has not come to a limit.
    fn or_reason<T: Default>(&mut self, flow: ControlFlow<Stop, T>) -> ControlFlow<Reason, T> {
        match flow {
            ControlFlow::Continue(done) => ControlFlow::Continue(done),
            ControlFlow::Break(Stop::Decided) => {
                self.is_left = true;
                ControlFlow::Continue(T::default())
            }
            ControlFlow::Break(Stop::Limit(reason)) => ControlFlow::Break(reason),
        }
    }

    /// Whether one of this state's steps leads to another.
    fn leads_to(&mut self, state: &[u64], target: &[u64]) -> ControlFlow<Stop, bool> {
        let figures = self.taking.figures();
        let mut seeking = Seeking::new(target, &mut self.taking.meter, figures);
        let _ = self.model.visit(state, &mut self.scratch, &mut seeking);
        seeking.answer()
    }

    fn is_before(&mut self, layer: u64, target: &[u64]) -> ControlFlow<Stop, Option<Vec<u64>>> {
        let mut state = self.state.clone();
        let mut from = 0;
        loop {
            let next = self.kept.of_level(layer, &mut from, &mut state);
            self.taking.measure()?;
            if next.is_none() {
                return ControlFlow::Continue(None);
            }
            if self.leads_to(&state, target)? {
                return ControlFlow::Continue(Some(state));
            }
        }
    }
}

impl<S: Footprints, L: Gathers> Part for Share<'_, '_, S, L> {
    fn words(&self) -> usize {
        self.model.words()
    }

    fn initials(&self) -> Vec<u64> {
        self.initials.clone()
    }

    fn meet(&mut self, rows: &[u64]) -> ControlFlow<Reason> {
        let flow = self.meets(rows);
        self.or_reason(flow)?;
        let flow = self.taking.account_for(self.kept.bytes());
        self.or_reason(flow)
    }

    fn next_layer(&mut self) -> u64 {
        self.layers += 1;
        self.begin_layer();
        self.kept.next_layer(self.taking.states)
    }

    fn owner(&self, state: &[u64]) -> usize {
        self.owners.owner(state)
    }

    fn take_steps(&mut self, gathered: &mut [Vec<u64>]) -> ControlFlow<Reason, bool> {
        let flow = self.takes_steps(gathered);
        let has_more = self.or_reason(flow)?;
        let flow = self.taking.account_for(self.kept.bytes());
        self.or_reason(flow)?;
        ControlFlow::Continue(has_more)
    }

    fn leave_steps(&mut self) {
        self.is_left = true;
    }

    fn judgement(&mut self) -> Judgement {
        self.scratch
            .profit()
            .map(|profit| profit.counts())
            .unwrap_or_default()
    }

    fn end_layer(&mut self, of_all: Judgement, keeps: bool) {
        // What all agree on stays as it is: only counts are added up.
        let [states, enabled, fired, work, ..] = of_all;
        let [.., losses, rarity] = self.judgement();
        let of_all = [states, enabled, fired, work, losses, rarity];
        self.judge_by(of_all);
        end_layer([&mut self.scratch]);
        if !keeps {
            let [.., losses, rarity] = self.judgement();
            let own = [0, 0, 0, 0, losses, rarity];
            self.judge_by(own);
        }
    }

    fn shown(&mut self) -> Vec<Shown> {
        self.taking.look.shown()
    }

    fn go_on(&mut self, open: &[usize]) {
        self.taking.look.go_on(open);
    }

    fn begin_ways(&mut self, to: u64) -> ControlFlow<Reason, bool> {
        if self.waiting.is_some() {
            return ControlFlow::Continue(false);
        }
        let flow = self.taking.may_hold(self.kept.bytes_for_levels(to));
        self.or_reason(flow)?;
        self.kept.begin_levels(to);
        self.taking
            .begin_noting(self.kept.initial(self.model.initial()));
        self.waiting = Some(std::mem::take(&mut self.layers));
        ControlFlow::Continue(true)
    }

    fn layer_of(&self, shown: &Shown) -> Option<u64> {
        self.kept.level_of_state(&shown.state)
    }

    fn before(&mut self, layer: u64, state: &[u64]) -> ControlFlow<Reason, Option<Vec<u64>>> {
        let flow = self.is_before(layer, state);
        self.or_reason(flow)
    }

    fn end_ways(&mut self) {
        if let Some(layers) = self.waiting.take() {
            self.kept.end_levels();
            self.taking
                .end_noting(self.kept.initial(self.model.initial()));
            self.layers = layers;
            self.begin_layer();
        }
        self.asking = None;
    }

    fn count(&self) -> Count {
        let mut count = self.taking.count();
        count.layer = self.layers.saturating_sub(1);
        count
    }

    fn failing(&self) -> Vec<FailingStep> {
        self.taking.look.told()
    }
}

impl<S: Footprints, L: Gathers> Backwards for Share<'_, '_, S, L> {
    fn begin_asking(&mut self, asked: Asked) -> ControlFlow<Reason> {
        let flow = self.begins_asking(asked);
        self.or_reason(flow)
    }

    fn take_steps_back(&mut self, gathered: &mut [Vec<u64>]) -> ControlFlow<Reason, bool> {
        let owners = self.owners.clone();
        let flow = self.takes_steps_back(&mut |state, said| {
            let to = &mut gathered[owners.owner(state)];
            to.extend_from_slice(state);
            to.push(said);
        });
        self.or_reason(flow)
    }

    fn take_told(&mut self, rows: &[u64]) -> ControlFlow<Reason> {
        let flow = self.takes_told(rows);
        self.or_reason(flow)
    }

    fn begin_phase(&mut self, phase: Phase) -> ControlFlow<Reason> {
        self.begins_phase(phase);
        let held = self.kept.bytes() + self.asking.as_ref().map_or(0, Asking::bytes);
        let flow = self.taking.account_for(held);
        self.or_reason(flow)
    }

    fn go_back(&mut self, send: &mut dyn FnMut(u32, u64)) -> bool {
        self.backward()
            .is_some_and(|backward| backward.go_back(send))
    }

    fn come_back(&mut self, numbers: &[u64]) {
        if let Some(backward) = self.backward() {
            backward.come_back(numbers);
        }
    }

    fn waiting(&self) -> u64 {
        self.asking.as_ref().map_or(0, Asking::waiting)
    }

    fn answer(&self) -> u64 {
        Share::answer(self)
    }

    fn nearest_answer(&mut self) -> ControlFlow<Reason, Option<Shown>> {
        let flow = Share::nearest_answer(self);
        self.or_reason(flow)
    }

    fn is_answer(&self, state: &[u64]) -> bool {
        state.len() == self.state.len() && Share::is_answer(self, state)
    }
}

#[cfg(test)]
mod tests;
