//! Smaller automata that accept the same words (Hansen, Penczek and Valmari 2002, 2.3 and 3.4).

pub(crate) mod bisimulation;
mod buchi;
mod merged;
pub(crate) mod simulation;
mod testing;

use crate::work::{Stopped, Work};
use stubborn_system::components::Components;

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

/// Whether a node passes, with which nodes are in the part.
type Passes<'a> = dyn FnMut(usize, &[bool]) -> Result<bool, Stopped> + 'a;

/// The greatest part of some nodes in which each node passes: takes out, round by round, those that
/// do not. Whether a node passes depends on which of the nodes after it are in the part, so that in a
/// round those alone are asked that a node has gone after.
fn greatest(
    edges: &[Vec<u32>],
    part: &mut [bool],
    work: &Work<'_>,
    passes: &mut Passes<'_>,
) -> Result<(), Stopped> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); edges.len()];
    for (node, edges) in edges.iter().enumerate().filter(|&(node, _)| part[node]) {
        work.spend(1 + edges.len())?;
        for &target in edges {
            before[target as usize].push(node as u32);
        }
    }
    let mut asked: Vec<u32> = (0..edges.len() as u32).collect();
    while !asked.is_empty() {
        let mut failing = Vec::new();
        for &node in asked.iter().filter(|&&node| part[node as usize]) {
            if !passes(node as usize, part)? {
                failing.push(node);
            }
        }
        asked.clear();
        for node in failing {
            part[node as usize] = false;
            asked.extend(&before[node as usize]);
        }
        asked.sort_unstable();
        asked.dedup();
    }
    Ok(())
}
