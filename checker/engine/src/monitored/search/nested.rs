//! Nested depth-first search (Courcoubetis, Vardi, Wolper and Yannakakis 1992), in the form that
//! stops at any state of the outer stack (Holzmann, Peled and Yannakakis 1996): for illegal traces,
//! stable failures and infinite traces.
//!
//! What is to be found is a cycle with an *accepting step*: one that the monitor sees, from a state
//! that is marked `infinite`. The published search looks for a cycle with an accepting state. Valmari
//! 1993, §3, tells how to go from one to the other: pretend that an accepting step `s → t` has a
//! middle state, `s → m → t`, and that the middle states are the accepting ones. Call that graph G.
//!
//! This search is the published one of G, with the middle states left unsaid:
//! - In G the outer search enters `m` once, when it takes the step, as `m` has no other way in. It
//!   then enters `t`, if that is new, and leaves `m` when it has done with `t`, or at once if `t` was
//!   visited before. That is when the inner search of `m` is due; here when the accepting step is
//!   *backtracked*.
//! - The inner search of `m` has `t` as its only first state. It shares its visited states with all
//!   inner searches before. It needs no memory of middle states: each has one way in, which is taken
//!   once, as its source is visited once, and one way out.
//! - While `m`'s inner search is under way G's outer stack is the one here, up to `s`, with `m` on
//!   top, and with the middle states of the accepting steps that led down the stack. The inner search
//!   stops where it meets a state `u` of the stack here. From `u` the stack leads to `s`, from there
//!   the accepting step to `t`, and the inner search from `t` to `u`: a cycle with the accepting step.
//!   That `u` lies at or below `s` matters, and holds, because `s` is the top of the stack. A middle
//!   state of the stack is met only from its source, which is on the stack too.
//! - If G has a cycle with an accepting state, the published search finds one; its proof does not
//!   depend on how the outer and the inner search order their steps. For the inner searches it needs
//!   that they are started in the order in which the outer search leaves the accepting states, and
//!   that is the order here.

use std::ops::ControlFlow;

use super::Found;
use super::explorer::{Explorer, Waiting};
use super::storage::{Key, Set, Storage, Trail};
use crate::monitored::watched::{Marks, Watched};
use crate::search::Stop;
use crate::verdict::Violation;

const OUTER: Set = Set::nth(0);
const INNER: Set = Set::nth(1);
const ON_OUTER_STACK: Trail = Trail::nth(0);

pub fn search<W: Watched, S: Storage>(
    explorer: &mut Explorer<'_, '_, W, S>,
    error_last: bool,
) -> (ControlFlow<Stop>, Option<Found>) {
    let mut search = Nested {
        explorer,
        error_last,
        outer: Vec::new(),
        inner: Vec::new(),
        found: None,
    };
    let flow = search.run();
    (flow, search.found)
}

struct Nested<'e, 'a, 'p, W: Watched, S> {
    explorer: &'e mut Explorer<'a, 'p, W, S>,
    error_last: bool,
    outer: Vec<Frame>,
    inner: Vec<Frame>,
    found: Option<Found>,
}

struct Frame {
    key: Key,
    steps: Waiting,
    /// Of the steps that were collected, those that come first in order have been taken: the ones
    /// to `infinite` states, or the other ones.
    second_half: bool,
    /// The accepting step to backtrack.
    pending: Option<usize>,
}

impl<W: Watched, S: Storage> Nested<'_, '_, '_, W, S> {
    fn run(&mut self) -> ControlFlow<Stop> {
        for initial in self.explorer.initials() {
            let spot = self.explorer.storage.spot(&initial);
            if self.explorer.storage.has(spot, OUTER) {
                continue;
            }
            let key = self.explorer.add_initial(&initial, OUTER)?;
            let marks = self.explorer.watched.marks(&initial);
            self.enter(key, marks)?;
            while let Some(at) = self.outer.len().checked_sub(1) {
                self.advance(at)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Takes or backtracks a step of the last state of the outer stack, or leaves it.
    fn advance(&mut self, top: usize) -> ControlFlow<Stop> {
        let error_last = self.error_last;
        let frame = &mut self.outer[top];
        if let Some(at) = frame.pending.take() {
            return self.search_inner(at);
        }
        if let Some(at) = frame.next(self.explorer, error_last) {
            return self.take(at, top);
        }
        if !self.explorer.go_on(frame.key, &mut frame.steps)? {
            let key = frame.key;
            self.outer.pop();
            self.explorer.storage.take_off(key, ON_OUTER_STACK);
            self.explorer.storage.release(key);
            return ControlFlow::Continue(());
        }
        frame.second_half = false;
        ControlFlow::Continue(())
    }

    fn enter(&mut self, key: Key, marks: Marks) -> ControlFlow<Stop> {
        self.explorer.storage.put_on(key, ON_OUTER_STACK);
        self.hold();
        self.explorer.pace.depth = self.outer.len() as u64;
        if marks.reject {
            let path = self.outer_states();
            let last = self.explorer.storage.get(key).into();
            return self.report(Violation::Reject, path.chain([last]).collect(), Vec::new());
        }
        let steps = self.explorer.expand(key)?;
        self.outer.push(Frame::new(key, steps));
        if self.explorer.has_ended(steps) && marks.deadlock {
            let path = self.outer_states().collect();
            return self.report(Violation::Deadlock, path, Vec::new());
        }
        ControlFlow::Continue(())
    }

    /// Takes a step of the outer search.
    fn take(&mut self, at: usize, top: usize) -> ControlFlow<Stop> {
        self.explorer.tick()?;
        let Some((state, flags)) = self.explorer.target(at) else {
            self.explorer.edges += 1;
            return ControlFlow::Continue(());
        };
        if flags.is_accepting() {
            self.outer[top].pending = Some(at);
        }
        let spot = self.explorer.storage.spot(state);
        if self.explorer.storage.has(spot, OUTER) {
            self.explorer.edges += 1;
            return ControlFlow::Continue(());
        }
        let key = self.explorer.add_target(spot, at, OUTER)?;
        self.explorer.edges += 1;
        self.enter(key, flags.marks())
    }

    /// Backtracks an accepting step of the last state of the outer stack: searches from where it
    /// leads.
    fn search_inner(&mut self, accepting: usize) -> ControlFlow<Stop> {
        let error_last = self.error_last;
        self.take_inner(accepting)?;
        while let Some(frame) = self.inner.last_mut() {
            if let Some(at) = frame.next(self.explorer, error_last) {
                self.explorer.tick()?;
                self.take_inner(at)?;
            } else if self.explorer.go_on(frame.key, &mut frame.steps)? {
                frame.second_half = false;
            } else {
                let key = frame.key;
                self.inner.pop();
                self.explorer.storage.release(key);
            }
        }
        ControlFlow::Continue(())
    }

    fn take_inner(&mut self, at: usize) -> ControlFlow<Stop> {
        let Some((state, _)) = self.explorer.target(at) else {
            return ControlFlow::Continue(());
        };
        let storage = &self.explorer.storage;
        let spot = storage.spot(state);
        if storage.is_on(spot, state, ON_OUTER_STACK) {
            let state: Box<[u64]> = state.into();
            return self.report_cycle(&state);
        }
        if storage.has(spot, INNER) {
            return ControlFlow::Continue(());
        }
        let key = self.explorer.insert_target(spot, at, INNER);
        self.hold();
        let steps = self.explorer.expand(key)?;
        self.inner.push(Frame::new(key, steps));
        ControlFlow::Continue(())
    }

    /// The inner search has come to a state of the outer stack.
    fn report_cycle(&mut self, to: &[u64]) -> ControlFlow<Stop> {
        let storage = &self.explorer.storage;
        let begin = self
            .outer
            .iter()
            .rposition(|frame| storage.get(frame.key) == to);
        let mut path: Vec<Box<[u64]>> = self.outer_states().collect();
        let mut cycle = path.split_off(begin.unwrap_or_default() + 1);
        cycle.extend(self.inner.iter().map(|frame| storage.get(frame.key).into()));
        cycle.push(to.into());
        self.report(Violation::Infinite, path, cycle)
    }

    fn outer_states(&self) -> impl Iterator<Item = Box<[u64]>> {
        let frames = self.outer.iter();
        frames.map(|frame| self.explorer.storage.get(frame.key).into())
    }

    fn report(
        &mut self,
        violation: Violation,
        path: Vec<Box<[u64]>>,
        cycle: Vec<Box<[u64]>>,
    ) -> ControlFlow<Stop> {
        self.found = Some(Found {
            violation,
            path,
            cycle,
        });
        ControlFlow::Break(Stop::Decided)
    }

    fn hold(&mut self) {
        let frames = self.outer.capacity() + self.inner.capacity();
        self.explorer.held = (frames * size_of::<Frame>()) as u64;
    }
}

impl Frame {
    fn new(key: Key, steps: Waiting) -> Frame {
        Frame {
            key,
            steps,
            second_half: false,
            pending: None,
        }
    }

    /// The next of the steps that were collected: first those of one half, then those of the other.
    fn next<W: Watched, S: Storage>(
        &mut self,
        explorer: &Explorer<'_, '_, W, S>,
        error_last: bool,
    ) -> Option<usize> {
        loop {
            while self.steps.next < explorer.steps.len() {
                let at = self.steps.next;
                self.steps.next += 1;
                let target = explorer.target(at);
                let is_error = target.is_some_and(|(_, flags)| flags.marks().infinite);
                if (is_error == error_last) == self.second_half {
                    return Some(at);
                }
            }
            if self.second_half {
                return None;
            }
            self.second_half = true;
            self.steps.next = self.steps.begin;
        }
    }
}
