//! The states of a system and of what watches it, two by two, and what can be found in them: the
//! four conditions C1 to C4 of Theorem 3.3 (A. Valmari, "On-the-fly verification with stubborn
//! sets", CAV 1993), which are also those of automata (H. Hansen, W. Penczek, A. Valmari,
//! "Stuttering-insensitive automata", 2002, sections 2.2 and 3.2).

use std::collections::HashMap;

use stubborn_random::watch::marks::Marks;

/// A state of the product: one of the system, one of the monitor.
pub type Pair = (u32, u32);

/// What leads out of a state of the product.
#[derive(Clone, Debug, Default)]
pub struct Leads {
    /// Where to, and whether the monitor sees the step.
    pub to: Vec<(Pair, bool)>,
    /// No step is enabled, not even one that fails: the run ends.
    pub ends: bool,
}

#[derive(Debug)]
pub struct Product {
    pub pairs: Vec<Pair>,
    marks: Vec<Marks>,
    ends: Vec<bool>,
    edges: Vec<Vec<(u32, bool)>>,
}

/// Which of reject, deadlock, livelock and infinite there are: C1 to C4.
pub type Found = [bool; 4];

impl Product {
    /// What can be reached, unless these are more states than `most`.
    pub fn of(
        initial: impl IntoIterator<Item = Pair>,
        marks: impl Fn(u32) -> Marks,
        leads: impl Fn(Pair) -> Leads,
        most: usize,
    ) -> Option<Product> {
        let mut product = Product {
            pairs: vec![],
            marks: vec![],
            ends: vec![],
            edges: vec![],
        };
        let mut numbers = HashMap::new();
        for pair in initial {
            product.number(&mut numbers, pair);
        }
        while product.edges.len() < product.pairs.len() {
            let pair = product.pairs[product.edges.len()];
            let leads = leads(pair);
            let mut edges = Vec::new();
            for (to, seen) in leads.to {
                edges.push((product.number(&mut numbers, to), seen));
            }
            product.edges.push(edges);
            product.ends.push(leads.ends);
            product.marks.push(marks(pair.1));
            if product.pairs.len() > most {
                return None;
            }
        }
        Some(product)
    }

    fn number(&mut self, numbers: &mut HashMap<Pair, u32>, pair: Pair) -> u32 {
        let next = self.pairs.len() as u32;
        *numbers.entry(pair).or_insert_with(|| {
            self.pairs.push(pair);
            next
        })
    }

    /// Which conditions hold where rejecting counts in these states of the system.
    pub fn found(&self, rejects_in: impl Fn(u32) -> bool) -> Found {
        let states = 0..self.pairs.len();
        let reject = states
            .clone()
            .any(|n| self.marks[n].reject && rejects_in(self.pairs[n].0));
        let deadlock = states
            .clone()
            .any(|n| self.marks[n].deadlock && self.ends[n]);
        // Steps that are not seen, from livelock states to livelock states.
        let quiet = |n: u32| {
            let edges = self.edges[n as usize].iter();
            let edges = edges.filter(move |(to, seen)| {
                !seen && self.marks[n as usize].livelock && self.marks[*to as usize].livelock
            });
            edges.map(|(to, _)| *to).collect()
        };
        let component = components(self.pairs.len(), quiet);
        let livelock = states.clone().any(|n| {
            let next: Vec<u32> = quiet(n as u32);
            next.iter()
                .any(|to| component[*to as usize] == component[n])
        });
        let all = |n: u32| self.edges[n as usize].iter().map(|(to, _)| *to).collect();
        let component = components(self.pairs.len(), all);
        let infinite = states.clone().any(|n| {
            let mut edges = self.edges[n].iter();
            self.marks[n].infinite
                && edges.any(|(to, seen)| *seen && component[*to as usize] == component[n])
        });
        [reject, deadlock, livelock, infinite]
    }
}

/// The strong component of each node, as a number (Tarjan 1972).
pub fn components(nodes: usize, next: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let mut index = vec![NONE; nodes];
    let mut low = vec![NONE; nodes];
    let mut component = vec![NONE; nodes];
    let (mut counter, mut closed) = (0, 0);
    let mut open: Vec<u32> = Vec::new();
    for root in 0..nodes as u32 {
        if index[root as usize] != NONE {
            continue;
        }
        // A node, its successors, and how many of them have been gone to.
        let mut path: Vec<(u32, Vec<u32>, usize)> = Vec::new();
        let mut entered = Some(root);
        loop {
            if let Some(node) = entered.take() {
                index[node as usize] = counter;
                low[node as usize] = counter;
                counter += 1;
                open.push(node);
                path.push((node, next(node), 0));
            }
            let Some((node, successors, gone)) = path.last_mut() else {
                break;
            };
            let node = *node as usize;
            if let Some(to) = successors.get(*gone) {
                *gone += 1;
                if index[*to as usize] == NONE {
                    entered = Some(*to);
                } else if component[*to as usize] == NONE {
                    low[node] = low[node].min(index[*to as usize]);
                }
                continue;
            }
            if low[node] == index[node] {
                while let Some(member) = open.pop() {
                    component[member as usize] = closed;
                    if member as usize == node {
                        break;
                    }
                }
                closed += 1;
            }
            path.pop();
            if let Some((parent, ..)) = path.last() {
                let parent = *parent as usize;
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}
