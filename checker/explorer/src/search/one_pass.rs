//! Valmari 1993, Alg. 3.4, also ONE-PASS of Hansen, Penczek and Valmari 2002: one search for illegal
//! traces, stable failures and divergences.
//!
//! The outer search takes states from `work` in any order. From each it searches depth first through
//! the silent steps, the invisible ones between states marked `livelock`; what other steps lead to
//! waits in `work`. A cycle of silent steps is there exactly if this search meets a state on its own
//! stack, because it is a depth-first search of the graph of silent steps alone, from all its states.
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

use super::frame::Frame;
use super::listener::{Listener, Ways};
use super::meter::{Figures, Stop};
use super::stack::{Enter, Stack, Visitor};
use super::tree::{Node, Tree};
use super::{Run, Space};

use crate::store::{Key, Set, Store, Trail};

const FOUND: Set = Set::nth(0);
const ENTERED: Set = Set::nth(1);
const GRAY: Trail = Trail::nth(0);

/// Searches in one pass. Without a monitor the violations are left to the listener, which receives
/// neither edges nor the states that are left: the plain search of a store without numbers.
pub fn search<M: Monitored, S: Store, L: Listener>(
    run: &mut Run<'_, '_, M, S, L>,
    order: Search,
) -> ControlFlow<Stop> {
    let buffer = vec![0; run.model.words()];
    let mut search = OnePass {
        run,
        tree: Tree::default(),
        work: VecDeque::new(),
        stack: Stack::default(),
        buffer,
    };
    search.run(order)
}

struct OnePass<'r, 'a, 'm, M: Monitored, S, L> {
    run: &'r mut Run<'a, 'm, M, S, L>,
    tree: Tree,
    work: VecDeque<Node>,
    stack: Stack<Node>,
    /// A copy of the state that was found last.
    buffer: Vec<u64>,
}

impl<M: Monitored, S: Store, L: Listener> OnePass<'_, '_, '_, M, S, L> {
    fn run(&mut self, order: Search) -> ControlFlow<Stop> {
        for at in 0..self.run.begin() {
            let (state, flags) = (self.run.steps.state(at), self.run.steps.flags(at));
            let spot = self.run.space.store.spot(state);
            if !self.run.space.store.has(spot, FOUND) {
                let key = self.run.add_target(spot, at, FOUND)?;
                let node = self.generated(key, None, flags.marks())?;
                self.work.push_back(node);
            }
        }
        let mut before = 0;
        loop {
            let node = match order {
                Search::Breadth => self.work.pop_front(),
                Search::Depth | Search::Random(_) => {
                    self.work.make_contiguous()[before..].reverse();
                    self.work.pop_back()
                }
            };
            let Some(node) = node else {
                return ControlFlow::Continue(());
            };
            before = self.work.len();
            let key = self.tree.key(node);
            if !self.run.model.is_alone() {
                let store = &mut self.run.space.store;
                let spot = store.spot_of(key);
                if store.has(spot, ENTERED) {
                    self.tree.release(node, store);
                    continue;
                }
                self.run.insert(spot, ENTERED)?;
            }
            self.search_from((key, node))?;
        }
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
        let path = self.tree.states_to(node, &self.run.space.store);
        self.run.report(violation, path, None)
    }
}

impl<'a, 'm, M: Monitored, S: Store, L: Listener> Visitor<'a, 'm, M, S, L>
    for OnePass<'_, 'a, 'm, M, S, L>
{
    type Datum = Node;

    #[inline]
    fn parts(&mut self) -> (&mut Run<'a, 'm, M, S, L>, &mut Stack<Node>) {
        (self.run, &mut self.stack)
    }

    fn enter(&mut self) -> ControlFlow<Stop, &'static [Trail]> {
        let top = self.stack.top();
        if !self.run.model.is_alone() {
            self.run.space.store.put_on(top.key, GRAY);
        }
        let work = self.work.capacity() * size_of::<Node>();
        self.run.held = work as u64 + self.stack.bytes() + self.tree.bytes();
        self.run.meter.is_at(self.tree.depth(top.datum));
        ControlFlow::Continue(&[GRAY])
    }

    fn expanded(&mut self) -> ControlFlow<Stop> {
        let (run, top) = (&mut *self.run, self.stack.top());
        if run.has_ended(top) {
            let ways = OnePassWays::of(&self.tree, &run.space, run.leaves_out);
            run.listener
                .terminal(&ways, top.datum.number(), &run.state)?;
            if run.model.marks(&run.state).deadlock {
                return self.report(Violation::Deadlock, top.datum);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn step(&mut self, at: usize) -> Enter<Node> {
        let from = self.stack.top().datum;
        let run = &mut *self.run;
        if let Some(failing) = run.steps.failing(at) {
            run.space.edges += 1;
            let ways = OnePassWays::of(&self.tree, &run.space, run.leaves_out);
            let (label, failure) = (failing.label.label(), &failing.failure);
            run.listener.failing(&ways, from.number(), label, failure)?;
            return ControlFlow::Continue(None);
        }
        let (state, flags) = (run.steps.state(at), run.steps.flags(at));
        let store = &run.space.store;
        let spot = store.spot(state);
        if flags.is_silent() && store.has(spot, ENTERED) {
            run.space.edges += 1;
            if store.is_on(spot, state, GRAY) {
                let path = self.tree.states_to(from, store);
                let closing = Some((at, path.len()));
                return run.report(Violation::Livelock, path, closing);
            }
            return ControlFlow::Continue(None);
        }
        let node = if store.has(spot, FOUND) {
            run.space.edges += 1;
            if !flags.is_silent() {
                return ControlFlow::Continue(None);
            }
            let key = run.hold_target(spot, at);
            self.tree.add(key, Some(from))
        } else {
            let key = run.add_target(spot, at, FOUND)?;
            run.space.edges += 1;
            self.generated(key, Some(from), flags.marks())?
        };
        if !flags.is_silent() {
            self.work.push_back(node);
            return ControlFlow::Continue(None);
        }
        let key = self.tree.key(node);
        self.run
            .insert(self.run.space.store.spot_of(key), ENTERED)?;
        ControlFlow::Continue(Some((key, node)))
    }

    fn leave(&mut self, left: Frame<Node>) -> ControlFlow<Stop> {
        let store = &mut self.run.space.store;
        if !self.run.model.is_alone() {
            store.take_off(left.key, GRAY);
        }
        self.tree.release(left.datum, store);
        ControlFlow::Continue(())
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
