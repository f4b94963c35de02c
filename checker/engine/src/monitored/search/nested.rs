//! Nested depth-first search (Courcoubetis, Vardi, Wolper and Yannakakis 1992), in the form that
//! stops at any state of the outer stack (Holzmann, Peled and Yannakakis 1996): for illegal traces,
//! stable failures and infinite traces.
//!
//! What is to be found is a cycle with an *accepting step*: one that the monitor sees, from a state
//! that is marked `infinite`. Of a Büchi automaton, which sees every step, that is a cycle with an
//! accepting state, as published. A tester may leave an `infinite` state by steps that it does not
//! see, so this search departs in one thing: the inner search of a state goes on from its accepting
//! steps alone.
//!
//! It is due when the outer search leaves an `infinite` state `s`, all of whose steps have been taken,
//! and shares its visited states with all inner searches before. It stops where it meets a state `u`
//! of the outer stack, `s` included: from `u` the stack leads to `s`, and an accepting step and the
//! inner search from `s` to `u`.
//!
//! If there is such a cycle, one is found. Else let `s` be the first state to be left that is on a
//! cycle with one of its accepting steps. Its inner search has missed that, so it met a state of the
//! cycle that an inner search before had visited; take the first one that visited a state of the cycle,
//! that of a state `r`. It would have gone along the cycle to `s`, but for states visited before, of
//! which there are none on the cycle; so it came to `s`. From `r` an accepting step leads to `s`, so
//! the outer search had found `s` when it left `r`. It had not left `s`, whose own inner search came
//! later. So `s` was on the outer stack, and the search stopped there.

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

    /// Takes a step of the last state of the outer stack, or leaves it.
    fn advance(&mut self, top: usize) -> ControlFlow<Stop> {
        let error_last = self.error_last;
        if let Some(at) = self.outer[top].next(self.explorer, error_last) {
            return self.take(at);
        }
        // All steps that were collected have been taken.
        for at in self.outer[top].steps.begin..self.explorer.steps.len() {
            let target = self.explorer.target(at);
            if target.is_some_and(|(_, flags)| flags.is_accepting()) {
                self.search_inner(at)?;
            }
        }
        let frame = &mut self.outer[top];
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
        self.explorer.meter.depth = self.outer.len() as u64;
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
    fn take(&mut self, at: usize) -> ControlFlow<Stop> {
        self.explorer.tick()?;
        let Some((state, flags)) = self.explorer.target(at) else {
            self.explorer.edges += 1;
            return ControlFlow::Continue(());
        };
        let spot = self.explorer.storage.spot(state);
        if self.explorer.storage.has(spot, OUTER) {
            self.explorer.edges += 1;
            return ControlFlow::Continue(());
        }
        let key = self.explorer.add_target(spot, at, OUTER)?;
        self.explorer.edges += 1;
        self.enter(key, flags.marks())
    }

    /// Searches on from where an accepting step of the last state of the outer stack leads.
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
