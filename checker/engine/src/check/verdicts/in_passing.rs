//! Whether anything that a search meets shows a violation, where only that is asked.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::{AtEnd, Terminal, Verdicts};
use crate::properties::Conclusion;
use crate::search::Stop;
use crate::search::layers::Look;
use crate::successors::Label;

/// Breaks at the first violation of a property that is still open: a search with numbers finds it again,
/// and a run to it.
pub struct InPassing<'v, 'a>(pub &'v mut Verdicts<'a>);

impl Verdicts<'_> {
    /// Whether every open property holds where nothing that a search meets shows otherwise.
    pub fn are_decided_in_passing(&self) -> bool {
        let mut open = self.undecided();
        open.all(|property| self.kinds[property].conclusion() == Conclusion::Holds)
    }
}

fn stops_if(is_violation: bool) -> ControlFlow<Stop> {
    match is_violation {
        true => ControlFlow::Break(Stop::Decided),
        false => ControlFlow::Continue(()),
    }
}

impl Look for InPassing<'_, '_> {
    fn found(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        let mut is_violation = false;
        for at in 0..self.0.of_states.len() {
            let property = self.0.of_states[at];
            is_violation |= self.0.ask(property, 0, state).is_some();
        }
        stops_if(is_violation)
    }

    fn failing(&mut self, _: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        let shows = |property: usize| self.0.kinds[property].at_failing_step(failure).is_some();
        stops_if(self.0.undecided().any(shows))
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        let mut is_violation = false;
        for property in self.0.undecided() {
            let mut end = Terminal {
                packed: self.0.packed,
                expression: self.0.expressions[property].as_ref(),
                scratch: &mut self.0.scratch,
                state,
                is_goal: false,
            };
            is_violation |= self.0.kinds[property].at_end(&mut end) != AtEnd::Nothing;
        }
        stops_if(is_violation)
    }
}
