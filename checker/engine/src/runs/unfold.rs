//! Unfolding of runs through canonical states.
//!
//! Beside each state r of the search goes the permutation ρ that makes the real state of it, ρ(r).
//! The first one is the inverse of the permutation that has made the canonical form of the initial
//! state. A step from r to t, of which σ(t) is the canonical form, is one from ρ(r) to ρ(t) by the
//! processes that ρ maps its own to; and ρ(t) is the image of σ(t) under the inverse of σ, then ρ.
//! A cycle of the search leads from ρ(r) to some ρ'(r). Repeated by the same steps it leads back to
//! ρ(r), because the powers of a permutation come to the identity. Of a monitor's own part of a
//! state no permutation changes anything.

use stubborn_system::symmetry::Element;

use super::no_trace::{NoTrace, Poll, not_found, polled};
use crate::search::Monitored;
use crate::successors::{Label, find_step};
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

    /// Returns the target of a step whose canonical form is `next`, and the permutation that makes
    /// that form of it.
    fn step_to(&mut self, next: &[u64], is_meant: IsMeant<'_>) -> Option<(Vec<u64>, Vec<Element>)> {
        let (orbits, canonical, at) = (self.orbits, &mut self.canonical, &self.at);
        find_step(self.model, at, &mut self.scratch, |label, outcome| {
            let target = outcome.ok()?;
            let is_found =
                is_meant(at, label, target) && orbits.canonical(target, canonical) == next;
            is_found.then(|| (target.to_vec(), canonical.permutation.clone()))
        })
    }
}
