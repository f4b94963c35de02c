//! Exploration of one worker's states.
//!
//! A state is a word: itself if it has one word, otherwise the numbers of its components' values
//! ([`Coding`]). Words are kept in a [`Quotient`], in a few bytes each. If a word has no bits for
//! all values, or there are about as many values as states, all states are kept whole ([`Exact`]),
//! and their numbers take the place of words. Words change, and states become whole, only between
//! blocks of states that are expanded; states without a word wait until then.
//!
//! The codes are each worker's own; states are sent whole.

mod slots;
mod steps;

use std::ops::ControlFlow;

use stubborn_engine::Gathers;
use stubborn_engine::Reason;
use stubborn_explorer::search::layers::pays;
use stubborn_explorer::search::{Ledger, Stop};
use stubborn_explorer::store::Store as _;
use stubborn_explorer::store::coding::{Coding, Outgrown};
use stubborn_explorer::store::exact::{Exact, MOST_STATES};
use stubborn_explorer::store::quotient::{AT_ONCE, Place, Quotient, Settled, ones};
use stubborn_explorer::store::recent::Recent;

use super::partition::Partition;

/// States, and words of targets, from which on the rows of a worker are exchanged.
pub const WORDS_AT_ONCE: usize = 1 << 14;

/// States of one worker, and the visitor of their steps.
pub struct Explorer<'m, C> {
    pub observer: &'m mut dyn Gathers,
    pub ledger: Ledger<'m>,
    pub partition: Partition,
    own: usize,
    /// All bits of a state that may be set.
    used: Vec<u64>,
    coding: C,
    set: Quotient,
    /// The set, while it is frozen so that its slots number the states.
    settled: Option<Settled>,
    whole: Option<Exact>,
    /// The states of the present layer to be expanded, the next one last.
    pub layer: Vec<u64>,
    /// New states, of the next layer.
    next: Vec<u64>,
    /// Own states that wait to be looked up together, so that the waits for memory overlap.
    waiting: Vec<Place>,
    /// Own states without a word, one after the other.
    wordless: Vec<u64>,
    /// A state was found that has no word, here or on its way to another worker.
    must_widen: bool,
    recent: Recent,
    /// Buffer for a state.
    state: Vec<u64>,
    /// The word of the state that is expanded, and the bits of a word that determine the owner.
    present: u64,
    deciding: u64,
    /// Number of times that all words have changed.
    changes: u64,
    /// The state that is expanded, decoded if the observer is to see it.
    shown: Vec<u64>,
    /// Steps to recent states since the meter was told of any.
    met: usize,
    /// States to be sent, by their owners.
    pub outbox: Vec<Vec<u64>>,
    /// States that were expanded, and words that were collected or looked up, since the last
    /// exchange.
    pub collected: usize,
    /// Number of layers that have begun.
    pub layers: u64,
    /// Memory in use elsewhere, in bytes.
    pub besides: u64,
}

impl<'m, C: Coding> Explorer<'m, C> {
    /// Without a state. The initial state has the word `initial`.
    pub fn new(
        (coding, initial, is_whole): (C, u64, bool),
        used: Vec<u64>,
        (partition, own): (Partition, usize),
        observer: &'m mut dyn Gathers,
        ledger: Ledger<'m>,
    ) -> Explorer<'m, C> {
        Explorer {
            observer,
            ledger,
            own,
            set: Quotient::new(coding.width()),
            settled: None,
            whole: is_whole.then(|| Exact::new(used.len())),
            layer: Vec::new(),
            next: Vec::new(),
            waiting: Vec::with_capacity(AT_ONCE),
            wordless: Vec::new(),
            must_widen: false,
            recent: Recent::of(initial),
            state: vec![0; used.len()],
            present: initial,
            deciding: coding.telling(&partition.bits),
            changes: 0,
            shown: vec![0; used.len()],
            met: 0,
            outbox: vec![Vec::new(); partition.workers],
            collected: 0,
            layers: 0,
            besides: 0,
            used,
            partition,
            coding,
        }
    }

    pub fn owner(&self, state: &[u64]) -> usize {
        self.partition.owner(state)
    }

    pub fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Whether this is the code of a state that belongs here.
    pub fn is_own(&self, state: &[u64]) -> bool {
        let mut words = state.iter().zip(&self.used);
        state.len() == self.used.len()
            && words.all(|(word, used)| word & !used == 0)
            && self.owner(state) == self.own
    }

    /// Copies a state of this word, or with this number if states are whole.
    pub fn copy(&self, word: u64, state: &mut [u64]) {
        match &self.whole {
            Some(whole) => whole.get(word as u32, state),
            None => self.coding.state(word, state),
        }
    }

    /// Takes in states from other workers, one after the other.
    pub fn receive(&mut self, rows: &[u64]) -> ControlFlow<Stop> {
        self.make_room()?;
        for state in rows.chunks_exact(self.used.len()) {
            if !self.is_own(state) {
                return ControlFlow::Break(not_ours());
            }
            self.reach(state)?;
            self.make_words()?;
        }
        self.look_up()
    }

    /// Looks up everything that waits, so that all states that were reached are counted.
    pub fn end_batch(&mut self) -> ControlFlow<Stop> {
        let flow = self.look_up();
        self.make_words()?;
        self.look_up()?;
        flow
    }

    /// Tells the observer which state is expanded.
    fn show_present(&mut self) {
        if !self.is_whole() {
            self.coding.state(self.present, &mut self.shown);
        }
        let layer = self.layers.saturating_sub(1);
        self.observer.begins(layer, &self.shown);
    }

    /// Makes the new states the present layer; returns their number.
    pub fn next_layer(&mut self) -> ControlFlow<Stop, u64> {
        if !self.is_whole() && !pays(&self.coding, self.ledger.count.states) {
            self.keep_whole()?;
        }
        self.layers += 1;
        std::mem::swap(&mut self.layer, &mut self.next);
        self.next.clear();
        // Expanded in the order in which they were found, more steps lead to recent states.
        self.layer.reverse();
        self.ledger.meter.is_at(self.layers - 1);
        self.observer.begins(self.layers - 1, &self.state);
        ControlFlow::Continue(self.layer.len() as u64)
    }

    /// Takes in a state of any worker.
    fn reach(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        match self.word(state)? {
            Some(word) => self.enqueue(word),
            None => ControlFlow::Continue(()),
        }
    }

    /// The word of a state; `None` if it has none, and is sent, kept whole or set aside.
    #[inline]
    fn word(&mut self, state: &[u64]) -> ControlFlow<Stop, Option<u64>> {
        if !self.is_whole() {
            match self.coding.word(state) {
                Ok(word) => return ControlFlow::Continue(Some(word)),
                Err(Outgrown) => self.must_widen = true,
            }
        }
        let owner = self.owner(state);
        if owner != self.own {
            self.send(owner, state);
            self.ledger.step()?;
        } else if self.is_whole() {
            self.take_in_whole(state)?;
        } else {
            self.collected += state.len();
            self.wordless.extend_from_slice(state);
        }
        ControlFlow::Continue(None)
    }

    fn send(&mut self, owner: usize, state: &[u64]) {
        self.outbox[owner].extend_from_slice(state);
        self.collected += state.len();
    }

    #[inline]
    fn enqueue(&mut self, word: u64) -> ControlFlow<Stop> {
        self.waiting.push(self.set.place(word));
        match self.waiting.len() == AT_ONCE {
            true => self.look_up(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Looks up the states that wait, and adds those that are new.
    #[inline(never)]
    fn look_up(&mut self) -> ControlFlow<Stop> {
        let many = self.waiting.len();
        self.collected += many;
        let first = self.next.len();
        let new = self.set.insert_all(&self.waiting);
        self.next
            .extend(ones(new).map(|at| self.waiting[at].word()));
        self.waiting.clear();
        self.ledger.count.states += u64::from(new.count_ones());
        if self.observer.looks() > 0 {
            for word in &self.next[first..] {
                self.coding.state(*word, &mut self.state);
                self.observer.found_by_all(&self.state)?;
            }
        }
        self.ledger.steps(many)?;
        self.make_room()
    }

    /// Makes room for the states that wait.
    #[inline]
    pub fn make_room(&mut self) -> ControlFlow<Stop> {
        let list = bytes_to_extend(&self.next);
        let more = list + self.set.bytes_to_grow(AT_ONCE as u64);
        if more == 0 {
            return ControlFlow::Continue(());
        }
        self.account()?;
        self.ledger.may_hold(more)?;
        self.next.reserve(AT_ONCE);
        let ledger = &mut self.ledger;
        self.set.reserve(AT_ONCE as u64, || {
            ledger.may_hold(more)?;
            ledger.poll()
        })?;
        self.account()
    }

    /// Tells the ledger of the memory in use.
    pub fn account(&mut self) -> ControlFlow<Stop> {
        let outbox: usize = self.outbox.iter().map(Vec::capacity).sum();
        let words = outbox + self.layer.capacity() + self.next.capacity();
        let words = words + self.wordless.capacity();
        let settled = self.settled.as_ref().map_or(0, Settled::bytes);
        let whole = self.whole.as_ref().map_or(0, |whole| whole.bytes());
        let lists = words * 8 + AT_ONCE * size_of::<Place>();
        let tables = self.set.bytes() + settled + whole + self.recent.bytes();
        let coding = self.coding.bytes();
        self.ledger
            .hold(lists as u64 + tables + coding + self.besides)
    }

    /// Gives all words more bits, if a word has any. If something stops that the worker is of no
    /// use any more.
    #[cold]
    fn widen(&mut self) -> ControlFlow<Stop, bool> {
        // The places of states that wait are in the present table.
        self.look_up()?;
        if self.settled.is_some() {
            return ControlFlow::Continue(false);
        }
        let Some(change) = self.coding.widen() else {
            return ControlFlow::Continue(false);
        };
        self.changes += 1;
        let width = self.coding.width();
        self.ledger.may_hold(self.set.bytes_to_change(width))?;
        let ledger = &mut self.ledger;
        self.set = (self.set).changed(width, |word| change.of(word), || ledger.poll())?;
        for list in [&mut self.layer, &mut self.next] {
            for words in list.chunks_mut(AT_ONCE) {
                words.iter_mut().for_each(|word| *word = change.of(*word));
                ledger.step()?;
            }
        }
        self.deciding = self.coding.telling(&self.partition.bits);
        self.recent = Recent::of(change.of(0));
        self.account()?;
        self.make_room()?;
        ControlFlow::Continue(true)
    }

    /// Takes in the states that had no word: with more bits for values, or whole like all others
    /// then. To be called between blocks.
    fn make_words(&mut self) -> ControlFlow<Stop> {
        while std::mem::take(&mut self.must_widen) {
            if self.widen()? {
                let wordless = std::mem::take(&mut self.wordless);
                let mut states = wordless.chunks_exact(self.used.len());
                states.try_for_each(|state| self.reach(state))?;
            } else if !self.wordless.is_empty() {
                self.keep_whole()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Keeps all states whole from now on.
    #[cold]
    pub fn keep_whole(&mut self) -> ControlFlow<Stop> {
        self.look_up()?;
        let mut whole = Exact::new(self.used.len());
        let (coding, ledger, state) = (&self.coding, &mut self.ledger, &mut self.state);
        self.set.each(|word| {
            coding.state(word, state);
            if let Err(vacancy) = whole.spot(state) {
                if u64::from(whole.len()) >= MOST_STATES {
                    return ControlFlow::Break(ledger.too_many(MOST_STATES));
                }
                ledger.may_hold(whole.bytes() + whole.bytes_to_grow())?;
                whole.append(vacancy, state);
            }
            ledger.step()
        })?;
        for word in self.layer.iter_mut().chain(&mut self.next) {
            coding.state(*word, state);
            let number = whole.spot(state).map_or(0, u64::from);
            *word = number;
        }
        self.set = Quotient::new(1);
        self.whole = Some(whole);
        for state in std::mem::take(&mut self.wordless).chunks_exact(self.used.len()) {
            self.take_in_whole(state)?;
        }
        self.account()
    }

    fn take_in_whole(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        self.collected += state.len();
        self.ledger.step()?;
        let Some(whole) = &mut self.whole else {
            return ControlFlow::Continue(());
        };
        let Err(vacancy) = whole.spot(state) else {
            return ControlFlow::Continue(());
        };
        if u64::from(whole.len()) >= MOST_STATES {
            return ControlFlow::Break(self.ledger.too_many(MOST_STATES));
        }
        let more = whole.bytes_to_grow() + bytes_to_extend(&self.next);
        if more > 0 {
            self.account()?;
            self.ledger.may_hold(more)?;
        }
        if let Some(whole) = &mut self.whole {
            self.next.push(whole.append(vacancy, state).into());
        }
        self.ledger.count.states += 1;
        self.observer.found_by_all(state)
    }
}

/// Bytes that it takes to extend a list by a batch: one that is full is copied into a larger one.
fn bytes_to_extend(list: &Vec<u64>) -> u64 {
    match list.capacity() - list.len() < AT_ONCE {
        true => (list.capacity() as u64 * 2 + AT_ONCE as u64) * 8,
        false => 0,
    }
}

#[cold]
fn not_ours() -> Stop {
    let defect = "a state arrived that belongs to another worker";
    Stop::Limit(Reason::Internal(defect.to_owned()))
}
