//! Valmari 1993, Alg. 3.4, also ONE-PASS of Hansen, Penczek and Valmari 2002: one search for illegal
//! traces, stable failures and divergences.
//!
//! The outer search takes states from `work` in any order. From each it searches depth first through
//! the silent steps, those that the monitor does not see between states marked `livelock`; what other
//! steps lead to waits in `work`. A cycle of silent steps is there exactly if this search meets a
//! state on its own stack, because it is a depth-first search of the graph of silent steps alone,
//! from all its states.
//!
//! Where the text of the papers leaves a choice, or is damaged:
//! - A state is *found* when a step first leads to it, and is asked then whether it is a reject
//!   state; it is *entered* when it comes on the stack, once, and stays so. White is found and not
//!   entered, gray is on the stack, black is entered and not on the stack.
//! - A silent step to a state that is found and white, one that waits in `work`, enters it: else the
//!   inner search would not be depth first. When its turn comes in `work` nothing is left to do.
//! - Whether a state is a deadlock is told by its steps, so it is asked when it is entered.
//! - Depth first, `work` is a stack on which the states that one inner search has put there lie with
//!   the first on top, so that they are taken in the order of the steps.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::Found;
use super::explorer::{Explorer, Waiting};
use super::storage::{Key, Set, Storage, Trail};
use super::tree::{Node, Tree};
use crate::monitored::watched::{Marks, Watched};
use crate::options::Search;
use crate::search::Stop;
use crate::verdict::Violation;

const FOUND: Set = Set::nth(0);
const ENTERED: Set = Set::nth(1);
/// The gray states.
const GRAY: Trail = Trail::nth(0);

pub fn search<W: Watched, S: Storage>(
    explorer: &mut Explorer<'_, '_, W, S>,
    order: Search,
) -> (ControlFlow<Stop>, Option<Found>) {
    let mut search = OnePass {
        explorer,
        tree: Tree::default(),
        work: VecDeque::new(),
        stack: Vec::new(),
        found: None,
    };
    let flow = search.run(order);
    (flow, search.found)
}

struct OnePass<'e, 'a, 'p, W: Watched, S> {
    explorer: &'e mut Explorer<'a, 'p, W, S>,
    tree: Tree,
    work: VecDeque<Node>,
    stack: Vec<Frame>,
    found: Option<Found>,
}

struct Frame {
    node: Node,
    key: Key,
    steps: Waiting,
}

impl<W: Watched, S: Storage> OnePass<'_, '_, '_, W, S> {
    fn run(&mut self, order: Search) -> ControlFlow<Stop> {
        for initial in self.explorer.initials() {
            let spot = self.explorer.storage.spot(&initial);
            if !self.explorer.storage.has(spot, FOUND) {
                let key = self.explorer.add_initial(&initial, FOUND)?;
                let marks = self.explorer.watched.marks(&initial);
                let node = self.generated(key, None, marks)?;
                self.work.push_back(node);
            }
        }
        if order == Search::Depth {
            self.work.make_contiguous().reverse();
        }
        loop {
            let node = match order {
                Search::Breadth => self.work.pop_front(),
                Search::Depth => self.work.pop_back(),
            };
            let Some(node) = node else {
                return ControlFlow::Continue(());
            };
            let before = self.work.len();
            self.search_from(node)?;
            if order == Search::Depth {
                self.work.make_contiguous()[before..].reverse();
            }
        }
    }

    /// LLEDET of the papers, without recursion.
    fn search_from(&mut self, node: Node) -> ControlFlow<Stop> {
        let storage = &mut self.explorer.storage;
        let key = self.tree.key(node);
        let spot = storage.spot_of(key);
        if storage.has(spot, ENTERED) {
            self.tree.release(node, storage);
            return ControlFlow::Continue(());
        }
        storage.insert(spot, ENTERED);
        self.enter(node, key)?;
        while let Some(frame) = self.stack.last_mut() {
            if frame.steps.next < self.explorer.steps.len() {
                let at = frame.steps.next;
                frame.steps.next += 1;
                let node = frame.node;
                self.take(at, node)?;
            } else if !self.explorer.go_on(frame.key, &mut frame.steps)? {
                let Frame { node, key, .. } = *frame;
                self.stack.pop();
                self.explorer.storage.take_off(key, GRAY);
                self.tree.release(node, &mut self.explorer.storage);
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(&mut self, node: Node, key: Key) -> ControlFlow<Stop> {
        self.explorer.storage.put_on(key, GRAY);
        self.explorer.held = self.bytes();
        self.explorer.meter.depth = self.tree.depth(node);
        let steps = self.explorer.expand(key)?;
        self.stack.push(Frame { node, key, steps });
        if self.explorer.has_ended(steps) {
            let marks = self.explorer.watched.marks(self.explorer.storage.get(key));
            if marks.deadlock {
                return self.report(Violation::Deadlock, node);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn take(&mut self, at: usize, from: Node) -> ControlFlow<Stop> {
        self.explorer.tick()?;
        let Some((state, flags)) = self.explorer.target(at) else {
            self.explorer.edges += 1;
            return ControlFlow::Continue(());
        };
        let storage = &self.explorer.storage;
        let spot = storage.spot(state);
        if flags.is_silent() && storage.has(spot, ENTERED) {
            if storage.is_on(spot, state, GRAY) {
                let state: Box<[u64]> = state.into();
                return self.report_livelock(&state);
            }
            self.explorer.edges += 1;
            return ControlFlow::Continue(());
        }
        if !storage.has(spot, FOUND) {
            let key = self.explorer.add_target(spot, at, FOUND)?;
            self.explorer.edges += 1;
            let node = self.generated(key, Some(from), flags.marks())?;
            if !flags.is_silent() {
                self.work.push_back(node);
                return ControlFlow::Continue(());
            }
            let spot = self.explorer.storage.spot_of(key);
            self.explorer.storage.insert(spot, ENTERED);
            return self.enter(node, key);
        }
        self.explorer.edges += 1;
        if flags.is_silent() {
            let key = self.explorer.insert_target(spot, at, ENTERED);
            let node = self.tree.add(key, Some(from));
            return self.enter(node, key);
        }
        ControlFlow::Continue(())
    }

    /// A state was found.
    fn generated(&mut self, key: Key, from: Option<Node>, marks: Marks) -> ControlFlow<Stop, Node> {
        let node = self.tree.add(key, from);
        if marks.reject {
            self.report(Violation::Reject, node)?;
        }
        ControlFlow::Continue(node)
    }

    fn report<T>(&mut self, violation: Violation, node: Node) -> ControlFlow<Stop, T> {
        self.found = Some(Found {
            violation,
            path: self.tree.path(node, &self.explorer.storage),
            cycle: Vec::new(),
        });
        ControlFlow::Break(Stop::Decided)
    }

    /// The last state of the stack has a silent step to another one on it, or to itself.
    fn report_livelock(&mut self, to: &[u64]) -> ControlFlow<Stop> {
        self.explorer.edges += 1;
        let storage = &self.explorer.storage;
        let begin = self
            .stack
            .iter()
            .rposition(|frame| storage.get(frame.key) == to);
        let begin = begin.unwrap_or_default();
        let on_cycle = &self.stack[begin + 1..];
        let cycle = on_cycle.iter().map(|frame| storage.get(frame.key).into());
        self.found = Some(Found {
            violation: Violation::Livelock,
            path: self.tree.path(self.stack[begin].node, storage),
            cycle: cycle.chain([to.into()]).collect(),
        });
        ControlFlow::Break(Stop::Decided)
    }

    fn bytes(&self) -> u64 {
        let work = self.work.capacity() * size_of::<Node>();
        let stack = self.stack.capacity() * size_of::<Frame>();
        (work + stack) as u64 + self.tree.bytes()
    }
}
