//! Breadth-first in layers, of states that are one word: for who asks about states and steps one by one
//! and needs no numbers for them.
//!
//! What is kept of a state is a few bytes in a [`Quotient`] table, and the whole word only while its layer
//! is gone through and the next one is found. So there are no paths: who finds a violation searches again,
//! with numbers. States, edges and layers are those of [`breadth_first`](super::breadth_first), on however
//! many threads.

mod parallel;

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
const BATCH: usize = 256;

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

/// Finds every reachable state, the nearest first, unless something stops it, on as many threads as there
/// are who look; at least one. The model's states must be one word, of which no more than the `width`
/// lowest bits are ever set.
pub fn search<S, L>(
    model: &S,
    width: u32,
    meter: &mut Meter<'_>,
    looks: &mut [L],
) -> (ControlFlow<Stop>, Layers)
where
    S: Successors + Sync,
    S::Scratch: Send,
    L: Look + Send,
{
    match looks {
        [look] => alone(model, width, meter, look),
        looks => parallel::search(model, width, meter, looks),
    }
}

fn alone<S: Successors, L: Look>(
    model: &S,
    width: u32,
    meter: &mut Meter<'_>,
    look: &mut L,
) -> (ControlFlow<Stop>, Layers) {
    debug_assert_eq!(model.words(), 1, "a state is one word");
    let mut layered = Layered {
        look,
        meter,
        set: Quotient::new(width),
        recent: Recent::of(model.initial()[0]),
        next: Vec::new(),
        steps: Vec::with_capacity(BATCH),
        places: Vec::with_capacity(BATCH),
        layer: 0,
        edges: 0,
        of_state: 0,
        leaves_out: false,
        stop: None,
        bytes: 0,
    };
    let flow = layered.all(model);
    let is_complete = flow.is_continue();
    let layers = Layers {
        states: layered.set.len(),
        edges: layered.edges,
        full: is_complete && !layered.leaves_out,
        leaves_out: layered.leaves_out,
        bytes: layered.bytes.max(layered.set.bytes()),
    };
    (flow, layers)
}

struct Layered<'a, 'm, L> {
    look: &'a mut L,
    meter: &'a mut Meter<'m>,
    set: Quotient,
    /// States that are in it, or wait to be looked up.
    recent: Recent,
    /// The states of the next layer that were found.
    next: Vec<u64>,
    /// The states that steps lead to which wait to be looked up.
    steps: Vec<u64>,
    places: Vec<Place>,
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
    fn all<S: Successors>(&mut self, model: &S) -> ControlFlow<Stop> {
        let mut scratch = model.scratch();
        let initial = model.initial()[0];
        self.set.insert(self.set.place(initial));
        self.next.push(initial);
        self.look.found(initial)?;
        while !self.next.is_empty() {
            let layer = std::mem::take(&mut self.next);
            self.layer = layer.capacity();
            for state in layer {
                self.of_state = 0;
                let flow = model.visit(&[state], &mut scratch, self);
                if let Some(stop) = self.stop.take() {
                    return ControlFlow::Break(stop);
                }
                debug_assert!(flow.is_continue(), "who breaks off says why");
                if self.of_state == 0 {
                    self.look.terminal(state)?;
                }
            }
            self.take()?;
            if !self.next.is_empty() {
                self.meter.depth += 1;
                model.end_layer(&mut [&mut scratch]);
            }
        }
        ControlFlow::Continue(())
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.set.len(),
            edges: self.edges,
            bytes: self.held(),
        }
    }

    fn held(&self) -> u64 {
        let words = self.layer + self.next.capacity() + self.steps.capacity();
        let places = self.places.capacity() * size_of::<Place>();
        self.set.bytes() + self.recent.bytes() + (words * 8 + places) as u64
    }

    /// Looks up the states that wait, and takes in those that are new.
    fn take(&mut self) -> ControlFlow<Stop> {
        let many = self.steps.len() as u64;
        self.make_room(many)?;
        self.places.clear();
        let set = &self.set;
        self.places
            .extend(self.steps.iter().map(|state| set.place(*state)));
        let is_near_the_limit = self.set.len() + many > self.meter.most_states();
        for at in 0..self.steps.len() {
            let (state, place) = (self.steps[at], self.places[at]);
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
                self.next.push(state);
                self.look.found(state)?;
            }
        }
        self.steps.clear();
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
        self.set.reserve(many);
        ControlFlow::Continue(())
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
                let (states, edges, bytes) = (self.set.len(), self.edges, self.bytes);
                self.meter.step(|| Figures {
                    states,
                    edges,
                    bytes,
                })
            }
            Ok(state) => {
                self.steps.push(state[0]);
                match self.steps.len() < BATCH {
                    true => return ControlFlow::Continue(()),
                    false => self.take(),
                }
            }
            Err(failure) => {
                self.edges += 1;
                self.look.failing(label, failure)
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
