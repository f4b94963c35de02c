//! What a translation may cost.

use std::fmt;

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

/// What is left of it. It counts operations and not seconds, so that a formula is too large on every
/// machine or on none.
#[derive(Debug)]
pub(crate) struct Effort {
    left: u64,
}

impl Effort {
    pub(crate) fn new() -> Effort {
        Effort { left: MOST_EFFORT }
    }

    pub(crate) fn spend(&mut self, operations: usize) -> Result<(), TooLarge> {
        let left = self.left.checked_sub(operations as u64);
        self.left = left.ok_or(TooLarge::Effort)?;
        Ok(())
    }

    /// The same, for what can be left undone: false where it would cost more than a quarter of what
    /// is left.
    pub(crate) fn afford(&mut self, operations: u64) -> bool {
        let affordable = operations <= self.left / 4;
        if affordable {
            self.left -= operations;
        }
        affordable
    }
}
