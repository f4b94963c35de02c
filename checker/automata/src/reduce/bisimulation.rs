//! The coarsest strong bisimulation, by splitting classes until nothing tells their members apart.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::work::{Stopped, Work};

/// The class of each node, numbered from 0 in the order of their first members: nodes of one class
/// have the same colour, and edges with the same labels to the same classes.
///
/// Partition refinement by signatures (Blom and Orzan 2003), of which only those are made again that
/// have changed. Where a class falls apart its largest part keeps the class's number (after Hopcroft
/// 1971), so that a node gets a new number no more often than the logarithm of the number of nodes,
/// and each time the signatures of the nodes before it are made again. In a long chain, which takes
/// as many rounds as it has nodes, a round costs next to nothing.
///
/// # Errors
/// Where the work has been stopped.
pub fn classes<Colour: Hash + Eq + Copy, Edge: Ord + Copy>(
    colours: &[Colour],
    edges: &[Vec<(Edge, u32)>],
    work: &Work<'_>,
) -> Result<Vec<u32>, Stopped> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (node, edges) in (0..).zip(edges) {
        work.spend(1 + edges.len())?;
        for &(_, target) in edges {
            before[target as usize].push(node);
        }
    }
    let mut partition = Partition::of(numbered(colours.iter().copied()));
    // The nodes whose signatures are to be made, and those that have been listed for that.
    let mut changed: Vec<u32> = (0..edges.len() as u32).collect();
    let mut listed = vec![true; edges.len()];
    while !changed.is_empty() {
        let mut signatures = Vec::with_capacity(changed.len());
        for node in changed.drain(..) {
            listed[node as usize] = false;
            let own = &edges[node as usize];
            work.spend(2 + own.len())?;
            let class = partition.class[node as usize];
            signatures.push((class, signature(own, &partition.class), node));
        }
        signatures.sort_unstable();
        for of_class in signatures.chunk_by(|one, two| one.0 == two.0) {
            let parts = of_class.chunk_by(|one, two| one.1 == two.1);
            let parts = parts.map(|part| part.iter().map(|&(_, _, node)| node));
            partition.split(of_class[0].0, parts, &mut |node| {
                for &earlier in &before[node as usize] {
                    if !std::mem::replace(&mut listed[earlier as usize], true) {
                        changed.push(earlier);
                    }
                }
            });
        }
    }
    Ok(numbered(partition.class.into_iter()))
}

/// The classes that edges lead to.
fn signature<Edge: Ord + Copy>(edges: &[(Edge, u32)], class: &[u32]) -> Vec<(Edge, u32)> {
    let to_class = |&(edge, target): &(Edge, u32)| (edge, class[target as usize]);
    let mut signature: Vec<(Edge, u32)> = edges.iter().map(to_class).collect();
    signature.sort_unstable();
    signature.dedup();
    signature
}

/// Nodes in classes, the nodes of a class next to each other.
struct Partition {
    /// Of each node.
    class: Vec<u32>,
    nodes: Vec<u32>,
    /// Where each node is in `nodes`.
    place: Vec<usize>,
    /// The part of `nodes` that each class is.
    range: Vec<(usize, usize)>,
}

impl Partition {
    fn of(class: Vec<u32>) -> Partition {
        let mut nodes: Vec<u32> = (0..class.len() as u32).collect();
        nodes.sort_by_key(|&node| class[node as usize]);
        let mut place = vec![0; nodes.len()];
        let mut range: Vec<(usize, usize)> = Vec::new();
        for (at, &node) in nodes.iter().enumerate() {
            place[node as usize] = at;
            match range.get_mut(class[node as usize] as usize) {
                Some(range) => range.1 = at + 1,
                None => range.push((at, at + 1)),
            }
        }
        Partition {
            class,
            nodes,
            place,
            range,
        }
    }

    /// Makes classes of some parts of a class, and one of the nodes of none of them. These have none
    /// of the numbers in their signatures that were given last, and those of the parts have, so that
    /// they differ. Calls with each node that gets another number.
    fn split(
        &mut self,
        class: u32,
        parts: impl Iterator<Item = impl Iterator<Item = u32>>,
        renumbered: &mut dyn FnMut(u32),
    ) {
        let (start, mut end) = self.range[class as usize];
        // The parts go to the end, the first one last.
        let mut ranges = Vec::new();
        for part in parts {
            let last = end;
            for node in part {
                end -= 1;
                self.swap(self.place[node as usize], end);
            }
            ranges.push((end, last));
        }
        if start < end {
            ranges.push((start, end));
        }
        let largest = ranges.iter().enumerate().max_by_key(|(_, (s, e))| e - s);
        let Some((largest, _)) = largest else { return };
        self.range[class as usize] = ranges.swap_remove(largest);
        for (start, end) in ranges {
            let fresh = self.range.len() as u32;
            self.range.push((start, end));
            for &node in &self.nodes[start..end] {
                self.class[node as usize] = fresh;
                renumbered(node);
            }
        }
    }

    fn swap(&mut self, one: usize, two: usize) {
        self.nodes.swap(one, two);
        self.place[self.nodes[one] as usize] = one;
        self.place[self.nodes[two] as usize] = two;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random::Random;

    /// Round by round, all signatures in each.
    fn by_definition(colours: &[u8], edges: &[Vec<(u8, u32)>]) -> Vec<u32> {
        let mut classes = numbered(colours.iter().copied());
        loop {
            let signatures = edges.iter().map(|edges| signature(edges, &classes));
            let finer = numbered(classes.iter().copied().zip(signatures));
            if finer == classes {
                return classes;
            }
            classes = finer;
        }
    }

    #[test]
    fn classes_are_those_of_the_definition() {
        let mut random = Random::new(53);
        let mut fewer = 0;
        for _ in 0..3_000 {
            let nodes = 1 + random.below(12);
            let degree = random.below(4);
            let colours: Vec<u8> = (0..nodes).map(|_| random.below(2) as u8).collect();
            let edges: Vec<Vec<(u8, u32)>> = (0..nodes)
                .map(|_| {
                    let edge =
                        |random: &mut Random| (random.below(2) as u8, random.below(nodes) as u32);
                    (0..degree).map(|_| edge(&mut random)).collect()
                })
                .collect();
            let found = classes(&colours, &edges, &Work::unlimited()).unwrap();
            assert_eq!(
                found,
                by_definition(&colours, &edges),
                "{colours:?} {edges:?}"
            );
            fewer += usize::from(
                found
                    .iter()
                    .max()
                    .is_some_and(|max| (*max as usize) + 1 < nodes),
            );
        }
        assert!(fewer > 500, "{fewer}");
    }

    #[test]
    fn the_work_for_a_chain_grows_with_its_length() {
        let spent = |nodes: u32| {
            let colours = vec![(); nodes as usize];
            let next = |node: u32| (node + 1 < nodes).then_some(((), node + 1));
            let edges: Vec<Vec<((), u32)>> =
                (0..nodes).map(|n| next(n).into_iter().collect()).collect();
            let work = Work::unlimited();
            let found = classes(&colours, &edges, &work).unwrap();
            assert_eq!(found, (0..nodes).collect::<Vec<_>>());
            work.done()
        };
        assert!(spent(10_000) <= 11 * spent(1_000));
    }
}
