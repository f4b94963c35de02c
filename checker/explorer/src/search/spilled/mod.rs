//! Breadth-first in layers, with the states on the disk: for who asks about states and steps one by one, and
//! has no memory for all states.
//!
//! Whether a state is new is not asked when a step leads to it, but of all states that the steps of a layer
//! lead to at once (delayed duplicate detection: U. Stern and D. L. Dill, "Using magnetic disk instead of main
//! memory in the Murφ verifier", CAV 1998; sorted and merged as by R. E. Korf, "Delayed duplicate detection:
//! extended abstract", IJCAI 2003). They gather in memory, are sorted, and written where they are too many
//! ([`candidates`]). At the end of the layer they are gone through in their order, beside all states that were
//! found before, which are in a few sorted sections ([`known`], [`tiers`]). What is none of these is the next
//! layer: a sorted section too, read again when its steps are taken. Layers stay where they are, so that a run
//! to a state is found by going back through them ([`way`]).
//!
//! The layers are those of any breadth-first search: a state is in the one behind that of its nearest
//! predecessor, since it is taken for a candidate as often as a step leads to it and for new only where no
//! layer before has it. What is lost, or read wrong, would make a state new again or leave one out: so all that
//! is read has a checksum, and where that does not fit the search ends undecided.

mod blocks;
mod candidates;
mod known;
mod merge;
mod sections;
mod sizes;
mod tiers;
mod way;

#[cfg(test)]
mod failing;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use stubborn_space::disk::Disk;
use stubborn_space::options::Reduction;
use stubborn_space::successors::{Footprints, Label, Visit, Wanted, WorkingMemory, end_layer};
use stubborn_system::system::Failure;

use self::candidates::Candidates;
use self::known::Known;
use self::merge::Merge;
use self::sections::{Part, Reader, Writer};
use self::tiers::{Files, or_stop};
use super::layers::look::{Look, Takes};
use super::layers::passed::Passed;
use super::layers::remembered::{Remembered, may_be};
use super::meter::{Figures, Meter, Stop};
use crate::store::coding::OneWord;

pub use self::sizes::Sizes;

/// Is told what the search meets, and of which state of which layer.
pub trait Follow: Look {
    /// What comes next are the steps of this state, or that it has none. New states are of the layer behind this
    /// one.
    fn begins(&mut self, _layer: u64, _state: &[u64]) {}
}

/// A search that goes on layer by layer.
pub struct Spilled<'s, 'm, S: Footprints, L> {
    model: &'s S,
    scratch: S::Scratch,
    steps: Remembered,
    passed: Passed,
    /// For a state that somebody is told of.
    state: Vec<u64>,
    known: Known,
    /// Where the layers are written, and where each of them is.
    to: Writer<'s>,
    layers: Vec<Part>,
    /// The states of the present layer, if they are few.
    few: Option<Vec<u64>>,
    gathering: Gathering<'s, 'm, L>,
}

/// What a layer's steps lead to.
struct Gathering<'s, 'm, L> {
    look: L,
    meter: &'s mut Meter<'m>,
    files: Files<'s>,
    candidates: Candidates,
    coding: OneWord,
    states: u64,
    edges: u64,
    /// How many steps the present state has.
    of_state: u64,
    leaves_out: bool,
    stop: Option<Stop>,
    /// Memory for steps that are remembered, for those that the model has worked out, and for all else, in
    /// bytes.
    remembered: u64,
    worked_out: u64,
    held: u64,
    /// The most that was in use.
    bytes: u64,
}

impl<'s, 'm, S: Footprints, L: Follow> Spilled<'s, 'm, S, L> {
    /// Of a model, from its initial state on.
    pub fn new(
        model: &'s S,
        meter: &'s mut Meter<'m>,
        disk: &'s dyn Disk,
        sizes: Option<Sizes>,
        look: L,
    ) -> Spilled<'s, 'm, S, L> {
        let (initial, words) = (model.initial(), model.words());
        let scratch = model.scratch();
        let sizes = sizes.unwrap_or_else(|| {
            let own = meter.own_memory() + scratch.bytes();
            let free = meter.max_memory().map(|most| most.saturating_sub(own));
            Sizes::of(free, words)
        });
        let mut files = Files::new(disk, words, sizes.block);
        let to = files.writer();
        meter.depth = 0;
        Spilled {
            model,
            steps: Remembered::default(),
            passed: Passed::default(),
            state: initial.to_vec(),
            known: Known::new(words, sizes.recent),
            to,
            layers: Vec::new(),
            few: None,
            gathering: Gathering {
                look,
                meter,
                candidates: Candidates::new(initial, sizes),
                files,
                coding: OneWord { width: u64::BITS },
                states: 0,
                edges: 0,
                of_state: 0,
                leaves_out: false,
                stop: None,
                remembered: 0,
                worked_out: scratch.bytes(),
                held: 0,
                bytes: 0,
            },
            scratch,
        }
    }

    /// Takes all steps of a layer, and finds the next one; that of the initial state first. Whether there are
    /// states in it.
    pub fn layer(&mut self) -> ControlFlow<Stop, bool> {
        match self.layers.last() {
            None => self.begin()?,
            Some(&layer) => {
                self.take_steps(layer)?;
                self.find_next()?;
            }
        }
        let has_states = match (self.layers.last(), &self.few) {
            (_, Some(few)) => !few.is_empty(),
            (Some(layer), None) => layer.begin < layer.end,
            (None, None) => false,
        };
        if has_states && self.layers.len() > 1 {
            self.gathering.meter.go_deeper();
            end_layer([&mut self.scratch]);
        }
        ControlFlow::Continue(has_states)
    }

    /// The layer of the initial state alone.
    fn begin(&mut self) -> ControlFlow<Stop> {
        self.make_room(0)?;
        let initial = self.model.initial();
        self.gathering.states = 1;
        or_stop(self.to.push(initial))?;
        self.known.insert(initial);
        for look in 0..self.gathering.look.looks() {
            self.gathering.look.found(look, initial)?;
        }
        let layer = or_stop(self.to.finish())?;
        self.layers.push(layer.part);
        self.few = Some(initial.to_vec());
        ControlFlow::Continue(())
    }

    fn take_steps(&mut self, layer: Part) -> ControlFlow<Stop> {
        if let Some(few) = self.few.take() {
            return (few.chunks_exact(self.state.len()))
                .try_for_each(|row| self.take_steps_of(row));
        }
        let mut reader = self.gathering.files.reader(layer);
        while or_stop(reader.next_block())? {
            for row in reader.rows().chunks_exact(self.state.len()) {
                self.take_steps_of(row)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn take_steps_of(&mut self, row: &[u64]) -> ControlFlow<Stop> {
        let gathering = &mut self.gathering;
        gathering.of_state = 0;
        gathering.look.begins(self.layers.len() as u64 - 1, row);
        let (model, scratch) = (self.model, &mut self.scratch);
        let flow = match *row {
            [word] => self
                .steps
                .visit(model, word, &mut self.state, scratch, gathering),
            _ => model.visit(row, scratch, gathering),
        };
        gathering.worked_out = scratch.bytes();
        if let Some(stop) = gathering.stop.take() {
            return ControlFlow::Break(stop);
        }
        debug_assert!(flow.is_continue(), "who breaks off says why");
        if gathering.of_state == 0 {
            gathering.look.terminal(row)?;
            gathering.measure()?;
        }
        ControlFlow::Continue(())
    }

    /// The next layer: what the steps of the present one lead to and is not known.
    fn find_next(&mut self) -> ControlFlow<Stop> {
        let words = self.state.len();
        let gathering = &mut self.gathering;
        let gathered = gathering.gathered()?;
        let is_narrow = self.known.has_room(gathered.most(words));
        if !is_narrow {
            let figures = gathering.figures();
            let mut ask = || gathering.meter.poll(figures);
            self.known.write(&mut gathering.files, &mut ask)?;
        }
        let sections = gathered.sections() + self.known.sections();
        gathering.held = gathered.bytes();
        self.make_room(sections)?;
        let gathering = &mut self.gathering;
        let mut cursors = self.known.cursors(&gathering.files);
        let mut merge = or_stop(Merge::new(words, gathered.sources(&gathering.files)))?;
        let most_few = gathering.files.block;
        let mut few = Some(Vec::new());
        let mut batch = Vec::new();
        loop {
            gathering.meter.poll(gathering.figures())?;
            batch.clear();
            or_stop(merge.give(gathering.files.block, &mut batch))?;
            if batch.is_empty() {
                break;
            }
            let figures = gathering.figures();
            let mut ask = || gathering.meter.poll(figures);
            self.known.strike(&mut cursors, &mut batch, &mut ask)?;
            for row in batch.chunks_exact(words) {
                let most = gathering.meter.most_without_numbers();
                if gathering.states >= most {
                    return ControlFlow::Break(Stop::Limit(gathering.meter.too_many(most)));
                }
                gathering.states += 1;
                or_stop(self.to.push(row))?;
                if is_narrow {
                    self.known.insert(row);
                }
                match *row {
                    [word] => self.passed.found(word, &mut self.state, gathering)?,
                    _ => (0..gathering.look.looks())
                        .try_for_each(|look| gathering.look.found(look, row))?,
                }
            }
            few = few.filter(|few: &Vec<u64>| few.len() + batch.len() <= most_few);
            if let Some(few) = &mut few {
                few.extend_from_slice(&batch);
            }
        }
        drop((merge, cursors));
        gathering.held = 0;
        gathered.let_go(&mut gathering.files)?;
        let layer = or_stop(self.to.finish())?;
        self.layers.push(layer.part);
        self.few = few;
        if self.few.is_none() || !is_narrow {
            or_stop(self.to.flush())?;
        }
        if !is_narrow && layer.rows > 0 {
            let figures = gathering.figures();
            let mut ask = || gathering.meter.poll(figures);
            self.known.add(layer, &mut gathering.files, &mut ask)?;
        }
        self.make_room(self.known.sections())
    }

    /// For what is held besides the candidates, and so many sections that are read.
    fn make_room(&mut self, sections: usize) -> ControlFlow<Stop> {
        let gathering = &mut self.gathering;
        let (words, block) = (gathering.files.words, gathering.files.block);
        // What is merged and written besides, and a batch.
        let blocks = (sections as u64 + 6) * Reader::most_bytes(words, block);
        let few = self.few.as_ref().map_or(0, Vec::capacity) * 8;
        let layers = self.layers.capacity() * size_of::<Part>();
        let lists = self.to.bytes() + self.known.bytes() + (few + layers) as u64;
        let held = gathering.held + blocks + lists;
        gathering.held = held;
        gathering.check_memory()
    }
}

impl<S: Footprints, L> Spilled<'_, '_, S, L> {
    pub fn look(&mut self) -> &mut L {
        &mut self.gathering.look
    }

    /// What has looked, once that is over.
    pub fn into_look(self) -> L {
        self.gathering.look
    }

    pub fn states(&self) -> u64 {
        self.gathering.states
    }

    pub fn edges(&self) -> u64 {
        self.gathering.edges
    }

    /// The most memory that was in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.gathering.bytes
    }

    /// Memory in use, in bytes.
    pub fn held(&self) -> u64 {
        self.gathering.in_use()
    }

    pub fn reduction(&self) -> Reduction {
        Reduction::needed(self.gathering.leaves_out)
    }
}

impl<L> Gathering<'_, '_, L> {
    /// A step, or a state without one.
    #[inline]
    fn measure(&mut self) -> ControlFlow<Stop> {
        let (states, edges, bytes) = (self.states, self.edges, self.bytes);
        self.meter.step(|| Figures {
            states,
            edges,
            bytes,
        })
    }

    fn figures(&self) -> Figures {
        Figures {
            states: self.states,
            edges: self.edges,
            bytes: self.in_use(),
        }
    }

    fn in_use(&self) -> u64 {
        self.held + self.candidates.bytes() + self.remembered + self.worked_out
    }

    fn check_memory(&mut self) -> ControlFlow<Stop> {
        let bytes = self.in_use();
        self.bytes = self.bytes.max(bytes);
        match self.meter.forbids(bytes) {
            Some(reason) => ControlFlow::Break(Stop::Limit(reason)),
            None => ControlFlow::Continue(()),
        }
    }

    #[inline]
    fn add(&mut self, row: &[u64]) -> ControlFlow<Stop> {
        self.of_state += 1;
        self.edges += 1;
        if self.candidates.add(row) {
            let figures = self.figures();
            let mut ask = || self.meter.poll(figures);
            self.candidates.sort(&mut self.files, &mut ask)?;
            self.check_memory()?;
        }
        self.measure()
    }

    /// All candidates.
    fn gathered(&mut self) -> ControlFlow<Stop, candidates::Gathered> {
        let figures = self.figures();
        let mut ask = || self.meter.poll(figures);
        self.candidates.take(&mut self.files, &mut ask)
    }

    fn or_stop(&mut self, flow: ControlFlow<Stop>) -> ControlFlow<()> {
        flow.map_break(|stop| self.stop = Some(stop))
    }
}

impl<L: Look> Visit for Gathering<'_, '_, L> {
    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }

    fn leaves_out(&mut self) {
        self.leaves_out = true;
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let flow = match outcome {
            Ok(state) => self.add(state),
            Err(failure) => {
                self.of_state += 1;
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

/// For states of one word, which are their own words.
impl<L: Look> Takes for Gathering<'_, '_, L> {
    type Coding = OneWord;
    type Look = L;

    fn coding(&mut self) -> &mut OneWord {
        &mut self.coding
    }

    fn look(&mut self) -> &mut L {
        &mut self.look
    }

    #[inline]
    fn leads_to(&mut self, word: u64) -> ControlFlow<()> {
        let flow = self.add(&[word]);
        self.or_stop(flow)
    }

    fn word_of(&mut self, state: &[u64]) -> ControlFlow<(), Option<u64>> {
        ControlFlow::Continue(Some(state[0]))
    }

    fn changes(&self) -> u64 {
        0
    }

    fn holds(&mut self, bytes: u64) -> bool {
        let held = self.in_use() + bytes;
        let remembered = self.remembered + bytes;
        let is_allowed = may_be(remembered, held, self.meter.max_memory());
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
