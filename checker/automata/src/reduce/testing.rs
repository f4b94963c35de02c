//! Reductions of testing automata (Hansen, Penczek and Valmari 2002, 3.4, and those of 2.3 that
//! need no insensitivity).

use std::collections::BTreeSet;

use crate::label::{Label, Valuation};
use crate::reduce::bisimulation::classes;
use crate::reduce::simulation::Simulation;
use crate::reduce::{greatest, renumbered, useful};
use crate::testing::{Testing, TestingState};
use crate::work::{NotMade, Stopped, Work};
use stubborn_system::components::Components;

impl Testing {
    /// A testing automaton that accepts the same words and has no more states. One without states
    /// where nothing is accepted.
    ///
    /// # Errors
    /// Where the work has been stopped.
    pub fn reduced(mut self, work: &Work<'_>) -> Result<Testing, Stopped> {
        loop {
            let (states, transitions) = self.size();
            work.spend(10 * (states + transitions))?;
            self.accept_all_where_nothing_can_fail(work)?;
            self.drop_marks_without_effect(work)?;
            self.drop_useless();
            self.unite_bisimilar(work)?;
            self.drop_simulated(work)?;
            if self.size() == (states, transitions) {
                return Ok(self);
            }
        }
    }

    fn size(&self) -> (usize, usize) {
        let transitions = self.states.iter().map(|state| state.next.len());
        (self.states.len(), transitions.sum())
    }

    fn edges(&self) -> Vec<Vec<u32>> {
        let next = |state: &TestingState| state.next.iter().map(|&(_, target)| target).collect();
        self.states.iter().map(next).collect()
    }

    /// From a `livelock` state which is `infinite` and `deadlock` too, and for each change leads to
    /// another such state or a `reject` state, everything is accepted: it is a `reject` state. (The
    /// paper has this for a state that leads to itself for each change.)
    fn accept_all_where_nothing_can_fail(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        let is_candidate = |state: &TestingState| {
            state.reject || state.infinite && state.livelock && state.deadlock
        };
        let mut all: Vec<bool> = self.states.iter().map(is_candidate).collect();
        let edges = self.edges();
        greatest(&edges, &mut all, work, &mut |number, all| {
            let state = &self.states[number];
            work.spend(state.next.len())?;
            let next = state.next.iter();
            let safe = next.filter(|&&(_, target)| all[target as usize]);
            let changes: BTreeSet<Valuation> = safe.map(|&(change, _)| change).collect();
            Ok(state.reject || is_every_change(changes.len(), self.propositions))
        })?;
        for (state, all) in self.states.iter_mut().zip(all) {
            state.reject |= all;
        }
        Ok(())
    }

    /// `reject` states need no transitions and no other marks; `infinite` means nothing on no cycle.
    fn drop_marks_without_effect(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        for state in &mut self.states {
            if state.reject {
                *state = TestingState {
                    initial: state.initial.take(),
                    reject: true,
                    ..TestingState::default()
                };
            }
            work.spend(state.initial.as_ref().map_or(0, Label::comparisons))?;
            state.initial = state.initial.take().map(|label| label.simplified());
            state.initial.take_if(|label| label.is_empty());
            state.next.sort_unstable();
            state.next.dedup();
        }
        let edges = self.edges();
        let components = Components::of(&edges);
        for (number, state) in self.states.iter_mut().enumerate() {
            state.infinite &= components.is_on_cycle(number as u32);
        }
        Ok(())
    }

    /// Drops what is not reachable, and that from which nothing that accepts is reachable.
    fn drop_useless(&mut self) {
        let accepts = |state: &TestingState| {
            state.reject || state.deadlock || state.livelock || state.infinite
        };
        let accepting: Vec<bool> = self.states.iter().map(accepts).collect();
        let numbers = 0..self.states.len() as u32;
        let begin: Vec<u32> = numbers
            .filter(|&number| self.states[number as usize].initial.is_some())
            .collect();
        let kept = useful(&self.edges(), &begin, &accepting);
        let renumbered = renumbered(&kept);
        let mut kept = kept.into_iter();
        self.states.retain(|_| kept.next().unwrap_or(false));
        for state in &mut self.states {
            let moved =
                |&(change, target): &(Valuation, u32)| Some((change, renumbered[target as usize]?));
            state.next = state.next.iter().filter_map(moved).collect();
        }
    }

    /// One state for all that are strongly bisimilar; it begins with what one of them begins with.
    fn unite_bisimilar(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        let marks = |state: &TestingState| {
            let TestingState {
                reject,
                deadlock,
                livelock,
                infinite,
                ..
            } = *state;
            (reject, deadlock, livelock, infinite)
        };
        let colours: Vec<_> = self.states.iter().map(marks).collect();
        let edges: Vec<_> = self.states.iter().map(|state| state.next.clone()).collect();
        let classes = classes(&colours, &edges, work)?;
        self.unite(&classes, work)
    }

    /// Drops the states, transitions and beginnings that a simulation makes superfluous.
    fn drop_simulated(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        let states = &self.states;
        let edges: Vec<_> = states.iter().map(|state| state.next.clone()).collect();
        let rejects: Vec<bool> = states.iter().map(|state| state.reject).collect();
        let allows = |simulating: usize, state: usize| {
            let (simulating, state) = (&states[simulating], &states[state]);
            simulating.reject
                || simulating.infinite >= state.infinite
                    && simulating.deadlock >= state.deadlock
                    && simulating.livelock >= state.livelock
        };
        let Some(simulation) = Simulation::of(&edges, &rejects, allows, work)? else {
            return Ok(());
        };
        self.unite(&simulation.classes, work)?;
        for state in &mut self.states {
            let next = std::mem::take(&mut state.next);
            let is_less = |&&(change, one): &&(Valuation, u32)| {
                let others = next.iter().filter(|&&(on, _)| on == change);
                others
                    .map(|&(_, two)| two)
                    .any(|two| simulation.is_less(one, two))
            };
            state.next = next.iter().filter(|one| !is_less(one)).copied().collect();
        }
        let begin: Vec<Label> = self
            .states
            .iter()
            .map(|state| state.initial.clone().unwrap_or_default())
            .collect();
        for (one, state) in self.states.iter_mut().enumerate() {
            let is_less = |(two, label): (usize, &Label)| {
                simulation.is_less(one as u32, two as u32) && label.includes(&begin[one])
            };
            state
                .initial
                .take_if(|_| begin.iter().enumerate().any(is_less));
        }
        Ok(())
    }

    /// One state for all of a class, whose marks are equal. It begins with what one of them begins
    /// with. The classes are numbered in the order of their first members.
    fn unite(&mut self, classes: &[u32], work: &Work<'_>) -> Result<(), Stopped> {
        let mut united: Vec<TestingState> = Vec::new();
        let mut begins: Vec<Vec<Label>> = Vec::new();
        for (&class, state) in classes.iter().zip(&self.states) {
            if class as usize == united.len() {
                united.push(TestingState {
                    initial: None,
                    next: Vec::new(),
                    ..*state
                });
                begins.push(Vec::new());
            }
            let whole = &mut united[class as usize];
            let next = state.next.iter();
            whole
                .next
                .extend(next.map(|&(change, target)| (change, classes[target as usize])));
            if let Some(label) = &state.initial {
                begins[class as usize].push(label.clone());
            }
        }
        for (state, labels) in united.iter_mut().zip(begins) {
            state.next.sort_unstable();
            state.next.dedup();
            if !labels.is_empty() {
                // One that gets too large is as good with all the cubes.
                let cubes = labels.iter().flat_map(|label| &label.cubes).copied();
                let all = Label {
                    cubes: cubes.collect(),
                };
                state.initial = Some(match Label::union_of(labels, work) {
                    Ok(label) => label,
                    Err(NotMade::TooLarge(_)) => all,
                    Err(NotMade::Stopped) => return Err(Stopped),
                });
            }
        }
        self.states = united;
        Ok(())
    }
}

/// Whether so many changes are all that there are.
fn is_every_change(count: usize, propositions: u32) -> bool {
    let count = count as u64;
    let all = 1u64.checked_shl(propositions);
    all.is_some_and(|all| count == all - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::figures;
    use crate::tests::random::Random;

    #[test]
    fn reduced_automata_accept_the_same_words_and_are_no_larger() {
        let mut random = Random::new(51);
        let mut smaller = 0;
        for _ in 0..1_500 {
            let propositions = 1 + random.below(3) as u32;
            let testing = random.testing(propositions);
            let reduced = testing.clone().reduced(&Work::unlimited()).unwrap();
            assert!(reduced.states.len() <= testing.states.len());
            smaller += usize::from(reduced.states.len() < testing.states.len());
            for _ in 0..20 {
                let word = random.word(propositions);
                assert_eq!(
                    testing.accepts(&word),
                    reduced.accepts(&word),
                    "{testing:?} {reduced:?} {word:?}"
                );
            }
            if testing.is_deterministic() {
                assert!(reduced.is_deterministic());
            }
        }
        assert!(smaller > 500, "{smaller}");
    }

    #[test]
    fn a_state_that_accepts_all_that_comes_rejects() {
        let state = TestingState {
            initial: Some(figures::p()),
            deadlock: true,
            livelock: true,
            infinite: true,
            next: vec![(1, 0)],
            ..TestingState::default()
        };
        let testing = Testing {
            propositions: 1,
            states: vec![state],
        };
        let reduced = testing.clone().reduced(&Work::unlimited()).unwrap();
        assert!(reduced.states[0].reject && reduced.states[0].next.is_empty());
        // Were it no deadlock state, runs that end would not be accepted.
        let mut ends = testing;
        ends.states[0].deadlock = false;
        assert!(!ends.clone().reduced(&Work::unlimited()).unwrap().states[0].reject);
    }

    #[test]
    fn what_accepts_nothing_has_no_states() {
        let mut testing = figures::theorem_4_3();
        testing.states[1].livelock = false;
        testing.states[0].infinite = true;
        testing.states[0].next.clear();
        assert_eq!(testing.reduced(&Work::unlimited()).unwrap().states, []);
    }
}
