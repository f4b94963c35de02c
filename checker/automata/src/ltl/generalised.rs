//! Generalised Büchi automata whose edges are labelled, between the formula and the Büchi automaton.

use rustc_hash::FxHashMap;

use super::effort::Effort;
use super::letters::Letters;
use crate::work::Stopped;
use stubborn_system::components::Components;

/// Begins in state 0, and accepts where every condition is met infinitely often.
#[derive(Clone, Debug)]
pub struct Generalised {
    /// A condition is met by a step that does not owe it, and by one that reads a valuation of these.
    pub conditions: Vec<Letters>,
    pub states: Vec<Vec<Edge>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    pub target: u32,
    /// The conditions that it owes, ascending.
    pub owes: Vec<u32>,
    pub letters: Letters,
}

/// Whether every element of the one ascending list is in the other one.
pub(crate) fn is_subset(small: &[u32], large: &[u32]) -> bool {
    small.len() <= large.len()
        && small
            .iter()
            .all(|element| large.binary_search(element).is_ok())
}

impl Generalised {
    pub(crate) fn next(&self) -> Vec<Vec<u32>> {
        let targets = |edges: &Vec<Edge>| edges.iter().map(|edge| edge.target).collect();
        self.states.iter().map(targets).collect()
    }

    /// Whether a step can meet the condition.
    pub(crate) fn meets(&self, edge: &Edge, condition: u32) -> bool {
        edge.owes.binary_search(&condition).is_err()
            || !edge
                .letters
                .intersection(&self.conditions[condition as usize])
                .is_none()
    }

    /// For each component whether a cycle of it is accepted: all of its edges together are one.
    pub(crate) fn accepting(&self, found: &Components<'_>) -> Vec<bool> {
        let of = |state: u32| found.component(state);
        let count = (0..self.states.len() as u32).map(of).max();
        let mut inner: Vec<Vec<&Edge>> =
            vec![Vec::new(); count.map_or(0, |last| last as usize + 1)];
        for (edges, state) in self.states.iter().zip(0..) {
            let own = |edge: &&Edge| of(edge.target) == of(state);
            inner[of(state) as usize].extend(edges.iter().filter(own));
        }
        let mut accepting: Vec<bool> = inner.iter().map(|edges| !edges.is_empty()).collect();
        for (component, edges) in inner.iter().enumerate() {
            // Only what the first edge owes can be owed by all.
            let Some(first) = edges.first() else { continue };
            for &condition in &first.owes {
                if !edges.iter().any(|edge| self.meets(edge, condition)) {
                    accepting[component] = false;
                }
            }
        }
        accepting
    }

    /// Takes out edges to where nothing is accepted, and states that are not reached; forgets what is
    /// owed where it makes no difference: on edges that are on no accepted cycle.
    pub(crate) fn trim(&mut self) {
        let next = self.next();
        let found = Components::of(&next);
        let accepting = self.accepting(&found);
        let of = |state: u32| found.component(state);
        let goals = (0..self.states.len() as u32).map(|state| accepting[of(state) as usize]);
        let alive = found.leading_to(&goals.collect::<Vec<bool>>());
        let all: Vec<u32> = (0..self.conditions.len() as u32).collect();
        for (edges, state) in self.states.iter_mut().zip(0..) {
            let own = of(state);
            edges.retain(|edge| alive[edge.target as usize]);
            for edge in edges.iter_mut() {
                if of(edge.target) != own {
                    edge.owes.clear();
                } else if !accepting[own as usize] {
                    // So that it never looks accepted.
                    edge.owes.clone_from(&all);
                }
            }
            simplify(edges);
        }
        self.keep_reached();
    }

    fn keep_reached(&mut self) {
        let mut numbers = vec![u32::MAX; self.states.len()];
        let mut order = vec![0usize];
        numbers[0] = 0;
        let mut at = 0;
        while at < order.len() {
            for edge in &self.states[order[at]] {
                let to = edge.target as usize;
                if numbers[to] == u32::MAX {
                    numbers[to] = order.len() as u32;
                    order.push(to);
                }
            }
            at += 1;
        }
        let mut states = Vec::with_capacity(order.len());
        for state in order {
            let mut edges = std::mem::take(&mut self.states[state]);
            for edge in &mut edges {
                edge.target = numbers[edge.target as usize];
            }
            states.push(edges);
        }
        self.states = states;
    }

    /// Makes one of states with the same edges, up to states that are made one (strong bisimulation).
    pub(crate) fn quotient(&mut self, effort: &mut Effort<'_>) -> Result<(), Stopped> {
        let edges: usize = self.states.iter().map(Vec::len).sum();
        if !effort.afford(20 * edges as u64) {
            return Ok(());
        }
        let mut class = vec![0u32; self.states.len()];
        let mut classes = 1;
        loop {
            let mut numbers: FxHashMap<(u32, Vec<Edge>), u32> = FxHashMap::default();
            let mut refined = Vec::with_capacity(class.len());
            for (state, edges) in self.states.iter().enumerate() {
                effort.work().spend(1 + edges.len())?;
                let mut edges = edges.clone();
                for edge in &mut edges {
                    edge.target = class[edge.target as usize];
                }
                simplify(&mut edges);
                let fresh = numbers.len() as u32;
                refined.push(*numbers.entry((class[state], edges)).or_insert(fresh));
            }
            let found = numbers.len();
            class = refined;
            if found == classes {
                break;
            }
            classes = found;
        }
        if classes == self.states.len() {
            return Ok(());
        }
        let mut states: Vec<Option<Vec<Edge>>> = vec![None; classes];
        for (state, edges) in self.states.iter().enumerate() {
            let kept = &mut states[class[state] as usize];
            if kept.is_none() {
                let mut edges = edges.clone();
                for edge in &mut edges {
                    edge.target = class[edge.target as usize];
                }
                simplify(&mut edges);
                *kept = Some(edges);
            }
        }
        // State 0 is met first, so that its class is 0.
        self.states = states.into_iter().flatten().collect();
        self.keep_reached();
        Ok(())
    }
}

/// Joins edges that differ in what they read alone, and takes out those that another one makes
/// superfluous: it reads as much, leads to the same state and owes no more.
pub(crate) fn simplify(edges: &mut Vec<Edge>) {
    edges.sort_unstable();
    let mut joined: Vec<Edge> = Vec::with_capacity(edges.len());
    for edge in edges.drain(..) {
        match joined.last_mut() {
            Some(last) if last.target == edge.target && last.owes == edge.owes => {
                last.letters = last.letters.union(&edge.letters);
            }
            _ => joined.push(edge),
        }
    }
    let superfluous = |at: usize, edge: &Edge| {
        joined.iter().enumerate().any(|(other, larger)| {
            other != at
                && larger.target == edge.target
                && is_subset(&larger.owes, &edge.owes)
                && larger.letters.contains(&edge.letters)
        })
    };
    // No two have both the same target and owe the same, so that no two make each other superfluous.
    *edges = joined
        .iter()
        .enumerate()
        .filter(|&(at, edge)| !superfluous(at, edge))
        .map(|(_, edge)| edge.clone())
        .collect();
}
