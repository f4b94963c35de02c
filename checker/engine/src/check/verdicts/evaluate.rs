//! Evaluation of one property in one state.

use stubborn_system::system::Failure;

use crate::packed::{Expression, Packed, Scratch};
use crate::properties::{End, InState, Kind, LooksAt};

/// Returns what a state shows of a property of states.
pub fn in_state(
    packed: &Packed<'_>,
    kind: &dyn Kind,
    expression: Option<&Expression>,
    state: &[u64],
    scratch: &mut Scratch,
) -> Option<InState> {
    let LooksAt::States(_, shows) = kind.looks_at() else {
        return None;
    };
    let value = packed.holds(expression?, state, scratch);
    Some(shows(value.map_err(|failure| *failure)))
}

/// A terminal state, for one property.
pub struct Terminal<'v, 'a> {
    pub packed: &'a Packed<'a>,
    pub expression: Option<&'v Expression>,
    pub scratch: &'v mut Scratch,
    pub state: &'v [u64],
    pub is_goal: bool,
}

impl End for Terminal<'_, '_> {
    fn is_final(&self) -> bool {
        self.packed.is_final(self.state)
    }

    fn is_goal(&self) -> bool {
        self.is_goal
    }

    fn value(&mut self) -> Option<Result<bool, Failure>> {
        let value = self
            .packed
            .holds(self.expression?, self.state, self.scratch);
        Some(value.map_err(|failure| *failure))
    }
}
