//! How large an automaton may get.

use std::fmt;

/// The most states of an automaton that a construction gives.
pub const MOST_STATES: usize = 65_536;
/// The most transitions of an automaton that a construction gives.
pub const MOST_TRANSITIONS: usize = 1 << 20;
/// The most cubes of a label.
pub const MOST_CUBES: usize = 1_024;

/// About as many bytes as a state takes while an automaton is made, with what finds it again.
pub(crate) const BYTES_OF_STATE: usize = 256;

/// A construction was given up, since what it makes is too large. Its text goes after a name for the
/// automaton: "it would have more than 65536 states".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TooLarge {
    /// Of what there are too many.
    pub what: Counted,
    /// How many there may be.
    pub most: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    Propositions,
    /// Cases of the condition of a state, as a disjunction of conjunctions.
    Cases,
    /// Sets of valuations that its labels tell apart.
    Classes,
    States,
    Transitions,
}

impl TooLarge {
    pub fn states() -> TooLarge {
        TooLarge::more_states_than(MOST_STATES)
    }

    pub(crate) fn more_states_than(most: usize) -> TooLarge {
        TooLarge {
            what: Counted::States,
            most: most as u64,
        }
    }

    pub fn transitions() -> TooLarge {
        TooLarge::more_transitions_than(MOST_TRANSITIONS)
    }

    pub(crate) fn more_transitions_than(most: usize) -> TooLarge {
        TooLarge {
            what: Counted::Transitions,
            most: most as u64,
        }
    }

    pub fn cases() -> TooLarge {
        TooLarge {
            what: Counted::Cases,
            most: MOST_CUBES as u64,
        }
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = self.most;
        match self.what {
            Counted::Propositions => write!(f, "it would observe more than {most} things"),
            Counted::Cases => write!(
                f,
                "a state's condition would have more than {most} cases when it is written as a \
                 disjunction of conjunctions"
            ),
            Counted::Classes => write!(
                f,
                "it would tell more than {most} combinations of what it observes apart"
            ),
            Counted::States => write!(f, "it would have more than {most} states"),
            Counted::Transitions => write!(f, "it would have more than {most} transitions"),
        }
    }
}

impl std::error::Error for TooLarge {}
