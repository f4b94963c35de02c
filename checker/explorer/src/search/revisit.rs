//! The edges of a state space once more, for what a search did not keep of them.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Label, Visit, Wanted};
use stubborn_system::system::Failure;

use super::meter::{Figures, Stop};
use super::{Listener, Meter, Run, Space};
use crate::graph::Edges;
use crate::store::exact::Exact;

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

/// Takes every step again that a search took, those that fail left out. `held` is memory in use
/// besides that of the run and of `gather`.
pub fn revisit<M: Monitored, L: Listener, G: Gather>(
    run: &mut Run<'_, '_, M, Exact, L>,
    held: u64,
    gather: &mut G,
) -> ControlFlow<Stop> {
    let held = held + run.figures().bytes;
    for state in 0..run.space.len() {
        run.space.copy(state, &mut run.state);
        let mut visitor = Visitor {
            gather,
            from: &run.state,
            is_reduced: run.space.reduced().contains(state),
            space: &run.space,
            meter: run.meter,
            held,
            steps: 0,
            stop: None,
        };
        let _ = run.model.visit(&run.state, &mut run.scratch, &mut visitor);
        if state % 256 == 0 && visitor.stop.is_none() {
            let _ = visitor.pulse();
        }
        if let Some(stop) = visitor.stop {
            return ControlFlow::Break(stop);
        }
        gather.end_state();
    }
    ControlFlow::Continue(())
}

struct Visitor<'a, 'm, G> {
    gather: &'a mut G,
    from: &'a [u64],
    /// Steps of it were left out.
    is_reduced: bool,
    space: &'a Space,
    meter: &'a mut Meter<'m>,
    held: u64,
    steps: u32,
    stop: Option<Stop>,
}

impl<G: Gather> Visit for Visitor<'_, '_, G> {
    fn wanted(&self) -> Wanted {
        Wanted::again(self.is_reduced)
    }

    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if let Ok(state) = outcome
            && let Some(to) = self.space.number(state)
        {
            self.gather.edge(self.from, label, to);
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(1 << 12) {
            return self.pulse();
        }
        ControlFlow::Continue(())
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let bytes = self.held + self.gather.bytes();
        let figures = Figures {
            bytes,
            ..self.space.figures(0)
        };
        match self.meter.poll_memory(figures) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(stop) => {
                self.stop = Some(stop);
                ControlFlow::Break(())
            }
        }
    }
}
