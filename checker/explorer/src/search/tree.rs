//! How the states that still wait for their turn were reached.

use crate::store::{Key, Store};

const NONE: u32 = u32::MAX;

/// A forest of held states: each node has the one that it was reached from. A node is kept as long
/// as its owner wants it, or a node that was reached through it is kept; so only the ways to states
/// that still matter cost memory.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<Entry>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u32);

impl Node {
    /// As a number, and back.
    #[inline]
    pub fn number(self) -> u32 {
        self.0
    }

    #[inline]
    pub fn of(number: u32) -> Node {
        Node(number)
    }
}

struct Entry {
    key: Key,
    /// [`NONE`] at a root.
    parent: u32,
    depth: u32,
    /// Its owner and its children.
    owners: u32,
}

impl Tree {
    /// Adds a node, and takes over its key.
    pub fn add(&mut self, key: Key, parent: Option<Node>) -> Node {
        let mut entry = Entry {
            key,
            parent: NONE,
            depth: 0,
            owners: 1,
        };
        if let Some(Node(parent)) = parent {
            let above = &mut self.nodes[parent as usize];
            above.owners += 1;
            entry.parent = parent;
            entry.depth = above.depth + 1;
        }
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = entry;
                Node(at)
            }
            None => {
                self.nodes.push(entry);
                Node(self.nodes.len() as u32 - 1)
            }
        }
    }

    #[inline]
    pub fn key(&self, node: Node) -> Key {
        self.nodes[node.0 as usize].key
    }

    /// How many steps it is away from the root.
    #[inline]
    pub fn depth(&self, node: Node) -> u64 {
        u64::from(self.nodes[node.0 as usize].depth)
    }

    /// The owner does not want it any more.
    pub fn release<S: Store>(&mut self, node: Node, store: &mut S) {
        let mut at = node.0;
        while at != NONE {
            let entry = &mut self.nodes[at as usize];
            entry.owners -= 1;
            if entry.owners > 0 {
                return;
            }
            store.release(entry.key);
            self.free.push(at);
            at = entry.parent;
        }
    }

    /// The nodes from the root of a node's tree to itself.
    pub fn path(&self, node: Node) -> Vec<Node> {
        let mut path = Vec::new();
        let mut at = node.0;
        while at != NONE {
            path.push(Node(at));
            at = self.nodes[at as usize].parent;
        }
        path.reverse();
        path
    }

    /// The states of these.
    pub fn states_to<S: Store>(&self, node: Node, store: &S) -> Vec<Box<[u64]>> {
        let path = self.path(node).into_iter();
        path.map(|node| store.boxed(self.key(node))).collect()
    }

    pub fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Entry>() + self.free.len() * 4) as u64
    }
}
