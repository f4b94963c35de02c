//! Breadth-first search in layers with the states on the disk, for questions about single states
//! and steps when memory is too small for all states.
//!
//! Whether targets are new is decided for all steps of a layer at once (delayed duplicate
//! detection: U. Stern and D. L. Dill, "Using magnetic disk instead of main memory in the Murφ
//! verifier", CAV 1998; sorted and merged as by R. E. Korf, "Delayed duplicate detection: extended
//! abstract", IJCAI 2003). [`candidates`] gathers the targets in memory, sorts them, and writes
//! them if they are too many. At the end of the layer they are merged and compared, in their order,
//! with all visited states, which are in a few sorted sections ([`visited`], [`files`]). The new
//! states are the next layer, a sorted section too. Layers stay on the disk, so that a run to a
//! state is found by going back through them ([`path`](DiskSearch::path)).
//!
//! The steps of a layer are taken by the loop of all searches without numbers
//! ([`expand`](super::layers::expand)). What follows a layer is not shared with a search in memory,
//! where each batch of targets is looked up at once and a new state is known before the layer ends.
//!
//! The layers are those of any breadth-first search: a target is a candidate whenever a step leads
//! to it, and new only if no earlier layer has it. A row that was lost or misread would make a
//! visited state new again or leave one out. Therefore every block has a checksum; if it does not
//! fit, the search ends undecided.

mod blocks;
mod candidates;
mod files;
mod merge;
mod path;
mod sections;
mod sizes;
mod visited;

#[cfg(test)]
mod failing_disk;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use stubborn_space::disk::Disk;
use stubborn_space::options::Use;
use stubborn_space::several::Count;
use stubborn_space::successors::{Footprints, Label, WorkingMemory, end_layer};
use stubborn_system::system::Failure;

use self::candidates::Candidates;
use self::files::{Files, or_stop};
use self::merge::Merge;
use self::sections::{Extent, Reader, Writer};
use self::visited::Visited;
use super::layers::look_cache::{LookCache, Looks};
use super::layers::{Expander, Look, Sink, States};
use super::ledger::Ledger;
use super::meter::{Meter, Stop};
use crate::store::coding::OneWord;

pub use self::sizes::Sizes;

/// Search on the disk.
pub struct DiskSearch<'s, 'm, S: Footprints, L> {
    model: &'s S,
    expander: Expander<S::Scratch>,
    passed: LookCache,
    /// Buffer for a new state.
    state: Vec<u64>,
    visited: Visited,
    /// The file of the layers, and the extent of each.
    writer: Writer<'s>,
    layers: Vec<Extent>,
    targets: Targets<'s, 'm, L>,
}

/// The present layer, and the targets of its steps.
struct Targets<'s, 'm, L> {
    look: L,
    ledger: Ledger<'m>,
    files: Files<'s>,
    candidates: Candidates,
    coding: OneWord,
    /// The number of the layer.
    layer: u64,
    /// The states of the layer that are to be expanded: in memory if they are few, or in a file.
    few: Option<Vec<u64>>,
    reader: Option<Reader<'s>>,
    /// Memory of the model, and all other memory besides the candidates, in bytes.
    scratch: u64,
    held: u64,
}

impl<'s, 'm, S: Footprints, L: Look> DiskSearch<'s, 'm, S, L> {
    /// Search from the initial state of a model.
    pub fn new(
        model: &'s S,
        meter: &Meter<'m>,
        disk: &'s dyn Disk,
        sizes: Option<Sizes>,
        look: L,
    ) -> DiskSearch<'s, 'm, S, L> {
        let (initial, words) = (model.initial(), model.words());
        let expander = Expander::new(model, Use::default());
        let scratch = expander.scratch.bytes();
        let sizes = sizes.unwrap_or_else(|| {
            let own = meter.own_memory() + scratch;
            let free = meter.max_memory().map(|most| most.saturating_sub(own));
            Sizes::of(free, words)
        });
        let mut files = Files::new(disk, words, sizes.block);
        let writer = files.writer();
        let mut meter = meter.clone();
        meter.depth = 0;
        DiskSearch {
            model,
            expander,
            passed: LookCache::default(),
            state: initial.to_vec(),
            visited: Visited::new(words, sizes.recent),
            writer,
            layers: Vec::new(),
            targets: Targets {
                look,
                ledger: Ledger::new(meter, None),
                files,
                candidates: Candidates::new(initial, sizes),
                coding: OneWord { width: u64::BITS },
                layer: 0,
                few: None,
                reader: None,
                scratch,
                held: 0,
            },
        }
    }

    /// Finds one layer after the other, until one has no states. After each `after` is called.
    pub fn search(&mut self, mut after: impl FnMut(&mut Self)) -> ControlFlow<Stop> {
        let mut flow = self.begin();
        loop {
            after(self);
            if flow.is_break() || !self.has_states() {
                return flow;
            }
            if self.layers.len() > 1 {
                self.targets.ledger.meter.go_deeper();
                end_layer([&mut self.expander.scratch]);
            }
            flow = self.layer();
        }
    }

    /// Makes the initial state the first layer.
    fn begin(&mut self) -> ControlFlow<Stop> {
        self.make_room(0, 0)?;
        let initial = self.model.initial();
        self.targets.ledger.count.states = 1;
        or_stop(self.writer.push(initial))?;
        self.visited.insert(initial);
        self.targets.look.found_by_all(initial)?;
        let layer = or_stop(self.writer.finish())?;
        self.layers.push(layer.extent);
        self.targets.few = Some(initial.to_vec());
        ControlFlow::Continue(())
    }

    /// Whether the last layer has states.
    fn has_states(&self) -> bool {
        match (self.layers.last(), &self.targets.few) {
            (_, Some(few)) => !few.is_empty(),
            (Some(layer), None) => layer.begin < layer.end,
            (None, None) => false,
        }
    }

    /// Takes all steps of the last layer, and finds the next one.
    fn layer(&mut self) -> ControlFlow<Stop> {
        let targets = &mut self.targets;
        targets.layer = self.layers.len() as u64 - 1;
        targets.reader = match (&targets.few, self.layers.last()) {
            (None, Some(layer)) => Some(targets.files.reader(*layer)),
            _ => None,
        };
        self.expander.expand(self.model, targets)?;
        self.find_next()
    }

    /// Finds the next layer: the targets that were not visited.
    fn find_next(&mut self) -> ControlFlow<Stop> {
        let words = self.state.len();
        let Targets {
            files,
            ledger,
            candidates,
            ..
        } = &mut self.targets;
        let candidates = candidates.take(files, &mut || ledger.poll())?;
        let is_narrow = self.visited.has_room(candidates.most(words));
        if !is_narrow {
            self.visited.write(files, &mut || ledger.poll())?;
        }
        let sections = candidates.sections() + self.visited.sections();
        self.make_room(candidates.bytes(), sections)?;
        let targets = &mut self.targets;
        let mut cursors = self.visited.cursors(&targets.files);
        let mut merge = or_stop(Merge::new(words, candidates.sources(&targets.files)))?;
        let most_few = targets.files.block;
        let mut few = Some(Vec::new());
        let mut batch = Vec::new();
        loop {
            let ledger = &mut targets.ledger;
            ledger.poll()?;
            batch.clear();
            or_stop(merge.give(targets.files.block, &mut batch))?;
            if batch.is_empty() {
                break;
            }
            let mut ask = || ledger.poll();
            self.visited.strike(&mut cursors, &mut batch, &mut ask)?;
            for row in batch.chunks_exact(words) {
                let most = targets.ledger.meter.most_without_numbers();
                if targets.ledger.count.states >= most {
                    return ControlFlow::Break(targets.ledger.too_many(most));
                }
                targets.ledger.count.states += 1;
                or_stop(self.writer.push(row))?;
                if is_narrow {
                    self.visited.insert(row);
                }
                match *row {
                    [word] => self.passed.found(word, &mut self.state, targets)?,
                    _ => targets.look.found_by_all(row)?,
                }
            }
            few = few.filter(|few: &Vec<u64>| few.len() + batch.len() <= most_few);
            if let Some(few) = &mut few {
                few.extend_from_slice(&batch);
            }
        }
        drop((merge, cursors));
        candidates.remove(&mut targets.files)?;
        let layer = or_stop(self.writer.finish())?;
        self.layers.push(layer.extent);
        if few.is_none() || !is_narrow {
            or_stop(self.writer.flush())?;
        }
        targets.few = few;
        if !is_narrow && layer.rows > 0 {
            let ledger = &mut targets.ledger;
            (self.visited).add(layer, &mut targets.files, &mut || ledger.poll())?;
        }
        self.make_room(0, self.visited.sections())
    }

    /// Holds memory for all that is not a gathered target: `besides`, blocks of this many sections
    /// that are read, and lists. Breaks at the limit.
    fn make_room(&mut self, besides: u64, sections: usize) -> ControlFlow<Stop> {
        let targets = &mut self.targets;
        let (words, block) = (targets.files.words, targets.files.block);
        // Further blocks are merged and written, and there is a batch.
        let blocks = (sections as u64 + 6) * Reader::most_bytes(words, block);
        let few = targets.few.as_ref().map_or(0, Vec::capacity) * 8;
        let layers = self.layers.capacity() * size_of::<Extent>();
        let lists = self.writer.bytes() + self.visited.bytes() + (few + layers) as u64;
        targets.held = besides + blocks + lists;
        targets.account()
    }
}

impl<S: Footprints, L> DiskSearch<'_, '_, S, L> {
    pub fn look(&mut self) -> &mut L {
        &mut self.targets.look
    }

    pub fn into_look(self) -> L {
        self.targets.look
    }

    pub fn count(&self) -> Count {
        self.targets.ledger.count
    }

    /// The distance of the present layer from the initial state.
    pub fn depth(&self) -> u64 {
        self.targets.ledger.meter.depth
    }

    /// Memory in use, in bytes.
    pub fn held(&self) -> u64 {
        self.targets.in_use() + self.targets.ledger.cached
    }
}

impl<L> Targets<'_, '_, L> {
    /// Memory in use besides cached steps, in bytes.
    fn in_use(&self) -> u64 {
        self.held + self.candidates.bytes() + self.scratch
    }

    fn account(&mut self) -> ControlFlow<Stop> {
        self.ledger.hold(self.in_use())
    }

    #[inline]
    fn add(&mut self, row: &[u64]) -> ControlFlow<Stop> {
        self.ledger.count.edges += 1;
        if self.candidates.add(row) {
            let ledger = &mut self.ledger;
            (self.candidates).sort(&mut self.files, &mut || ledger.poll())?;
            self.account()?;
        }
        self.ledger.step()
    }
}

/// States of one word are their own words; others have none.
impl<L: Look> Sink for Targets<'_, '_, L> {
    type Coding = OneWord;
    type Stop = Stop;

    fn coding(&mut self) -> &mut OneWord {
        &mut self.coding
    }

    fn leaves_out(&mut self) {
        self.ledger.count.leaves_out = true;
    }

    #[inline]
    fn leads_to(&mut self, word: u64) -> ControlFlow<Stop> {
        self.add(&[word])
    }

    #[inline]
    fn word_of(&mut self, state: &[u64]) -> ControlFlow<Stop, Option<u64>> {
        match *state {
            [word] => ControlFlow::Continue(Some(word)),
            _ => self.add(state).map_continue(|()| None),
        }
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        self.ledger.count.edges += 1;
        self.look.failing(label, failure)?;
        self.ledger.step()
    }

    fn pulse(&mut self) -> ControlFlow<Stop> {
        self.ledger.poll()
    }

    fn holds(&mut self, bytes: u64) -> bool {
        self.ledger.cache(bytes)
    }

    fn lets_go(&mut self, bytes: u64) {
        self.ledger.drop_cached(bytes);
    }
}

impl<L: Look> States for Targets<'_, '_, L> {
    fn next_block(&mut self, block: &mut Vec<u64>) -> ControlFlow<Stop, bool> {
        if let Some(few) = self.few.take() {
            *block = few;
            return ControlFlow::Continue(!block.is_empty());
        }
        match &mut self.reader {
            Some(reader) => or_stop(reader.read_block(block)),
            None => ControlFlow::Continue(false),
        }
    }

    fn whole(&self) -> Option<usize> {
        Some(self.files.words).filter(|words| *words > 1)
    }

    fn begins(&mut self, row: &[u64]) {
        self.look.begins(self.layer, row);
    }

    fn steps(&self) -> u64 {
        self.ledger.count.edges
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        self.look.terminal(state)?;
        self.ledger.step()
    }

    fn end_block(&mut self, _: &mut Vec<u64>, scratch: u64) -> ControlFlow<Stop> {
        self.scratch = scratch;
        ControlFlow::Continue(())
    }
}

impl<L: Look> Looks for Targets<'_, '_, L> {
    type Look = L;

    fn look(&mut self) -> &mut L {
        &mut self.look
    }
}
