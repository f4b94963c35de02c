//! A shortest path to a state that a question names.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Alone, Monitored};
use stubborn_space::options::Order;
use stubborn_space::successors::{AnyModel, Successors as _};

use super::Whole;
use crate::search::listener::{Listener, Ways};
use crate::search::meter::{Meter, Stop};
use crate::search::{Run, Space, breadth_first};

/// Returns the first state of a breadth-first search, in the given order of steps, whose number in
/// `whole` satisfies `is_one`, with the states found until then; `None` if there is none. `held` is
/// memory in use besides `whole`, in bytes.
pub fn nearest(
    model: &AnyModel<'_>,
    (whole, held): (&Whole, u64),
    order: Order,
    meter: &mut Meter<'_>,
    is_one: impl Fn(u64) -> bool,
) -> ControlFlow<Stop, Option<(Space, u32)>> {
    let model = Alone::new(model);
    let space = Space::new(model.words(), model.initials());
    let looking = Looking {
        whole,
        held,
        is_one,
        found: None,
    };
    let mut run = Run::new(&model, order, meter, space, looking);
    let flow = breadth_first::search(&mut run);
    match (run.listener.found, flow) {
        (Some(state), _) => ControlFlow::Continue(Some((run.space, state))),
        (None, ControlFlow::Break(stop)) => ControlFlow::Break(stop),
        (None, ControlFlow::Continue(())) => ControlFlow::Continue(None),
    }
}

struct Looking<'w, F> {
    whole: &'w Whole,
    held: u64,
    is_one: F,
    found: Option<u32>,
}

impl<F: Fn(u64) -> bool> Listener for Looking<'_, F> {
    fn found(&mut self, _: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        match self.whole.number(self.whole.seek(state[0])) {
            Some(known) if (self.is_one)(known) => {
                self.found = Some(number);
                ControlFlow::Break(Stop::Decided)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn bytes(&self) -> u64 {
        self.whole.bytes() + self.held
    }
}
