//! What a translation may cost.

use std::fmt;

use crate::work::{NotMade, Work};

/// An automaton with more states is not built.
pub const MOST_STATES: usize = 20_000;

/// Elementary operations on sets of valuations and formulas, about a second's worth.
const MOST_EFFORT: u64 = 8_000_000;

/// Why a formula was not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TooLarge {
    /// It has a proposition beyond [`MOST_PROPOSITIONS`](crate::label::MOST_PROPOSITIONS).
    Propositions,
    /// Its automaton would have more than [`MOST_STATES`] states.
    States,
    /// The translation would take much more than a second.
    Effort,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = crate::label::MOST_PROPOSITIONS;
        match self {
            TooLarge::Propositions => write!(
                out,
                "the formula has more than {most} different parts without temporal operators"
            ),
            TooLarge::States => write!(
                out,
                "the automaton of the formula would have more than {MOST_STATES} states"
            ),
            TooLarge::Effort => write!(
                out,
                "the formula has too many combinations of its parts to be turned into an automaton"
            ),
        }
    }
}

impl std::error::Error for TooLarge {}

impl From<TooLarge> for NotMade<TooLarge> {
    fn from(too_large: TooLarge) -> NotMade<TooLarge> {
        NotMade::TooLarge(too_large)
    }
}

/// Remaining budget of a translation. It counts operations and not seconds, so that a formula is too large on every
/// machine or on none.
#[derive(Debug)]
pub struct Effort<'a> {
    left: u64,
    /// How many states an automaton may have.
    pub(crate) most_states: usize,
    work: &'a Work<'a>,
}

impl<'a> Effort<'a> {
    pub fn new(work: &'a Work<'a>) -> Effort<'a> {
        Effort::within(MOST_STATES, work)
    }

    pub(crate) fn within(most_states: usize, work: &'a Work<'a>) -> Effort<'a> {
        Effort {
            left: MOST_EFFORT,
            most_states,
            work,
        }
    }

    /// Deducts operations from the budget.
    ///
    /// # Errors
    /// If the budget is exceeded, or the work has been stopped.
    pub fn spend(&mut self, operations: usize) -> Result<(), NotMade<TooLarge>> {
        self.work.spend(operations)?;
        let left = self.left.checked_sub(operations as u64);
        self.left = left.ok_or(TooLarge::Effort)?;
        Ok(())
    }

    /// What is done though it is not counted here.
    pub(crate) fn work(&self) -> &'a Work<'a> {
        self.work
    }

    /// The same as [`spend`](Effort::spend), for what can be left undone: false where it would cost more than a quarter of what
    /// is left.
    pub(crate) fn afford(&mut self, operations: u64) -> bool {
        let affordable = operations <= self.left / 4;
        if affordable {
            self.left -= operations;
        }
        affordable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_translation_takes_as_much_effort_as_is_allowed() {
        let work = Work::unlimited();
        let spend = |operations: u64| Effort::new(&work).spend(operations as usize);
        assert_eq!(spend(MOST_EFFORT - 1), Ok(()));
        assert_eq!(spend(MOST_EFFORT), Ok(()));
        assert_eq!(spend(MOST_EFFORT + 1), Err(TooLarge::Effort.into()));
    }
}
