//! Runs of the system alone, from the product states of a search.

use super::product::{AutomatonProduct, TesterProduct};
use crate::packed::Packed;
use crate::runs::evidence::{step_between, through};
use crate::runs::no_trace::{NoTrace, Poll, not_found, polled};
use crate::runs::unfold::IsMeant;
use crate::search::Monitored;
use crate::search::found::Found;
use crate::state::State;
use crate::successors::{Label, Successors};
use crate::trace::{Recorder, Trace};
use crate::verdict::Violation;

/// Product of a system whose steps are all taken.
pub trait Plain: Monitored {
    /// Returns the run of the system in what was found, without the monitor.
    ///
    /// # Errors
    /// If a limit is reached, or a step that the search has taken is not found again.
    fn run(&self, found: &Found, poll: Poll<'_>) -> Result<Trace, NoTrace>;

    /// Returns the system if the monitor speaks of maximal runs alone.
    fn of_maximal_runs(&self) -> Option<&Packed<'_>>;
}

/// Returns which steps a cycle goes by that is such a violation, of several between two states.
pub fn of_cycle<M: Monitored>(
    model: &M,
    violation: Violation,
) -> impl Fn(&[u64], Label<'_>, &[u64]) -> bool {
    move |from, label, to| match violation {
        Violation::Livelock => !model.is_visible(label, from, to),
        Violation::Infinite if model.marks(from).infinite => model.is_visible(label, from, to),
        _ => true,
    }
}

impl<M: Successors> Plain for AutomatonProduct<'_, M> {
    fn run(&self, found: &Found, poll: Poll<'_>) -> Result<Trace, NoTrace> {
        let of_system = |state: &[u64]| Box::from(self.system_words(state));
        let states = (
            found.path.iter().map(|state| of_system(state)),
            found.cycle.iter().map(|state| of_system(state)),
        );
        through(self.packed, states, None, &[&|_, _, _| true], poll)
    }

    fn of_maximal_runs(&self) -> Option<&Packed<'_>> {
        Some(self.packed)
    }
}

impl<S: Successors> Plain for TesterProduct<'_, S> {
    /// Leaves out the moves that the tester makes by itself.
    fn run(&self, found: &Found, poll: Poll<'_>) -> Result<Trace, NoTrace> {
        let (packed, monitor) = (self.packed, self.monitor);
        let mut scratch = packed.scratch();
        let without_tester = |state: &[u64]| -> State {
            let mut state = packed.unpack(state);
            state.instances.truncate(monitor as usize);
            state
        };
        let is_of_cycle = of_cycle(self, found.violation);
        let mut now = found.path.first().ok_or_else(not_found)?;
        let mut run = Recorder::new(without_tester(now));
        let mut cycle = None;
        for (at, state) in found.path[1..].iter().chain(&found.cycle).enumerate() {
            polled(poll, run.bytes())?;
            let on_cycle = at >= found.path.len() - 1;
            if on_cycle {
                cycle.get_or_insert(run.len());
            }
            let kinds: &[IsMeant<'_>] = match on_cycle {
                true => &[&is_of_cycle, &|_, _, _| true],
                false => &[&|_, _, _| true],
            };
            let label = step_between(packed, &mut scratch, now, state, kinds)?;
            now = state;
            let label = label.label();
            let many = label.participants.len() - usize::from(self.is_visible(label, &[], &[]));
            if many > 0 {
                let participants = &label.participants[..many];
                run.step(
                    Label {
                        participants,
                        ..label
                    },
                    without_tester(state),
                );
            }
        }
        Ok(run.finish(cycle))
    }

    fn of_maximal_runs(&self) -> Option<&Packed<'_>> {
        None
    }
}
