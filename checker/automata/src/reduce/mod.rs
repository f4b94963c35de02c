//! Smaller automata that accept the same words (Hansen, Penczek and Valmari 2002, 2.3 and 3.4).

mod bisimulation;
mod buchi;
mod merged;
mod simulation;
mod testing;

use crate::components::Components;

/// Which of some nodes are reached from the given ones, and lead to a goal.
fn useful(edges: &[Vec<u32>], begin: &[u32], goals: &[bool]) -> Vec<bool> {
    let mut useful = vec![false; edges.len()];
    let leads = Components::of(edges).leading_to(goals);
    let mut work: Vec<u32> = begin.to_vec();
    while let Some(node) = work.pop() {
        let node = node as usize;
        // What does not lead to a goal leads to nothing that does.
        if leads[node] && !useful[node] {
            useful[node] = true;
            work.extend(&edges[node]);
        }
    }
    useful
}

/// The new numbers of what is kept, `None` for the rest.
fn renumbered(kept: &[bool]) -> Vec<Option<u32>> {
    let mut count = 0;
    let number = kept.iter().map(|&kept| {
        let number = kept.then_some(count);
        count += u32::from(kept);
        number
    });
    number.collect()
}
