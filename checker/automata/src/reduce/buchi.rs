//! Reductions of Büchi automata (Hansen, Penczek and Valmari 2002, 2.3).

use crate::buchi::{Buchi, BuchiState};
use crate::label::Label;
use crate::reduce::bisimulation::classes;
use crate::reduce::simulation::Simulation;
use crate::reduce::{greatest, renumbered, useful};
use crate::work::{Stopped, Work};
use stubborn_system::components::Components;

/// In an automaton with more states it is not looked for such as accept everything.
const MOST_COMPARED: usize = 4_096;

impl Buchi {
    /// A Büchi automaton that accepts the same words and has no more states; one without states
    /// where nothing is accepted. That an automaton is insensitive to stuttering allows for more.
    ///
    /// Beside the paper's reductions there are three: what accepts everything becomes a `reject`
    /// state, states and transitions that a simulation makes superfluous go, and states that differ
    /// in nothing but what they read become one.
    ///
    /// # Errors
    /// Where the work has been stopped.
    pub fn reduced(mut self, insensitive: bool, work: &Work<'_>) -> Result<Buchi, Stopped> {
        loop {
            let size = self.size();
            work.spend(10 * (size.0 + size.1))?;
            if insensitive {
                self.accept_before_stuttering();
            }
            self.accept_all_where_nothing_can_fail(work)?;
            self.drop_marks_without_effect(work)?;
            self.drop_useless();
            self.unite_bisimilar(work)?;
            self.drop_simulated(work)?;
            self.mark_more_infinite();
            self.unite_bisimilar(work)?;
            self.drop_simulated(work)?;
            self.drop_marks_without_effect(work)?;
            self.drop_useless();
            self.merge_labels(work)?;
            if self.size() == size {
                return Ok(self);
            }
        }
    }

    fn size(&self) -> (usize, usize, usize) {
        let transitions = self.states.iter().map(|state| state.next.len());
        let initial = self.states.iter().filter(|state| state.initial);
        (self.states.len(), transitions.sum(), initial.count())
    }

    pub(super) fn edges(&self) -> Vec<Vec<u32>> {
        self.states.iter().map(|state| state.next.clone()).collect()
    }

    /// A state all of whose valuations a `reject` state after it reads too is a `reject` state:
    /// repeating the valuation leads there. The same goes for `deadlock`.
    fn accept_before_stuttering(&mut self) {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (number, state) in self.states.iter().enumerate() {
            for &next in &state.next {
                let label = &self.states[next as usize].label;
                if next != number as u32 && label.includes(&state.label) {
                    before[next as usize].push(number as u32);
                }
            }
        }
        let spread = |states: &mut [BuchiState], mark: fn(&mut BuchiState) -> &mut bool| {
            let numbers = 0..states.len() as u32;
            let mut work: Vec<u32> = numbers
                .filter(|&number| *mark(&mut states[number as usize]))
                .collect();
            while let Some(number) = work.pop() {
                for &earlier in &before[number as usize] {
                    if !std::mem::replace(mark(&mut states[earlier as usize]), true) {
                        work.push(earlier);
                    }
                }
            }
        };
        spread(&mut self.states, |state| &mut state.reject);
        spread(&mut self.states, |state| &mut state.deadlock);
    }

    /// From a state which is `infinite` and `deadlock`, and for each valuation leads to another such
    /// state or a `reject` state, everything is accepted: it is a `reject` state.
    fn accept_all_where_nothing_can_fail(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        if self.states.len() > MOST_COMPARED {
            return Ok(());
        }
        let is_candidate = |state: &BuchiState| {
            state.reject || state.infinite && (state.deadlock || self.ends_repeat)
        };
        let mut all: Vec<bool> = self.states.iter().map(is_candidate).collect();
        let edges = self.edges();
        greatest(&edges, &mut all, work, &mut |number, all| {
            let state = &self.states[number];
            if state.reject {
                return Ok(true);
            }
            let safe = state.next.iter().filter(|&&next| all[next as usize]);
            let cubes = safe.flat_map(|&next| &self.states[next as usize].label.cubes);
            let read = Label {
                cubes: cubes.copied().collect(),
            };
            work.spend(state.next.len() + read.cubes.len())?;
            Ok(read.includes(&Label::any()))
        })?;
        for (state, all) in self.states.iter_mut().zip(all) {
            state.reject |= all;
        }
        Ok(())
    }

    /// `reject` states need no transitions and no other marks; `infinite` means nothing on no cycle,
    /// and `deadlock` nothing where ends repeat.
    fn drop_marks_without_effect(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        for state in &mut self.states {
            work.spend(state.label.comparisons())?;
            state.label = state.label.simplified();
            state.deadlock &= !state.reject && !self.ends_repeat;
            if state.reject {
                state.infinite = false;
                state.next.clear();
            }
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
        let edges: Vec<Vec<u32>> = self
            .states
            .iter()
            .map(|state| match state.label.is_empty() {
                true => Vec::new(),
                false => state.next.clone(),
            })
            .collect();
        let accepts = |state: &BuchiState| {
            !state.label.is_empty() && (state.reject || state.deadlock || state.infinite)
        };
        let accepting: Vec<bool> = self.states.iter().map(accepts).collect();
        let numbers = 0..self.states.len() as u32;
        let begin: Vec<u32> = numbers
            .filter(|&number| self.states[number as usize].initial)
            .collect();
        self.keep(&useful(&edges, &begin, &accepting));
    }

    /// Drops all other states.
    pub(super) fn keep(&mut self, kept: &[bool]) {
        let renumbered = renumbered(kept);
        let mut kept = kept.iter();
        self.states
            .retain(|_| kept.next().is_some_and(|&kept| kept));
        for state in &mut self.states {
            let next = state.next.iter();
            state.next = next.filter_map(|&next| renumbered[next as usize]).collect();
        }
    }

    /// Marks as `infinite` what is on no cycle without an `infinite` state, which changes nothing in
    /// what is accepted: a state may be simulated by another with the one marks, and not with the
    /// others.
    fn mark_more_infinite(&mut self) {
        let there = |number: u32| !self.states[number as usize].infinite;
        let next = |(number, state): (usize, &BuchiState)| {
            let next = state.next.iter().copied();
            next.filter(|&next| there(next) && there(number as u32))
                .collect()
        };
        let edges: Vec<Vec<u32>> = self.states.iter().enumerate().map(next).collect();
        let components = Components::of(&edges);
        for (number, state) in self.states.iter_mut().enumerate() {
            state.infinite |= !state.reject && !components.is_on_cycle(number as u32);
        }
    }

    /// One state for all that are strongly bisimilar.
    fn unite_bisimilar(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        let colour = |state: &'_ BuchiState| (state.reject, state.deadlock, state.infinite);
        let colours: Vec<_> = self
            .states
            .iter()
            .map(|state| (&state.label, colour(state)))
            .collect();
        let classes = classes(&colours, &self.unlabelled(), work)?;
        self.unite(&classes);
        Ok(())
    }

    fn unlabelled(&self) -> Vec<Vec<((), u32)>> {
        let next = |state: &BuchiState| state.next.iter().map(|&next| ((), next)).collect();
        self.states.iter().map(next).collect()
    }

    /// Drops the states, transitions and beginnings that a simulation makes superfluous.
    fn drop_simulated(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        let states = &self.states;
        let rejects: Vec<bool> = states.iter().map(|state| state.reject).collect();
        let allows = |simulating: usize, state: usize| {
            let (simulating, state) = (&states[simulating], &states[state]);
            let marked = simulating.reject
                || simulating.infinite >= state.infinite && simulating.deadlock >= state.deadlock;
            marked && simulating.label.includes(&state.label)
        };
        let Some(simulation) = Simulation::of(&self.unlabelled(), &rejects, allows, work)? else {
            return Ok(());
        };
        self.unite(&simulation.classes);
        for state in &mut self.states {
            let next = std::mem::take(&mut state.next);
            let is_less = |one: u32| next.iter().any(|&two| simulation.is_less(one, two));
            state.next = next.iter().copied().filter(|&one| !is_less(one)).collect();
        }
        let numbers = 0..self.states.len() as u32;
        let begin: Vec<u32> = numbers
            .filter(|&number| self.states[number as usize].initial)
            .collect();
        for &one in &begin {
            let is_less = begin.iter().any(|&two| simulation.is_less(one, two));
            self.states[one as usize].initial = !is_less;
        }
        Ok(())
    }

    /// One state for all of a class, whose marks and labels are equal. The classes are numbered in
    /// the order of their first members.
    pub(super) fn unite(&mut self, classes: &[u32]) {
        let mut united: Vec<BuchiState> = Vec::new();
        for (&class, state) in classes.iter().zip(&self.states) {
            if class as usize == united.len() {
                united.push(BuchiState {
                    next: Vec::new(),
                    ..state.clone()
                });
            }
            let whole = &mut united[class as usize];
            whole.initial |= state.initial;
            let next = state.next.iter().map(|&next| classes[next as usize]);
            whole.next.extend(next);
        }
        for state in &mut united {
            state.next.sort_unstable();
            state.next.dedup();
        }
        self.states = united;
    }
}

#[cfg(test)]
mod tests {
    use crate::label::Label;
    use crate::tests::figures::{self, not_p, p};
    use crate::tests::random::Random;
    use crate::to_buchi::buchi_of;
    use crate::work::Work;

    #[test]
    fn reduced_automata_accept_the_same_words_and_are_no_larger() {
        let mut random = Random::new(61);
        let mut smaller = 0;
        for _ in 0..3_000 {
            let propositions = 1 + random.below(3) as u32;
            let buchi = random.buchi(propositions);
            let reduced = buchi.clone().reduced(false, &Work::unlimited()).unwrap();
            assert!(reduced.states.len() <= buchi.states.len());
            smaller += usize::from(reduced.states.len() < buchi.states.len());
            for _ in 0..20 {
                let word = random.word(propositions);
                assert_eq!(
                    buchi.accepts(&word),
                    reduced.accepts(&word),
                    "{buchi:?} {reduced:?} {word:?}"
                );
            }
        }
        assert!(smaller > 1_000, "{smaller}");
    }

    #[test]
    fn insensitive_ones_accept_the_same_words_when_reduced_as_such() {
        let mut random = Random::new(62);
        for _ in 0..1_000 {
            let propositions = 1 + random.below(2) as u32;
            let buchi = buchi_of(&random.testing(propositions), &Work::unlimited()).unwrap();
            let reduced = buchi.clone().reduced(true, &Work::unlimited()).unwrap();
            for _ in 0..20 {
                let word = random.word(propositions);
                assert_eq!(
                    buchi.accepts(&word),
                    reduced.accepts(&word),
                    "{buchi:?} {reduced:?} {word:?}"
                );
            }
        }
    }

    #[test]
    fn both_buchi_automata_of_figure_2_reduce_to_one() {
        let by_states = figures::not_eventually_always_p();
        assert_eq!(
            by_states
                .clone()
                .reduced(false, &Work::unlimited())
                .unwrap(),
            by_states
        );
        let by_transitions = figures::not_eventually_always_p_by_transitions();
        let mut reduced = by_transitions.reduced(false, &Work::unlimited()).unwrap();
        // Its p state is a second beginning, which makes no difference.
        assert!(std::mem::take(&mut reduced.states[1].initial));
        assert_eq!(reduced, by_states);
    }

    #[test]
    fn what_accepts_everything_rejects() {
        let mut buchi = figures::buchi(&[
            ("", p(), &[0, 1]),
            ("!", not_p(), &[1, 2]),
            ("!", p(), &[1, 2]),
        ]);
        buchi.ends_repeat = true;
        let reduced = buchi.reduced(false, &Work::unlimited()).unwrap();
        assert_eq!(reduced.states.len(), 2);
        assert!(reduced.states[1].reject && reduced.states[1].label == not_p());
    }

    #[test]
    fn what_accepts_nothing_has_no_states() {
        let buchi = figures::buchi(&[("", Label::any(), &[1]), ("!", p(), &[2]), ("", p(), &[2])]);
        assert_eq!(buchi.reduced(false, &Work::unlimited()).unwrap().states, []);
    }
}
