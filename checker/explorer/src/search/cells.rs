//! Search in cells: a search for violations that lie deep.
//!
//! A *cell* is what a property reads of a state; the states that differ only elsewhere are in one.
//! The search goes on from the cell that it has gone on from least often, so that what is rare for
//! a property is tried as often as what is frequent (Ecoffet et al., "First return, then explore",
//! Nature 2021). It takes all steps of a state and then goes on with one of the new targets, a few
//! times in a row. A deep violation is found if each property on the way to it is near in some
//! cell, where random runs would have to be lucky all the way.
//!
//! States are kept until they are many; then the search begins anew. Nothing is proved.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;
use std::ops::ControlFlow;

use fastrand::Rng;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Polled, Wanted};
use stubborn_system::system::Failure;

use super::meter::Stop;
use super::random::{Found, Seek};
use super::steps::OwnedLabel;

/// Maximum number of kinds of cells; each kind costs a queue entry for a state.
pub const MOST_KINDS: usize = 16;
/// States in a row, on average: an exploration of a cell and no walk out of it.
const IN_A_ROW: u32 = 5;
/// Number of ways to choose a state of a cell, each as likely: the first one visited, or any.
const WAYS_TO_CHOOSE: u32 = 2;
/// Failing steps of a state that are looked at.
const MOST_FAILING: usize = 1 << 10;

/// A search that can be continued.
pub struct Cells<'m, M: Monitored, L> {
    model: &'m M,
    scratch: M::Scratch,
    observer: L,
    rng: Rng,
    /// For each kind of cell the bits of a state that tell its cells apart.
    bits: Vec<Vec<u64>>,
    kinds: Vec<Kind>,
    /// Kind whose turn it is.
    turn: usize,
    /// The states, one after the other, each with the one that it was reached from.
    states: Vec<u64>,
    parents: Vec<u32>,
    is_expanded: Vec<bool>,
    /// Hashes of the states.
    seen: FxHashSet<u64>,
    /// The state to go on with.
    next: Option<u32>,
    state: Vec<u64>,
    targets: Vec<u64>,
    failing: Vec<(OwnedLabel, Failure)>,
}

/// Cells of one kind.
#[derive(Default)]
struct Kind {
    numbers: FxHashMap<u64, u32>,
    cells: Vec<Cell>,
    /// Cells with states to go on from: how often one was, a random number, and the cell.
    waiting: BinaryHeap<Reverse<(u64, u64, u32)>>,
}

#[derive(Default)]
struct Cell {
    states: Vec<u32>,
    /// States before this position were taken.
    first: usize,
    times: u64,
    is_waiting: bool,
}

impl Cell {
    fn take(&mut self, rng: &mut Rng, is_expanded: &[bool]) -> Option<u32> {
        loop {
            while (self.states.get(self.first)).is_some_and(|at| is_expanded[*at as usize]) {
                self.first += 1;
            }
            if self.first >= self.states.len() {
                return None;
            }
            if rng.u32(..WAYS_TO_CHOOSE) == 0 {
                self.first += 1;
                return Some(self.states[self.first - 1]);
            }
            let at = rng.usize(self.first..self.states.len());
            let state = self.states.swap_remove(at);
            if !is_expanded[state as usize] {
                return Some(state);
            }
        }
    }
}

impl<'m, M: Monitored, L: Seek> Cells<'m, M, L> {
    /// `bits` are those of a state that each of some properties reads.
    pub fn new((model, bits): (&'m M, Vec<Vec<u64>>), seed: u64, observer: L) -> Self {
        Cells {
            model,
            scratch: model.scratch(),
            observer,
            rng: Rng::with_seed(seed),
            kinds: bits.iter().map(|_| Kind::default()).collect(),
            bits,
            turn: 0,
            states: Vec::new(),
            parents: Vec::new(),
            is_expanded: Vec::new(),
            seen: FxHashSet::default(),
            next: None,
            state: vec![0; model.words()],
            targets: Vec::new(),
            failing: Vec::new(),
        }
    }

    /// The observer, which may be told what others have found.
    pub fn observer(&mut self) -> &mut L {
        &mut self.observer
    }

    /// Memory of the states, in bytes: about what their lists and tables have room for.
    pub fn bytes(&self) -> u64 {
        let entries = self.parents.len() * (3 + self.kinds.len());
        ((self.states.capacity() + 2 * self.seen.capacity()) * 8 + entries * 8) as u64
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.kinds = self.bits.iter().map(|_| Kind::default()).collect();
        (self.states, self.parents, self.is_expanded) = Default::default();
        self.seen = FxHashSet::default();
        self.next = None;
    }

    /// Expands this number of states, and collects the violations found.
    ///
    /// Breaks where the observer or `go_on` does, which is asked before each state.
    pub fn explore(
        &mut self,
        expansions: u64,
        found: &mut Vec<Found<L::Noted>>,
        go_on: &mut dyn FnMut(u64) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop> {
        for _ in 0..expansions {
            go_on(self.bytes())?;
            if self.parents.is_empty() {
                self.begin(found)?;
            }
            let Some(number) = self.choose() else {
                // All states are visited; another order shows no more.
                return ControlFlow::Continue(());
            };
            self.expand(number, found)?;
        }
        ControlFlow::Continue(())
    }

    fn begin(&mut self, found: &mut Vec<Found<L::Noted>>) -> ControlFlow<Stop> {
        let model = self.model;
        for initial in model.initials() {
            self.add(initial, u32::MAX, found)?;
        }
        ControlFlow::Continue(())
    }

    fn choose(&mut self) -> Option<u32> {
        let next = self.next.take();
        if next.is_some() && self.rng.u32(..IN_A_ROW) != 0 {
            return next;
        }
        for _ in 0..self.kinds.len() {
            self.turn = (self.turn + 1) % self.kinds.len();
            let kind = &mut self.kinds[self.turn];
            while let Some(Reverse((.., number))) = kind.waiting.pop() {
                let cell = &mut kind.cells[number as usize];
                let state = cell.take(&mut self.rng, &self.is_expanded);
                cell.times += 1;
                cell.is_waiting = state.is_some();
                if state.is_some() {
                    (kind.waiting).push(Reverse((cell.times, self.rng.u64(..), number)));
                    return state;
                }
            }
        }
        None
    }

    fn expand(&mut self, number: u32, found: &mut Vec<Found<L::Noted>>) -> ControlFlow<Stop> {
        self.is_expanded[number as usize] = true;
        let words = self.state.len();
        let at = number as usize * words;
        (self.state).copy_from_slice(&self.states[at..at + words]);
        self.targets.clear();
        self.failing.clear();
        let (targets, failing) = (&mut self.targets, &mut self.failing);
        let mut collect = Polled(Wanted::All, |step| {
            match step {
                Some((_, Ok(to))) => targets.extend_from_slice(to),
                Some((label, Err(failure))) if failing.len() < MOST_FAILING => {
                    failing.push((OwnedLabel::of(label), failure.clone()));
                }
                _ => {}
            }
            ControlFlow::Continue(())
        });
        let _ = (self.model).visit(&self.state, &mut self.scratch, &mut collect);
        let is_end = self.targets.is_empty()
            && self.failing.is_empty()
            && (self.model.is_alone() || self.model.ends(&self.state, &mut self.scratch));
        if is_end || !self.failing.is_empty() {
            self.observer.begins(0, &self.state);
            let observer = &mut self.observer;
            let flow = match is_end {
                true => observer.terminal(&self.state),
                false => (self.failing.iter())
                    .try_for_each(|(label, failure)| observer.failing(label.label(), failure)),
            };
            self.note(number, found);
            flow?;
        }
        let targets = std::mem::take(&mut self.targets);
        let mut new = 0;
        let flow = targets.chunks_exact(words).try_for_each(|to| {
            let Some(target) = self.add(to, number, found)? else {
                return ControlFlow::Continue(());
            };
            new += 1;
            if self.rng.u32(..new) == 0 {
                self.next = Some(target);
            }
            ControlFlow::Continue(())
        });
        self.targets = targets;
        flow
    }

    /// Adds a state if it is new.
    fn add(
        &mut self,
        state: &[u64],
        parent: u32,
        found: &mut Vec<Found<L::Noted>>,
    ) -> ControlFlow<Stop, Option<u32>> {
        if !self.seen.insert(FxBuildHasher.hash_one(state)) {
            return ControlFlow::Continue(None);
        }
        let number = self.parents.len() as u32;
        self.states.extend_from_slice(state);
        self.parents.push(parent);
        self.is_expanded.push(false);
        for (kind, bits) in self.kinds.iter_mut().zip(&self.bits) {
            let read = state.iter().zip(bits).map(|(word, bits)| word & bits);
            let cell = FxBuildHasher.hash_one(read.collect::<Vec<u64>>());
            let next = kind.cells.len() as u32;
            let at = *kind.numbers.entry(cell).or_insert(next);
            if at == next {
                kind.cells.push(Cell::default());
            }
            let cell = &mut kind.cells[at as usize];
            cell.states.push(number);
            if !std::mem::replace(&mut cell.is_waiting, true) {
                (kind.waiting).push(Reverse((cell.times, self.rng.u64(..), at)));
            }
        }
        let flow = self.observer.found_by_all(state);
        self.note(number, found);
        flow.map_continue(|()| Some(number))
    }

    /// Adds what the observer has noted, with the path to this state.
    fn note(&mut self, number: u32, found: &mut Vec<Found<L::Noted>>) {
        let noted = self.observer.take();
        if noted.is_empty() {
            return;
        }
        let (mut path, mut at, words) = (Vec::new(), number, self.state.len());
        while at != u32::MAX {
            let first = at as usize * words;
            path.push(Box::from(&self.states[first..first + words]));
            at = self.parents[at as usize];
        }
        path.reverse();
        found.push(Found { noted, path });
    }
}
