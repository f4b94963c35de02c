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

use super::Run;
use super::frame::Frame;
use super::listener::Listener;
use super::meter::Stop;
use super::stack::{Enter, Stack, Visitor};
use crate::store::{Set, Store, Trail};

const OUTER: Set = Set::nth(0);
const INNER: Set = Set::nth(1);
const ON_OUTER_STACK: Trail = Trail::nth(0);

pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    error_last: bool,
) -> ControlFlow<Stop> {
    let mut search = Nested {
        run,
        error_last,
        stack: Stack::default(),
    };
    for initial in 0..search.run.begin() {
        if let Some(root) = search.take(initial, false, 0)? {
            search.search_from(root)?;
        }
    }
    ControlFlow::Continue(())
}

struct Nested<'r, 'a, 'm, M: Monitored, S, L> {
    run: &'r mut Run<'a, 'm, M, S, L>,
    error_last: bool,
    /// The outer stack, and above it that of the inner search from its last state.
    stack: Stack<State>,
}

struct State {
    marks: Marks,
    is_inner: bool,
    pass: Pass,
}

/// One of the passes through the steps that were collected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Takes those to `infinite` states, or the other ones.
    First,
    Second,
    /// Begins an inner search with each accepting one.
    Accepting,
}

impl<M: Monitored, S: Store, L: Listener> Nested<'_, '_, '_, M, S, L> {
    /// Takes a step of one of the two searches. Returns its target if that search has not visited it.
    fn take(&mut self, at: usize, is_inner: bool, counted: u64) -> Enter<State> {
        let run = &mut *self.run;
        let Some((state, flags)) = run.target(at) else {
            run.space.edges += counted;
            return ControlFlow::Continue(None);
        };
        let store = &run.space.store;
        let spot = store.spot(state);
        if is_inner && store.is_on(spot, state, ON_OUTER_STACK) {
            let path = self.stack.states(store);
            let closing = Some((at, path.len()));
            return run.report(Violation::Infinite, path, closing);
        }
        let key = if store.has(spot, if is_inner { INNER } else { OUTER }) {
            None
        } else if is_inner {
            Some(run.insert_target(spot, at, INNER)?)
        } else {
            Some(run.add_target(spot, at, OUTER)?)
        };
        run.space.edges += counted;
        let state = State {
            marks: flags.marks(),
            is_inner,
            pass: Pass::First,
        };
        ControlFlow::Continue(key.map(|key| (key, state)))
    }
}

impl<'a, 'm, M: Monitored, S: Store, L: Listener> Visitor<'a, 'm, M, S, L>
    for Nested<'_, 'a, 'm, M, S, L>
{
    type Datum = State;

    #[inline]
    fn parts(&mut self) -> (&mut Run<'a, 'm, M, S, L>, &mut Stack<State>) {
        (self.run, &mut self.stack)
    }

    fn enter(&mut self) -> ControlFlow<Stop, &'static [Trail]> {
        let (run, top) = (&mut *self.run, self.stack.top());
        run.held = self.stack.bytes();
        if top.datum.is_inner {
            return ControlFlow::Continue(&[]);
        }
        run.space.store.put_on(top.key, ON_OUTER_STACK);
        run.meter.is_at(self.stack.depth());
        if top.datum.marks.reject {
            let path = self.stack.states(&run.space.store);
            return run.report(Violation::Reject, path, None);
        }
        ControlFlow::Continue(&[ON_OUTER_STACK])
    }

    fn expanded(&mut self) -> ControlFlow<Stop> {
        let (run, top) = (&mut *self.run, self.stack.top());
        if !top.datum.is_inner && top.datum.marks.deadlock && run.has_ended(top) {
            let path = self.stack.states(&run.space.store);
            return run.report(Violation::Deadlock, path, None);
        }
        ControlFlow::Continue(())
    }

    fn next(&mut self) -> Option<usize> {
        let (steps, frame) = (&self.run.steps, self.stack.top_mut());
        let state = &mut frame.datum;
        loop {
            for at in frame.begin + frame.taken as usize..steps.len() {
                frame.taken += 1;
                let is_error = steps.flags(at).marks().infinite;
                let is_next = match state.pass {
                    Pass::First => is_error != self.error_last,
                    Pass::Second => is_error == self.error_last,
                    Pass::Accepting => steps.flags(at).is_accepting(),
                };
                if is_next {
                    return Some(at);
                }
            }
            frame.taken = 0;
            state.pass = match state.pass {
                Pass::First => Pass::Second,
                Pass::Second if !state.is_inner => Pass::Accepting,
                Pass::Second | Pass::Accepting => {
                    state.pass = Pass::First;
                    return None;
                }
            };
        }
    }

    fn step(&mut self, at: usize) -> Enter<State> {
        let from = &self.stack.top().datum;
        let is_inner = from.is_inner || from.pass == Pass::Accepting;
        self.take(at, is_inner, u64::from(!is_inner))
    }

    fn leave(&mut self, left: Frame<State>) -> ControlFlow<Stop> {
        let store = &mut self.run.space.store;
        if !left.datum.is_inner {
            store.take_off(left.key, ON_OUTER_STACK);
        }
        store.release(left.key);
        ControlFlow::Continue(())
    }
}
