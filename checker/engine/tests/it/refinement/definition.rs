//! Refinement by definition: the sets of Valmari 1993, Def. 2.4, compared on the pairs of a state of
//! the system and the set of states that the specification may be in after the same trace.

use std::collections::{BTreeSet, HashSet};

use stubborn_system::property::Semantics;

use super::process::{EVENTS, Process, Set, has};

/// Which of a system's sets are not included in those of its specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Illegal {
    /// A trace.
    pub trace: bool,
    /// A stable failure (σ, A) where σ is a trace of the specification.
    pub failure: bool,
    /// Any stable failure.
    pub any_failure: bool,
    pub divergence: bool,
    pub infinite_trace: bool,
}

impl Illegal {
    pub fn is_violated(self, semantics: Semantics) -> bool {
        match semantics {
            Semantics::Traces => self.trace,
            Semantics::Failures => self.trace || self.any_failure,
            Semantics::Divergences => self.divergence,
            Semantics::InfiniteTraces => self.infinite_trace,
            Semantics::Cffd => self.any_failure || self.divergence || self.infinite_trace,
        }
    }
}

/// The specification's alphabet is what is visible; what the system does beside is not.
pub fn compare(system: &Process, specification: &Process) -> Illegal {
    let visible = specification.alphabet;
    let mut illegal = Illegal::default();
    let first = (0, closure(specification, BTreeSet::from([0]), visible));
    let mut known: HashSet<(usize, BTreeSet<usize>)> = HashSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some((state, may)) = open.pop() {
        illegal.trace |= may.is_empty();
        if is_stable(system, state, visible) {
            let refuses = visible & !next(system, state);
            let allowed = may.iter().any(|q| {
                is_stable(specification, *q, visible) && next(specification, *q) & refuses == 0
            });
            illegal.any_failure |= !allowed;
            illegal.failure |= !allowed && !may.is_empty();
        }
        if diverges(system, state, visible) {
            illegal.divergence |= !may.iter().any(|q| diverges(specification, *q, visible));
        }
        // A finite process has each infinite sequence of which it has all beginnings.
        if may.is_empty() {
            illegal.infinite_trace |= has_infinite_trace(system, state, visible);
        }
        for (event, to) in system.from(state) {
            let Some(to) = to else { continue };
            let after = match event.filter(|event| has(visible, *event)) {
                None => may.clone(),
                Some(event) => after(specification, &may, event, visible),
            };
            if known.insert((to, after.clone())) {
                open.push((to, after));
            }
        }
    }
    illegal
}

/// Whether the process has the infinite trace `prefix` `cycle` `cycle` …
pub fn has_periodic(process: &Process, visible: Set, prefix: &[u32], cycle: &[u32]) -> bool {
    let mut may = closure(process, BTreeSet::from([0]), visible);
    for event in prefix {
        may = after(process, &may, *event, visible);
    }
    // Those from which the cycle can be gone round for ever: the greatest such set.
    let mut good: BTreeSet<usize> = (0..process.states).collect();
    loop {
        let goes_on = |state: &usize| {
            let mut here = closure(process, BTreeSet::from([*state]), visible);
            for event in cycle {
                here = after(process, &here, *event, visible);
            }
            !here.is_disjoint(&good)
        };
        let left: BTreeSet<usize> = good.iter().copied().filter(goes_on).collect();
        if left == good {
            return !may.is_disjoint(&good);
        }
        good = left;
    }
}

fn is_invisible(event: Option<u32>, visible: Set) -> bool {
    event.is_none_or(|event| !has(visible, event))
}

fn closure(process: &Process, mut states: BTreeSet<usize>, visible: Set) -> BTreeSet<usize> {
    let mut open: Vec<usize> = states.iter().copied().collect();
    while let Some(state) = open.pop() {
        for (event, to) in process.from(state) {
            if let Some(to) = to.filter(|_| is_invisible(event, visible))
                && states.insert(to)
            {
                open.push(to);
            }
        }
    }
    states
}

fn after(process: &Process, states: &BTreeSet<usize>, event: u32, visible: Set) -> BTreeSet<usize> {
    let steps = states.iter().flat_map(|state| process.from(*state));
    let targets = steps.filter(|(on, _)| *on == Some(event));
    closure(process, targets.filter_map(|(_, to)| to).collect(), visible)
}

/// It has no invisible step, not even one that fails.
fn is_stable(process: &Process, state: usize, visible: Set) -> bool {
    !process
        .from(state)
        .any(|(event, _)| is_invisible(event, visible))
}

/// A step that fails is a step of its state.
fn next(process: &Process, state: usize) -> Set {
    let events = process.from(state).filter_map(|(event, _)| event);
    events.fold(0, |set, event| set | 1 << event)
}

fn invisible_steps(process: &Process, state: usize, visible: Set) -> BTreeSet<usize> {
    let steps = process.from(state);
    steps
        .filter(|(event, _)| is_invisible(*event, visible))
        .filter_map(|(_, to)| to)
        .collect()
}

fn diverges(process: &Process, state: usize, visible: Set) -> bool {
    closure(process, BTreeSet::from([state]), visible)
        .into_iter()
        .any(|state| {
            let next = invisible_steps(process, state, visible);
            closure(process, next, visible).contains(&state)
        })
}

/// Whether it can go on with infinitely many visible steps.
fn has_infinite_trace(process: &Process, state: usize, visible: Set) -> bool {
    // In so many visible steps a state before one is met again.
    let mut may = closure(process, BTreeSet::from([state]), visible);
    for _ in 0..=process.states {
        let steps = (0..EVENTS).filter(|event| has(visible, *event));
        may = steps
            .flat_map(|event| after(process, &may, event, visible))
            .collect();
    }
    !may.is_empty()
}
