//! The product of a system and a monitor, small enough to be decided by the definition of C1 to C4
//! (Valmari 1993, Thm 3.3).

use std::collections::HashMap;
use std::hash::Hash;

use stubborn_engine::monitor;
use stubborn_engine::reduction::Awaits;
use stubborn_random::watch::marks::Marks;

/// What lies ahead of each state of a monitor.
pub fn awaits(marks: impl Iterator<Item = Marks>, next: &[Vec<u32>]) -> Vec<Awaits> {
    let marks = marks.map(|marks| monitor::Marks {
        reject: marks.reject,
        deadlock: marks.deadlock,
        livelock: marks.livelock,
        infinite: marks.infinite,
    });
    Awaits::of(&marks.collect::<Vec<_>>(), next)
}

/// What is found of a state of the product.
pub struct Found<N> {
    pub marks: Marks,
    /// Whether the system has a step, be it one that fails.
    pub has_step: bool,
    /// Where its steps lead, and whether the monitor sees them.
    pub next: Vec<(N, bool)>,
}

pub struct Product {
    marks: Vec<Marks>,
    terminal: Vec<bool>,
    edges: Vec<Vec<(usize, bool)>>,
}

impl Product {
    /// Everything that is reachable, unless there is more than `most`.
    pub fn new<N: Clone + Eq + Hash>(
        initials: Vec<N>,
        most: usize,
        look: &mut dyn FnMut(&N) -> Found<N>,
    ) -> Option<Product> {
        let mut states: Vec<N> = Vec::new();
        let mut numbers: HashMap<N, usize> = HashMap::new();
        let mut number = |states: &mut Vec<N>, state: N| {
            *numbers.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() - 1
            })
        };
        for initial in initials {
            number(&mut states, initial);
        }
        let mut product = Product {
            marks: vec![],
            terminal: vec![],
            edges: vec![],
        };
        while product.edges.len() < states.len() {
            let state = states[product.edges.len()].clone();
            let found = look(&state);
            let next = found.next.into_iter();
            let edges = next.map(|(to, seen)| (number(&mut states, to), seen));
            product.edges.push(edges.collect());
            product.marks.push(found.marks);
            product.terminal.push(!found.has_step);
            if states.len() > most {
                return None;
            }
        }
        Some(product)
    }

    pub fn states(&self) -> usize {
        self.edges.len()
    }

    pub fn edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Which of C1 to C4 hold.
    pub fn violations(&self) -> [bool; 4] {
        let all = || 0..self.states();
        let marks = |state: usize| self.marks[state];
        let rejects = all().any(|s| marks(s).reject);
        let ends = all().any(|s| marks(s).deadlock && self.terminal[s]);
        // An unseen step keeps the monitor where it is.
        let livelock = all().any(|s| {
            let mut unseen = self.edges[s].iter().filter(|(_, seen)| !seen);
            marks(s).livelock && unseen.any(|(to, _)| self.leads(*to, s, |seen| !seen))
        });
        let infinite = all().any(|s| {
            let mut seen = self.edges[s].iter().filter(|(_, seen)| *seen);
            marks(s).infinite && seen.any(|(to, _)| self.leads(*to, s, |_| true))
        });
        [rejects, ends, livelock, infinite]
    }

    fn leads(&self, from: usize, to: usize, allowed: impl Fn(bool) -> bool) -> bool {
        let mut met = vec![false; self.states()];
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            if state == to {
                return true;
            }
            if std::mem::replace(&mut met[state], true) {
                continue;
            }
            let edges = self.edges[state].iter();
            open.extend(edges.filter(|(_, seen)| allowed(*seen)).map(|(to, _)| *to));
        }
        false
    }
}
