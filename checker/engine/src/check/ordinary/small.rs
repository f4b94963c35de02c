//! Leaving a reduction where the plain state space is the smaller piece of work.
//!
//! What the relations between steps are is found out before there is a state, and may take longer than going
//! through all states: processes that alone could be in thousands of local states are, beside each other, in a
//! few. How many states there are nobody knows beforehand. So each time that preparing has taken some times as
//! long as when this was last asked, the plain state space is tried with as many steps as preparing has cost so
//! far. If that is all of it, everything is decided there, and nothing was left out. Else the tries together have
//! cost a small part of what preparing does. Both are counted in the same units and never timed, so that figures
//! repeat.

use std::ops::ControlFlow;

use super::{Checking, search};
use crate::check::conclude::conclude;
use crate::options::{self, Limits};
use crate::related::{BETWEEN_LOOKS, Related};
use crate::search::{Alone, Monitored, Run, Space, Stop};
use crate::seen::Extent;
use crate::successors::Successors;
use crate::symmetry::Symmetric;
use crate::verdict::Reason;

/// Preparing that costs no more than this is let be: small models are what a reduction is looked at with.
const FIRST: u64 = 1 << 11;
/// The next try is after so many times as much.
const TIMES: u64 = 4;

impl<'a> Checking<'a> {
    /// The relations for what is open. Breaks with [`Stop::Decided`] where the plain state space has decided it
    /// all meanwhile, and else where a limit was reached.
    pub(super) fn related_unless_small(&mut self) -> ControlFlow<Stop, Related<'a>> {
        let (mut spent, mut enough) = (0, FIRST);
        self.related_to_open_while(&mut |checking, bytes| {
            checking.meter.prepare(bytes)?;
            spent += BETWEEN_LOOKS;
            // Who wants symmetry whether it pays or not wants to see what it leaves together with the reduction.
            let asks_nothing = checking.options.symmetry == options::Symmetry::Always;
            if asks_nothing || spent < enough {
                return ControlFlow::Continue(());
            }
            enough *= TIMES;
            match checking.orbits {
                None => checking.decided_if_small(checking.packed, spent, bytes),
                Some(orbits) => {
                    let model = Symmetric::new(checking.packed, orbits);
                    checking.decided_if_small(&model, spent, bytes)
                }
            }
        })
    }

    /// Searches the plain state space as far as so many steps lead, with so much memory held besides.
    fn decided_if_small<M: Successors>(
        &mut self,
        model: &M,
        steps: u64,
        held: u64,
    ) -> ControlFlow<Stop> {
        self.found.begin(self.next(false));
        let mut meter = self.meter.with(Limits {
            own_memory: self.options.limits.own_memory + held,
            ..self.options.limits
        });
        meter.most_edges = steps;
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
                let seconds = self.meter.seconds();
                self.found.note(&mut self.outcomes, &space, seconds);
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
