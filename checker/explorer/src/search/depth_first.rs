//! Depth-first: a new state's steps before the rest of those of the state that it was found from.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Wanted, end_layer};

use super::frame::Frame;
use super::meter::Stop;
use super::stack::{Enter, Stack, Visitor};
use super::steps::Rest;
use super::{Listener, Run};

use crate::store::exact::Exact;
use crate::store::{Store, Trail};

const PATH: Trail = Trail::nth(0);

/// Finds every reachable state, unless something stops it. The space must have the initial states
/// alone.
pub fn search<M: Monitored, L: Listener>(run: &mut Run<'_, '_, M, Exact, L>) -> ControlFlow<Stop> {
    run.steps.truncate(0);
    let mut search = DepthFirst {
        run,
        stack: Stack::default(),
    };
    let flow = search.search();
    let is_done = match flow {
        ControlFlow::Continue(()) => true,
        ControlFlow::Break(Stop::Decided) => search.is_done(),
        ControlFlow::Break(Stop::Limit(_)) => false,
    };
    run.space.full = is_done && run.space.is_plain();
    flow
}

struct DepthFirst<'r, 'a, 'm, M: Monitored, L> {
    run: &'r mut Run<'a, 'm, M, Exact, L>,
    stack: Stack<()>,
}

impl<M: Monitored, L: Listener> DepthFirst<'_, '_, '_, M, L> {
    fn search(&mut self) -> ControlFlow<Stop> {
        for initial in 0..self.run.space.len() {
            let run = &mut *self.run;
            run.space.copy(initial, &mut run.state);
            run.listener.found(&run.space, initial, &run.state)?;
            self.search_from((initial, ()))?;
        }
        ControlFlow::Continue(())
    }

    /// Whether every step of every state was taken.
    fn is_done(&self) -> bool {
        let frames = &self.stack.0;
        let ends = frames.iter().skip(1).map(|frame| frame.begin);
        let mut ends = frames.iter().zip(ends.chain([self.run.steps.len()]));
        self.run.visits == self.run.space.states()
            && ends.all(|(frame, end)| {
                frame.begin + frame.taken as usize == end && frame.rest == Rest::Nothing
            })
    }
}

impl<'a, 'm, M: Monitored, L: Listener> Visitor<'a, 'm, M, Exact, L>
    for DepthFirst<'_, 'a, 'm, M, L>
{
    type Datum = ();

    const WANTED: Wanted = Wanted::AsItPays;

    #[inline]
    fn parts(&mut self) -> (&mut Run<'a, 'm, M, Exact, L>, &mut Stack<()>) {
        (self.run, &mut self.stack)
    }

    fn enter(&mut self) -> ControlFlow<Stop, &'static [Trail]> {
        let run = &mut *self.run;
        if run.closes_cycles() {
            run.space.store.put_on(self.stack.top().key, PATH);
        }
        run.held = self.stack.bytes();
        run.meter.is_at(self.stack.depth());
        if (run.visits + 1).is_power_of_two() {
            // There are no layers: as many states again take their place.
            end_layer([&mut run.scratch]);
        }
        ControlFlow::Continue(&[PATH])
    }

    fn expanded(&mut self) -> ControlFlow<Stop> {
        let (run, frame) = (&mut *self.run, self.stack.top());
        if frame.leaves_out {
            run.space.set_reduced(frame.key, true);
        }
        match run.has_ended(frame) {
            true => run.listener.terminal(&run.space, frame.key, &run.state),
            false => ControlFlow::Continue(()),
        }
    }

    #[inline]
    fn step(&mut self, at: usize) -> Enter<()> {
        let run = &mut *self.run;
        let spot = run.space.store.spot(run.steps.state(at));
        let held = |run: &Run<'_, '_, M, Exact, L>| run.bytes_of_steps() + run.held;
        let new = run.take(self.stack.top().key, (at, spot), held)?;
        ControlFlow::Continue(new.map(|new| (new, ())))
    }

    fn leave(&mut self, left: Frame<()>) -> ControlFlow<Stop> {
        let run = &mut *self.run;
        if run.closes_cycles() {
            run.space.store.take_off(left.key, PATH);
        }
        run.listener.left(&run.space, left.key)
    }
}
