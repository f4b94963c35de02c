//! What a search through canonical states has found beside a monitor, as states of the product.
//!
//! As in [`runs::turned`](crate::runs): beside each state of the search goes the permutation that makes the real one
//! of it, and a cycle goes round until it closes. What the monitor is in is the same in both.

use std::ops::ControlFlow;

use stubborn_system::symmetry::Element;
use stubborn_system::system::Failure;

use crate::runs::evidence::{NoTrace, Poll, polled};
use crate::search::Monitored;
use crate::search::found::Found;
use crate::successors::{Label, Visit};
use crate::symmetry::{Canonical, Orbits, inverse, then};
use crate::verdict::Violation;

/// The run of the product for which stands what was found.
///
/// # Errors
/// Where a limit is reached, or a step that the search has taken is not found again.
pub fn lifted<M: Monitored>(
    product: &M,
    orbits: &Orbits,
    found: &Found,
    poll: Poll<'_>,
) -> Result<Found, NoTrace> {
    let mut canonical = orbits.scratch();
    let Some(first) = found.path.first() else {
        return Err(not_found());
    };
    let mut initials = product.initials().iter();
    let begins = initials.find(|initial| orbits.canonical(initial, &mut canonical) == &first[..]);
    let real = begins.ok_or_else(not_found)?.clone();
    let mut turning = Turning {
        product,
        orbits,
        scratch: product.scratch(),
        back: inverse(&canonical.permutation),
        canonical,
        at: first.clone(),
        real,
    };
    let mut lifted = Found {
        violation: found.violation,
        path: vec![turning.real.clone()],
        cycle: Vec::new(),
    };
    let size = (size_of_val(&**first) + size_of::<Box<[u64]>>()) as u64;
    for next in &found.path[1..] {
        polled(poll, lifted.path.len() as u64 * size)?;
        turning.go(next, None)?;
        lifted.path.push(turning.real.clone());
    }
    if found.cycle.is_empty() {
        return Ok(lifted);
    }
    let begin = turning.real.clone();
    loop {
        for next in &found.cycle {
            polled(poll, lifted.len() as u64 * size)?;
            // Of several steps between two states it is one of these that the cycle goes by.
            let is_seen = match found.violation {
                Violation::Livelock => Some(false),
                Violation::Infinite if product.marks(&turning.at).infinite => Some(true),
                _ => None,
            };
            turning.go(next, is_seen)?;
            lifted.cycle.push(turning.real.clone());
        }
        if turning.real == begin {
            return Ok(lifted);
        }
    }
}

fn not_found() -> NoTrace {
    NoTrace::Defect("a step that a search has taken is not found again".to_owned())
}

struct Turning<'a, M: Monitored> {
    product: &'a M,
    orbits: &'a Orbits,
    scratch: M::Scratch,
    canonical: Canonical,
    /// The state of the search.
    at: Box<[u64]>,
    /// The permutation that makes the real state of it.
    back: Vec<Element>,
    real: Box<[u64]>,
}

impl<M: Monitored> Turning<'_, M> {
    /// By a step that the monitor sees, or does not, where there is such a one.
    fn go(&mut self, next: &[u64], is_seen: Option<bool>) -> Result<(), NoTrace> {
        let found = self.step_to(next, is_seen);
        let found = found.or_else(|| is_seen.and_then(|_| self.step_to(next, None)));
        let (target, turned) = found.ok_or_else(not_found)?;
        self.real = self.orbits.turned(&self.back, &target).into();
        self.at = next.into();
        self.back = then(&inverse(&turned), &self.back);
        Ok(())
    }

    fn step_to(&mut self, next: &[u64], is_seen: Option<bool>) -> Option<(Vec<u64>, Vec<Element>)> {
        let mut finder = Finder {
            product: self.product,
            orbits: self.orbits,
            canonical: &mut self.canonical,
            from: &self.at,
            to: next,
            is_seen,
            found: None,
        };
        let _ = self.product.visit(&self.at, &mut self.scratch, &mut finder);
        finder.found
    }
}

/// Finds a step to a state with the given canonical form, and the permutation that makes it of that state.
struct Finder<'a, M> {
    product: &'a M,
    orbits: &'a Orbits,
    canonical: &'a mut Canonical,
    from: &'a [u64],
    to: &'a [u64],
    is_seen: Option<bool>,
    found: Option<(Vec<u64>, Vec<Element>)>,
}

impl<M: Monitored> Visit for Finder<'_, M> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let Ok(state) = outcome else {
            return ControlFlow::Continue(());
        };
        let is_meant = (self.is_seen)
            .is_none_or(|seen| self.product.is_visible(label, self.from, state) == seen);
        if is_meant && self.orbits.canonical(state, self.canonical) == self.to {
            self.found = Some((state.to_vec(), self.canonical.permutation.clone()));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
