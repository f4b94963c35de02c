//! The search in layers on several threads.
//!
//! A layer is dealt out in blocks of states. Each thread takes the steps of one block after the other, and looks what they
//! lead to up in one table that all have in common, as one thread does ([`SharedSet`]). So a layer has the states
//! that it has on one thread, in another order, and what waits to be looked up has a fixed size however many steps a
//! state has. Threads wait for each other where a layer ends, and where the table grows, which all of them do.
//!
//! Before anything grows the sum of what all threads hold is asked for ([`Bounds`]).
//!
//! Where words tell states of several words ([`coding`](crate::store::coding)), a thread may come to a state that
//! has no word, because a component has more values than its bits can tell. It keeps that state whole, and all
//! threads come to an end with the block of states that they are at. Then one changes all words, and they go on.
//! What is given up, and when, depends on how many values the states of a layer have, and so not on who finds them.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use stubborn_space::successors::{Footprints, WorkingMemory, end_layer};

use super::blocks::Blocks;
use super::bounds::Bounds;
use super::crew::all_together;
use super::found::{Begun, First, Layers, Searched, pays};
use super::look::Look;
use super::shared_set::SharedSet;
use super::team::Team;
use super::worker::{BYTES_OF_HAND, Hand, Work};

use crate::search::Ways;
use crate::search::meter::{Figures, Meter, Stop};
use crate::search::whole::Whole;
use crate::store::coding::Coding;
use crate::store::quotient::{Quotient, Shared};
use crate::store::recent::Recent;

/// As much more memory as it takes at most until several threads can go on, and until the set has doubled once more: what
/// one thread could do alone does not end for want of what several hold besides.
pub fn bytes_to_begin(set: &Quotient, next: &[u64]) -> u64 {
    let sets = Shared::bytes_to_share(set).max(2 * set.bytes());
    sets + Blocks::bytes_for(next.len()) + BYTES_OF_HAND
}

/// As much more memory as codings take of which each thread has one, and what these have in common.
pub fn bytes_of_codings(team: Team, coding: &impl Coding) -> u64 {
    2 * team.threads as u64 * coding.bytes()
}

/// Goes on with what one thread has begun, from the end of a layer.
pub fn go_on<S, L, C>(
    team: Team,
    (model, initial): (&S, u64),
    meter: &mut Meter<'_>,
    begun: Begun<S::Scratch, L, C>,
    look: impl FnMut() -> L,
) -> Searched<L>
where
    S: Footprints + Sync,
    L: Look + Send,
    C: Coding + Send,
{
    let Begun {
        layers: mut found,
        set,
        next,
        hand: first,
    } = begun;
    let figures = found.figures();
    let mut hand = Hand::new(team, first);
    hand.next = Blocks::of(&next);
    let to_share = Shared::bytes_to_share(&set);
    let mut set = SharedSet::new(set, team.threads);
    let held = set.bytes() + Blocks::bytes_for(next.len()) + BYTES_OF_HAND;
    found.bytes = found
        .bytes
        .max(held + to_share + next.capacity() as u64 * 8);
    drop(next);
    let bounds = Bounds::new(
        meter,
        Figures {
            bytes: held,
            ..figures
        },
    );
    let mut parallel = Parallel {
        bounds,
        meter,
        team,
        hands: vec![hand],
        set,
        initial,
        changes: 0,
        given_up: false,
        is_too_narrow: false,
        look,
    };
    let flow = parallel.all(model);
    let figures = parallel.bounds.figures();
    let leaves_out = found.leaves_out || parallel.hands.iter().any(|hand| hand.leaves_out);
    let is_over = flow.is_continue();
    let is_whole = is_over && model.words() == 1;
    let layers = Layers {
        states: figures.states,
        edges: figures.edges,
        full: is_over && !leaves_out,
        leaves_out,
        bytes: parallel.bounds.peak().max(found.bytes),
        given_up: parallel.given_up,
        is_too_narrow: parallel.is_too_narrow,
        several: true,
        whole: is_whole.then(|| Whole::of_all(parallel.set.into_set(), !leaves_out)),
    };
    let looks = parallel.hands.into_iter().map(|hand| hand.look);
    (flow, layers, looks.collect())
}

struct Parallel<'a, 'm, S, L, C, M> {
    bounds: Bounds,
    meter: &'a mut Meter<'m>,
    team: Team,
    hands: Vec<Hand<S, L, C>>,
    set: SharedSet,
    /// The word of the initial state, which never changes.
    initial: u64,
    /// How often all words have changed.
    changes: u64,
    given_up: bool,
    is_too_narrow: bool,
    /// Makes one more.
    look: M,
}

impl<S, L, C, M> Parallel<'_, '_, S, L, C, M>
where
    S: WorkingMemory,
    L: Look + Send,
    C: Coding + Send,
    M: FnMut() -> L,
{
    fn all<N: Footprints<Scratch = S> + Sync>(&mut self, model: &N) -> ControlFlow<Stop> {
        loop {
            let nexts = self.hands.iter_mut().map(|hand| &mut hand.next);
            let mut layer: Vec<Blocks> = nexts.map(std::mem::take).collect();
            let states = layer.iter().map(Blocks::states).sum();
            if states == 0 {
                return ControlFlow::Continue(());
            }
            self.meter.go_deeper();
            let threads = self.team.of_layer(states);
            while self.hands.len() < threads && self.one_more(model) {}
            layer.resize_with(self.hands.len(), Blocks::default);
            // Who is new counts as well: it judges as the others do from now on.
            end_layer(self.hands.iter_mut().map(|hand| &mut hand.scratch));
            self.go_through(model, layer, threads)?;
            self.catch_up();
            if !pays(&self.hands[0].coding, self.bounds.figures().states) {
                return self.give_up();
            }
        }
    }

    /// Whether there was memory for one more.
    fn one_more<N: Footprints<Scratch = S>>(&mut self, model: &N) -> bool {
        // What the values take that threads have in common is told with the first coding from now on.
        let of_coding = 2 * self.hands[0].coding.bytes();
        let has_memory = self.bounds.hold(BYTES_OF_HAND).is_continue();
        let has_memory = has_memory
            && match self.bounds.hold(of_coding) {
                ControlFlow::Continue(()) => {
                    self.bounds.let_go(of_coding);
                    true
                }
                ControlFlow::Break(_) => {
                    self.bounds.let_go(BYTES_OF_HAND);
                    false
                }
            };
        if has_memory {
            let first = First {
                scratch: model.scratch(),
                look: (self.look)(),
                recent: Recent::of(self.initial),
                coding: self.hands[0].coding.one_more(),
            };
            self.hands.push(Hand::new(self.team, first));
        }
        has_memory
    }

    fn go_through<N>(&mut self, model: &N, layer: Vec<Blocks>, threads: usize) -> ControlFlow<Stop>
    where
        N: Footprints<Scratch = S> + Sync,
    {
        let threads = threads.min(self.hands.len());
        let mut blocks: Vec<Mutex<Blocks>> = layer.into_iter().map(Mutex::new).collect();
        loop {
            let work = Work {
                model,
                changes: self.changes,
                blocks: &blocks,
                set: &self.set,
                must_widen: AtomicBool::new(false),
            };
            let hands = &mut self.hands[..threads];
            all_together(&self.bounds, self.meter, hands, |at, hand, member| {
                work.done_by(at, hand, member)
            })?;
            if !work.must_widen.into_inner() {
                return ControlFlow::Continue(());
            }
            self.widen(&mut blocks)?;
        }
    }

    /// Has all codings know what was met, so that any state can be laid out.
    fn catch_up(&mut self) {
        for hand in &mut self.hands {
            hand.coding.catch_up();
            let now = hand.worked_out.max(hand.coding.bytes());
            let before = std::mem::replace(&mut hand.worked_out, now);
            self.bounds.resize(before, now, 0);
        }
    }

    /// Gives all states other words, those of the layer and those that were found.
    #[cold]
    fn widen(&mut self, blocks: &mut [Mutex<Blocks>]) -> ControlFlow<Stop> {
        self.catch_up();
        let Some((first, others)) = self.hands.split_first_mut() else {
            return ControlFlow::Continue(());
        };
        let Some(change) = first.coding.widen() else {
            self.is_too_narrow = true;
            return self.give_up();
        };
        others
            .iter_mut()
            .for_each(|hand| hand.coding.follow(&first.coding));
        self.changes += 1;
        debug_assert_eq!(
            change.of(self.initial),
            self.initial,
            "it has all first numbers"
        );
        let width = first.coding.width();
        let (before, needed) = (self.set.bytes(), self.set.bytes_to_change(width));
        self.bounds.hold(needed)?;
        let (figures, meter) = (self.bounds.figures(), &mut *self.meter);
        let ask = || meter.poll(figures);
        (self.set).change(width, |word| change.of(word), ask)?;
        self.bounds.resize(before, self.set.bytes(), needed);
        for blocks in blocks {
            let blocks = blocks.get_mut().unwrap_or_else(PoisonError::into_inner);
            blocks.change(|word| change.of(word));
        }
        for hand in &mut self.hands {
            hand.next.change(|word| change.of(word));
            hand.recent = Recent::of(self.initial);
        }
        ControlFlow::Continue(())
    }

    fn give_up(&mut self) -> ControlFlow<Stop> {
        self.given_up = true;
        ControlFlow::Break(Stop::Decided)
    }
}
