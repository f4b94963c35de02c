//! Depth-first: a new state's steps before the rest of those of the state that it was found from.
//! The path is kept in a stack of its own.

use std::ops::ControlFlow;

use super::expansion::{Rest, Steps, expand};
use super::{Meter, Observer, Space, Stop};
use crate::options::Order;
use crate::successors::{Successors, Wanted};

/// Finds every reachable state, unless something stops it. The space must be new.
pub fn depth_first<S: Successors, O: Observer>(
    successors: &S,
    order: Order,
    meter: &mut Meter<'_>,
    space: &mut Space,
    observer: &mut O,
) -> ControlFlow<Stop> {
    debug_assert_eq!(space.states(), 1, "a search begins with the initial state");
    observer.found(space, 0)?;
    let words = successors.words();
    let mut path = Path {
        successors,
        order,
        scratch: successors.scratch(),
        state: vec![0; words],
        steps: Steps::new(words, observer.wants_labels()),
        frames: Vec::new(),
        entered: 0,
    };
    let flow = path.search(meter, space, observer);
    space.full = match flow {
        ControlFlow::Continue(()) => space.is_plain(),
        ControlFlow::Break(Stop::Decided) => space.is_plain() && path.is_done(space),
        ControlFlow::Break(Stop::Limit(_)) => false,
    };
    flow
}

/// The states from the initial one to the present one.
struct Path<'a, S: Successors> {
    successors: &'a S,
    order: Order,
    scratch: S::Scratch,
    state: Vec<u64>,
    /// The steps of the states on the path, one state's after the other's.
    steps: Steps,
    frames: Vec<Frame>,
    /// How many states have been on the path.
    entered: u64,
}

struct Frame {
    state: u32,
    /// Where its steps begin, and which is to be taken next.
    begin: usize,
    next: usize,
    rest: Rest,
}

impl<S: Successors> Path<'_, S> {
    fn search<O: Observer>(
        &mut self,
        meter: &mut Meter<'_>,
        space: &mut Space,
        observer: &mut O,
    ) -> ControlFlow<Stop> {
        self.enter(0, meter, space, observer)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next < self.steps.len() {
                let at = frame.next;
                frame.next += 1;
                let from = frame.state;
                self.take(from, at, meter, space, observer)?;
            } else if frame.rest != Rest::Nothing {
                frame.next = frame.begin;
                self.steps.truncate(frame.begin);
                self.collect(meter, space, observer)?;
            } else {
                let state = frame.state;
                self.steps.truncate(frame.begin);
                self.frames.pop();
                observer.left(space, state)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn enter<O: Observer>(
        &mut self,
        state: u32,
        meter: &mut Meter<'_>,
        space: &mut Space,
        observer: &mut O,
    ) -> ControlFlow<Stop> {
        let begin = self.steps.len();
        self.frames.push(Frame {
            state,
            begin,
            next: begin,
            rest: Rest::Nothing,
        });
        meter.depth = self.frames.len() as u64 - 1;
        self.entered += 1;
        self.collect(meter, space, observer)?;
        if self.steps.len() == begin {
            observer.terminal(space, state)?;
        }
        ControlFlow::Continue(())
    }

    /// Adds steps of the last state of the path.
    fn collect<O: Observer>(
        &mut self,
        meter: &mut Meter<'_>,
        space: &mut Space,
        observer: &O,
    ) -> ControlFlow<Stop> {
        let held = self.held() + observer.bytes();
        let Some(frame) = self.frames.last_mut() else {
            return ControlFlow::Continue(());
        };
        self.state.copy_from_slice(space.store.get(frame.state));
        let wanted = match frame.rest {
            Rest::Nothing => Wanted::AsItPays,
            Rest::From(_) => Wanted::again(space.reduced.contains(frame.state)),
        };
        let mut look = || meter.look(space, held);
        expand(
            self.successors,
            &self.state,
            &mut self.scratch,
            (self.order, wanted),
            &mut frame.rest,
            &mut self.steps,
            &mut look,
        )?;
        if self.steps.leaves_out {
            space.set_reduced(frame.state, true);
        }
        ControlFlow::Continue(())
    }

    fn held(&self) -> u64 {
        self.steps.bytes() + (self.frames.len() * size_of::<Frame>()) as u64
    }

    fn take<O: Observer>(
        &mut self,
        from: u32,
        at: usize,
        meter: &mut Meter<'_>,
        space: &mut Space,
        observer: &mut O,
    ) -> ControlFlow<Stop> {
        let held = self.held();
        meter.step(space, observer, held)?;
        if let Some(failing) = self.steps.failing(at) {
            space.edges += 1;
            return observer.failing(space, from, failing.label.label(), &failing.failure);
        }
        let state = self.steps.state(at);
        match space.store.find(space.store.hash(state), state) {
            Ok(to) => {
                space.edges += 1;
                observer.edge(from, self.steps.label(at), to);
                ControlFlow::Continue(())
            }
            Err(vacancy) => {
                let to = space.step_to_new(from, (vacancy, state), meter, held, observer)?;
                observer.edge(from, self.steps.label(at), to);
                self.enter(to, meter, space, observer)
            }
        }
    }

    /// Whether every step of every state was taken.
    fn is_done(&self, space: &Space) -> bool {
        let ends = self.frames.iter().skip(1).map(|frame| frame.begin);
        let ends = ends.chain([self.steps.len()]);
        self.entered == space.states()
            && self
                .frames
                .iter()
                .zip(ends)
                .all(|(frame, end)| frame.next == end && frame.rest == Rest::Nothing)
    }
}
