//! Breadth-first in layers, of states that are one word: for who asks about states and steps one by one
//! and needs no numbers for them.
//!
//! What is kept of a state is a few bytes in a [`Quotient`] table, and the whole word only while its layer
//! is gone through and the next one is found. So there are no paths: who finds a violation searches again,
//! with numbers. States, edges and layers are those of [`breadth_first`](super::breadth_first).
//!
//! Every search begins on one thread. From the first layer on that is wide enough, others go through layers
//! with it ([`parallel`]), in an order of their own; what is counted to the end is the same.

mod bounds;
mod parallel;
mod shards;

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::Ways;
use super::meter::{Figures, Meter, Stop};
use crate::options::Reduction;
use crate::store::quotient::{Place, Quotient};
use crate::store::recent::Recent;
use crate::successors::{Label, Successors, Visit, Wanted};
use crate::verdict::Reason;

/// Steps are looked up so many at a time, so that the waits for memory overlap.
const BATCH: usize = 64;
/// As many states of a layer as are worth a thread: others are begun where there are twice as many. A count
/// of states and no time, so that what is done is a function of the model and of what was asked.
const WORTH_A_THREAD: usize = 4096;

/// Is told what the search meets.
pub trait Look {
    /// A new state.
    fn found(&mut self, state: u64) -> ControlFlow<Stop>;

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop>;

    /// A state without a step.
    fn terminal(&mut self, state: u64) -> ControlFlow<Stop>;
}

/// What a search has come to.
pub struct Layers {
    pub states: u64,
    /// Steps that were taken, failing ones too.
    pub edges: u64,
    /// Every step was taken in every state.
    pub full: bool,
    leaves_out: bool,
    /// The most memory that was in use, in bytes.
    pub bytes: u64,
    /// Not every layer was gone through by one thread: if a limit has ended the search, another one may end
    /// among other states.
    pub several: bool,
}

/// The figures alone: there is a way to none of its states.
impl Ways for Layers {
    fn path(&self, _: u32) -> Vec<u32> {
        unreachable!("no state has a number")
    }

    fn copy(&self, _: u32, _: &mut [u64]) {
        unreachable!("no state has a number")
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.states,
            edges: self.edges,
            bytes: self.bytes,
        }
    }

    fn reduction(&self) -> Reduction {
        Reduction::needed(self.leaves_out)
    }

    fn is_full(&self) -> bool {
        self.full
    }
}

/// What a search has come to, with everybody who has looked.
type Searched<L> = (ControlFlow<Stop>, Layers, Vec<L>);

/// Finds every reachable state, the nearest first, unless something stops it, on no more than so many
/// threads; each has a `look` of its own. The model's states must be one word, of which no more than the
/// `width` lowest bits are ever set.
pub fn search<S, L>(
    model: &S,
    width: u32,
    meter: &mut Meter<'_>,
    threads: usize,
    mut look: impl FnMut() -> L,
) -> Searched<L>
where
    S: Successors + Sync,
    S::Scratch: Send,
    L: Look + Send,
{
    debug_assert_eq!(model.words(), 1, "a state is one word");
    let mut layered = Layered {
        look: look(),
        meter: &mut *meter,
        set: Quotient::new(width),
        recent: Recent::of(model.initial()[0]),
        next: Vec::new(),
        waiting: Vec::with_capacity(BATCH),
        layer: 0,
        edges: 0,
        of_state: 0,
        leaves_out: false,
        stop: None,
        bytes: 0,
    };
    let mut scratch = model.scratch();
    let team = Team {
        width,
        threads,
        // So that a test needs no large model.
        worth_one: if cfg!(test) { 1 } else { WORTH_A_THREAD },
    };
    let flow = layered.all(model, &mut scratch, team);
    let widens = matches!(flow, ControlFlow::Continue(End::Widens));
    let layers = Layers {
        states: layered.set.len(),
        edges: layered.edges,
        full: flow.is_continue() && !widens && !layered.leaves_out,
        leaves_out: layered.leaves_out,
        bytes: layered.bytes.max(layered.set.bytes()),
        several: false,
    };
    if !widens {
        return (flow.map_continue(drop), layers, vec![layered.look]);
    }
    let begun = Begun {
        layers,
        hand: (scratch, layered.look, layered.recent),
        set: layered.set,
        next: layered.next,
    };
    parallel::go_on(team, model, meter, begun, look)
}

/// Who may search.
#[derive(Clone, Copy)]
struct Team {
    /// How many bits a state has.
    width: u32,
    threads: usize,
    /// As many states of a layer as are worth a thread.
    worth_one: usize,
}

impl Team {
    /// As many as go through a layer of so many states.
    fn of_layer(self, states: usize) -> usize {
        (states / self.worth_one).clamp(1, self.threads.max(1))
    }
}

/// How a search on one thread ends that nothing stops.
enum End {
    Over,
    /// The layer that is next is wide enough for several threads. Nobody was told that the last one has ended.
    Widens,
}

/// What one thread hands over to several.
struct Begun<C, L> {
    layers: Layers,
    hand: (C, L, Recent),
    set: Quotient,
    /// The states of the next layer.
    next: Vec<u64>,
}

struct Layered<'a, 'm, L> {
    look: L,
    meter: &'a mut Meter<'m>,
    set: Quotient,
    /// States that are in it, or wait to be looked up.
    recent: Recent,
    /// The states of the next layer that were found.
    next: Vec<u64>,
    /// Where the states that steps lead to are looked up, as soon as what is there has come near: that they
    /// wait costs nothing, as the next steps are found meanwhile.
    waiting: Vec<Place>,
    /// How many states the list of the present layer has room for.
    layer: usize,
    edges: u64,
    /// How many steps the present state has.
    of_state: u64,
    leaves_out: bool,
    stop: Option<Stop>,
    bytes: u64,
}

impl<L: Look> Layered<'_, '_, L> {
    fn all<S: Successors>(
        &mut self,
        model: &S,
        scratch: &mut S::Scratch,
        team: Team,
    ) -> ControlFlow<Stop, End> {
        let initial = model.initial()[0];
        self.set.insert(self.set.place(initial));
        self.next.push(initial);
        self.look.found(initial)?;
        self.make_room(BATCH as u64)?;
        while !self.next.is_empty() {
            let layer = std::mem::take(&mut self.next);
            self.layer = layer.capacity();
            for state in layer {
                self.of_state = 0;
                let flow = model.visit(&[state], scratch, self);
                if let Some(stop) = self.stop.take() {
                    return ControlFlow::Break(stop);
                }
                debug_assert!(flow.is_continue(), "who breaks off says why");
                if self.of_state == 0 {
                    self.look.terminal(state)?;
                    self.measure()?;
                }
            }
            self.layer = 0;
            self.take()?;
            if team.of_layer(self.next.len()) > 1 && self.may_widen(team) {
                return ControlFlow::Continue(End::Widens);
            }
            if !self.next.is_empty() {
                self.meter.depth += 1;
                model.end_layer(&mut [scratch]);
            }
        }
        ControlFlow::Continue(End::Over)
    }

    /// Whether there is memory for several threads. Where there is not, one does it all.
    fn may_widen(&self, team: Team) -> bool {
        let needed = self.held() + parallel::bytes_to_begin(team, &self.set, &self.next);
        self.meter.forbids(needed).is_none()
    }

    /// A step, or a state without one.
    fn measure(&mut self) -> ControlFlow<Stop> {
        let (states, edges, bytes) = (self.set.len(), self.edges, self.bytes);
        self.meter.step(|| Figures {
            states,
            edges,
            bytes,
        })
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.set.len(),
            edges: self.edges,
            bytes: self.held(),
        }
    }

    fn held(&self) -> u64 {
        let words = self.layer + self.next.capacity();
        let places = self.waiting.capacity() * size_of::<Place>();
        self.set.bytes() + self.recent.bytes() + (words * 8 + places) as u64
    }

    /// Looks up the states that wait, and takes in those that are new.
    fn take(&mut self) -> ControlFlow<Stop> {
        let many = self.waiting.len() as u64;
        let is_near_the_limit = self.set.len() + many > self.meter.most_states();
        for at in 0..self.waiting.len() {
            let place = self.waiting[at];
            self.meter.step(|| Figures {
                states: self.set.len(),
                edges: self.edges,
                bytes: self.bytes,
            })?;
            if is_near_the_limit
                && self.set.len() >= self.meter.most_states()
                && !self.set.has(place)
            {
                let most = self.meter.most_states();
                return ControlFlow::Break(Stop::Limit(Reason::States(most)));
            }
            self.edges += 1;
            if self.set.insert(place) {
                self.next.push(place.word());
                self.look.found(place.word())?;
            }
        }
        self.waiting.clear();
        self.make_room(BATCH as u64)
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

impl<L: Look> Visit for Layered<'_, '_, L> {
    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }

    fn leaves_out(&mut self) {
        self.leaves_out = true;
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.of_state += 1;
        let flow = match outcome {
            Ok(state) if self.recent.meet(state[0]) => {
                self.edges += 1;
                self.measure()
            }
            Ok(state) => {
                self.waiting.push(self.set.place(state[0]));
                match self.waiting.len() < BATCH {
                    true => return ControlFlow::Continue(()),
                    false => self.take(),
                }
            }
            Err(failure) => {
                self.edges += 1;
                match self.look.failing(label, failure) {
                    ControlFlow::Continue(()) => self.measure(),
                    stopped => stopped,
                }
            }
        };
        self.or_stop(flow)
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.meter.poll(self.figures());
        self.or_stop(flow)
    }
}

impl<L> Layered<'_, '_, L> {
    fn or_stop(&mut self, flow: ControlFlow<Stop>) -> ControlFlow<()> {
        match flow {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}

#[cfg(test)]
mod tests;
