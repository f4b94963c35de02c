//! Tries of a plain search before and while a reduction is prepared ([`Tries`]).

use std::ops::ControlFlow;

use super::{Checking, ended, search};
use crate::check::conclude::conclude;
use crate::coverage::Extent;
use crate::options::Limits;
use crate::plan::attempt::Ended;
use crate::plan::planner::{Tries, edges_of_small, tries_plain_searches};
use crate::related::{BETWEEN_LOOKS, Related};
use crate::search::{Alone, Monitored, Run, Space, Stop};
use crate::successors::{AnyModel, Erased, Successors as _};
use crate::symmetry::Symmetric;
use crate::verdict::Reason;

/// The most that a try generates.
#[derive(Clone, Copy, Debug)]
struct Most {
    states: u64,
    edges: u64,
}

impl<'a> Checking<'a> {
    /// Decides what the first states of the plain state space show.
    pub(super) fn small(&mut self, max_states: Option<u64>) -> Ended {
        let states = max_states.unwrap_or(u64::MAX);
        let most = Most {
            states,
            edges: edges_of_small(states),
        };
        match self.decided_if_small(most, 0) {
            ControlFlow::Continue(()) => Ended::NotSmall,
            stopped => ended(stopped),
        }
    }

    /// The relations for what is open. Breaks with [`Stop::Decided`] where the plain state space has decided it
    /// all meanwhile, and else where a limit was reached.
    pub(super) fn related_unless_small(&mut self) -> ControlFlow<Stop, Related<'a>> {
        let mut tries = Tries::default();
        self.related_to_open_while(&mut |checking, bytes| {
            checking.meter.prepare(bytes)?;
            if !tries_plain_searches(checking.options) {
                return ControlFlow::Continue(());
            }
            let Some(edges) = tries.spend(BETWEEN_LOOKS) else {
                return ControlFlow::Continue(());
            };
            let states = u64::MAX;
            checking.decided_if_small(Most { states, edges }, bytes)
        })
    }

    /// Searches the plain state space so far, with so much memory held besides.
    fn decided_if_small(&mut self, most: Most, held: u64) -> ControlFlow<Stop> {
        match self.orbits {
            None => self.decided_if_small_on(&Erased(self.packed), most, held),
            Some(orbits) => {
                self.decided_if_small_on(&Erased(&Symmetric::new(self.packed, orbits)), most, held)
            }
        }
    }

    fn decided_if_small_on(
        &mut self,
        model: &AnyModel<'_>,
        most: Most,
        held: u64,
    ) -> ControlFlow<Stop> {
        self.found.begin(self.next(false));
        let allowed = self.options.limits.max_states.unwrap_or(u64::MAX);
        let limits = Limits {
            own_memory: self.options.limits.own_memory + held,
            max_states: Some(allowed.min(most.states)),
            ..self.options.limits
        };
        let mut meter = self.meter.with(limits);
        meter.most_edges = most.edges;
        let model = Alone::new(model);
        let space = Space::new(model.words(), model.initials());
        let order = self.options.order;
        let mut run = Run::new(&model, order, &mut meter, space, &mut self.found);
        let flow = match search(&mut run, self.options.search) {
            ControlFlow::Continue(()) => conclude(&mut run),
            stopped => stopped,
        };
        let space = run.space;
        match flow {
            // It is not small. What was met on the way is violated all the same.
            ControlFlow::Break(Stop::Limit(Reason::States(_) | Reason::Memory(_))) => {
                self.note(&space);
                if self.found.undecided().next().is_none() {
                    return ControlFlow::Break(Stop::Decided);
                }
                self.found.begin(self.next(true));
                ControlFlow::Continue(())
            }
            ControlFlow::Break(stop @ Stop::Limit(_)) => {
                self.end(ControlFlow::Break(stop.clone()), &space);
                ControlFlow::Break(stop)
            }
            flow => {
                let extent = match flow {
                    ControlFlow::Continue(()) => Extent::Whole,
                    ControlFlow::Break(_) => Extent::Part,
                };
                self.end(flow, &space);
                self.look_back(&space, extent);
                ControlFlow::Break(Stop::Decided)
            }
        }
    }
}
