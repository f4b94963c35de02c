//! The loop over layers, with one worker or several.
//!
//! A layer is dealt out in blocks of states. Each worker takes the steps of one block after the
//! other ([`Expander`](super::expand::Expander)) and looks their targets up in one set
//! ([`Access`](super::access::Access)). A layer
//! therefore has the same states on any number of threads, in another order, and the list of
//! targets that wait has a fixed size. Workers wait for each other at the end of a layer, and
//! while the set grows.
//!
//! The set belongs to one worker until a layer is wide enough for two; it is shared from then on.
//!
//! Before anything grows, the sum of what all workers hold is checked ([`Bounds`]).
//!
//! With states of several words ([`coding`](crate::store::coding)) a worker may find a state that
//! has no word, because a component has more values than its bits can tell. It keeps that state
//! whole, and all workers finish the blocks that they have begun. Then all words are changed, and
//! the search goes on. Whether it gives up depends on how many values the states of a layer have,
//! and not on which worker found them.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use stubborn_space::successors::{Footprints, WorkingMemory, end_layer};

use super::access::{Own, Shared};
use super::blocks::Blocks;
use super::bounds::Bounds;
use super::look::Look;
use super::pool::{all_together, alone};
use super::result::{Layers, Searched, pays};
use super::shared_set::SharedSet;
use super::team::Team;
use super::worker::{BYTES_OF_WORKER, Work, Worker};

use crate::search::meter::{Figures, Meter, Stop};
use crate::search::whole::Whole;
use crate::store::coding::{Coding, SAMPLE};
use crate::store::quotient::{AT_ONCE, Movers, Quotient, Shared as SharedTable};
use crate::store::recent::Recent;

/// Searches from the initial state, whose word by the coding is `initial`.
pub fn search<S, L, C>(
    team: Team,
    (model, initial): (&S, u64),
    coding: C,
    meter: &mut Meter<'_>,
    mut look: impl FnMut() -> L,
) -> Searched<L>
where
    S: Footprints + Sync,
    L: Look + Send,
    C: Coding + Send,
{
    let set = Quotient::new(coding.width());
    let worker = Worker::new(model, team, look(), coding, initial);
    let begun = Figures {
        states: 0,
        edges: 0,
        bytes: 0,
    };
    let mut layered = Layered {
        bounds: Bounds::new(meter, begun),
        meter,
        team,
        workers: vec![worker],
        set: Set::Own(set),
        initial,
        changes: 0,
        given_up: false,
        is_too_narrow: false,
        joined: None,
        look,
    };
    let flow = layered.all(model);
    let figures = layered.bounds.figures();
    let leaves_out = layered.workers.iter().any(|one| one.memory.leaves_out);
    let is_over = flow.is_continue();
    let is_whole = is_over && model.words() == 1;
    let several = matches!(layered.set, Set::Shared(_));
    let layers = Layers {
        states: figures.states,
        edges: figures.edges,
        full: is_over && !leaves_out,
        leaves_out,
        bytes: layered.bounds.peak(),
        given_up: layered.given_up,
        is_too_narrow: layered.is_too_narrow,
        joined: layered.joined,
        several,
        whole: is_whole.then(|| Whole::of_all(layered.set.into_quotient(), !leaves_out)),
    };
    let looks = layered.workers.into_iter().map(|worker| worker.memory.look);
    (flow, layers, looks.collect())
}

struct Layered<'a, 'm, S, L, C, M> {
    bounds: Bounds,
    meter: &'a mut Meter<'m>,
    team: Team,
    workers: Vec<Worker<S, L, C>>,
    set: Set<'m>,
    /// The word of the initial state, which never changes.
    initial: u64,
    /// Number of times that all words have changed.
    changes: u64,
    given_up: bool,
    is_too_narrow: bool,
    joined: Option<Vec<(u32, u64)>>,
    /// Makes the observer of one more worker.
    look: M,
}

/// The set of all states.
enum Set<'t> {
    Own(Quotient),
    Shared(SharedSet<'t>),
}

impl Set<'_> {
    fn into_quotient(self) -> Quotient {
        match self {
            Set::Own(set) => set,
            Set::Shared(set) => set.into_set(),
        }
    }

    /// Memory in use, in bytes.
    fn bytes(&mut self) -> u64 {
        match self {
            Set::Own(set) => set.bytes(),
            Set::Shared(set) => set.bytes(),
        }
    }
}

impl<S, L, C, M> Layered<'_, '_, S, L, C, M>
where
    S: WorkingMemory,
    L: Look + Send,
    C: Coding + Send,
    M: FnMut() -> L,
{
    fn all<N: Footprints<Scratch = S> + Sync>(&mut self, model: &N) -> ControlFlow<Stop> {
        self.begin(model)?;
        let mut is_first = true;
        loop {
            let nexts = self.workers.iter_mut().map(|one| &mut one.memory.next);
            let mut layer: Vec<Blocks> = nexts.map(Blocks::take).collect();
            let states = layer.iter().map(Blocks::states).sum();
            if states == 0 {
                return ControlFlow::Continue(());
            }
            let threads = self.team.of_layer(states);
            if threads > 1 {
                self.have_several(model, threads);
            }
            layer.resize_with(self.workers.len(), Blocks::default);
            if !std::mem::take(&mut is_first) {
                self.meter.go_deeper();
                // A new worker takes part: it judges as the others do from now on.
                let workers = self.workers.iter_mut();
                end_layer(workers.map(|one| &mut one.expander.scratch));
            }
            self.go_through(model, layer, threads)?;
            self.catch_up()?;
            if !pays(&self.workers[0].memory.coding, self.bounds.figures().states) {
                return self.give_up();
            }
        }
    }

    /// Adds the initial state.
    fn begin<N: Footprints<Scratch = S>>(&mut self, model: &N) -> ControlFlow<Stop> {
        if let ControlFlow::Break(stop) = self.bounds.claim_one() {
            return ControlFlow::Break(stop.unwrap_or(Stop::Decided));
        }
        if let Set::Own(set) = &mut self.set {
            set.insert(set.place(self.initial));
        }
        self.bounds.found(1);
        let bytes = self.set.bytes();
        let worker = &mut self.workers[0];
        worker.memory.look.found_by_all(model.initial())?;
        self.bounds
            .hold(bytes + BYTES_OF_WORKER + worker.memory.coding.bytes())?;
        worker.memory.next.push(self.initial, &self.bounds)
    }

    /// Adds workers up to this number, if there is memory for them. A search that one worker can
    /// complete must not end because several hold more.
    fn have_several<N: Footprints<Scratch = S>>(&mut self, model: &N, threads: usize) {
        if let Set::Own(set) = &mut self.set {
            let to_share = SharedTable::bytes_to_share(set).max(2 * set.bytes());
            let of_codings = 2 * self.team.threads as u64 * self.workers[0].memory.coding.bytes();
            let needed = to_share + of_codings + BYTES_OF_WORKER;
            if self.bounds.hold(needed).is_break() {
                return;
            }
            let own = std::mem::replace(set, Quotient::new(0));
            let movers = Movers {
                many: self.team.threads,
                threads: self.meter.threads(),
            };
            self.set = Set::Shared(SharedSet::new(own, movers));
            self.bounds.let_go(needed);
        }
        while self.workers.len() < threads && self.one_more(model) {}
    }

    /// Adds a worker; returns whether there was memory for it.
    fn one_more<N: Footprints<Scratch = S>>(&mut self, model: &N) -> bool {
        // The values that workers have in common are counted with the first coding from now on.
        let of_coding = 2 * self.workers[0].memory.coding.bytes();
        if self.bounds.hold(BYTES_OF_WORKER + of_coding).is_break() {
            return false;
        }
        self.bounds.let_go(of_coding);
        let coding = self.workers[0].memory.coding.one_more();
        let worker = Worker::new(model, self.team, (self.look)(), coding, self.initial);
        self.workers.push(worker);
        true
    }

    fn go_through<N>(&mut self, model: &N, layer: Vec<Blocks>, threads: usize) -> ControlFlow<Stop>
    where
        N: Footprints<Scratch = S> + Sync,
    {
        let threads = threads.min(self.workers.len());
        let mut blocks: Vec<Mutex<Blocks>> = layer.into_iter().map(Mutex::new).collect();
        loop {
            let work = Work {
                team: self.team,
                changes: self.changes,
                blocks: &blocks,
                must_widen: AtomicBool::new(false),
            };
            let workers = &mut self.workers[..threads];
            match &mut self.set {
                Set::Own(set) => {
                    let worker = &mut workers[0];
                    let own = Own(std::mem::replace(set, Quotient::new(0)));
                    alone(&self.bounds, self.meter, |member| {
                        let (stop, own) = work.done_by((model, 0), worker, member, own);
                        *set = own.0;
                        stop
                    })?;
                }
                Set::Shared(set) => {
                    all_together(&self.bounds, self.meter, workers, |at, one, member| {
                        work.done_by((model, at), one, member, Shared::new(set)).0
                    })?;
                }
            }
            if !work.must_widen.into_inner() {
                return ControlFlow::Continue(());
            }
            self.widen(&mut blocks)?;
        }
    }

    /// Tells all codings the values that were met, so that they can decode any state.
    fn catch_up(&mut self) -> ControlFlow<Stop> {
        for memory in self.workers.iter_mut().map(|one| &mut one.memory) {
            memory.coding.catch_up();
            let now = memory.worked_out.max(memory.coding.bytes());
            self.bounds.hold_instead(&mut memory.worked_out, now)?;
        }
        ControlFlow::Continue(())
    }

    /// Changes the words of all states, in the layer and in the set.
    #[cold]
    fn widen(&mut self, blocks: &mut [Mutex<Blocks>]) -> ControlFlow<Stop> {
        self.catch_up()?;
        let Some((first, others)) = self.workers.split_first_mut() else {
            return ControlFlow::Continue(());
        };
        for worker in &mut *others {
            // The others may have no thread when the layer goes on.
            first.memory.outgrown.append(&mut worker.memory.outgrown);
        }
        let Some(change) = first.memory.coding.widen() else {
            self.is_too_narrow = true;
            let set = std::mem::replace(&mut self.set, Set::Own(Quotient::new(0)));
            self.joined = first.memory.coding.joined(&sample(&set.into_quotient()));
            return self.give_up();
        };
        others
            .iter_mut()
            .for_each(|worker| worker.memory.coding.follow(&first.memory.coding));
        self.changes += 1;
        debug_assert_eq!(
            change.of(self.initial),
            self.initial,
            "its components have the first numbers"
        );
        let width = first.memory.coding.width();
        let before = self.set.bytes();
        let needed = match &mut self.set {
            Set::Own(set) => set.bytes_to_change(width),
            Set::Shared(set) => set.bytes_to_change(width),
        };
        self.bounds.hold(needed)?;
        let (figures, meter) = (self.bounds.figures(), &mut *self.meter);
        let ask = || meter.poll(figures);
        match &mut self.set {
            Set::Own(set) => *set = set.changed(width, |word| change.of(word), ask)?,
            Set::Shared(set) => set.change(width, |word| change.of(word), ask)?,
        }
        self.bounds.resize(before, self.set.bytes(), needed);
        for blocks in blocks {
            let blocks = blocks.get_mut().unwrap_or_else(PoisonError::into_inner);
            blocks.change(|word| change.of(word));
        }
        for worker in &mut self.workers {
            worker.memory.next.change(|word| change.of(word));
            worker.memory.recent = Recent::of(self.initial);
        }
        ControlFlow::Continue(())
    }

    fn give_up(&mut self) -> ControlFlow<Stop> {
        self.given_up = true;
        ControlFlow::Break(Stop::Decided)
    }
}

/// Some words of a set, in the order of a hash: any may be among them.
fn sample(set: &Quotient) -> Vec<u64> {
    let mut sample = Vec::with_capacity(SAMPLE);
    // It breaks when there are enough.
    let _ = set.each(|word| {
        sample.push(word);
        match sample.len() < SAMPLE {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    sample
}

/// The waiting targets of a worker fit into one batch of the set.
const _: () = assert!(AT_ONCE == u64::BITS as usize);
