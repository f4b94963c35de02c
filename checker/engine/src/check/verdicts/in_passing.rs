//! Whether anything that a search meets shows a violation, where only that is asked.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::{AtEnd, Terminal, Verdicts, in_state};
use crate::packed::Scratch;
use crate::properties::{Conclusion, InState};
use crate::search::Stop;
use crate::search::layers::Look;
use crate::successors::{Label, Successors};

/// Breaks at the first violation of a property that is still open: a search with numbers finds it again,
/// and a run to it.
pub struct InPassing<'v, 'a> {
    verdicts: &'v Verdicts<'a>,
    scratch: Scratch,
}

impl<'a> Verdicts<'a> {
    /// Whether every open property holds where nothing that a search meets shows otherwise.
    pub fn are_decided_in_passing(&self) -> bool {
        let mut open = self.undecided();
        open.all(|property| self.kinds[property].conclusion() == Conclusion::Holds)
    }

    pub fn in_passing(&self) -> InPassing<'_, 'a> {
        InPassing {
            verdicts: self,
            scratch: self.packed.scratch(),
        }
    }
}

fn stops_if(is_violation: bool) -> ControlFlow<Stop> {
    match is_violation {
        true => ControlFlow::Break(Stop::Decided),
        false => ControlFlow::Continue(()),
    }
}

impl Look for InPassing<'_, '_> {
    fn found(&mut self, state: u64) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let mut of_states = all.of_states.iter();
        let is_violation = of_states.any(|&property| {
            let (kind, expression) = (&*all.kinds[property], all.expressions[property].as_ref());
            let shown = in_state(all.packed, kind, expression, &[state], &mut self.scratch);
            matches!(shown, Some(InState::Violation(_)))
        });
        stops_if(is_violation)
    }

    fn failing(&mut self, _: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let shows = |property: usize| all.kinds[property].at_failing_step(failure).is_some();
        stops_if(all.undecided().any(shows))
    }

    fn terminal(&mut self, state: u64) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let is_violation = all.undecided().any(|property| {
            let mut end = Terminal {
                packed: all.packed,
                expression: all.expressions[property].as_ref(),
                scratch: &mut self.scratch,
                state: &[state],
                is_goal: false,
            };
            all.kinds[property].at_end(&mut end) != AtEnd::Nothing
        });
        stops_if(is_violation)
    }
}
