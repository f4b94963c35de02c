//! What one of several workers has of a breadth-first search: the states that belong to it.
//!
//! States come from whoever takes a step to them, and are kept here once; the steps of those that are new are taken
//! when the next layer begins. A state of one word is kept as in [`layers`](super::layers), in a
//! [`Quotient`](crate::store::quotient::Quotient): whole only while its layer is at hand ([`one_word`]). Of more words it is
//! kept whole, with a number, so that the states of a layer are a range of numbers ([`numbered`]).
//!
//! A run to a state is found backwards, from layer to layer: whoever has a state of the layer before that has a step
//! to it says so. For that the layer of each state has to be known. Of states with numbers it is. Of others it is
//! found out when it is asked for: all go through their states once more, from the initial one on, with every step
//! that leads to a state that is there, and note the layer beside each ([`levels`]). Where steps were left out a state
//! may be nearer by all steps than it was by those that were taken, and the run is shorter.

mod asking;
mod backward;
mod dealt;
mod deciding;
mod finding;
mod gathers;
mod levels;
mod numbered;
mod one_word;
mod owners;
pub mod round;
mod taking;

use std::ops::ControlFlow;

use self::asking::Asking;
use self::finding::Finding;
use self::numbered::Numbered;
use self::one_word::{OneWords, not_ours};
use self::owners::Owners;
use self::taking::{Seeking, Taking};
use super::layers::passed::Passed;
use super::layers::remembered::Remembered;
use super::meter::Stop;
use super::spilled::Follow;
use crate::options::Use;
use crate::several::{Asked, Backwards, Count, FailingStep, Part, Phase, Shown};
use crate::successors::{Judgement, Successors};
use crate::verdict::Reason;

pub use self::deciding::decide;
pub use self::gathers::{Gathers, Means};
pub use self::owners::Decide;

/// A share of a model's states.
pub struct Share<'s, 'm, S: Successors, L> {
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

enum Kept {
    One(Box<OneWords>),
    Many(Numbered),
}

impl Kept {
    fn bytes(&self) -> u64 {
        match self {
            Kept::One(words) => words.bytes(),
            Kept::Many(numbered) => numbered.bytes(),
        }
    }
}

impl<'s, 'm, S: Successors, L: Gathers> Share<'s, 'm, S, L> {
    /// Without a state. Where states are one word these bits of it are in use, if that is known; and some of a state
    /// `decide` whom it belongs to.
    pub fn new(
        model: &'s S,
        initials: Vec<u64>,
        bits: Option<u64>,
        decide: Decide,
        remembered: Use,
        look: L,
        means: Means<'m>,
    ) -> Share<'s, 'm, S, L> {
        let initial = model.initial();
        let scratch = model.scratch();
        let seat = means.seat;
        let (kept, owners) = match (initial, bits) {
            ([_], Some(bits)) => {
                let width = u64::BITS - bits.leading_zeros();
                let owners = Owners::of_words(width, &decide, seat);
                let kept = Kept::One(Box::new(OneWords::new(width, &decide, seat)));
                (kept, owners)
            }
            _ => {
                let kept = Kept::Many(Numbered::new(initial.len()));
                (kept, Owners::of_states(&decide, seat))
            }
        };
        let mut taking = Taking::new(look, means);
        taking.worked_out = model.bytes(&scratch);
        if let ([word], Kept::One(_)) = (initial, &kept) {
            taking.remember_lately(*word);
        }
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
        match &mut self.kept {
            Kept::One(words) => {
                let kept = (&mut **words, &mut self.passed);
                Finding::new(&mut self.taking, kept, &mut []).meet(rows)
            }
            Kept::Many(numbered) => {
                let (owners, own) = (&self.owners, self.own as usize);
                let mut states = rows.chunks_exact(self.state.len());
                if !states.all(|state| owners.owner(state) == own) {
                    return ControlFlow::Break(not_ours());
                }
                numbered.meet(rows, &mut self.taking)
            }
        }
    }

    /// Takes the steps of some states, and gathers where they lead; but states of one word that belong here are taken in,
    /// unless layers are noted. Whether there are more.
    fn takes_steps(&mut self, gathered: &mut [Vec<u64>]) -> ControlFlow<Stop, bool> {
        if self.is_left {
            return ControlFlow::Continue(false);
        }
        let layer = self.layers.saturating_sub(1);
        let flow = match &mut self.kept {
            Kept::One(words) => {
                let kept = (&mut **words, &mut self.passed);
                let mut finding = Finding::new(&mut self.taking, kept, gathered);
                finding.take_steps((self.model, &mut self.steps), &mut self.scratch, layer)
            }
            Kept::Many(numbered) => {
                let means = (self.model, &mut self.scratch, &mut self.taking);
                let flow = numbered.take_steps(means, &mut self.state, layer);
                let out = &mut self.taking.out;
                self.owners.share_out(out, self.state.len(), gathered);
                out.clear();
                flow
            }
        };
        self.taking.worked_out = self.model.bytes(&self.scratch);
        let lists = gathered.iter().map(Vec::capacity);
        self.taking.of_others = lists.sum::<usize>() as u64 * 8;
        flow
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
            let next = match &self.kept {
                Kept::One(words) => words.of_level(layer, &mut from).map(|word| state[0] = word),
                Kept::Many(numbered) => numbered.of_layer(layer, &mut from, &mut state),
            };
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

impl<S: Successors, L: Gathers> Part for Share<'_, '_, S, L> {
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
        match &mut self.kept {
            Kept::One(words) => words.next_layer(),
            Kept::Many(numbered) => numbered.next_layer(),
        }
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

    fn judgement(&self) -> Judgement {
        self.model.judgement(&self.scratch)
    }

    fn end_layer(&mut self, of_all: Judgement, keeps: bool) {
        // What all agree on stays as it is: only counts are added up.
        let [states, enabled, fired, work, ..] = of_all;
        let [.., losses, rarity] = self.judgement();
        let of_all = [states, enabled, fired, work, losses, rarity];
        self.model.judge_by(&mut self.scratch, of_all);
        self.model.end_layer(&mut [&mut self.scratch]);
        if !keeps {
            let [.., losses, rarity] = self.judgement();
            let own = [0, 0, 0, 0, losses, rarity];
            self.model.judge_by(&mut self.scratch, own);
        }
    }

    fn shown(&mut self) -> Vec<Shown> {
        self.taking.look.shown()
    }

    fn go_on(&mut self, open: &[usize]) {
        self.taking.look.go_on(open);
    }

    fn begin_ways(&mut self, to: u64) -> ControlFlow<Reason, bool> {
        let Kept::One(words) = &self.kept else {
            return ControlFlow::Continue(false);
        };
        if self.waiting.is_some() {
            return ControlFlow::Continue(false);
        }
        let needed = words.bytes_for_levels(to);
        let flow = self.taking.may_hold(needed);
        self.or_reason(flow)?;
        let Kept::One(words) = &mut self.kept else {
            return ControlFlow::Continue(false);
        };
        words.begin_levels(to);
        self.taking.begin_noting(self.model.initial()[0]);
        self.waiting = Some(std::mem::take(&mut self.layers));
        ControlFlow::Continue(true)
    }

    fn layer_of(&self, shown: &Shown) -> Option<u64> {
        match &self.kept {
            Kept::One(words) => words.level_of(shown.state[0]),
            Kept::Many(numbered) => numbered.has(&shown.state).then_some(shown.layer),
        }
    }

    fn before(&mut self, layer: u64, state: &[u64]) -> ControlFlow<Reason, Option<Vec<u64>>> {
        let flow = self.is_before(layer, state);
        self.or_reason(flow)
    }

    fn end_ways(&mut self) {
        if let Some(layers) = self.waiting.take()
            && let Kept::One(words) = &mut self.kept
        {
            words.end_levels();
            self.taking.end_noting(self.model.initial()[0]);
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

impl<S: Successors, L: Gathers> Backwards for Share<'_, '_, S, L> {
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
