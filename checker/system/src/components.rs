//! Strongly connected components.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::vec::Drain;

/// Tarjan's algorithm (1972) for a depth-first search that the caller drives: it
/// [follows](Tarjan::follow) the edges of the last node on its path, and [leaves](Tarjan::leave)
/// the node when there are no more.
#[derive(Default)]
pub struct Tarjan {
    /// For each node its position in the order of entry, [`NEW`] or [`COMPLETE`].
    numbers: Vec<u32>,
    entered: u32,
    /// Nodes of incomplete components, in the order of entry.
    open: Vec<u32>,
    path: Vec<Frame>,
}

struct Frame {
    node: u32,
    /// Position of the node's next edge; the caller moves it.
    next: u32,
    /// Least number of a node in an incomplete component that is known to be reachable.
    low: u32,
}

const NEW: u32 = u32::MAX;
const COMPLETE: u32 = u32::MAX - 1;

impl Tarjan {
    /// Upper bound of the memory for each node, in bytes.
    pub const BYTES_PER_NODE: u64 = (2 * size_of::<u32>() + size_of::<Frame>()) as u64;

    /// Begins a search in another graph.
    pub fn reset(&mut self, nodes: usize) {
        self.numbers.clear();
        self.numbers.resize(nodes, NEW);
        self.entered = 0;
        self.open.clear();
        self.path.clear();
    }

    #[inline]
    pub fn is_new(&self, node: u32) -> bool {
        self.numbers[node as usize] == NEW
    }

    /// Whether the node's component is complete.
    #[inline]
    pub fn is_complete(&self, node: u32) -> bool {
        self.numbers[node as usize] == COMPLETE
    }

    /// Adds a new node to the path, and to the graph if it is not below the number of nodes.
    #[inline]
    pub fn enter(&mut self, node: u32) {
        if node as usize >= self.numbers.len() {
            self.numbers.resize(node as usize + 1, NEW);
        }
        self.numbers[node as usize] = self.entered;
        self.open.push(node);
        self.path.push(Frame {
            node,
            next: 0,
            low: self.entered,
        });
        self.entered += 1;
    }

    /// The last node on the path, with the position of its next edge.
    #[inline]
    pub fn last(&mut self) -> Option<(u32, &mut u32)> {
        let frame = self.path.last_mut()?;
        Some((frame.node, &mut frame.next))
    }

    /// Follows an edge of the last node. Returns whether its target is new and has been entered.
    #[inline]
    pub fn follow(&mut self, target: u32) -> bool {
        match self.numbers[target as usize] {
            NEW => {
                self.enter(target);
                return true;
            }
            COMPLETE => {}
            number => {
                if let Some(last) = self.path.last_mut() {
                    last.low = last.low.min(number);
                }
            }
        }
        false
    }

    /// Removes the last node from the path. Returns the nodes of its component if this is complete
    /// now, in the order of entry: a component comes after all to which it leads.
    #[inline]
    pub fn leave(&mut self) -> Option<Drain<'_, u32>> {
        let Frame { node, low, .. } = self.path.pop()?;
        if low < self.numbers[node as usize] {
            if let Some(before) = self.path.last_mut() {
                before.low = before.low.min(low);
            }
            return None;
        }
        let mut begin = self.open.len();
        while begin > 0 {
            begin -= 1;
            let member = self.open[begin];
            self.numbers[member as usize] = COMPLETE;
            if member == node {
                break;
            }
        }
        Some(self.open.drain(begin..))
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let nodes = self.numbers.capacity() + self.open.capacity();
        (nodes * size_of::<u32>() + self.path.capacity() * size_of::<Frame>()) as u64
    }
}

/// Number of nodes that are entered between two calls of `poll`.
const NODES_BETWEEN_POLLS: u32 = 1 << 16;

/// Calls `then` with each strongly connected component of the part of a graph that `is_within`,
/// each after all to which it leads.
pub fn for_each_component<'e, B>(
    nodes: u32,
    edges: impl Fn(u32) -> &'e [u32],
    is_within: impl Fn(u32) -> bool,
    mut poll: impl FnMut() -> ControlFlow<B>,
    mut then: impl FnMut(&[u32]),
) -> ControlFlow<B> {
    let mut tarjan = Tarjan::default();
    tarjan.reset(nodes as usize);
    let mut unpolled = 0;
    for root in (0..nodes).filter(|root| is_within(*root)) {
        if tarjan.is_new(root) {
            tarjan.enter(root);
        }
        while let Some((node, next)) = tarjan.last() {
            if let Some(&target) = edges(node).get(*next as usize) {
                *next += 1;
                if is_within(target) && tarjan.follow(target) {
                    unpolled += 1;
                    if unpolled == NODES_BETWEEN_POLLS {
                        unpolled = 0;
                        poll()?;
                    }
                }
            } else if let Some(component) = tarjan.leave() {
                then(component.as_slice());
            }
        }
    }
    ControlFlow::Continue(())
}

/// The strongly connected components of a graph whose nodes are numbered from 0.
pub struct Components<'a> {
    edges: &'a [Vec<u32>],
    /// Component of each node. A component leads to those with smaller numbers.
    of: Vec<u32>,
    on_cycle: Vec<bool>,
    /// The nodes, those of a component together, the components ascending.
    order: Vec<u32>,
}

impl Components<'_> {
    pub fn of(edges: &[Vec<u32>]) -> Components<'_> {
        let count = edges.len();
        let (mut of, mut on_cycle) = (vec![0; count], vec![false; count]);
        let (mut order, mut number) = (Vec::with_capacity(count), 0);
        let targets = |node: u32| &edges[node as usize][..];
        let go_on = || ControlFlow::<Infallible>::Continue(());
        let ControlFlow::Continue(()) = for_each_component(
            count as u32,
            targets,
            |_| true,
            go_on,
            |component| {
                for &node in component {
                    of[node as usize] = number;
                    on_cycle[node as usize] = component.len() > 1 || targets(node).contains(&node);
                }
                order.extend_from_slice(component);
                number += 1;
            },
        );
        Components {
            edges,
            of,
            on_cycle,
            order,
        }
    }

    /// Returns the number of a node's component.
    pub fn component(&self, node: u32) -> u32 {
        self.of[node as usize]
    }

    /// Whether a node lies on a cycle.
    pub fn is_on_cycle(&self, node: u32) -> bool {
        self.on_cycle[node as usize]
    }

    /// Returns for each node whether it is a goal or leads to one.
    pub fn leading_to(&self, goals: &[bool]) -> Vec<bool> {
        let mut leads = vec![false; self.edges.len()];
        let mut rest = &self.order[..];
        while let Some(&first) = rest.first() {
            let same = |&&node: &&u32| self.component(node) == self.component(first);
            let size = rest.iter().take_while(same).count();
            let (members, others) = rest.split_at(size);
            let any = members.iter().any(|&node| {
                let next = &self.edges[node as usize];
                goals[node as usize] || next.iter().any(|&next| leads[next as usize])
            });
            for &node in members {
                leads[node as usize] = any;
            }
            rest = others;
        }
        leads
    }
}
