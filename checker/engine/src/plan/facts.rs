//! The facts about properties on which a plan depends.

use crate::properties::{Conclusion, Kind, Preserved};

/// The facts about a property that decide how it is searched.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    pub preserved: Preserved,
    pub conclusion: Conclusion,
}

impl Facts {
    pub fn of(kind: &dyn Kind) -> Facts {
        Facts {
            preserved: kind.preserved(),
            conclusion: kind.conclusion(),
        }
    }

    /// The facts about a visit of all states, as which `explore` is planned: stubborn sets may
    /// leave states out, and all is known once they are visited.
    pub fn of_all_states() -> Facts {
        Facts {
            preserved: Preserved::Always,
            conclusion: Conclusion::Holds,
        }
    }

    /// Whether states and steps decide it while they are visited.
    pub fn is_decided_in_passing(&self) -> bool {
        self.conclusion == Conclusion::Holds
    }
}
