//! What a search has found.

use std::ops::ControlFlow;

use super::{Meter, Observer, Stop};
use crate::graph::StateSet;
use crate::options::Reduction;
use crate::store::exact::{ExactStore, Vacancy};
use crate::successors::Successors;

/// The states, each with the one that it was first found from.
pub struct Space {
    pub store: ExactStore,
    /// Of the initial state itself.
    parents: Vec<u32>,
    /// Steps that were taken, failing ones too.
    pub edges: u64,
    /// Every step was taken in every state.
    pub full: bool,
    /// The states of which steps were left out for good.
    pub reduced: StateSet,
    /// How many these are.
    pub reduced_states: u64,
}

impl Space {
    /// With the initial state alone.
    pub fn new<S: Successors>(successors: &S) -> Space {
        let mut store = ExactStore::new(successors.words());
        let initial = successors.initial();
        if let Err(vacancy) = store.find(store.hash(initial), initial) {
            store.add(vacancy, initial);
        }
        Space {
            store,
            parents: vec![0],
            edges: 0,
            full: false,
            reduced: StateSet::default(),
            reduced_states: 0,
        }
    }

    pub fn states(&self) -> u64 {
        u64::from(self.store.len())
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.store.bytes() + self.parents.len() as u64 * 4 + self.reduced.bytes()
    }

    /// The reduction that it needed.
    pub fn reduction(&self) -> Reduction {
        if self.is_plain() {
            Reduction::None
        } else {
            Reduction::Stubborn
        }
    }

    /// Nothing was left out of any state.
    pub fn is_plain(&self) -> bool {
        self.reduced_states == 0
    }

    /// Steps of the state were left out, or none any more.
    pub(super) fn set_reduced(&mut self, state: u32, is_reduced: bool) {
        match (self.reduced.contains(state), is_reduced) {
            (false, true) => {
                self.reduced.insert(state);
                self.reduced_states += 1;
            }
            (true, false) => {
                self.reduced.remove(state);
                self.reduced_states -= 1;
            }
            _ => {}
        }
    }

    /// How many bytes more one more state takes.
    pub fn bytes_to_grow(&self) -> u64 {
        self.store.bytes_to_grow() + 4
    }

    /// Takes a step to a state that was not found before. Where a limit forbids one more, the step
    /// is not counted.
    pub(super) fn step_to_new<O: Observer>(
        &mut self,
        from: u32,
        (vacancy, state): (Vacancy, &[u64]),
        meter: &mut Meter<'_>,
        held: u64,
        observer: &mut O,
    ) -> ControlFlow<Stop, u32> {
        meter.may_add(self, observer, held)?;
        self.edges += 1;
        let number = self.store.add(vacancy, state);
        self.parents.push(from);
        observer.found(self, number)?;
        ControlFlow::Continue(number)
    }

    /// The states through which a state was found, from the initial one to itself. In
    /// breadth-first order there is no shorter way to it.
    pub fn path(&self, state: u32) -> Vec<u32> {
        let mut path = vec![state];
        let mut at = state;
        while at != 0 {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }
}
