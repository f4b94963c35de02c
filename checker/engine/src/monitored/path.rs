//! Runs of the system alone, from the product states of a search.

use super::product::{AutomatonProduct, TesterProduct};
use crate::packed::Packed;
use crate::runs::evidence::{Evidence, NoTrace, Poll, not_found, polled, step_between, through};
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
    /// Where a limit is reached, or a step that the search has taken is not found again.
    fn run(&self, found: &Found, poll: Poll<'_>) -> Result<Trace, NoTrace>;

    /// Returns the system if the monitor speaks of maximal runs alone.
    fn of_maximal_runs(&self) -> Option<&Packed<'_>>;
}

impl<M: Successors> Plain for AutomatonProduct<'_, M> {
    fn run(&self, found: &Found, poll: Poll<'_>) -> Result<Trace, NoTrace> {
        let begin = found.path.len() as u32;
        let evidence = Evidence {
            cycle: (begin..begin + found.cycle.len() as u32).collect(),
            ..Evidence::path((0..begin).collect())
        };
        let copy = &|number: u32, buffer: &mut [u64]| {
            let (path, number) = (&found.path, number as usize);
            let state = path
                .get(number)
                .unwrap_or_else(|| &found.cycle[number - path.len()]);
            buffer.copy_from_slice(self.system_words(state));
        };
        through(self.packed, None, &evidence, copy, poll)
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
        let mut now = found.path.first().ok_or_else(not_found)?;
        let mut run = Recorder::new(without_tester(now));
        let mut cycle = None;
        for (at, state) in found.path[1..].iter().chain(&found.cycle).enumerate() {
            polled(poll, run.bytes())?;
            let on_cycle = at >= found.path.len() - 1;
            if on_cycle {
                cycle.get_or_insert(run.len());
            }
            // Of several steps between two states it is one of these that the cycle goes by.
            let wanted = match found.violation {
                Violation::Livelock if on_cycle => Some(false),
                Violation::Infinite if on_cycle && self.marks(now).infinite => Some(true),
                _ => None,
            };
            let meant = |label: Label<'_>| {
                wanted.is_none_or(|seen| self.is_visible(label, &[], &[]) == seen)
            };
            let label = step_between(packed, &mut scratch, now, state, &meant)
                .or_else(|_| step_between(packed, &mut scratch, now, state, &|_| true))?;
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
