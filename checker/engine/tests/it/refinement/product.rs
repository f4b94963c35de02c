//! C1 to C4 of Valmari 1993, Thm 3.3, by trying everything.

use std::collections::{BTreeSet, HashSet};

use stubborn_system::property::Tester;

use super::process::{EVENTS, Process, Set, has, matches};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Found {
    /// C1
    pub trace: bool,
    /// C2
    pub failure: bool,
    /// C3
    pub divergence: bool,
    /// C4
    pub infinite_trace: bool,
}

impl Found {
    pub fn anything(self) -> bool {
        self != Found::default()
    }
}

/// A tester beside a system: a state of each.
type Pair = (usize, usize);

struct Product<'a> {
    tester: &'a Tester,
    system: &'a Process,
    visible: Set,
}

/// What the tester finds in the system.
pub fn search(tester: &Tester, system: &Process) -> Found {
    let visible = tester_alphabet(tester);
    let product = Product {
        tester,
        system,
        visible,
    };
    let mut found = Found::default();
    for pair in product.reachable(BTreeSet::from([(tester.initial as usize, 0)])) {
        let state = &tester.states[pair.0];
        let steps = product.steps(pair);
        found.trace |= state.reject;
        found.failure |= state.deadlock && steps.is_empty();
        for (is_visible, to) in steps {
            let Some(to) = to else { continue };
            if state.infinite && is_visible {
                found.infinite_trace |= product.reachable(BTreeSet::from([to])).contains(&pair);
            }
            if state.livelock && !is_visible {
                found.divergence |= product.unseen(to).contains(&pair);
            }
        }
    }
    found
}

/// The events that the tester takes part in; steps on others are a mistake.
pub fn tester_alphabet(tester: &Tester) -> Set {
    (0..EVENTS)
        .filter(|event| {
            tester
                .visible
                .iter()
                .any(|pattern| matches(pattern, *event))
        })
        .fold(0, |set, event| set | 1 << event)
}

impl Product<'_> {
    /// The steps of a pair: whether the tester takes part, and where they lead unless they fail.
    fn steps(&self, (t, s): Pair) -> Vec<(bool, Option<Pair>)> {
        let mut steps = Vec::new();
        for step in &self.tester.states[t].steps {
            let to = step.target as usize;
            match &step.on {
                None => steps.push((true, Some((to, s)))),
                Some(pattern) => {
                    for (event, target) in self.system.from(s) {
                        if event.is_some_and(|event| matches(pattern, event)) {
                            steps.push((true, target.map(|s| (to, s))));
                        }
                    }
                }
            }
        }
        for (event, target) in self.system.from(s) {
            if !event.is_some_and(|event| has(self.visible, event)) {
                steps.push((false, target.map(|s| (t, s))));
            }
        }
        steps
    }

    fn reachable(&self, from: BTreeSet<Pair>) -> HashSet<Pair> {
        self.spread(from, |_| true)
    }

    /// What is reached from a pair by steps in which the tester has no part.
    fn unseen(&self, from: Pair) -> HashSet<Pair> {
        self.spread(BTreeSet::from([from]), |is_visible| !is_visible)
    }

    fn spread(&self, from: BTreeSet<Pair>, follow: impl Fn(bool) -> bool) -> HashSet<Pair> {
        let mut known: HashSet<Pair> = from.iter().copied().collect();
        let mut open: Vec<Pair> = from.into_iter().collect();
        while let Some(pair) = open.pop() {
            for (is_visible, to) in self.steps(pair) {
                if let Some(to) = to.filter(|_| follow(is_visible))
                    && known.insert(to)
                {
                    open.push(to);
                }
            }
        }
        known
    }
}
