//! Unfolding of runs through canonical states.
//!
//! Beside each state r of the search goes the permutation ρ that makes the real state of it, ρ(r).
//! The first one is the inverse of the permutation that has made the canonical form of the initial
//! state. A step from r to t, of which σ(t) is the canonical form, is one from ρ(r) to ρ(t) by the
//! processes that ρ maps its own to; and ρ(t) is the image of σ(t) under the inverse of σ, then ρ.
//! A cycle of the search leads from ρ(r) to some ρ'(r). Repeated by the same steps it leads back to
//! ρ(r), because the powers of a permutation come to the identity. Of a monitor's own part of a
//! state no permutation changes anything.

use std::ops::ControlFlow;

use stubborn_system::symmetry::Element;
use stubborn_system::system::Failure;

use super::evidence::{NoTrace, Poll, not_found, polled};
use crate::search::Monitored;
use crate::successors::{Label, Visit};
use crate::symmetry::{Canonical, Orbits, inverse, then};

/// Whether a step, from one state to another, is of the kind that a cycle has to have.
pub type IsMeant<'a> = &'a dyn Fn(&[u64], Label<'_>, &[u64]) -> bool;

/// States of a path, and those of a cycle from its last state back to it.
type States = (Vec<Box<[u64]>>, Vec<Box<[u64]>>);

/// Returns the run of the model for which a run through canonical states stands. A step of the
/// cycle is of the first of the kinds that a step to its state is of.
///
/// # Errors
/// If a limit is reached, or a step that the search has taken is not found again.
pub fn unfolded<M: Monitored>(
    (model, orbits): (&M, &Orbits),
    mut path: impl Iterator<Item = Box<[u64]>>,
    cycle: impl Iterator<Item = Box<[u64]>> + Clone,
    kinds: &[IsMeant<'_>],
    poll: Poll<'_>,
) -> Result<States, NoTrace> {
    let at = path.next().ok_or_else(not_found)?;
    let mut canonical = orbits.scratch();
    let mut initials = model.initials().iter();
    let real = initials.find(|initial| orbits.canonical(initial, &mut canonical) == &at[..]);
    let real = real.ok_or_else(not_found)?.clone();
    let size = (size_of_val(&*at) + size_of::<Box<[u64]>>()) as u64;
    let mut states = vec![real.clone()];
    let mut around: Vec<Box<[u64]>> = Vec::new();
    let mut unfolding = Unfolding {
        model,
        orbits,
        scratch: model.scratch(),
        back: inverse(&canonical.permutation),
        canonical,
        at,
        real,
    };
    for next in path {
        polled(poll, states.len() as u64 * size)?;
        unfolding.go(next, &[&|_, _, _| true])?;
        states.push(unfolding.real.clone());
    }
    let begin = unfolding.real.clone();
    loop {
        for next in cycle.clone() {
            polled(poll, (states.len() + around.len()) as u64 * size)?;
            unfolding.go(next, kinds)?;
            around.push(unfolding.real.clone());
        }
        if unfolding.real == begin {
            return Ok((states, around));
        }
    }
}

struct Unfolding<'a, M: Monitored> {
    model: &'a M,
    orbits: &'a Orbits,
    scratch: M::Scratch,
    canonical: Canonical,
    /// State of the search.
    at: Box<[u64]>,
    /// Permutation that makes the real state of it.
    back: Vec<Element>,
    real: Box<[u64]>,
}

impl<M: Monitored> Unfolding<'_, M> {
    fn go(&mut self, next: Box<[u64]>, kinds: &[IsMeant<'_>]) -> Result<(), NoTrace> {
        let mut steps = kinds.iter().map(|is_meant| self.step_to(&next, is_meant));
        let found = steps.find_map(|found| found).ok_or_else(not_found)?;
        let (target, permutation) = found;
        self.real = self.orbits.turned(&self.back, &target).into();
        self.at = next;
        self.back = then(&inverse(&permutation), &self.back);
        Ok(())
    }

    fn step_to(&mut self, next: &[u64], is_meant: IsMeant<'_>) -> Option<(Vec<u64>, Vec<Element>)> {
        let mut finder = Finder {
            orbits: self.orbits,
            canonical: &mut self.canonical,
            from: &self.at,
            to: next,
            is_meant,
            found: None,
        };
        let _ = self.model.visit(&self.at, &mut self.scratch, &mut finder);
        finder.found
    }
}

/// Finds a step to a state with the given canonical form, and the permutation that makes it of
/// that state.
struct Finder<'a> {
    orbits: &'a Orbits,
    canonical: &'a mut Canonical,
    from: &'a [u64],
    to: &'a [u64],
    is_meant: IsMeant<'a>,
    found: Option<(Vec<u64>, Vec<Element>)>,
}

impl Visit for Finder<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if let Ok(state) = outcome
            && (self.is_meant)(self.from, label, state)
            && self.orbits.canonical(state, self.canonical) == self.to
        {
            self.found = Some((state.to_vec(), self.canonical.permutation.clone()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
