//! How the states that still wait for their turn were reached.

use super::storage::{Key, Storage};

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

struct Entry {
    key: Key,
    parent: Option<Node>,
    /// Its owner and its children.
    owners: u32,
}

impl Tree {
    /// Adds a node, and takes over its key.
    pub fn add(&mut self, key: Key, parent: Option<Node>) -> Node {
        if let Some(Node(parent)) = parent {
            self.nodes[parent as usize].owners += 1;
        }
        let entry = Entry {
            key,
            parent,
            owners: 1,
        };
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

    /// The owner does not want it any more.
    pub fn release<S: Storage>(&mut self, node: Node, storage: &mut S) {
        let mut at = Some(node);
        while let Some(node) = at {
            let entry = &mut self.nodes[node.0 as usize];
            entry.owners -= 1;
            if entry.owners > 0 {
                return;
            }
            storage.release(entry.key);
            at = entry.parent;
            self.free.push(node.0);
        }
    }

    /// The states from the root of a node's tree to the node itself.
    pub fn path<S: Storage>(&self, node: Node, storage: &S) -> Vec<Box<[u64]>> {
        let mut path = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at {
            let entry = &self.nodes[node.0 as usize];
            path.push(storage.get(entry.key).into());
            at = entry.parent;
        }
        path.reverse();
        path
    }

    pub fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Entry>() + self.free.len() * 4) as u64
    }
}
