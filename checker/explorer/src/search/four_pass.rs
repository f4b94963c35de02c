//! Latvala and Tauriainen 2004, Fig. 1: all four kinds of violation in one run, each state visited at
//! most four times. Its sets have
//! the paper's names.
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
//! - The functions `checkForIllegalTraces` and `advanceFrontier` are loops with stacks of their own.
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
//! The same loops, with one level above and one below, are the search with [two
//! visits](super::two_visit).

use std::ops::ControlFlow;

use stubborn_space::monitor::{Marks, Monitored};
use stubborn_space::verdict::Violation;

use super::found::Found;
use super::listener::Listener;
use super::meter::Stop;
use super::run::{Run, Waiting};
use super::tree::{Node, Tree};
use crate::store::{Key, Set, Store, Trail};

/// `visited`, by level.
const VISITED: [Set; 4] = [Set::nth(0), Set::nth(1), Set::nth(2), Set::nth(3)];
/// `trace_prefix`, by level.
const TRACE_PREFIX: [Trail; 2] = [Trail::nth(0), Trail::nth(1)];
/// `divergent_path`.
const DIVERGENT_PATH: Trail = Trail::nth(2);

/// How many copies of the state space each of the two searches has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// Fig. 1.
    Two,
    /// The special case of §4: every state is marked `livelock`.
    One,
}

/// What to do after a violation was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Stop,
    /// Go on, and find at least one of each kind that is there (the proof of Thm 2).
    #[cfg(test)]
    GoOn,
}

/// What was found, one of a kind.
pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    copies: Copies,
    after: After,
) -> (ControlFlow<Stop>, Vec<Found>) {
    let mut search = FourPass {
        run,
        copies,
        after,
        trace_prefix: Vec::new(),
        divergent_path: Vec::new(),
        tree: Tree::default(),
        frontier: Vec::new(),
        found: Vec::new(),
    };
    let flow = search.run();
    (flow, search.found)
}

struct FourPass<'r, 'a, 'm, M: Monitored, S, L> {
    run: &'r mut Run<'a, 'm, M, S, L>,
    copies: Copies,
    after: After,
    trace_prefix: Vec<Top>,
    divergent_path: Vec<Second>,
    /// How the second search has come to its states.
    tree: Tree,
    /// With the level, 2 or 3.
    frontier: Vec<(Node, usize)>,
    found: Vec<Found>,
}

/// A state of the top-level search.
struct Top {
    key: Key,
    level: usize,
    is_infinite: bool,
    steps: Waiting,
    /// On the first visit of a state by the top-level search its steps are counted.
    counts: bool,
}

/// A state of the second search.
struct Second {
    node: Node,
    key: Key,
    level: usize,
    steps: Waiting,
}

impl<M: Monitored, S: Store, L: Listener> FourPass<'_, '_, '_, M, S, L> {
    fn run(&mut self) -> ControlFlow<Stop> {
        let initials = self.run.initials();
        for initial in &initials {
            let store = &self.run.space.store;
            let spot = store.spot(initial);
            if store.has(spot, VISITED[0]) {
                continue;
            }
            let is_first = !store.has(spot, VISITED[1]);
            let key = if store.is_new(spot, &VISITED) {
                self.run.add_initial(initial, VISITED[0])?
            } else {
                self.run.insert(spot, VISITED[0])?;
                self.run.space.store.hold(spot, initial)
            };
            let marks = self.run.model.marks(initial);
            self.enter_top(key, 0, marks, is_first)?;
            while let Some(top) = self.trace_prefix.len().checked_sub(1) {
                self.advance_top(top)?;
            }
        }
        // The last in order is the first to be taken.
        for initial in initials.iter().rev() {
            let spot = self.run.space.store.spot(initial);
            let key = self.run.space.store.hold(spot, initial);
            let node = self.tree.add(key, None);
            self.frontier.push((node, self.level_after_visible()));
        }
        self.search_frontier()
    }

    /// Takes a step of the last state of `trace_prefix`, or leaves the state.
    fn advance_top(&mut self, top: usize) -> ControlFlow<Stop> {
        let frame = &mut self.trace_prefix[top];
        if frame.steps.next < self.run.steps.len() {
            let at = frame.steps.next;
            frame.steps.next += 1;
            return self.take_top(at, top);
        }
        let key = frame.key;
        if self.run.go_on(key, &mut frame.steps)? {
            return ControlFlow::Continue(());
        }
        if frame.level == 0 && frame.is_infinite {
            let spot = self.run.space.store.spot_of(key);
            let state: Box<[u64]> = self.run.space.store.boxed(key);
            let root = self.run.space.store.hold(spot, &state);
            let node = self.tree.add(root, None);
            self.frontier.push((node, 2));
            self.search_frontier()?;
        }
        if let Some(left) = self.trace_prefix.pop() {
            let store = &mut self.run.space.store;
            store.take_off(key, TRACE_PREFIX[left.level]);
            self.run.space.store.release(key);
        }
        ControlFlow::Continue(())
    }

    fn take_top(&mut self, at: usize, top: usize) -> ControlFlow<Stop> {
        self.run.tick()?;
        let Top {
            level,
            is_infinite,
            counts,
            ..
        } = self.trace_prefix[top];
        let counted = u64::from(counts);
        let Some((state, flags)) = self.run.target(at) else {
            self.run.space.edges += counted;
            return ControlFlow::Continue(());
        };
        let moves = match level {
            _ if self.copies == Copies::One => false,
            0 => is_infinite,
            _ => flags.is_visible(),
        };
        let level = if moves { 1 - level } else { level };
        let store = &self.run.space.store;
        let spot = store.spot(state);
        if store.has(spot, VISITED[level]) {
            self.run.space.edges += counted;
            return ControlFlow::Continue(());
        }
        let is_first = !store.has(spot, VISITED[1 - level]);
        let key = self.place(spot, at, level)?;
        self.run.space.edges += counted;
        self.enter_top(key, level, flags.marks(), is_first)
    }

    /// Marks the state that a step leads to as visited. The second search may come to it before the
    /// top-level search does, by way of the states of `trace_prefix`.
    fn place(&mut self, spot: S::Spot, at: usize, level: usize) -> ControlFlow<Stop, Key> {
        if self.run.space.store.is_new(spot, &VISITED) {
            self.run.add_target(spot, at, VISITED[level])
        } else {
            self.run.insert_target(spot, at, VISITED[level])
        }
    }

    fn enter_top(
        &mut self,
        key: Key,
        level: usize,
        marks: Marks,
        is_first: bool,
    ) -> ControlFlow<Stop> {
        self.run.space.store.put_on(key, TRACE_PREFIX[level]);
        self.hold();
        self.run.meter.is_at(self.trace_prefix.len() as u64);
        if marks.reject && self.wants(Violation::Reject) {
            let last = self.run.space.store.boxed(key);
            let path = self.prefix().chain([last]).collect();
            self.report(Violation::Reject, path, Vec::new())?;
        }
        let steps = self.run.expand(key, &TRACE_PREFIX)?;
        self.trace_prefix.push(Top {
            key,
            level,
            is_infinite: marks.infinite,
            steps,
            counts: is_first,
        });
        let may_end = marks.deadlock && self.wants(Violation::Deadlock);
        if may_end && self.run.has_ended(steps) {
            let path = self.prefix().collect();
            self.report(Violation::Deadlock, path, Vec::new())?;
        }
        ControlFlow::Continue(())
    }

    /// `checkForIllegalLivenessTraces`, from what is in `frontier`.
    fn search_frontier(&mut self) -> ControlFlow<Stop> {
        while let Some((node, level)) = self.frontier.pop() {
            let store = &mut self.run.space.store;
            let key = self.tree.key(node);
            let spot = store.spot_of(key);
            if store.has(spot, VISITED[level]) {
                self.tree.release(node, store);
                continue;
            }
            if store.is_new(spot, &VISITED) {
                let state: Box<[u64]> = store.boxed(key);
                store.add(spot, &state, VISITED[level]);
            } else {
                self.run.insert(spot, VISITED[level])?;
            }
            self.enter_second(node, key, level)?;
            while let Some(frame) = self.divergent_path.last_mut() {
                if frame.steps.next < self.run.steps.len() {
                    let at = frame.steps.next;
                    frame.steps.next += 1;
                    let (node, level) = (frame.node, frame.level);
                    self.take_second(at, node, level)?;
                } else if !self.run.go_on(frame.key, &mut frame.steps)? {
                    let Second { node, key, .. } = *frame;
                    self.divergent_path.pop();
                    self.run.space.store.take_off(key, DIVERGENT_PATH);
                    self.tree.release(node, &mut self.run.space.store);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn enter_second(&mut self, node: Node, key: Key, level: usize) -> ControlFlow<Stop> {
        self.run.space.store.put_on(key, DIVERGENT_PATH);
        self.hold();
        let steps = self.run.expand(key, &[])?;
        self.divergent_path.push(Second {
            node,
            key,
            level,
            steps,
        });
        ControlFlow::Continue(())
    }

    /// The loop of `advanceFrontier`.
    fn take_second(&mut self, at: usize, from: Node, level: usize) -> ControlFlow<Stop> {
        self.run.tick()?;
        let Some((state, flags)) = self.run.target(at) else {
            return ControlFlow::Continue(());
        };
        let store = &self.run.space.store;
        let spot = store.spot(state);
        let level = if flags.is_visible() {
            self.level_after_visible()
        } else {
            level
        };
        let closes_any = level == 3 || self.copies == Copies::One;
        let is_prefix = |trail: &Trail| store.is_on(spot, state, *trail);
        let closes_infinite = closes_any && TRACE_PREFIX.iter().any(is_prefix);
        let closes_silent = flags.is_silent() && store.is_on(spot, state, DIVERGENT_PATH);
        let is_visited = store.has(spot, VISITED[level]);
        if closes_infinite || closes_silent {
            let state: Box<[u64]> = state.into();
            if closes_infinite && self.wants(Violation::Infinite) {
                self.report_infinite(from, &state)?;
            }
            if closes_silent && self.wants(Violation::Livelock) {
                self.report_livelock(&state)?;
            }
        }
        if is_visited {
            return ControlFlow::Continue(());
        }
        if flags.is_silent() {
            let key = self.place(spot, at, level)?;
            let node = self.tree.add(key, Some(from));
            return self.enter_second(node, key, level);
        }
        if self.run.space.store.is_new(spot, &VISITED) {
            self.run.may_add()?;
        }
        let key = self.run.hold_target(spot, at);
        let node = self.tree.add(key, Some(from));
        self.frontier.push((node, level));
        ControlFlow::Continue(())
    }

    fn level_after_visible(&self) -> usize {
        match self.copies {
            Copies::Two => 3,
            Copies::One => 2,
        }
    }

    /// One of a kind is enough.
    fn wants(&self, violation: Violation) -> bool {
        self.found.iter().all(|found| found.violation != violation)
    }

    fn prefix(&self) -> impl Iterator<Item = Box<[u64]>> {
        let frames = self.trace_prefix.iter();
        frames.map(|frame| self.run.space.store.boxed(frame.key))
    }

    /// The way to a state of the second search, that of the top-level search first.
    fn way_to(&self, node: Node) -> Vec<Box<[u64]>> {
        let below = self.tree.states_to(node, &self.run.space.store);
        // The second search begins where the top-level search is, or anew at an initial state.
        let is_there_already = usize::from(!self.trace_prefix.is_empty());
        self.prefix()
            .chain(below.into_iter().skip(is_there_already))
            .collect()
    }

    /// A step from a state of the second search leads to one of `trace_prefix`.
    fn report_infinite(&mut self, from: Node, to: &[u64]) -> ControlFlow<Stop> {
        let store = &self.run.space.store;
        let frames = &self.trace_prefix;
        let begin = frames.iter().rposition(|frame| store.is(frame.key, to));
        let mut path = self.way_to(from);
        let mut cycle = path.split_off(begin.unwrap_or_default() + 1);
        cycle.push(to.into());
        self.report(Violation::Infinite, path, cycle)
    }

    /// The last state of `divergent_path` has a silent step to another one on it, or to itself.
    fn report_livelock(&mut self, to: &[u64]) -> ControlFlow<Stop> {
        let store = &self.run.space.store;
        let frames = &self.divergent_path;
        let begin = frames.iter().rposition(|frame| store.is(frame.key, to));
        let begin = begin.unwrap_or_default();
        let on_cycle = frames[begin + 1..].iter();
        let cycle = on_cycle.map(|frame| store.boxed(frame.key));
        let cycle = cycle.chain([to.into()]).collect();
        let path = self.way_to(frames[begin].node);
        self.report(Violation::Livelock, path, cycle)
    }

    fn report(
        &mut self,
        violation: Violation,
        path: Vec<Box<[u64]>>,
        cycle: Vec<Box<[u64]>>,
    ) -> ControlFlow<Stop> {
        self.found.push(Found {
            violation,
            path,
            cycle,
        });
        match self.after {
            After::Stop => ControlFlow::Break(Stop::Decided),
            #[cfg(test)]
            After::GoOn => ControlFlow::Continue(()),
        }
    }

    fn hold(&mut self) {
        let top = self.trace_prefix.capacity() * size_of::<Top>();
        let second = self.divergent_path.capacity() * size_of::<Second>();
        let frontier = self.frontier.capacity() * size_of::<(Node, usize)>();
        self.run.held = (top + second + frontier) as u64 + self.tree.bytes();
    }
}
