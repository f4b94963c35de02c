//! All steps of one state.

use std::ops::ControlFlow;

use stubborn_explorer::search::{Ledger, Stop};
use stubborn_space::successors::{Label, Memory, Model, Successors as _, Visit, Wanted};
use stubborn_system::system::Failure;

/// Gives the target of each step that does not fail, until `take` breaks off; returns the number of
/// steps. Steps that a reduction leaves out are included: between states that were found they are
/// steps of the model.
pub fn each_step(
    (model, scratch): (&Model<'_>, &mut Memory),
    ledger: &mut Ledger<'_>,
    state: &[u64],
    take: &mut dyn FnMut(Label<'_>, &[u64]) -> ControlFlow<()>,
) -> ControlFlow<Stop, u64> {
    let mut each = Each {
        ledger,
        take,
        steps: 0,
        stop: None,
    };
    let _ = model.visit(state, scratch, &mut each);
    match each.stop {
        Some(stop) => ControlFlow::Break(stop),
        None => ControlFlow::Continue(each.steps),
    }
}

struct Each<'e, 'm> {
    ledger: &'e mut Ledger<'m>,
    take: &'e mut dyn FnMut(Label<'_>, &[u64]) -> ControlFlow<()>,
    steps: u64,
    stop: Option<Stop>,
}

impl Visit for Each<'_, '_> {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.steps += 1;
        if let Ok(to) = outcome {
            (self.take)(label, to)?;
        }
        let flow = self.ledger.step();
        flow.map_break(|stop| self.stop = Some(stop))
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.ledger.poll();
        flow.map_break(|stop| self.stop = Some(stop))
    }
}
