//! Tries of a plain search before and while a reduction is prepared ([`Tries`]).

use std::ops::ControlFlow;

use super::{Checking, search};
use crate::check::conclude::conclude;
use crate::coverage::Extent;
use crate::observer::Phase;
use crate::options::Limits;
use crate::pipeline::with_symmetry;
use crate::plan::attempt::Attempt;
use crate::plan::attempt::Ended;
use crate::plan::planner::{Tries, tries_plain_searches};
use crate::related::{BETWEEN_LOOKS, Related};
use crate::search::Stop;
use crate::verdict::Reason;

/// The most that a try generates.
#[derive(Clone, Copy, Debug)]
struct Most {
    states: u64,
    edges: u64,
}

impl<'a> Checking<'a> {
    /// Searches the first states of the plain state space.
    pub(super) fn small(&mut self, attempt: &Attempt) -> Ended {
        let most = Most {
            states: attempt.max_states.unwrap_or(u64::MAX),
            edges: attempt.max_edges.unwrap_or(u64::MAX),
        };
        match self.try_plain(most, 0) {
            Ended::NotSmall => {
                let compared = self.layers.plain.for_100_of(&self.layers.reduced);
                compared.map_or(Ended::NotSmall, Ended::Compared)
            }
            ended => ended,
        }
    }

    /// Returns the relations for the open properties. Breaks with [`Stop::Decided`] if the plain
    /// state space has decided them all meanwhile, and if a limit is reached.
    pub(super) fn related_unless_small(&mut self) -> ControlFlow<Stop, Related<'a>> {
        let mut tries = Tries::default();
        let open = self.open();
        self.related(&open, &mut |checking, bytes| {
            checking.meter.prepare(bytes)?;
            if !tries_plain_searches(checking.options) {
                return ControlFlow::Continue(());
            }
            let Some(edges) = tries.spend(BETWEEN_LOOKS) else {
                return ControlFlow::Continue(());
            };
            let states = u64::MAX;
            match checking.try_plain(Most { states, edges }, bytes) {
                Ended::NotSmall => ControlFlow::Continue(()),
                Ended::Limit(reason) => ControlFlow::Break(Stop::Limit(reason)),
                _ => ControlFlow::Break(Stop::Decided),
            }
        })
    }

    /// Searches the plain state space up to `most`, with `held` bytes in use elsewhere. A violation
    /// counts, however the search ends.
    fn try_plain(&mut self, most: Most, held: u64) -> Ended {
        let limits = self.options.limits;
        let allowed = limits.max_states.unwrap_or(u64::MAX);
        let mut meter = self.meter.with(Limits {
            own_memory: limits.own_memory + held,
            max_states: Some(allowed.min(most.states)),
            ..limits
        });
        meter.most_edges = most.edges;
        let (mode, order) = (self.mode(false), self.options.search);
        let (packed, orbits) = (self.packed, self.orbits);
        let _phase = Phase::Search.begin(self.caller.observer);
        let (ended, _) = with_symmetry(packed, orbits, |model| {
            self.within(meter, |this| {
                this.numbered(model, mode, |run, extent| {
                    let flow = search(run, order).map_continue(|()| *extent = Extent::Whole);
                    let flow = match flow {
                        ControlFlow::Continue(()) => conclude(run),
                        stopped => stopped,
                    };
                    match flow {
                        ControlFlow::Break(Stop::Limit(Reason::States(_) | Reason::Memory(_))) => {
                            ControlFlow::Continue(Ended::NotSmall)
                        }
                        flow => flow.map_continue(|()| Ended::Complete),
                    }
                })
            })
        });
        match ended {
            Ended::NotSmall if self.open().is_empty() => Ended::Complete,
            ended => ended,
        }
    }
}
