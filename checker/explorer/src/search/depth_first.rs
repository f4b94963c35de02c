//! Depth-first: a new state's steps before the rest of those of the state that it was found from.
//! The path is kept in a stack of its own.

use std::ops::ControlFlow;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Wanted, end_layer};

use super::meter::Stop;
use super::run::Waiting;
use super::steps::Rest;
use super::{Listener, Run};

use crate::store::exact::Exact;
use crate::store::{Store, Trail};

/// Where the search [sees to cycles](Run::close_cycles).
const PATH: Trail = Trail::nth(0);

/// Finds every reachable state, unless something stops it. The space must have the initial states
/// alone.
pub fn search<M: Monitored, L: Listener>(run: &mut Run<'_, '_, M, Exact, L>) -> ControlFlow<Stop> {
    run.steps.truncate(0);
    let mut path = Path {
        run,
        frames: Vec::new(),
        entered: 0,
    };
    let flow = path.search();
    let is_done = match flow {
        ControlFlow::Continue(()) => true,
        ControlFlow::Break(Stop::Decided) => path.is_done(),
        ControlFlow::Break(Stop::Limit(_)) => false,
    };
    run.space.full = is_done && run.space.is_plain();
    flow
}

/// The states from the initial one to the present one.
struct Path<'r, 'a, 'm, M: Monitored, L> {
    run: &'r mut Run<'a, 'm, M, Exact, L>,
    frames: Vec<Frame>,
    /// How many states have been on the path.
    entered: u64,
}

struct Frame {
    state: u32,
    steps: Waiting,
}

impl<M: Monitored, L: Listener> Path<'_, '_, '_, M, L> {
    fn search(&mut self) -> ControlFlow<Stop> {
        for initial in 0..self.run.space.len() {
            let run = &mut *self.run;
            run.space.copy(initial, &mut run.state);
            run.listener.found(&run.space, initial, &run.state)?;
            self.enter(initial)?;
            self.search_on()?;
        }
        ControlFlow::Continue(())
    }

    fn search_on(&mut self) -> ControlFlow<Stop> {
        while let Some(frame) = self.frames.last_mut() {
            if frame.steps.next < self.run.steps.len() {
                let at = frame.steps.next;
                frame.steps.next += 1;
                let from = frame.state;
                self.take(from, at)?;
            } else if frame.steps.rest != Rest::Nothing {
                frame.steps.next = frame.steps.begin;
                self.run.steps.truncate(frame.steps.begin);
                self.collect()?;
            } else {
                let state = frame.state;
                self.run.steps.truncate(frame.steps.begin);
                self.frames.pop();
                if self.run.closes_cycles() {
                    self.run.space.store.take_off(state, PATH);
                }
                self.run.listener.left(&self.run.space, state)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(&mut self, state: u32) -> ControlFlow<Stop> {
        let begin = self.run.steps.len();
        let steps = Waiting {
            begin,
            next: begin,
            rest: Rest::Nothing,
        };
        self.frames.push(Frame { state, steps });
        if self.run.closes_cycles() {
            self.run.space.store.put_on(state, PATH);
        }
        self.run.held = (self.frames.len() * size_of::<Frame>()) as u64;
        self.run.meter.is_at(self.frames.len() as u64 - 1);
        self.entered += 1;
        self.run.visits += 1;
        if self.entered.is_power_of_two() {
            // There are no layers: as many states again take their place.
            let run = &mut *self.run;
            end_layer([&mut run.scratch]);
        }
        self.collect()?;
        let run = &mut *self.run;
        if run.has_ended(steps) {
            run.listener.terminal(&run.space, state, &run.state)?;
        }
        ControlFlow::Continue(())
    }

    /// Adds steps of the last state of the path.
    fn collect(&mut self) -> ControlFlow<Stop> {
        let Some(frame) = self.frames.last_mut() else {
            return ControlFlow::Continue(());
        };
        let run = &mut *self.run;
        let wanted = match frame.steps.rest {
            Rest::Nothing => Wanted::AsItPays,
            Rest::From(_) => Wanted::again(run.space.reduced().contains(frame.state)),
        };
        let (begin, left_out_before) = (run.steps.len(), run.leaves_out);
        run.collect(frame.state, &mut frame.steps.rest, wanted)?;
        let may_close = wanted == Wanted::AsItPays && run.closes_cycles();
        if may_close && run.steps.leaves_out && !run.leads_off(begin, &[PATH]) {
            run.leaves_out = left_out_before;
            run.steps.truncate(begin);
            frame.steps.rest = Rest::Nothing;
            run.collect(frame.state, &mut frame.steps.rest, Wanted::All)?;
        }
        if run.steps.leaves_out {
            run.space.set_reduced(frame.state, true);
        }
        ControlFlow::Continue(())
    }

    fn take(&mut self, from: u32, at: usize) -> ControlFlow<Stop> {
        let run = &mut *self.run;
        run.tick()?;
        if let Some(failing) = run.steps.failing(at) {
            run.space.edges += 1;
            let (label, failure) = (failing.label.label(), &failing.failure);
            return run.listener.failing(&run.space, from, label, failure);
        }
        let state = run.steps.state(at);
        let flags = run.steps.flags(at);
        match run.space.store.spot(state) {
            Ok(to) => {
                run.space.edges += 1;
                run.listener.edge(from, run.steps.label(at), flags, to);
                ControlFlow::Continue(())
            }
            Err(_) if !run.listener.admits(&run.space, from) => {
                run.space.edges += 1;
                ControlFlow::Continue(())
            }
            Err(vacancy) => {
                let held = run.bytes_of_steps() + run.held;
                let to = run.space.step_to_new(
                    from,
                    (vacancy, state),
                    run.meter,
                    held,
                    &mut run.listener,
                )?;
                run.listener.edge(from, run.steps.label(at), flags, to);
                self.enter(to)
            }
        }
    }

    /// Whether every step of every state was taken.
    fn is_done(&self) -> bool {
        let ends = self.frames.iter().skip(1).map(|frame| frame.steps.begin);
        let ends = ends.chain([self.run.steps.len()]);
        self.entered == self.run.space.states()
            && self
                .frames
                .iter()
                .zip(ends)
                .all(|(frame, end)| frame.steps.next == end && frame.steps.rest == Rest::Nothing)
    }
}
