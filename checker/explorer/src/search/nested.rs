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

use stubborn_space::monitor::{Marks, Monitored};
use stubborn_space::verdict::Violation;

use super::found::Found;
use super::listener::Listener;
use super::meter::Stop;
use super::run::{Run, Waiting};
use crate::store::{Key, Set, Store, Trail};

const OUTER: Set = Set::nth(0);
const INNER: Set = Set::nth(1);
const ON_OUTER_STACK: Trail = Trail::nth(0);

pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    error_last: bool,
) -> (ControlFlow<Stop>, Option<Found>) {
    let mut search = Nested {
        run,
        error_last,
        outer: Vec::new(),
        inner: Vec::new(),
        found: None,
    };
    let flow = search.run();
    (flow, search.found)
}

struct Nested<'r, 'a, 'm, M: Monitored, S, L> {
    run: &'r mut Run<'a, 'm, M, S, L>,
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

impl<M: Monitored, S: Store, L: Listener> Nested<'_, '_, '_, M, S, L> {
    fn run(&mut self) -> ControlFlow<Stop> {
        for initial in self.run.initials() {
            let spot = self.run.space.store.spot(&initial);
            if self.run.space.store.has(spot, OUTER) {
                continue;
            }
            let key = self.run.add_initial(&initial, OUTER)?;
            let marks = self.run.model.marks(&initial);
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
        if let Some(at) = self.outer[top].next(self.run, error_last) {
            return self.take(at);
        }
        // All steps that were collected have been taken.
        for at in self.outer[top].steps.begin..self.run.steps.len() {
            let target = self.run.target(at);
            if target.is_some_and(|(_, flags)| flags.is_accepting()) {
                self.search_inner(at)?;
            }
        }
        let frame = &mut self.outer[top];
        if !self.run.go_on(frame.key, &mut frame.steps)? {
            let key = frame.key;
            self.outer.pop();
            self.run.space.store.take_off(key, ON_OUTER_STACK);
            self.run.space.store.release(key);
            return ControlFlow::Continue(());
        }
        frame.second_half = false;
        ControlFlow::Continue(())
    }

    fn enter(&mut self, key: Key, marks: Marks) -> ControlFlow<Stop> {
        self.run.space.store.put_on(key, ON_OUTER_STACK);
        self.hold();
        self.run.meter.is_at(self.outer.len() as u64);
        if marks.reject {
            let path = self.outer_states();
            let last = self.run.space.store.boxed(key);
            return self.report(Violation::Reject, path.chain([last]).collect(), Vec::new());
        }
        let steps = self.run.expand(key, &[ON_OUTER_STACK])?;
        self.outer.push(Frame::new(key, steps));
        if self.run.has_ended(steps) && marks.deadlock {
            let path = self.outer_states().collect();
            return self.report(Violation::Deadlock, path, Vec::new());
        }
        ControlFlow::Continue(())
    }

    /// Takes a step of the outer search.
    fn take(&mut self, at: usize) -> ControlFlow<Stop> {
        self.run.tick()?;
        let Some((state, flags)) = self.run.target(at) else {
            self.run.space.edges += 1;
            return ControlFlow::Continue(());
        };
        let spot = self.run.space.store.spot(state);
        if self.run.space.store.has(spot, OUTER) {
            self.run.space.edges += 1;
            return ControlFlow::Continue(());
        }
        let key = self.run.add_target(spot, at, OUTER)?;
        self.run.space.edges += 1;
        self.enter(key, flags.marks())
    }

    /// Searches on from where an accepting step of the last state of the outer stack leads.
    fn search_inner(&mut self, accepting: usize) -> ControlFlow<Stop> {
        let error_last = self.error_last;
        self.take_inner(accepting)?;
        while let Some(frame) = self.inner.last_mut() {
            if let Some(at) = frame.next(self.run, error_last) {
                self.run.tick()?;
                self.take_inner(at)?;
            } else if self.run.go_on(frame.key, &mut frame.steps)? {
                frame.second_half = false;
            } else {
                let key = frame.key;
                self.inner.pop();
                self.run.space.store.release(key);
            }
        }
        ControlFlow::Continue(())
    }

    fn take_inner(&mut self, at: usize) -> ControlFlow<Stop> {
        let Some((state, _)) = self.run.target(at) else {
            return ControlFlow::Continue(());
        };
        let store = &self.run.space.store;
        let spot = store.spot(state);
        if store.is_on(spot, state, ON_OUTER_STACK) {
            let state: Box<[u64]> = state.into();
            return self.report_cycle(&state);
        }
        if store.has(spot, INNER) {
            return ControlFlow::Continue(());
        }
        let key = self.run.insert_target(spot, at, INNER)?;
        self.hold();
        let steps = self.run.expand(key, &[])?;
        self.inner.push(Frame::new(key, steps));
        ControlFlow::Continue(())
    }

    /// The inner search has come to a state of the outer stack.
    fn report_cycle(&mut self, to: &[u64]) -> ControlFlow<Stop> {
        let store = &self.run.space.store;
        let begin = self.outer.iter().rposition(|frame| store.is(frame.key, to));
        let mut path: Vec<Box<[u64]>> = self.outer_states().collect();
        let mut cycle = path.split_off(begin.unwrap_or_default() + 1);
        cycle.extend(self.inner.iter().map(|frame| store.boxed(frame.key)));
        cycle.push(to.into());
        self.report(Violation::Infinite, path, cycle)
    }

    fn outer_states(&self) -> impl Iterator<Item = Box<[u64]>> {
        let frames = self.outer.iter();
        frames.map(|frame| self.run.space.store.boxed(frame.key))
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
        self.run.held = (frames * size_of::<Frame>()) as u64;
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
    fn next<M: Monitored, S: Store, L: Listener>(
        &mut self,
        run: &Run<'_, '_, M, S, L>,
        error_last: bool,
    ) -> Option<usize> {
        loop {
            while self.steps.next < run.steps.len() {
                let at = self.steps.next;
                self.steps.next += 1;
                let target = run.target(at);
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
