//! What properties of fair runs ask of a search.

use stubborn_system::system::Failure;

use crate::packed::{Expression, Packed, Scratch};
use crate::recurring::Recurring;
use crate::search::Monitored;
use crate::search::fair::Question;
use crate::search::whole::cycles::Step;
use crate::successors::{Label, Successors};

/// A run that meets no goal from some point on.
pub struct Avoiding<'a> {
    packed: &'a Packed<'a>,
    goal: Expression,
    scratch: Scratch,
}

impl<'a> Avoiding<'a> {
    pub fn new(packed: &'a Packed<'a>, goal: Expression) -> Avoiding<'a> {
        Avoiding {
            packed,
            goal,
            scratch: packed.scratch(),
        }
    }

    fn is_goal(&mut self, state: &[u64]) -> Result<bool, Box<Failure>> {
        self.packed.holds(&self.goal, state, &mut self.scratch)
    }
}

impl Question for Avoiding<'_> {
    fn shows(&mut self, state: &[u64]) -> bool {
        self.is_goal(state).is_err()
    }

    fn ends(&mut self, state: &[u64]) -> bool {
        self.stays(state)
    }

    fn stays(&mut self, state: &[u64]) -> bool {
        self.is_goal(state) == Ok(false)
    }

    fn step(&mut self, _: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        Step::Wanted
    }
}

/// A run with infinitely many steps of one set and not of the other.
pub struct Recurs<'a> {
    pub packed: &'a Packed<'a>,
    pub recurring: Recurring,
}

impl Question for Recurs<'_> {
    fn shows(&mut self, _: &[u64]) -> bool {
        false
    }

    fn ends(&mut self, _: &[u64]) -> bool {
        false
    }

    fn stays(&mut self, _: &[u64]) -> bool {
        true
    }

    fn step(&mut self, from: &[u64], label: Label<'_>, _: &[u64]) -> Step {
        let at = |instance| self.packed.location(from, instance);
        match self.recurring.allows(label, &at) {
            false => Step::Forbidden,
            true if self.recurring.wants(label, &at) => Step::Wanted,
            true => Step::Allowed,
        }
    }
}

/// A run that a Büchi automaton accepts which has no `reject` states: what is marked so are states in which an
/// expression has no value.
pub struct Accepted<'p, P>(pub &'p P);

impl<P: Monitored> Question for Accepted<'_, P> {
    fn shows(&mut self, state: &[u64]) -> bool {
        self.0.marks(state).reject
    }

    fn ends(&mut self, state: &[u64]) -> bool {
        self.0.marks(state).deadlock
    }

    fn stays(&mut self, _: &[u64]) -> bool {
        true
    }

    fn step(&mut self, from: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        match self.0.marks(from).infinite {
            true => Step::Wanted,
            false => Step::Allowed,
        }
    }
}
