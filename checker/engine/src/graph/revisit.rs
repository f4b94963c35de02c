//! The edges of a state space once more, for what a search did not keep of them.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::Edges;
use crate::search::{Meter, Space, Stop};
use crate::successors::{Label, Successors, Visit, Wanted};

/// Takes the edges of a state space, state by state.
pub trait Gather {
    fn edge(&mut self, from: &[u64], label: Label<'_>, to: u32);

    /// All edges of the state that comes next have been taken.
    fn end_state(&mut self);

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64;
}

impl Gather for Edges {
    fn edge(&mut self, _: &[u64], _: Label<'_>, to: u32) {
        self.push(to);
    }

    fn end_state(&mut self) {
        Edges::end_state(self);
    }

    fn bytes(&self) -> u64 {
        Edges::bytes(self)
    }
}

/// Takes every step again that a search took, those that fail left out. `successors` are those of
/// the search; `held` is memory in use besides that of the space and
/// of `gather`.
pub fn revisit<S: Successors, G: Gather>(
    successors: &S,
    space: &Space,
    held: u64,
    meter: &mut Meter<'_>,
    gather: &mut G,
) -> ControlFlow<Stop> {
    let mut scratch = successors.scratch();
    let mut visitor = Visitor {
        gather,
        from: &[],
        is_reduced: false,
        space,
        meter,
        held,
        steps: 0,
        stop: None,
    };
    for state in 0..space.store.len() {
        visitor.from = space.store.get(state);
        visitor.is_reduced = space.reduced.contains(state);
        let _ = successors.visit(visitor.from, &mut scratch, &mut visitor);
        if state % 256 == 0 && visitor.stop.is_none() {
            let _ = visitor.pulse();
        }
        if let Some(stop) = visitor.stop {
            return ControlFlow::Break(stop);
        }
        visitor.gather.end_state();
    }
    ControlFlow::Continue(())
}

struct Visitor<'a, 'w, G> {
    gather: &'a mut G,
    from: &'a [u64],
    /// Steps of it were left out.
    is_reduced: bool,
    space: &'a Space,
    meter: &'a mut Meter<'w>,
    held: u64,
    steps: u32,
    stop: Option<Stop>,
}

impl<G: Gather> Visit for Visitor<'_, '_, G> {
    fn wanted(&self) -> Wanted {
        Wanted::again(self.is_reduced)
    }

    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if let Ok(state) = outcome {
            let store = &self.space.store;
            if let Ok(to) = store.find(store.hash(state), state) {
                self.gather.edge(self.from, label, to);
            }
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(1 << 12) {
            return self.pulse();
        }
        ControlFlow::Continue(())
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let held = self.held + self.gather.bytes();
        let flow = match self.meter.forbids(self.space.bytes() + held) {
            Some(reason) => ControlFlow::Break(Stop::Limit(reason)),
            None => self.meter.look(self.space, held),
        };
        match flow {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}
