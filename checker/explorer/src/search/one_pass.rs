//! Valmari 1993, Alg. 3.4, also ONE-PASS of Hansen, Penczek and Valmari 2002: one search for illegal
//! traces, stable failures and divergences.
//!
//! The outer search takes states from `work` in any order. From each it searches depth first through
//! the silent steps, the invisible ones between states marked `livelock`; what other
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
//! - Without a monitor there is no silent step, and a state is entered when its turn comes: what was
//!   entered need not be known.
//! - Depth first, `work` is a stack on which the states that one inner search has put there lie with
//!   the first on top, so that they are taken in the order of the steps.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use stubborn_space::monitor::{Marks, Monitored};
use stubborn_space::options::{Reduction, Search};
use stubborn_space::verdict::Violation;

use super::Space;
use super::found::Found;
use super::listener::{Listener, Ways};
use super::meter::{Figures, Stop};
use super::run::{Run, Waiting};
use super::tree::{Node, Tree};

use crate::store::{Key, Set, Store, Trail};

const FOUND: Set = Set::nth(0);
const ENTERED: Set = Set::nth(1);
/// The gray states.
const GRAY: Trail = Trail::nth(0);

pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    order: Search,
) -> (ControlFlow<Stop>, Option<Found>) {
    let buffer = vec![0; run.model.words()];
    let mut search = OnePass {
        run,
        tree: Tree::default(),
        work: VecDeque::new(),
        stack: Vec::new(),
        found: None,
        buffer,
    };
    let flow = search.run(order);
    (flow, search.found)
}

/// The plain search with a store that does not number its states: what it meets is for the listener
/// alone, which is told neither of edges nor of states that are left.
pub fn plain<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    order: Search,
) -> ControlFlow<Stop> {
    debug_assert!(run.model.is_alone(), "a monitor would not be listened to");
    search(run, order).0
}

struct OnePass<'r, 'a, 'm, M: Monitored, S, L> {
    run: &'r mut Run<'a, 'm, M, S, L>,
    tree: Tree,
    work: VecDeque<Node>,
    stack: Vec<Frame>,
    found: Option<Found>,
    /// A copy of the state that was found last.
    buffer: Vec<u64>,
}

struct Frame {
    node: Node,
    key: Key,
    steps: Waiting,
}

impl<M: Monitored, S: Store, L: Listener> OnePass<'_, '_, '_, M, S, L> {
    fn run(&mut self, order: Search) -> ControlFlow<Stop> {
        for initial in self.run.initials() {
            let spot = self.run.space.store.spot(&initial);
            if !self.run.space.store.has(spot, FOUND) {
                let key = self.run.add_initial(&initial, FOUND)?;
                let marks = self.run.model.marks(&initial);
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
        let key = self.tree.key(node);
        if !self.run.model.is_alone() {
            let store = &mut self.run.space.store;
            let spot = store.spot_of(key);
            if store.has(spot, ENTERED) {
                self.tree.release(node, store);
                return ControlFlow::Continue(());
            }
            self.run.insert(spot, ENTERED)?;
        }
        self.enter(node, key)?;
        while let Some(frame) = self.stack.last_mut() {
            if frame.steps.next < self.run.steps.len() {
                let at = frame.steps.next;
                frame.steps.next += 1;
                let node = frame.node;
                self.take(at, node)?;
            } else if !self.run.go_on(frame.key, &mut frame.steps)? {
                let Frame { node, key, .. } = *frame;
                self.stack.pop();
                if !self.run.model.is_alone() {
                    self.run.space.store.take_off(key, GRAY);
                }
                self.tree.release(node, &mut self.run.space.store);
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(&mut self, node: Node, key: Key) -> ControlFlow<Stop> {
        if !self.run.model.is_alone() {
            self.run.space.store.put_on(key, GRAY);
        }
        self.run.held = self.bytes();
        self.run.meter.is_at(self.tree.depth(node));
        let steps = self.run.expand(key, &[GRAY])?;
        self.stack.push(Frame { node, key, steps });
        if self.run.has_ended(steps) {
            let run = &mut *self.run;
            let ways = OnePassWays::of(&self.tree, &run.space, run.leaves_out);
            run.listener.terminal(&ways, node.number(), &run.state)?;
            if run.model.marks(&run.state).deadlock {
                return self.report(Violation::Deadlock, node);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn take(&mut self, at: usize, from: Node) -> ControlFlow<Stop> {
        self.run.tick()?;
        let run = &mut *self.run;
        if let Some(failing) = run.steps.failing(at) {
            run.space.edges += 1;
            let ways = OnePassWays::of(&self.tree, &run.space, run.leaves_out);
            let (label, failure) = (failing.label.label(), &failing.failure);
            return run.listener.failing(&ways, from.number(), label, failure);
        }
        let Some((state, flags)) = self.run.target(at) else {
            return ControlFlow::Continue(());
        };
        let store = &self.run.space.store;
        let spot = store.spot(state);
        if flags.is_silent() && store.has(spot, ENTERED) {
            if store.is_on(spot, state, GRAY) {
                let state: Box<[u64]> = state.into();
                return self.report_livelock(&state);
            }
            self.run.space.edges += 1;
            return ControlFlow::Continue(());
        }
        if !store.has(spot, FOUND) {
            let key = self.run.add_target(spot, at, FOUND)?;
            self.run.space.edges += 1;
            let node = self.generated(key, Some(from), flags.marks())?;
            if !flags.is_silent() {
                self.work.push_back(node);
                return ControlFlow::Continue(());
            }
            let spot = self.run.space.store.spot_of(key);
            self.run.insert(spot, ENTERED)?;
            return self.enter(node, key);
        }
        self.run.space.edges += 1;
        if flags.is_silent() {
            let key = self.run.insert_target(spot, at, ENTERED)?;
            let node = self.tree.add(key, Some(from));
            return self.enter(node, key);
        }
        ControlFlow::Continue(())
    }

    /// A state was found.
    fn generated(&mut self, key: Key, from: Option<Node>, marks: Marks) -> ControlFlow<Stop, Node> {
        let node = self.tree.add(key, from);
        if self.run.model.is_alone() {
            let run = &mut *self.run;
            run.space.store.get(key, &mut self.buffer);
            let ways = OnePassWays::of(&self.tree, &run.space, run.leaves_out);
            run.listener.found(&ways, node.number(), &self.buffer)?;
        }
        if marks.reject {
            self.report(Violation::Reject, node)?;
        }
        ControlFlow::Continue(node)
    }

    fn report<T>(&mut self, violation: Violation, node: Node) -> ControlFlow<Stop, T> {
        self.found = Some(Found {
            violation,
            path: self.tree.states_to(node, &self.run.space.store),
            cycle: Vec::new(),
        });
        ControlFlow::Break(Stop::Decided)
    }

    /// The last state of the stack has a silent step to another one on it, or to itself.
    fn report_livelock(&mut self, to: &[u64]) -> ControlFlow<Stop> {
        self.run.space.edges += 1;
        let store = &self.run.space.store;
        let begin = self.stack.iter().rposition(|frame| store.is(frame.key, to));
        let begin = begin.unwrap_or_default();
        let on_cycle = &self.stack[begin + 1..];
        let cycle = on_cycle.iter().map(|frame| store.boxed(frame.key));
        self.found = Some(Found {
            violation: Violation::Livelock,
            path: self.tree.states_to(self.stack[begin].node, store),
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

/// How the search has come to its states, by their nodes.
struct OnePassWays<'a, S> {
    tree: &'a Tree,
    space: &'a Space<S>,
    leaves_out: bool,
}

impl<'a, S: Store> OnePassWays<'a, S> {
    fn of(tree: &'a Tree, space: &'a Space<S>, leaves_out: bool) -> OnePassWays<'a, S> {
        OnePassWays {
            tree,
            space,
            leaves_out,
        }
    }
}

impl<S: Store> Ways for OnePassWays<'_, S> {
    fn path(&self, to: u32) -> Vec<u32> {
        let path = self.tree.path(Node::of(to)).into_iter();
        path.map(Node::number).collect()
    }

    fn copy(&self, state: u32, buffer: &mut [u64]) {
        let key = self.tree.key(Node::of(state));
        self.space.store.get(key, buffer);
    }

    fn figures(&self) -> Figures {
        self.space.figures(self.tree.bytes())
    }

    fn reduction(&self) -> Reduction {
        Reduction::needed(self.leaves_out)
    }

    fn is_full(&self) -> bool {
        false
    }
}
