//! The coarsest strong bisimulation, by splitting classes until nothing tells their members apart.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// The class of each node, numbered from 0 in the order of their first members: nodes of one class
/// have the same colour, and edges with the same labels to the same classes. Takes time in the size
/// of the graph for each round, of which there are no more than nodes.
pub fn classes<Colour: Hash + Eq + Copy, Edge: Hash + Ord + Copy>(
    colours: &[Colour],
    edges: &[Vec<(Edge, u32)>],
) -> Vec<u32> {
    let mut classes = numbered(colours.iter().copied());
    loop {
        let signatures = edges.iter().zip(&classes).map(|(edges, &class)| {
            let to_class = |&(edge, target): &(Edge, u32)| (edge, classes[target as usize]);
            let mut edges: Vec<(Edge, u32)> = edges.iter().map(to_class).collect();
            edges.sort_unstable();
            edges.dedup();
            (class, edges)
        });
        let finer = numbered(signatures);
        if finer == classes {
            return classes;
        }
        classes = finer;
    }
}

/// A number for each item, the same for equal ones, in the order in which they come.
fn numbered<Item: Hash + Eq>(items: impl Iterator<Item = Item>) -> Vec<u32> {
    let mut numbers: FxHashMap<Item, u32> = FxHashMap::default();
    let mut all = Vec::new();
    for item in items {
        let new = numbers.len() as u32;
        all.push(*numbers.entry(item).or_insert(new));
    }
    all
}
