//! Questions of properties of fair runs.

use stubborn_system::system::Failure;

use crate::packed::{Expression, Packed, Scratch};
use crate::recurring::Step;
use crate::search::{Monitored, Question};
use crate::successors::{Label, Successors};

/// Whether a run meets no goal from some point on.
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

    /// A run that a bound cuts off does not end.
    fn ends(&mut self, state: &[u64]) -> bool {
        self.stays(state) && self.packed.is_inside(state, &mut self.scratch)
    }

    fn stays(&mut self, state: &[u64]) -> bool {
        self.is_goal(state) == Ok(false)
    }

    fn step(&mut self, _: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        Step::Wanted
    }
}

/// Whether a run is accepted by a Büchi automaton without `reject` states: states marked so are
/// those in which an expression has no value.
pub struct Accepted<'p, P>(pub &'p P);

impl<P: Monitored> Question for Accepted<'_, P> {
    fn shows(&mut self, state: &[u64]) -> bool {
        self.0.marks(state).reject
    }

    fn ends(&mut self, state: &[u64]) -> bool {
        self.0.marks(state).deadlock
    }

    fn step(&mut self, from: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        match self.0.marks(from).infinite {
            true => Step::Wanted,
            false => Step::Allowed,
        }
    }
}
