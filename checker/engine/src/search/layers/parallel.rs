//! The search in layers on several threads.
//!
//! A layer is dealt out in blocks of states. Each thread takes the steps of one block after the other, gathers
//! what they lead to, and has the parts of the set take it in as soon as there is enough of it ([`Shards`];
//! Stern and Dill, "Parallelizing the Murφ Verifier", CAV 1997, deal states out to machines in the same way).
//! So a layer has the states that it has on one thread, in another order, and what waits to be taken in has a
//! fixed size however many steps a state has. Threads wait for each other where a layer ends, and nowhere
//! else but for a part.
//!
//! Before anything grows the sum of what all threads hold is asked for ([`Bounds`]).
//!
//! Where words tell states of several words ([`coding`](crate::store::coding)), a thread may come to a state that
//! has no word, because a component has more values than its bits can tell. It keeps that state whole, and all
//! threads come to an end with the block of states that they are at. Then one changes all words, and they go on.
//! What is given up, and when, depends on how many values the states of a layer have, and so not on who finds them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use stubborn_system::system::Failure;

use super::blocks::{self, Block, Blocks};
use super::bounds::Bounds;
use super::crew::{Member, all_together};
use super::look::Takes;
use super::passed::Passed;
use super::remembered::{self, Remembered};
use super::shards::{Shards, Window};
use super::{Begun, First, Layers, Look, Searched, Team, pays};
use crate::search::Ways;
use crate::search::meter::{Figures, Meter, Stop};
use crate::search::whole::Whole;
use crate::store::coding::{Coding, Outgrown};
use crate::store::quotient::Quotient;
use crate::store::recent::Recent;
use crate::successors::{Label, Successors, Visit, Wanted};

/// As much more memory as it takes at most until several threads can go on, with words of so many bits.
pub fn bytes_to_begin(team: Team, width: u32, set: &Quotient, next: &[u64]) -> u64 {
    let blocks = Blocks::bytes_for(next.len());
    let sets = Shards::bytes_to_deal(set, width, team.threads);
    sets + blocks + bytes_of_hand(Shards::new(width, team.threads).count())
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
    S: Successors + Sync,
    S::Scratch: Send,
    L: Look + Send,
    C: Coding + Send,
{
    let Begun {
        layers: mut found,
        set,
        next,
        hand: first,
    } = begun;
    let width = first.coding.width();
    let mut shards = Shards::new(width, team.threads);
    let figures = found.figures();
    let flow = shards.deal_out(&set, || meter.step(|| figures));
    if flow.is_break() {
        return (flow, found, vec![first.look]);
    }
    let mut hand = Hand::new(shards.count(), team, first);
    hand.next = Blocks::of(&next);
    let blocks = Blocks::bytes_for(next.len());
    let held = shards.bytes() + blocks + bytes_of_hand(shards.count());
    found.bytes = found
        .bytes
        .max(held + set.bytes() + next.capacity() as u64 * 8);
    drop((set, next));
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
        shards,
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
        whole: is_whole.then(|| Whole::of_parts(parallel.shards, !leaves_out)),
    };
    let looks = parallel.hands.into_iter().map(|hand| hand.look);
    (flow, layers, looks.collect())
}

struct Parallel<'a, 'm, S, L, C, M> {
    bounds: Bounds,
    meter: &'a mut Meter<'m>,
    team: Team,
    hands: Vec<Hand<S, L, C>>,
    shards: Shards,
    /// The word of the initial state, which never changes.
    initial: u64,
    /// How often all words have changed.
    changes: u64,
    given_up: bool,
    is_too_narrow: bool,
    /// Makes one more.
    look: M,
}

/// One thread's. What one counts does not stand on a line of a processor's cache with what another one does: each would
/// wait for the other at every step.
#[repr(align(128))]
struct Hand<S, L, C> {
    scratch: S,
    look: L,
    coding: C,
    /// What this thread remembers of steps and of looks, and how many bytes that takes.
    steps: Remembered,
    passed: Passed,
    remembered: u64,
    /// How many bytes there are for what the model has worked out for this thread, and for its coding.
    worked_out: u64,
    /// States that this thread has laid out lately.
    recent: Recent,
    /// What the steps lead to and waits to be taken in.
    window: Window,
    /// The states of the next layer that this thread was the first to find.
    next: Blocks,
    /// States that steps lead to and that have no word yet, one after the other.
    outgrown: Vec<u64>,
    /// Steps that nobody was told of yet.
    edges: u64,
    leaves_out: bool,
}

impl<S, L, C> Hand<S, L, C> {
    fn new(parts: usize, team: Team, first: First<S, L, C>) -> Hand<S, L, C> {
        Hand {
            scratch: first.scratch,
            look: first.look,
            coding: first.coding,
            steps: Remembered::when(team.remembered),
            passed: Passed::default(),
            remembered: 0,
            worked_out: 0,
            recent: first.recent,
            window: Window::new(parts),
            next: Blocks::default(),
            outgrown: Vec::new(),
            edges: 0,
            leaves_out: false,
        }
    }
}

/// With so many parts of the set.
fn bytes_of_hand(parts: usize) -> u64 {
    Recent::BYTES + Window::bytes(parts)
}

impl<S, L, C, M> Parallel<'_, '_, S, L, C, M>
where
    S: Send,
    L: Look + Send,
    C: Coding + Send,
    M: FnMut() -> L,
{
    fn all<N: Successors<Scratch = S> + Sync>(&mut self, model: &N) -> ControlFlow<Stop> {
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
            let hands = self.hands.iter_mut();
            let mut scratches: Vec<&mut S> = hands.map(|hand| &mut hand.scratch).collect();
            model.end_layer(&mut scratches);
            self.go_through(model, layer, threads)?;
            self.catch_up();
            if !pays(&self.hands[0].coding, self.bounds.figures().states) {
                return self.give_up();
            }
        }
    }

    /// Whether there was memory for one more.
    fn one_more<N: Successors<Scratch = S>>(&mut self, model: &N) -> bool {
        let parts = self.shards.count();
        // What the values take that threads have in common is told with the first coding from now on.
        let of_coding = 2 * self.hands[0].coding.bytes();
        let has_memory = self.bounds.hold(bytes_of_hand(parts)).is_continue();
        let has_memory = has_memory
            && match self.bounds.hold(of_coding) {
                ControlFlow::Continue(()) => {
                    self.bounds.let_go(of_coding);
                    true
                }
                ControlFlow::Break(_) => {
                    self.bounds.let_go(bytes_of_hand(parts));
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
            self.hands.push(Hand::new(parts, self.team, first));
        }
        has_memory
    }

    fn go_through<N>(&mut self, model: &N, layer: Vec<Blocks>, threads: usize) -> ControlFlow<Stop>
    where
        N: Successors<Scratch = S> + Sync,
    {
        let threads = threads.min(self.hands.len());
        let mut blocks: Vec<Mutex<Blocks>> = layer.into_iter().map(Mutex::new).collect();
        loop {
            let work = Work {
                model,
                changes: self.changes,
                blocks: &blocks,
                shards: &self.shards,
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
        let (width, threads) = (first.coding.width(), self.team.threads);
        let before = self.shards.bytes();
        let needed = Shards::bytes_for(before, width, threads);
        self.bounds.hold(needed)?;
        let (figures, meter) = (self.bounds.figures(), &mut *self.meter);
        let ask = || meter.step(|| figures);
        self.shards = (self.shards).changed(width, threads, |word| change.of(word), ask)?;
        self.bounds.resize(before, self.shards.bytes(), needed);
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

/// A layer, as several threads go through it.
struct Work<'w, S> {
    model: &'w S,
    /// How often all words have changed.
    changes: u64,
    /// By who has found them.
    blocks: &'w [Mutex<Blocks>],
    shards: &'w Shards,
    /// Somebody has come to a state that has no word.
    must_widen: AtomicBool,
}

impl<S: Successors> Work<'_, S> {
    /// Takes the steps of blocks until there are no more.
    fn done_by<L: Look, C: Coding>(
        &self,
        at: usize,
        hand: &mut Hand<S::Scratch, L, C>,
        member: Member<'_>,
    ) -> Option<Stop> {
        let Hand {
            scratch,
            look,
            coding,
            steps,
            passed,
            remembered,
            worked_out,
            recent,
            window,
            next,
            outgrown,
            edges,
            leaves_out,
        } = hand;
        let mut worker = Worker {
            look,
            coding,
            passed,
            remembered,
            recent,
            window,
            next,
            outgrown,
            edges,
            leaves_out,
            shards: self.shards,
            changes: self.changes,
            must_widen: &self.must_widen,
            member,
            state: vec![0; self.model.words()],
            of_state: 0,
        };
        let flow = self.all_blocks(at, (scratch, worked_out), steps, &mut worker);
        worker.tell_edges();
        worker.member.ended(flow)
    }

    fn all_blocks<L: Look, C: Coding>(
        &self,
        at: usize,
        (scratch, worked_out): (&mut S::Scratch, &mut u64),
        steps: &mut Remembered,
        worker: &mut Worker<'_, L, C>,
    ) -> ControlFlow<()> {
        worker.take_outgrown()?;
        let mut state = vec![0; self.model.words()];
        while !self.must_widen.load(Relaxed)
            && let Some(block) = self.next_block(at)
        {
            for word in &block {
                worker.of_state = 0;
                steps.visit(self.model, *word, &mut state, scratch, worker)?;
                if worker.of_state == 0 {
                    worker.coding.state(*word, &mut state);
                    let flow = worker.look.terminal(&state);
                    worker.member.or_stop(flow)?;
                }
                worker.count_down()?;
            }
            blocks::let_go(block, worker.member.bounds);
            let now = self.model.bytes(scratch) + worker.coding.bytes();
            let before = std::mem::replace(worked_out, now);
            worker.member.bounds.resize(before, now, 0);
        }
        worker.take_in()
    }

    /// First what this thread has found itself, in that order: what its steps lead to was met lately. Then what
    /// others will come to last.
    fn next_block(&self, own: usize) -> Option<Block> {
        let blocks = |at: usize| {
            let blocks: &Mutex<Blocks> = &self.blocks[at];
            blocks.lock().unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(block) = blocks(own).take_first() {
            return Some(block);
        }
        let many = self.blocks.len();
        let mut others = (1..many).map(|further| (own + further) % many);
        others.find_map(|other| blocks(other).take_last())
    }
}

/// Takes the steps of one state after the other.
struct Worker<'t, L, C> {
    look: &'t mut L,
    coding: &'t mut C,
    passed: &'t mut Passed,
    /// How many bytes the steps and looks take that are remembered.
    remembered: &'t mut u64,
    recent: &'t mut Recent,
    window: &'t mut Window,
    next: &'t mut Blocks,
    outgrown: &'t mut Vec<u64>,
    edges: &'t mut u64,
    leaves_out: &'t mut bool,
    shards: &'t Shards,
    changes: u64,
    must_widen: &'t AtomicBool,
    member: Member<'t>,
    /// For a state that somebody is told of.
    state: Vec<u64>,
    /// How many steps the present state has.
    of_state: u64,
}

impl<L: Look, C: Coding> Worker<'_, L, C> {
    #[inline]
    fn count_down(&mut self) -> ControlFlow<()> {
        match self.member.is_due() {
            true => self.pulse(),
            false => ControlFlow::Continue(()),
        }
    }

    fn tell_edges(&mut self) {
        self.member.bounds.count_edges(std::mem::take(self.edges));
    }

    /// Has the parts of the set take in what was gathered.
    fn take_in(&mut self) -> ControlFlow<()> {
        let bounds = self.member.bounds;
        let ask = &mut || self.member.may_go_on();
        let flow = self.shards.take_in(self.window, bounds, ask);
        let mut passed = std::mem::take(self.passed);
        let mut laid_out = std::mem::take(&mut self.state);
        for at in 0..self.window.len() {
            if let Some(state) = self.window.new_at(at) {
                let kept = self.next.push(state, self.member.bounds);
                self.member.or_stop(kept)?;
                let flow = passed.found(state, &mut laid_out, self);
                self.member.or_stop(flow)?;
                self.count_down()?;
            }
        }
        (*self.passed, self.state) = (passed, laid_out);
        self.window.clear();
        self.member.or_stop(flow)
    }

    /// Looks up the states that had no word, and keeps those that still have none.
    fn take_outgrown(&mut self) -> ControlFlow<()> {
        if self.outgrown.is_empty() {
            return ControlFlow::Continue(());
        }
        let outgrown = std::mem::take(self.outgrown);
        for state in outgrown.chunks(self.state.len()) {
            if let Some(word) = self.word_of(state)? {
                self.look_up(word)?;
            } else {
                // It was counted before.
                *self.edges -= 1;
            }
            self.count_down()?;
        }
        self.member
            .bounds
            .let_go(outgrown.len() as u64 * BYTES_OF_WORD);
        ControlFlow::Continue(())
    }

    /// Keeps a state that has no word, if there is memory for it.
    #[cold]
    fn keep_outgrown(&mut self, state: &[u64]) -> ControlFlow<()> {
        self.must_widen.store(true, Relaxed);
        self.of_state += 1;
        *self.edges += 1;
        let held = self.member.bounds.hold(state.len() as u64 * BYTES_OF_WORD);
        self.member.or_stop(held)?;
        self.outgrown.extend_from_slice(state);
        ControlFlow::Continue(())
    }

    /// Has the parts of the set take in a state that is not among the last, if it is new.
    #[inline]
    fn look_up(&mut self, word: u64) -> ControlFlow<()> {
        if !self.recent.meet(word) {
            let dealt = self.shards.deal(word);
            self.window.add(word, dealt);
            if self.window.is_full() {
                self.take_in()?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Of a state that is kept whole, in a list that may be just growing.
const BYTES_OF_WORD: u64 = 3 * size_of::<u64>() as u64;

impl<L: Look, C: Coding> Visit for Worker<'_, L, C> {
    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }

    fn leaves_out(&mut self) {
        *self.leaves_out = true;
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
                *self.edges += 1;
                let flow = self.look.failing(label, failure);
                self.member.or_stop(flow)?;
                self.count_down()
            }
        }
    }

    #[cold]
    fn pulse(&mut self) -> ControlFlow<()> {
        self.tell_edges();
        self.member.ask_whether_to_go_on()
    }
}

impl<L: Look, C: Coding> Takes for Worker<'_, L, C> {
    type Coding = C;
    type Look = L;

    fn coding(&mut self) -> &mut C {
        self.coding
    }

    fn look(&mut self) -> &mut L {
        self.look
    }

    #[inline]
    fn leads_to(&mut self, word: u64) -> ControlFlow<()> {
        self.of_state += 1;
        *self.edges += 1;
        self.look_up(word)?;
        self.count_down()
    }

    #[inline]
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>> {
        match self.coding.word(state) {
            Ok(word) => ControlFlow::Continue(Some(word)),
            Err(Outgrown) => self.keep_outgrown(state).map_continue(|()| None),
        }
    }

    fn changes(&self) -> u64 {
        self.changes
    }

    fn holds(&mut self, bytes: u64) -> bool {
        let all = *self.remembered + bytes;
        let held = self.member.bounds.figures().bytes;
        let holds = remembered::may_be(all, held, self.member.bounds.most_memory())
            && self.member.bounds.hold(bytes).is_continue();
        if holds {
            *self.remembered = all;
        }
        holds
    }

    fn lets_go(&mut self, bytes: u64) {
        *self.remembered -= bytes;
        self.member.bounds.let_go(bytes);
    }
}
