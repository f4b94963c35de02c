//! Latvala and Tauriainen 2004, Fig. 1: all four kinds of violation in one run, each state visited at
//! most four times. Its sets have the paper's names.
//!
//! The top-level search goes depth first through two copies of the state space, levels 0 and 1. It
//! moves from level 0 to 1 with every step of an `infinite` state, and from 1 to 0 with every step
//! that the monitor sees, so that a cycle through both levels is one with an `infinite` state and a
//! seen step. When it leaves an `infinite` state on level 0 it starts a second search there
//! (`checkForIllegalLivenessTraces`), in two more copies, levels 2 and 3: a seen step leads to level
//! 3. A state that is reached there and is on the stack of the top-level search (`trace_prefix`)
//! closes a cycle with an illegal infinite trace. The second search is made of depth-first searches
//! through silent steps, as in Valmari's one-pass search; what other steps lead to waits in
//! `frontier`. A state on the stack of such a search (`divergent_path`) that is met again closes an
//! illegal divergence.
//!
//! Where this departs from the figure:
//! - The functions `checkForIllegalTraces` and `advanceFrontier` do not call themselves.
//! - The extended initial state s0+ is left unsaid. It would have one step to each initial state, seen
//!   by the monitor, and no mark: the top-level search starts at the initial states on level 0, and
//!   the second search of s0+, the last, starts with them on level 3 in `frontier`, when
//!   `trace_prefix` is empty.
//! - Whether a state on level 3 is in `trace_prefix` (line 25) is asked when a step leads to it, also
//!   if it has been visited on level 3 by an earlier second search, and not first when it is taken
//!   from `frontier`. The step closes a cycle either way, which is found sooner.
//! - What was visited is not put into `frontier` again, where line 20 would pass over it.
//! - Each state in `frontier` knows how it was reached (§3.5 calls that an alternative to one more
//!   pass), so that the counterexample is complete at once. Only the ways to states that still wait
//!   are kept.
//!
//! The same searches, with one level above and one below, are the search with [two
//! visits](super::two_visit).

use std::ops::ControlFlow;

use stubborn_space::monitor::{Marks, Monitored};
use stubborn_space::verdict::Violation;

use super::Run;
use super::frame::Frame;
use super::listener::Listener;
use super::meter::Stop;
use super::stack::{Enter, Stack, Visitor};
use super::steps::Rest;
use super::tree::{Node, Tree};
use crate::store::{Key, Set, Store, Trail};

/// `visited`, by level.
const VISITED: [Set; 4] = [Set::nth(0), Set::nth(1), Set::nth(2), Set::nth(3)];
/// `trace_prefix`, by level.
const TRACE_PREFIX: [Trail; 2] = [Trail::nth(0), Trail::nth(1)];
const DIVERGENT_PATH: Trail = Trail::nth(2);

/// How many copies of the state space each of the two searches has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// Fig. 1.
    Two,
    /// The special case of §4: every state is marked `livelock`.
    One,
}

pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    copies: Copies,
) -> ControlFlow<Stop> {
    let mut search = FourPass {
        run,
        copies,
        stack: Stack::default(),
        tree: Tree::default(),
        frontier: Vec::new(),
    };
    let initials = search.run.begin();
    for initial in 0..initials {
        if let Some(root) = search.step_of_top(initial, (0, Marks::default()), 0)? {
            search.search_from(root)?;
        }
    }
    // The last in order is the first to be taken.
    for initial in (0..initials).rev() {
        let spot = search.run.space.store.spot(search.run.steps.state(initial));
        search.put_off(spot, initial, (None, search.level_after_visible()));
    }
    while let Some(next) = search.advance_frontier()? {
        search.search_from(next)?;
    }
    ControlFlow::Continue(())
}

struct FourPass<'r, 'a, 'm, M: Monitored, S, L> {
    run: &'r mut Run<'a, 'm, M, S, L>,
    copies: Copies,
    /// `trace_prefix`, and above it `divergent_path`.
    stack: Stack<State>,
    /// How the second search has come to its states.
    tree: Tree,
    /// With the level, 2 or 3.
    frontier: Vec<(Node, u8)>,
}

#[derive(Clone, Copy)]
enum State {
    /// A state of the top-level search. On the first visit its steps are counted.
    Top {
        level: u8,
        marks: Marks,
        counts: bool,
    },
    /// A state of the second search.
    Second { level: u8, node: Node },
}

impl<M: Monitored, S: Store, L: Listener> FourPass<'_, '_, '_, M, S, L> {
    /// Returns the next state of `frontier` from which to search depth first.
    fn advance_frontier(&mut self) -> Enter<State> {
        while let Some((node, level)) = self.frontier.pop() {
            let store = &mut self.run.space.store;
            let key = self.tree.key(node);
            let spot = store.spot_of(key);
            if store.has(spot, Set::nth(level)) {
                self.tree.release(node, store);
                continue;
            }
            if store.is_new(spot, &VISITED) {
                let state = store.boxed(key);
                store.add(spot, &state, Set::nth(level));
            } else {
                self.run.insert(spot, Set::nth(level))?;
            }
            return ControlFlow::Continue(Some((key, State::Second { level, node })));
        }
        ControlFlow::Continue(None)
    }

    /// Takes a step of the top-level search.
    fn step_of_top(
        &mut self,
        at: usize,
        (level, marks): (u8, Marks),
        counted: u64,
    ) -> Enter<State> {
        let run = &mut *self.run;
        let Some((state, flags)) = run.target(at) else {
            run.space.edges += counted;
            return ControlFlow::Continue(None);
        };
        let moves = match level {
            _ if self.copies == Copies::One => false,
            0 => marks.infinite,
            _ => flags.is_visible(),
        };
        let level = if moves { 1 - level } else { level };
        let store = &run.space.store;
        let spot = store.spot(state);
        if store.has(spot, Set::nth(level)) {
            run.space.edges += counted;
            return ControlFlow::Continue(None);
        }
        let state = State::Top {
            level,
            marks: flags.marks(),
            counts: !store.has(spot, Set::nth(1 - level)),
        };
        let key = self.visit(spot, at, level)?;
        self.run.space.edges += counted;
        ControlFlow::Continue(Some((key, state)))
    }

    /// Takes a step of the second search.
    fn step_of_second(&mut self, at: usize, (level, from): (u8, Node)) -> Enter<State> {
        let after_visible = self.level_after_visible();
        let run = &mut *self.run;
        let Some((state, flags)) = run.target(at) else {
            return ControlFlow::Continue(None);
        };
        let level = match flags.is_visible() {
            true => after_visible,
            false => level,
        };
        let store = &run.space.store;
        let spot = store.spot(state);
        let is_prefix = |trail: &Trail| store.is_on(spot, state, *trail);
        let closes_any = level == 3 || self.copies == Copies::One;
        if closes_any && TRACE_PREFIX.iter().any(is_prefix) {
            let (way, prefix) = self.way_to(from);
            return (self.run).report(Violation::Infinite, way, Some((at, prefix)));
        }
        if flags.is_silent() && store.is_on(spot, state, DIVERGENT_PATH) {
            let (way, _) = self.way_to(from);
            let closing = Some((at, way.len()));
            return self.run.report(Violation::Livelock, way, closing);
        }
        if store.has(spot, Set::nth(level)) {
            return ControlFlow::Continue(None);
        }
        if flags.is_silent() {
            let key = self.visit(spot, at, level)?;
            let node = self.tree.add(key, Some(from));
            return ControlFlow::Continue(Some((key, State::Second { level, node })));
        }
        if store.is_new(spot, &VISITED) {
            run.may_add()?;
        }
        self.put_off(spot, at, (Some(from), level));
        ControlFlow::Continue(None)
    }

    /// Puts the state that a step leads to on `frontier`.
    fn put_off(&mut self, spot: S::Spot, at: usize, (from, level): (Option<Node>, u8)) {
        let key = self.run.hold_target(spot, at);
        self.frontier.push((self.tree.add(key, from), level));
    }

    /// Marks the state that a step leads to as visited. The second search may come to it before the
    /// top-level search does, by way of the states of `trace_prefix`.
    fn visit(&mut self, spot: S::Spot, at: usize, level: u8) -> ControlFlow<Stop, Key> {
        if self.run.space.store.is_new(spot, &VISITED) {
            self.run.add_target(spot, at, Set::nth(level))
        } else {
            self.run.insert_target(spot, at, Set::nth(level))
        }
    }

    fn level_after_visible(&self) -> u8 {
        match self.copies {
            Copies::Two => 3,
            Copies::One => 2,
        }
    }

    /// The way to a state of the second search, that of the top-level search first; and how many
    /// states that has.
    fn way_to(&self, node: Node) -> (Vec<Box<[u64]>>, usize) {
        let frames = self.stack.0.iter();
        let top = frames.take_while(|frame| matches!(frame.datum, State::Top { .. }));
        let prefix = top.count();
        let store = &self.run.space.store;
        let mut way = self.stack.states(store);
        // The second search begins where the top-level search is, or anew at an initial state.
        way.truncate(prefix.saturating_sub(1));
        way.append(&mut self.tree.states_to(node, store));
        (way, prefix)
    }
}

impl<'a, 'm, M: Monitored, S: Store, L: Listener> Visitor<'a, 'm, M, S, L>
    for FourPass<'_, 'a, 'm, M, S, L>
{
    type Datum = State;

    #[inline]
    fn parts(&mut self) -> (&mut Run<'a, 'm, M, S, L>, &mut Stack<State>) {
        (self.run, &mut self.stack)
    }

    fn enter(&mut self) -> ControlFlow<Stop, &'static [Trail]> {
        let (run, top) = (&mut *self.run, self.stack.top());
        let frontier = (self.frontier.capacity() * size_of::<(Node, u8)>()) as u64;
        run.held = self.stack.bytes() + frontier + self.tree.bytes();
        let State::Top { level, marks, .. } = top.datum else {
            run.space.store.put_on(top.key, DIVERGENT_PATH);
            return ControlFlow::Continue(&[]);
        };
        run.space.store.put_on(top.key, Trail::nth(level));
        run.meter.is_at(self.stack.depth());
        if marks.reject {
            let path = self.stack.states(&run.space.store);
            return run.report(Violation::Reject, path, None);
        }
        ControlFlow::Continue(&TRACE_PREFIX)
    }

    fn expanded(&mut self) -> ControlFlow<Stop> {
        let (run, top) = (&mut *self.run, self.stack.top());
        let is_marked = matches!(top.datum, State::Top { marks, .. } if marks.deadlock);
        if is_marked && run.has_ended(top) {
            let path = self.stack.states(&run.space.store);
            return run.report(Violation::Deadlock, path, None);
        }
        ControlFlow::Continue(())
    }

    fn step(&mut self, at: usize) -> Enter<State> {
        match self.stack.top().datum {
            State::Top {
                level,
                marks,
                counts,
            } => self.step_of_top(at, (level, marks), counts.into()),
            State::Second { level, node } => self.step_of_second(at, (level, node)),
        }
    }

    /// `checkForIllegalLivenessTraces`, from an `infinite` state on level 0.
    fn taken(&mut self) -> Enter<State> {
        let top = self.stack.top_mut();
        let State::Top { level, marks, .. } = &mut top.datum else {
            return ControlFlow::Continue(None);
        };
        if *level == 0 && marks.infinite && top.rest == Rest::Nothing {
            // Once.
            marks.infinite = false;
            let store = &mut self.run.space.store;
            let state = store.boxed(top.key);
            let root = store.hold(store.spot_of(top.key), &state);
            self.frontier.push((self.tree.add(root, None), 2));
        }
        self.advance_frontier()
    }

    fn leave(&mut self, left: Frame<State>) -> ControlFlow<Stop> {
        let store = &mut self.run.space.store;
        match left.datum {
            State::Top { level, .. } => {
                store.take_off(left.key, Trail::nth(level));
                store.release(left.key);
            }
            State::Second { node, .. } => {
                store.take_off(left.key, DIVERGENT_PATH);
                self.tree.release(node, store);
            }
        }
        ControlFlow::Continue(())
    }
}
