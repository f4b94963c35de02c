//! What one of several threads does in a layer.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use stubborn_system::system::Failure;

use super::blocks::{self, Block, Blocks};
use super::crew::Member;
use super::found::First;
use super::look::{Look, Takes};
use super::passed::Passed;
use super::remembered::{self, Remembered};
use super::shards::Shards;
use super::team::Team;
use super::window::Window;
use crate::search::meter::Stop;
use crate::store::coding::{Coding, Outgrown};
use crate::store::recent::Recent;
use crate::successors::{Label, Successors, Visit, Wanted};

/// One thread's. What one counts does not stand on a line of a processor's cache with what another one does: each would
/// wait for the other at every step.
#[repr(align(128))]
pub struct Hand<S, L, C> {
    pub scratch: S,
    pub look: L,
    pub coding: C,
    /// What this thread remembers of steps and of looks, and how many bytes that takes.
    pub steps: Remembered,
    pub passed: Passed,
    pub remembered: u64,
    /// How many bytes there are for what the model has worked out for this thread, and for its coding.
    pub worked_out: u64,
    /// States that this thread has laid out lately.
    pub recent: Recent,
    /// What the steps lead to and waits to be taken in.
    pub window: Window,
    /// The states of the next layer that this thread was the first to find.
    pub next: Blocks,
    /// States that steps lead to and that have no word yet, one after the other.
    pub outgrown: Vec<u64>,
    /// Steps that nobody was told of yet.
    pub edges: u64,
    pub leaves_out: bool,
}

impl<S, L, C> Hand<S, L, C> {
    pub fn new(parts: usize, team: Team, first: First<S, L, C>) -> Hand<S, L, C> {
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
pub fn bytes_of_hand(parts: usize) -> u64 {
    Recent::BYTES + Window::bytes(parts)
}

/// A layer, as several threads go through it.
pub struct Work<'w, S> {
    pub model: &'w S,
    /// How often all words have changed.
    pub changes: u64,
    /// By who has found them.
    pub blocks: &'w [Mutex<Blocks>],
    pub shards: &'w Shards,
    /// Somebody has come to a state that has no word.
    pub must_widen: AtomicBool,
}

impl<S: Successors> Work<'_, S> {
    /// Takes the steps of blocks until there are no more.
    pub fn done_by<L: Look, C: Coding>(
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
            for (at, word) in block.iter().enumerate() {
                worker.of_state = 0;
                steps.fetch(*block.get(at + 1).unwrap_or(word));
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
