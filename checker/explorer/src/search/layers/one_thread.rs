//! The search in layers on one thread.

use std::ops::ControlFlow;

use stubborn_space::successors::{Footprints, Label, Visit, Wanted, WorkingMemory, end_layer};
use stubborn_system::system::Failure;

use super::found::{Begun, First, Layers, pays};
use super::look::Look;
use super::look::Takes;
use super::parallel;
use super::passed::Passed;
use super::remembered::{self, Remembered};
use super::team::Team;
use crate::search::meter::{Figures, Meter, Stop};
use crate::store::coding::{Coding, Outgrown};
use crate::store::quotient::{self, Place, Quotient, ones};
use crate::store::recent::Recent;

/// Steps are looked up so many at a time, so that the waits for memory overlap.
pub const BATCH: usize = quotient::AT_ONCE;

/// Goes through layers from the initial state on, which by a coding is this word, until one is wide enough for more of the
/// team.
pub fn search<S: Footprints, L: Look, C: Coding>(
    model: &S,
    (coding, initial): (C, u64),
    meter: &mut Meter<'_>,
    look: L,
    team: Team,
) -> (ControlFlow<Stop, End>, Begun<S::Scratch, L, C>) {
    let mut layered = Layered {
        look,
        meter,
        set: Quotient::new(coding.width()),
        recent: Recent::of(initial),
        coding,
        layer: Vec::new(),
        next: Vec::new(),
        waiting: Vec::with_capacity(BATCH),
        passed: Passed::default(),
        state: model.initial().to_vec(),
        edges: 0,
        of_state: 0,
        met: 0,
        leaves_out: false,
        given_up: false,
        is_too_narrow: false,
        stop: None,
        bytes: 0,
        changes: 0,
        remembered: 0,
        worked_out: 0,
    };
    let mut scratch = model.scratch();
    let flow = layered.all(model, initial, &mut scratch, team);
    let is_complete = matches!(flow, ControlFlow::Continue(End::Over));
    let layers = Layers {
        states: layered.set.len(),
        edges: layered.edges,
        full: is_complete && !layered.leaves_out,
        leaves_out: layered.leaves_out,
        bytes: layered.bytes.max(layered.set.bytes()),
        given_up: layered.given_up,
        is_too_narrow: layered.is_too_narrow,
        several: false,
        whole: None,
    };
    let begun = Begun {
        layers,
        hand: First {
            scratch,
            look: layered.look,
            recent: layered.recent,
            coding: layered.coding,
        },
        set: layered.set,
        next: layered.next,
    };
    (flow, begun)
}

/// How a search on one thread ends that nothing stops.
pub enum End {
    Over,
    /// The layer that is next is wide enough for several threads. Nobody was told that the last one has ended.
    Widens,
}

struct Layered<'a, 'm, L, C> {
    look: L,
    meter: &'a mut Meter<'m>,
    coding: C,
    set: Quotient,
    /// States that are in it, or wait to be looked up.
    recent: Recent,
    /// The states of the present layer that are still to be gone through, the next one last.
    layer: Vec<u64>,
    /// The states of the next layer that were found.
    next: Vec<u64>,
    /// Where the states that steps lead to are looked up, as soon as what is there has come near: that they
    /// wait costs nothing, as the next steps are found meanwhile.
    waiting: Vec<Place>,
    passed: Passed,
    /// For a state that somebody is told of.
    state: Vec<u64>,
    edges: u64,
    /// How many steps the present state has.
    of_state: u64,
    /// How many of them led to states that were met lately, and the meter was not told of; it is told of a state without
    /// steps as of one.
    met: usize,
    leaves_out: bool,
    given_up: bool,
    is_too_narrow: bool,
    stop: Option<Stop>,
    bytes: u64,
    /// How often all words have changed.
    changes: u64,
    /// Memory for steps that are remembered, and for those that the model has worked out.
    remembered: u64,
    worked_out: u64,
}

impl<L: Look, C: Coding> Layered<'_, '_, L, C> {
    fn all<S: Footprints>(
        &mut self,
        model: &S,
        initial: u64,
        scratch: &mut S::Scratch,
        team: Team,
    ) -> ControlFlow<Stop, End> {
        self.set.insert(self.set.place(initial));
        self.next.push(initial);
        for look in 0..self.look.looks() {
            self.look.found(look, model.initial())?;
        }
        self.make_room(BATCH as u64)?;
        let mut state = model.initial().to_vec();
        let mut steps = Remembered::when(team.remembered);
        while !self.next.is_empty() {
            self.layer = std::mem::take(&mut self.next);
            self.layer.reverse();
            while let Some(word) = self.layer.pop() {
                self.of_state = 0;
                steps.fetch(self.layer.last().copied().unwrap_or(word));
                let flow = steps.visit(model, word, &mut state, scratch, self);
                if let Some(stop) = self.stop.take() {
                    return ControlFlow::Break(stop);
                }
                debug_assert!(flow.is_continue(), "who breaks off says why");
                if self.of_state == 0 {
                    self.coding.state(word, &mut state);
                    self.look.terminal(&state)?;
                }
                self.met += usize::from(self.of_state == 0);
                self.tell_met()?;
            }
            self.take()?;
            self.worked_out = scratch.bytes();
            self.give_up_where_it_does_not_pay()?;
            if team.of_layer(self.next.len()) > 1 && self.may_widen(team) {
                return ControlFlow::Continue(End::Widens);
            }
            if !self.next.is_empty() {
                self.meter.go_deeper();
                end_layer([&mut *scratch]);
            }
        }
        ControlFlow::Continue(End::Over)
    }

    /// Whether there is memory for several threads. Where there is not, one does it all.
    fn may_widen(&self, team: Team) -> bool {
        let of_coding = parallel::bytes_of_codings(team, &self.coding);
        let more = parallel::bytes_to_begin(&self.set, &self.next);
        let needed = self.held() + more + of_coding;
        self.meter.forbids(needed).is_none()
    }

    /// A step that fails.
    fn measure(&mut self) -> ControlFlow<Stop> {
        let figures = self.figures_so_far();
        self.meter.step(|| figures)
    }

    fn tell_met(&mut self) -> ControlFlow<Stop> {
        let (many, figures) = (std::mem::take(&mut self.met), self.figures_so_far());
        self.meter.steps(many, || figures)
    }

    fn figures_so_far(&self) -> Figures {
        Figures {
            states: self.set.len(),
            edges: self.edges,
            bytes: self.bytes,
        }
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.set.len(),
            edges: self.edges,
            bytes: self.held(),
        }
    }

    fn held(&self) -> u64 {
        let words = self.layer.capacity() + self.next.capacity();
        let places = self.waiting.capacity() * size_of::<Place>();
        let tables = self.set.bytes() + self.recent.bytes() + self.coding.bytes();
        tables + (words * 8 + places) as u64 + self.remembered + self.worked_out
    }

    /// Looks up the states that wait, and takes in those that are new.
    #[inline(never)]
    fn take(&mut self) -> ControlFlow<Stop> {
        let many = self.waiting.len();
        let figures = self.figures_so_far();
        self.meter.steps(many, || figures)?;
        let room = self.meter.most_states().saturating_sub(self.set.len());
        match many as u64 <= room {
            true => {
                self.edges += many as u64;
                let new = self.set.insert_all(&self.waiting);
                self.take_in(new)?;
            }
            false => self.take_up_to_the_limit()?,
        }
        self.waiting.clear();
        self.make_room(BATCH as u64)
    }

    /// Of those that wait these are new.
    fn take_in(&mut self, new: u64) -> ControlFlow<Stop> {
        let mut passed = std::mem::take(&mut self.passed);
        let mut state = std::mem::take(&mut self.state);
        for at in ones(new) {
            let word = self.waiting[at].word();
            self.next.push(word);
            passed.found(word, &mut state, self)?;
        }
        (self.passed, self.state) = (passed, state);
        ControlFlow::Continue(())
    }

    /// Takes them in one by one, as they may be more than there may be states.
    fn take_up_to_the_limit(&mut self) -> ControlFlow<Stop> {
        for at in 0..self.waiting.len() {
            let place = self.waiting[at];
            let most = self.meter.most_states();
            if self.set.len() >= most && !self.set.has(place) {
                return ControlFlow::Break(Stop::Limit(self.meter.too_many(most)));
            }
            self.edges += 1;
            let is_new = self.set.insert(place);
            self.take_in(u64::from(is_new) << at)?;
        }
        ControlFlow::Continue(())
    }

    /// For so many more states.
    fn make_room(&mut self, many: u64) -> ControlFlow<Stop> {
        let list = match self.next.capacity() - self.next.len() < many as usize {
            // A list that is full is copied into one twice as long.
            true => self.next.capacity() as u64 * 16 + many * 8,
            false => 0,
        };
        let needed = self.held() + self.set.bytes_to_grow(many) + list;
        if let Some(reason) = self.meter.forbids(needed) {
            return ControlFlow::Break(Stop::Limit(reason));
        }
        self.bytes = self.bytes.max(needed);
        let figures = Figures {
            states: self.set.len(),
            edges: self.edges,
            bytes: needed,
        };
        self.set.reserve(many, || self.meter.poll(figures))
    }
}

impl<L: Look, C: Coding> Layered<'_, '_, L, C> {
    /// The word of a state that a step of the present one leads to.
    #[inline]
    fn word(&mut self, state: &[u64]) -> ControlFlow<Stop, u64> {
        loop {
            match self.coding.word(state) {
                Ok(word) => return ControlFlow::Continue(word),
                Err(Outgrown) => self.widen()?,
            }
        }
    }

    /// Gives all states other words.
    #[cold]
    fn widen(&mut self) -> ControlFlow<Stop> {
        // Those that wait have places in the table as it is.
        self.take()?;
        let Some(change) = self.coding.widen() else {
            self.is_too_narrow = true;
            return self.give_up();
        };
        self.changes += 1;
        let width = self.coding.width();
        let needed = self.held() + self.set.bytes_to_change(width);
        if let Some(reason) = self.meter.forbids(needed) {
            return ControlFlow::Break(Stop::Limit(reason));
        }
        self.bytes = self.bytes.max(needed);
        let figures = Figures {
            bytes: needed,
            ..self.figures()
        };
        let ask = || self.meter.poll(figures);
        self.set = (self.set).changed(width, |word| change.of(word), ask)?;
        for list in [&mut self.layer, &mut self.next] {
            for words in list.chunks_mut(BATCH) {
                words.iter_mut().for_each(|word| *word = change.of(*word));
                self.meter.step(|| figures)?;
            }
        }
        self.recent = Recent::of(change.of(0));
        self.make_room(BATCH as u64)
    }

    fn give_up_where_it_does_not_pay(&mut self) -> ControlFlow<Stop> {
        match pays(&self.coding, self.set.len()) {
            true => ControlFlow::Continue(()),
            false => self.give_up(),
        }
    }

    fn give_up(&mut self) -> ControlFlow<Stop> {
        self.given_up = true;
        ControlFlow::Break(Stop::Decided)
    }
}

impl<L: Look, C: Coding> Visit for Layered<'_, '_, L, C> {
    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }

    fn leaves_out(&mut self) {
        self.leaves_out = true;
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Ok(state) => match self.word_of(state)? {
                Some(word) => self.leads_to(word),
                None => ControlFlow::Continue(()),
            },
            Err(failure) => {
                self.of_state += 1;
                self.edges += 1;
                let flow = match self.look.failing(label, failure) {
                    ControlFlow::Continue(()) => self.measure(),
                    stopped => stopped,
                };
                self.or_stop(flow)
            }
        }
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.meter.poll(self.figures());
        self.or_stop(flow)
    }
}

impl<L: Look, C: Coding> Takes for Layered<'_, '_, L, C> {
    type Coding = C;
    type Look = L;

    fn coding(&mut self) -> &mut C {
        &mut self.coding
    }

    fn look(&mut self) -> &mut L {
        &mut self.look
    }

    #[inline(always)]
    fn leads_to(&mut self, word: u64) -> ControlFlow<()> {
        self.of_state += 1;
        if self.recent.meet(word) {
            self.edges += 1;
            self.met += 1;
            if self.met < BATCH {
                return ControlFlow::Continue(());
            }
            let flow = self.tell_met();
            return self.or_stop(flow);
        }
        self.waiting.push(self.set.place(word));
        if self.waiting.len() < BATCH {
            return ControlFlow::Continue(());
        }
        let flow = self.take();
        self.or_stop(flow)
    }

    #[inline]
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>> {
        let flow = self.word(state).map_continue(Some);
        self.or_stop(flow)
    }

    fn changes(&self) -> u64 {
        self.changes
    }

    fn holds(&mut self, bytes: u64) -> bool {
        let held = self.held() + bytes;
        let remembered = self.remembered + bytes;
        let is_allowed = remembered::may_be(remembered, held, self.meter.max_memory());
        let holds = is_allowed && self.meter.forbids(held).is_none();
        if holds {
            self.remembered += bytes;
            self.bytes = self.bytes.max(held);
        }
        holds
    }

    fn lets_go(&mut self, bytes: u64) {
        self.remembered -= bytes;
    }
}

impl<L, C> Layered<'_, '_, L, C> {
    fn or_stop<T>(&mut self, flow: ControlFlow<Stop, T>) -> ControlFlow<(), T> {
        flow.map_break(|stop| self.stop = Some(stop))
    }
}
