//! Leaving a reduction where the plain state space is the smaller piece of work.
//!
//! What the relations between steps are is found out before there is a state, and may take longer than going
//! through all states: processes that alone could be in thousands of local states are, beside each other, in a
//! few. How many states there are nobody knows beforehand. So each time that preparing has taken some times as
//! long as when this was last asked, the plain state space is tried with as many steps as preparing has cost so
//! far. If that is all of it, everything is decided there, and nothing was left out. Else the tries together have
//! cost a small part of what preparing does. Both are counted in the same units and never timed, so that figures
//! repeat.
//!
//! Who waits for verdicts alone can ask for a first try before anything is prepared
//! ([`Options::plain_first`](crate::options::Options::plain_first)).

use std::ops::ControlFlow;

use super::{Checking, search};
use crate::check::conclude::conclude;
use crate::options::{self, Limits, Reduction};
use crate::related::{BETWEEN_LOOKS, Related};
use crate::search::{Alone, Monitored, Run, Space, Stop};
use crate::seen::Extent;
use crate::successors::{AnyModel, Erased, Successors as _};
use crate::symmetry::Symmetric;
use crate::symmetry::stages::Stage;
use crate::verdict::Reason;

/// Preparing that costs no more than this is let be: small models are what a reduction is looked at with.
const FIRST: u64 = 1 << 11;
/// The next try is after so many times as much.
const TIMES: u64 = 4;

/// How many steps a state of a small model has, on average at most: where many lead to few states a model is small and
/// going through it is not.
const STEPS_OF_STATE: u64 = 64;

/// How far a try goes.
#[derive(Clone, Copy, Debug)]
struct Most {
    states: u64,
    steps: u64,
}

impl Most {
    fn states(states: u64) -> Most {
        Most {
            states,
            steps: states.saturating_mul(STEPS_OF_STATE),
        }
    }

    fn steps(steps: u64) -> Most {
        Most {
            states: u64::MAX,
            steps,
        }
    }
}

impl<'a> Checking<'a> {
    /// Decides what so many states of the plain state space show as are asked for, before anything is prepared. Breaks
    /// where another limit was reached.
    pub(super) fn tried_plainly(&mut self) -> ControlFlow<Stop> {
        // What comes after another stage had its try there.
        let is_first = matches!(self.stage, Stage::First | Stage::Plain);
        let is_meant = self.options.reduction == Reduction::Stubborn && !self.asks_for_symmetry();
        match self.options.plain_first {
            Some(states) if is_first && is_meant => {
                match self.decided_if_small(Most::states(states.get().into()), 0) {
                    ControlFlow::Break(Stop::Decided) => ControlFlow::Continue(()),
                    flow => flow,
                }
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// The relations for what is open. Breaks with [`Stop::Decided`] where the plain state space has decided it
    /// all meanwhile, and else where a limit was reached.
    pub(super) fn related_unless_small(&mut self) -> ControlFlow<Stop, Related<'a>> {
        let (mut spent, mut enough) = (0, FIRST);
        self.related_to_open_while(&mut |checking, bytes| {
            checking.meter.prepare(bytes)?;
            spent += BETWEEN_LOOKS;
            if checking.asks_for_symmetry() || spent < enough {
                return ControlFlow::Continue(());
            }
            enough *= TIMES;
            checking.decided_if_small(Most::steps(spent), bytes)
        })
    }

    /// Who wants symmetry whether it pays or not wants to see what it leaves together with the reduction.
    fn asks_for_symmetry(&self) -> bool {
        self.options.symmetry == options::Symmetry::Always
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
        meter.most_edges = most.steps;
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
