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

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use stubborn_system::system::Failure;

use super::blocks::{self, Block, Blocks};
use super::bounds::Bounds;
use super::crew::{Member, all_together};
use super::look::Takes;
use super::passed::Passed;
use super::remembered::{self, Remembered};
use super::shards::{Shards, Window};
use super::{Begun, Layers, Look, Searched, Team};
use crate::search::Ways;
use crate::search::meter::{Figures, Meter, Stop};
use crate::search::whole::Whole;
use crate::store::coding::OneWord;
use crate::store::quotient::Quotient;
use crate::store::recent::Recent;
use crate::successors::{Label, Successors, Visit, Wanted};

/// As much more memory as it takes at most until several threads can go on.
pub fn bytes_to_begin(team: Team, set: &Quotient, next: &[u64]) -> u64 {
    let blocks = Blocks::bytes_for(next.len());
    let sets = Shards::bytes_to_deal(set, team.width, team.threads);
    sets + blocks + bytes_of_hand(Shards::new(team.width, team.threads).count())
}

/// Goes on with what one thread has begun, from the end of a layer.
pub fn go_on<S, L>(
    team: Team,
    model: &S,
    meter: &mut Meter<'_>,
    begun: Begun<S::Scratch, L>,
    look: impl FnMut() -> L,
) -> Searched<L>
where
    S: Successors + Sync,
    S::Scratch: Send,
    L: Look + Send,
{
    let Begun {
        layers: mut found,
        set,
        next,
        hand: (scratch, first, recent),
    } = begun;
    let mut shards = Shards::new(team.width, team.threads);
    let figures = found.figures();
    let flow = shards.deal_out(&set, || meter.step(|| figures));
    if flow.is_break() {
        return (flow, found, vec![first]);
    }
    let mut hand = Hand::new(shards.count(), scratch, first, recent);
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
        look,
    };
    let flow = parallel.all(model);
    let figures = parallel.bounds.figures();
    let leaves_out = found.leaves_out || parallel.hands.iter().any(|hand| hand.leaves_out);
    let is_over = flow.is_continue();
    let layers = Layers {
        states: figures.states,
        edges: figures.edges,
        full: is_over && !leaves_out,
        leaves_out,
        bytes: parallel.bounds.peak().max(found.bytes),
        given_up: false,
        several: true,
        whole: is_over.then(|| Whole::of_parts(parallel.shards, !leaves_out)),
    };
    let looks = parallel.hands.into_iter().map(|hand| hand.look);
    (flow, layers, looks.collect())
}

struct Parallel<'a, 'm, C, L, M> {
    bounds: Bounds,
    meter: &'a mut Meter<'m>,
    team: Team,
    hands: Vec<Hand<C, L>>,
    shards: Shards,
    /// Makes one more.
    look: M,
}

/// One thread's.
struct Hand<C, L> {
    scratch: C,
    look: L,
    /// What this thread remembers of steps and of looks, and how many bytes that takes.
    steps: Remembered,
    passed: Passed,
    remembered: u64,
    /// How many bytes there are for what the model has worked out for this thread.
    worked_out: u64,
    /// States that this thread has laid out lately.
    recent: Recent,
    /// What the steps lead to and waits to be taken in.
    window: Window,
    /// The states of the next layer that this thread was the first to find.
    next: Blocks,
    /// Steps that nobody was told of yet.
    edges: u64,
    leaves_out: bool,
}

impl<C, L> Hand<C, L> {
    fn new(parts: usize, scratch: C, look: L, recent: Recent) -> Hand<C, L> {
        Hand {
            scratch,
            look,
            steps: Remembered::default(),
            passed: Passed::default(),
            remembered: 0,
            worked_out: 0,
            recent,
            window: Window::new(parts),
            next: Blocks::default(),
            edges: 0,
            leaves_out: false,
        }
    }
}

/// With so many parts of the set.
fn bytes_of_hand(parts: usize) -> u64 {
    Recent::BYTES + Window::bytes(parts)
}

impl<C: Send, L: Look + Send, M: FnMut() -> L> Parallel<'_, '_, C, L, M> {
    fn all<S: Successors<Scratch = C> + Sync>(&mut self, model: &S) -> ControlFlow<Stop> {
        loop {
            let nexts = self.hands.iter_mut().map(|hand| &mut hand.next);
            let mut layer: Vec<Blocks> = nexts.map(std::mem::take).collect();
            let states = layer.iter().map(Blocks::states).sum();
            if states == 0 {
                return ControlFlow::Continue(());
            }
            self.meter.depth += 1;
            let threads = self.team.of_layer(states);
            while self.hands.len() < threads && self.one_more(model) {}
            layer.resize_with(self.hands.len(), Blocks::default);
            // Who is new counts as well: it judges as the others do from now on.
            let hands = self.hands.iter_mut();
            let mut scratches: Vec<&mut C> = hands.map(|hand| &mut hand.scratch).collect();
            model.end_layer(&mut scratches);
            self.go_through(model, layer, threads)?;
        }
    }

    /// Whether there was memory for one more.
    fn one_more<S: Successors<Scratch = C>>(&mut self, model: &S) -> bool {
        let parts = self.shards.count();
        let has_memory = self.bounds.hold(bytes_of_hand(parts)).is_continue();
        if has_memory {
            let recent = Recent::of(model.initial()[0]);
            let hand = Hand::new(parts, model.scratch(), (self.look)(), recent);
            self.hands.push(hand);
        }
        has_memory
    }

    fn go_through<S>(&mut self, model: &S, layer: Vec<Blocks>, threads: usize) -> ControlFlow<Stop>
    where
        S: Successors<Scratch = C> + Sync,
    {
        let (meter, many) = (&mut *self.meter, self.hands.len());
        let work = Work {
            model,
            width: self.team.width,
            blocks: layer.into_iter().map(Mutex::new).collect(),
            shards: &self.shards,
        };
        let hands = &mut self.hands[..threads.min(many)];
        all_together(&self.bounds, meter, hands, |at, hand, member| {
            work.done_by(at, hand, member)
        })
    }
}

/// A layer, as several threads go through it.
struct Work<'w, S> {
    model: &'w S,
    /// How many bits a state has.
    width: u32,
    /// By who has found them.
    blocks: Vec<Mutex<Blocks>>,
    shards: &'w Shards,
}

impl<S: Successors> Work<'_, S> {
    /// Takes the steps of blocks until there are no more.
    fn done_by<L: Look>(
        &self,
        at: usize,
        hand: &mut Hand<S::Scratch, L>,
        member: Member<'_>,
    ) -> Option<Stop> {
        let Hand {
            scratch,
            look,
            steps,
            passed,
            remembered,
            worked_out,
            recent,
            window,
            next,
            edges,
            leaves_out,
        } = hand;
        let mut worker = Worker {
            look,
            coding: OneWord { width: self.width },
            passed,
            remembered,
            recent,
            window,
            next,
            edges,
            leaves_out,
            shards: self.shards,
            member,
            of_state: 0,
        };
        let flow = self.all_blocks(at, (scratch, worked_out), steps, &mut worker);
        worker.tell_edges();
        worker.member.ended(flow)
    }

    fn all_blocks<L: Look>(
        &self,
        at: usize,
        (scratch, worked_out): (&mut S::Scratch, &mut u64),
        steps: &mut Remembered,
        worker: &mut Worker<'_, L>,
    ) -> ControlFlow<()> {
        while let Some(block) = self.next_block(at) {
            for state in &block {
                worker.of_state = 0;
                steps.visit(self.model, *state, &mut [*state], scratch, worker)?;
                if worker.of_state == 0 {
                    let flow = worker.look.terminal(&[*state]);
                    worker.member.or_stop(flow)?;
                }
                worker.count_down()?;
            }
            blocks::let_go(block, worker.member.bounds);
            let now = self.model.bytes(scratch);
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
struct Worker<'t, L> {
    look: &'t mut L,
    coding: OneWord,
    passed: &'t mut Passed,
    /// How many bytes the steps and looks take that are remembered.
    remembered: &'t mut u64,
    recent: &'t mut Recent,
    window: &'t mut Window,
    next: &'t mut Blocks,
    edges: &'t mut u64,
    leaves_out: &'t mut bool,
    shards: &'t Shards,
    member: Member<'t>,
    /// How many steps the present state has.
    of_state: u64,
}

impl<L: Look> Worker<'_, L> {
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
        for at in 0..self.window.len() {
            if let Some(state) = self.window.new_at(at) {
                let kept = self.next.push(state, self.member.bounds);
                self.member.or_stop(kept)?;
                let flow = passed.found(state, &mut [state], self);
                self.member.or_stop(flow)?;
                self.count_down()?;
            }
        }
        *self.passed = passed;
        self.window.clear();
        self.member.or_stop(flow)
    }
}

impl<L: Look> Visit for Worker<'_, L> {
    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }

    fn leaves_out(&mut self) {
        *self.leaves_out = true;
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Ok(state) => self.leads_to(state[0]),
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

impl<L: Look> Takes for Worker<'_, L> {
    type Coding = OneWord;
    type Look = L;

    fn coding(&mut self) -> &mut OneWord {
        &mut self.coding
    }

    fn look(&mut self) -> &mut L {
        self.look
    }

    #[inline]
    fn leads_to(&mut self, state: u64) -> ControlFlow<()> {
        self.of_state += 1;
        *self.edges += 1;
        if !self.recent.meet(state) {
            let dealt = self.shards.deal(state);
            self.window.add(state, dealt);
            if self.window.is_full() {
                self.take_in()?;
            }
        }
        self.count_down()
    }

    #[inline]
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), u64> {
        ControlFlow::Continue(state[0])
    }

    /// They are the states.
    fn changes(&self) -> u64 {
        0
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
