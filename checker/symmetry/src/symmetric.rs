//! A model whose steps lead to canonical forms.

use std::ops::ControlFlow;

use stubborn_space::profit::Profit;
use stubborn_space::successors::{Around, Successors, Visit, WorkingMemory};

use super::canonical::Scratch as Canonical;
use super::orbits::Orbits;

/// A model of packed states of which those are one that permutations make of each other.
pub struct Symmetric<'a, M: ?Sized> {
    model: &'a M,
    orbits: &'a Orbits,
    /// The first is the initial state, if there is one.
    initials: Vec<Box<[u64]>>,
}

impl<'a, M: Successors + ?Sized> Symmetric<'a, M> {
    pub fn new(model: &'a M, orbits: &'a Orbits) -> Symmetric<'a, M> {
        Symmetric::beginning(model, orbits, [model.initial()])
    }

    /// A product with a monitor begins in several states, or in none. The permutations move nothing
    /// of the monitor's, and what it sees of the system is the same for all states that they make
    /// of one.
    pub fn beginning<'i>(
        model: &'a M,
        orbits: &'a Orbits,
        initials: impl IntoIterator<Item = &'i [u64]>,
    ) -> Symmetric<'a, M> {
        let mut canonical = orbits.scratch();
        let initials = initials.into_iter();
        let initials = initials.map(|state| orbits.canonical(state, &mut canonical).into());
        Symmetric {
            model,
            orbits,
            initials: initials.collect(),
        }
    }

    pub fn model(&self) -> &'a M {
        self.model
    }

    /// The canonical forms of the states in which it begins.
    pub fn initials(&self) -> &[Box<[u64]>] {
        &self.initials
    }
}

/// Working memory for the steps of one state.
pub struct Scratch<S> {
    model: S,
    canonical: Canonical,
}

impl<S> Scratch<S> {
    pub fn model(&mut self) -> &mut S {
        &mut self.model
    }
}

impl<M: Successors + ?Sized> Successors for Symmetric<'_, M> {
    type Scratch = Scratch<M::Scratch>;

    fn words(&self) -> usize {
        self.model.words()
    }

    fn initial(&self) -> &[u64] {
        self.initials.first().map_or(&[], |state| state)
    }

    fn scratch(&self) -> Self::Scratch {
        Scratch {
            model: self.model.scratch(),
            canonical: self.orbits.scratch(),
        }
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Self::Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let Scratch { model, canonical } = scratch;
        let mut canonical = Around(visitor, |visitor, label, outcome| {
            let outcome = outcome.map(|target| self.orbits.canonical(target, canonical));
            visitor.step(label, outcome)
        });
        self.model.visit(state, model, &mut canonical)
    }
}

impl<S: WorkingMemory> WorkingMemory for Scratch<S> {
    fn bytes(&self) -> u64 {
        self.model.bytes()
    }

    fn profit(&mut self) -> Option<&mut Profit> {
        self.model.profit()
    }
}
