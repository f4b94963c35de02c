//! One worker in a layer: takes the steps of states and looks their targets up.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use stubborn_space::successors::{Footprints, Label, WorkingMemory, end_layer};
use stubborn_system::system::Failure;

use super::access::Access;
use super::blocks::{Block, Blocks};
use super::expand::{Expander, States};
use super::look::Look;
use super::look_cache::{LookCache, Looks};
use super::pool::Member;
use super::result::pays;
use super::sink::Sink;
use super::step_cache::may_be_cached;
use super::team::Team;
use crate::search::meter::Stop;
use crate::store::coding::{Coding, Outgrown};
use crate::store::quotient::{AT_ONCE, Place, ones};
use crate::store::recent::Recent;

/// One worker, from layer to layer. Two workers share no line of a processor's cache: each would
/// wait for the other at every step.
#[repr(align(128))]
pub struct Worker<S, L, C> {
    pub expander: Expander<S>,
    pub memory: WorkerMemory<L, C>,
}

/// Observer, coding, caches and states of a worker.
pub struct WorkerMemory<L, C> {
    pub look: L,
    pub coding: C,
    pub passed: LookCache,
    /// Memory of the caches of steps and looks, in bytes.
    pub cached: u64,
    /// Memory of the model and of the coding, in bytes.
    pub worked_out: u64,
    /// Words that this worker was led to lately.
    pub recent: Recent,
    /// Places of targets that wait to be looked up.
    pub waiting: Vec<Place>,
    /// States of the next layer that this worker was the first to find.
    pub next: Blocks,
    /// Targets that have no word yet, one after the other.
    pub outgrown: Vec<u64>,
    pub leaves_out: bool,
}

impl<S: WorkingMemory, L, C> Worker<S, L, C> {
    /// `initial` is the word of the initial state.
    pub fn new<N>(model: &N, team: Team, look: L, coding: C, initial: u64) -> Worker<S, L, C>
    where
        N: Footprints<Scratch = S>,
    {
        Worker {
            expander: Expander::new(model, team.remembered),
            memory: WorkerMemory {
                look,
                coding,
                passed: LookCache::default(),
                cached: 0,
                worked_out: 0,
                recent: Recent::of(initial),
                waiting: Vec::with_capacity(AT_ONCE),
                next: Blocks::default(),
                outgrown: Vec::new(),
                leaves_out: false,
            },
        }
    }
}

/// Memory of a worker besides caches and states, in bytes.
pub const BYTES_OF_WORKER: u64 = Recent::BYTES + (AT_ONCE * size_of::<Place>()) as u64;

/// A layer on which several workers are at work.
pub struct Work<'w> {
    pub team: Team,
    /// Number of times that all words have changed.
    pub changes: u64,
    /// The states, by the workers that have found them.
    pub blocks: &'w [Mutex<Blocks>],
    /// A state was found that has no word.
    pub must_widen: AtomicBool,
}

impl Work<'_> {
    /// Takes the steps of blocks until there are no more; a worker that is alone goes on with
    /// layers that are narrow enough for one. Returns why it stops, and the access.
    pub fn done_by<N: Footprints, L: Look, C: Coding, A: Access>(
        &self,
        (model, at): (&N, usize),
        worker: &mut Worker<N::Scratch, L, C>,
        member: Member<'_>,
        access: A,
    ) -> (Option<Stop>, A) {
        let Worker { expander, memory } = worker;
        let mut states = InMemory {
            // Used at each step: they are a load away.
            recent: std::mem::take(&mut memory.recent),
            waiting: std::mem::take(&mut memory.waiting),
            memory,
            access,
            work: self,
            at,
            changes: self.changes,
            member,
            state: vec![0; model.words()],
            steps: 0,
            told: 0,
            met: 0,
        };
        let mut flow;
        loop {
            flow = states.all_blocks(model, expander);
            if flow.is_break() || !A::IS_ALONE || !states.has_narrow_layer() {
                break;
            }
            states.member.go_deeper();
            end_layer([&mut expander.scratch]);
        }
        // Before anything is waited for: a worker that grows the set ends, too.
        let stop = states.member.ended(flow);
        states.give_back();
        (states.memory.recent, states.memory.waiting) = (states.recent, states.waiting);
        (stop, states.access)
    }

    /// First the states that this worker has found itself, in that order: more of their steps lead
    /// to recent states. Then those that other workers would take last.
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

/// The states of a search in memory.
struct InMemory<'t, L, C, A> {
    memory: &'t mut WorkerMemory<L, C>,
    recent: Recent,
    /// Places of targets, prefetched while the next steps are computed.
    waiting: Vec<Place>,
    access: A,
    work: &'t Work<'t>,
    /// The number of this worker.
    at: usize,
    changes: u64,
    member: Member<'t>,
    /// Buffer for a state that is decoded for a look.
    state: Vec<u64>,
    /// Number of steps, and how many of them are counted in the bounds.
    steps: u64,
    told: u64,
    /// States, and steps to states visited lately, since the limits were last checked.
    met: u32,
}

impl<L: Look, C: Coding, A: Access> InMemory<'_, L, C, A> {
    fn all_blocks<N: Footprints>(
        &mut self,
        model: &N,
        expander: &mut Expander<N::Scratch>,
    ) -> ControlFlow<()> {
        self.open()?;
        self.take_outgrown()?;
        expander.expand(model, self)?;
        self.put_in()
    }

    /// Ends a layer after which one worker is enough for the next, and begins that.
    fn has_narrow_layer(&mut self) -> bool {
        let states = self.memory.next.states();
        let is_narrow = self.work.team.of_layer(states) == 1;
        let must_widen = self.work.must_widen.load(Relaxed);
        let found = self.member.bounds.figures().states;
        if states == 0 || !is_narrow || must_widen || !pays(&self.memory.coding, found) {
            return false;
        }
        if let Some(blocks) = self.work.blocks.first() {
            let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
            self.memory.next.swap(&mut blocks);
        }
        true
    }

    #[inline]
    fn met(&mut self) -> ControlFlow<()> {
        self.met += 1;
        match self.met < AT_ONCE as u32 {
            true => ControlFlow::Continue(()),
            false => self.count_down(0),
        }
    }

    /// Counts states and steps for the next look at the limits.
    fn count_down(&mut self, more: u32) -> ControlFlow<()> {
        let many = more + std::mem::take(&mut self.met);
        match self.member.is_due_after(many) {
            true => self.pulse(),
            false => ControlFlow::Continue(()),
        }
    }

    fn tell_edges(&mut self) {
        let more = self.steps - std::mem::replace(&mut self.told, self.steps);
        self.member.bounds.count_edges(more);
    }

    /// Opens the set after it was closed: it may have grown.
    fn open(&mut self) -> ControlFlow<()> {
        self.access.open(&mut self.member)?;
        self.access.place_again(&mut self.waiting);
        ControlFlow::Continue(())
    }

    /// Closes the set, and makes the numbers of states and steps known.
    fn give_back(&mut self) {
        self.tell_edges();
        self.waiting.clear();
        self.access.give_back(&self.member);
    }

    /// Looks up what waits, adds the states that are new, and opens the set for those that follow.
    #[inline(never)]
    fn take_in(&mut self) -> ControlFlow<()> {
        self.put_in()?;
        self.open()
    }

    /// The same, and leaves the set closed.
    fn put_in(&mut self) -> ControlFlow<()> {
        let many = self.waiting.len() as u32;
        let added = self.access.add(&self.waiting, &mut self.member);
        let unknown = self.waiting.len() - added.looked_up;
        self.member.bounds.uncount_edges(unknown as u64);
        let mut passed = std::mem::take(&mut self.memory.passed);
        let mut state = std::mem::take(&mut self.state);
        let flow = ones(added.new).try_for_each(|at| {
            let word = self.waiting[at].word();
            self.found(word, &mut passed, &mut state)
        });
        (self.memory.passed, self.state) = (passed, state);
        self.waiting.clear();
        flow?;
        added.flow?;
        self.count_down(many)
    }

    /// Keeps a new state for the next layer, and has it looked at.
    #[inline]
    fn found(&mut self, word: u64, passed: &mut LookCache, state: &mut [u64]) -> ControlFlow<()> {
        let kept = self.memory.next.push(word, self.member.bounds);
        self.member.or_stop(kept)?;
        let flow = passed.found(word, state, self);
        self.member.or_stop(flow)
    }

    /// Looks up the states that had no word, and keeps those that still have none.
    fn take_outgrown(&mut self) -> ControlFlow<()> {
        if self.memory.outgrown.is_empty() {
            return ControlFlow::Continue(());
        }
        let outgrown = std::mem::take(&mut self.memory.outgrown);
        for state in outgrown.chunks(self.state.len()) {
            if let Some(word) = self.word_of(state)? {
                self.look_up(word)?;
            } else {
                // It was counted before.
                self.steps -= 1;
            }
            self.count_down(1)?;
        }
        self.member
            .bounds
            .let_go(outgrown.len() as u64 * BYTES_OF_WORD);
        ControlFlow::Continue(())
    }

    /// Keeps a state that has no word, if there is memory for it.
    #[cold]
    fn keep_outgrown(&mut self, state: &[u64]) -> ControlFlow<()> {
        self.work.must_widen.store(true, Relaxed);
        self.steps += 1;
        let held = self.member.bounds.hold(state.len() as u64 * BYTES_OF_WORD);
        self.member.or_stop(held)?;
        self.memory.outgrown.extend_from_slice(state);
        ControlFlow::Continue(())
    }

    /// Takes in a state that is not among the last, if it is new.
    #[inline(always)]
    fn look_up(&mut self, word: u64) -> ControlFlow<()> {
        if self.recent.meet(word) {
            return self.met();
        }
        self.waiting.push(self.access.place(word));
        match self.waiting.len() < AT_ONCE {
            true => ControlFlow::Continue(()),
            false => self.take_in(),
        }
    }
}

/// Bytes for each word of a state kept whole, in a list that may be growing.
const BYTES_OF_WORD: u64 = 3 * size_of::<u64>() as u64;

impl<L: Look, C: Coding, A: Access> Sink for InMemory<'_, L, C, A> {
    type Coding = C;
    /// The member knows why.
    type Stop = ();

    fn coding(&mut self) -> &mut C {
        &mut self.memory.coding
    }

    #[inline(always)]
    fn leads_to(&mut self, word: u64) -> ControlFlow<()> {
        self.steps += 1;
        self.look_up(word)
    }

    #[inline]
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>> {
        match self.memory.coding.word(state) {
            Ok(word) => ControlFlow::Continue(Some(word)),
            Err(Outgrown) => self.keep_outgrown(state).map_continue(|()| None),
        }
    }

    fn leaves_out(&mut self) {
        self.memory.leaves_out = true;
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<()> {
        self.steps += 1;
        // A look may take long: others do not wait for it.
        self.access.close();
        let flow = self.memory.look.failing(label, failure);
        self.member.or_stop(flow)?;
        self.open()?;
        self.met()
    }

    #[cold]
    fn pulse(&mut self) -> ControlFlow<()> {
        let was_open = self.access.is_open();
        self.access.close();
        self.tell_edges();
        self.access.publish(&self.member);
        self.member.ask_whether_to_go_on()?;
        match was_open {
            true => self.open(),
            false => ControlFlow::Continue(()),
        }
    }

    fn changes(&self) -> u64 {
        self.changes
    }

    fn holds(&mut self, bytes: u64) -> bool {
        let all = self.memory.cached + bytes;
        let held = self.member.bounds.figures().bytes;
        let holds = may_be_cached(all, held, self.member.bounds.most_memory())
            && self.member.bounds.hold(bytes).is_continue();
        if holds {
            self.memory.cached = all;
        }
        holds
    }

    fn lets_go(&mut self, bytes: u64) {
        self.memory.cached -= bytes;
        self.member.bounds.let_go(bytes);
    }
}

impl<L: Look, C: Coding, A: Access> States for InMemory<'_, L, C, A> {
    fn next_block(&mut self, block: &mut Block) -> ControlFlow<(), bool> {
        let next = match self.work.must_widen.load(Relaxed) {
            true => None,
            false => self.work.next_block(self.at),
        };
        ControlFlow::Continue(next.map(|next| *block = next).is_some())
    }

    #[inline(always)]
    fn steps(&self) -> u64 {
        self.steps
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<()> {
        self.access.close();
        let flow = self.memory.look.terminal(state);
        self.member.or_stop(flow)?;
        self.open()?;
        self.met()
    }

    fn end_block(&mut self, block: &mut Block, scratch: u64) -> ControlFlow<()> {
        let bounds = self.member.bounds;
        self.memory.next.recycle(std::mem::take(block), bounds);
        let now = scratch + self.memory.coding.bytes();
        let held = bounds.hold_instead(&mut self.memory.worked_out, now);
        self.member.or_stop(held)
    }
}

impl<L: Look, C: Coding, A: Access> Looks for InMemory<'_, L, C, A> {
    type Look = L;

    fn look(&mut self) -> &mut L {
        &mut self.memory.look
    }
}
