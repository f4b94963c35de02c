//! What a search has found.

use std::ops::{ControlFlow, Range};

use stubborn_space::omissions::Omissions;
use stubborn_space::options::{Reduction, Storage};
use stubborn_space::verdict::Reason;

use super::layer_ends::LayerEnds;
use super::listener::{Listener, Ways};
use super::meter::{Figures, Meter, Stop};

use crate::graph::StateSet;
use crate::store::Store;
use crate::store::exact::{Exact, Vacancy};

/// The states, and where a search wants it, for each of them the one that it was first found from.
pub struct Space<S = Exact> {
    pub(super) store: S,
    /// Of an initial state itself; empty where nobody asks for paths.
    parents: Vec<u32>,
    /// Steps that were taken, failing ones too.
    pub edges: u64,
    /// Every step was taken in every state.
    pub full: bool,
    /// The states of which steps were left out for good.
    reduced: StateSet,
    /// How many these are.
    reduced_states: u64,
    /// There were some, also where their other steps have been taken since.
    has_left_out: bool,
    pub layers: LayerEnds,
}

impl<S: Store> Space<S> {
    /// Without a state.
    pub fn empty(store: S) -> Space<S> {
        Space {
            store,
            parents: Vec::new(),
            edges: 0,
            full: false,
            reduced: StateSet::default(),
            reduced_states: 0,
            has_left_out: false,
            layers: LayerEnds::default(),
        }
    }

    pub fn states(&self) -> u64 {
        self.store.states()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let lists = self.parents.len() as u64 * 4 + self.layers.bytes();
        self.store.bytes() + lists + self.reduced.bytes()
    }

    /// How many bytes more one more state takes.
    pub fn bytes_to_grow(&self) -> u64 {
        let parent = if self.parents.is_empty() { 0 } else { 4 };
        self.store.bytes_to_grow() + parent
    }

    /// How much of what there is was searched, in a storage of this kind, by ways of so many steps.
    pub fn omissions(&self, storage: Storage, depth: u64) -> Omissions {
        let omissions = Omissions::of(storage, self.states(), self.store.missed());
        omissions.reaching(depth, self.store.fill())
    }

    pub fn figures(&self, held: u64) -> Figures {
        Figures {
            states: self.states(),
            edges: self.edges,
            bytes: self.bytes() + held,
        }
    }

    /// Whether one more state may be added, where the search holds so much memory besides the space
    /// and the listener.
    #[inline]
    pub fn may_add<L: Listener>(
        &self,
        meter: &Meter<'_>,
        listener: &mut L,
        held: u64,
    ) -> ControlFlow<Stop> {
        if self.states() >= meter.most_states() {
            return ControlFlow::Break(Stop::Limit(meter.too_many(meter.most_states())));
        }
        if let Some(max) = meter.max_memory() {
            let needed = self.bytes() + self.bytes_to_grow() + held + meter.own_memory();
            if needed + listener.bytes() > max
                && !(listener.spare_memory() && needed + listener.bytes() <= max)
            {
                return ControlFlow::Break(Stop::Limit(Reason::Memory(max)));
            }
        }
        ControlFlow::Continue(())
    }
}

impl Space {
    /// With these states alone, those in which a run may begin.
    pub fn new(words: usize, initials: &[Box<[u64]>]) -> Space {
        let mut space = Space::empty(Exact::new(words));
        for initial in initials {
            if let Err(vacancy) = space.store.spot(initial) {
                let number = space.store.append(vacancy, initial);
                space.parents.push(number);
            }
        }
        space
    }

    /// How many states there are: their numbers are those below.
    pub fn len(&self) -> u32 {
        self.store.len()
    }

    /// Copies a state into a buffer.
    #[inline]
    pub fn copy(&self, state: u32, buffer: &mut [u64]) {
        self.store.get(state, buffer);
    }

    /// The words of the states with these numbers, one after the other.
    pub fn words(&self, states: Range<u32>) -> &[u64] {
        self.store.rows(states)
    }

    /// The number of a state that was found.
    #[inline]
    pub fn number(&self, state: &[u64]) -> Option<u32> {
        self.store.spot(state).ok()
    }

    /// Nothing was left out of any state.
    pub fn is_plain(&self) -> bool {
        self.reduced_states == 0
    }

    /// Steps were left out of some state, and perhaps taken when everything else had been: in what order states were
    /// found is then not that of their distances, also where all is plain in the end.
    pub fn has_left_out(&self) -> bool {
        self.has_left_out
    }

    /// The states of which steps were left out.
    pub fn reduced(&self) -> &StateSet {
        &self.reduced
    }

    /// The states with these numbers.
    pub fn boxed(&self, numbers: &[u32]) -> Vec<Box<[u64]>> {
        numbers.iter().map(|n| self.store.boxed(*n)).collect()
    }

    /// Steps of the state were left out, or none any more.
    pub(super) fn set_reduced(&mut self, state: u32, is_reduced: bool) {
        match (self.reduced.contains(state), is_reduced) {
            (false, true) => {
                self.reduced.insert(state);
                self.reduced_states += 1;
                self.has_left_out = true;
            }
            (true, false) => {
                self.reduced.remove(state);
                self.reduced_states -= 1;
            }
            _ => {}
        }
    }

    /// Takes a step to a state that was not found before. Where a limit forbids one more, the step
    /// is not counted.
    pub(super) fn step_to_new<L: Listener>(
        &mut self,
        from: u32,
        (vacancy, state): (Vacancy, &[u64]),
        meter: &Meter<'_>,
        held: u64,
        listener: &mut L,
    ) -> ControlFlow<Stop, u32> {
        self.may_add(meter, listener, held)?;
        self.edges += 1;
        let number = self.store.append(vacancy, state);
        self.parents.push(from);
        listener.found(self, number, state)?;
        ControlFlow::Continue(number)
    }
}

impl Ways for Space {
    fn path(&self, to: u32) -> Vec<u32> {
        let mut path = vec![to];
        let mut at = to;
        while self.parents[at as usize] != at {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }

    fn copy(&self, state: u32, buffer: &mut [u64]) {
        Space::copy(self, state, buffer);
    }

    fn figures(&self) -> Figures {
        Space::figures(self, 0)
    }

    fn reduction(&self) -> Reduction {
        Reduction::needed(!self.is_plain())
    }

    fn is_full(&self) -> bool {
        self.full
    }
}
