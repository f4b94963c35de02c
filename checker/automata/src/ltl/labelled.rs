//! Büchi automata whose states are labelled, while they are made smaller.
//!
//! Rounds of: leaving out what is not reached and where nothing is accepted; accepting where it makes
//! no difference; joining bisimilar states, forwards and backwards; and, of not too large automata,
//! joining states that simulate one another and leaving out steps to states that another step's
//! target simulates (Somenzi and Bloem 2000, sections 5 and 6).

use super::effort::Effort;
use super::letters::Letters;
use crate::buchi::{Buchi, BuchiState};
use crate::reduce::bisimulation;
use crate::work::{Stopped, Work};
use stubborn_system::components::Components;

/// More states are not compared pair by pair.
const MOST_SIMULATED: usize = 600;

#[derive(Clone, Debug, Default)]
pub(crate) struct Labelled {
    pub(crate) letters: Vec<Letters>,
    pub(crate) accepting: Vec<bool>,
    pub(crate) initial: Vec<bool>,
    pub(crate) next: Vec<Vec<u32>>,
}

impl Labelled {
    pub(crate) fn len(&self) -> usize {
        self.letters.len()
    }

    fn edges(&self) -> u64 {
        self.next.iter().map(|next| 1 + next.len() as u64).sum()
    }

    pub(crate) fn reduce(&mut self, effort: &mut Effort<'_>) -> Result<(), Stopped> {
        self.trim();
        // Which states that are on no cycle accept makes no difference, but which of them look alike.
        for round in 0..8 {
            let before = (self.len(), self.edges());
            self.mark(round % 2 == 0);
            if !effort.afford(20 * self.edges()) {
                return Ok(());
            }
            self.join_bisimilar(true, effort.work())?;
            self.join_bisimilar(false, effort.work())?;
            self.simulate(effort)?;
            self.trim();
            if round % 2 == 1 && before == (self.len(), self.edges()) {
                break;
            }
        }
        Ok(())
    }

    /// Leaves out states that are not reached or from which no accepted cycle is.
    fn trim(&mut self) {
        let found = Components::of(&self.next);
        let accepted = self.accepting.iter().zip(0..);
        let accepted = accepted.map(|(accepting, state)| *accepting && found.is_on_cycle(state));
        let alive = found.leading_to(&accepted.collect::<Vec<bool>>());
        let alive = |state: u32| alive[state as usize];
        let mut numbers = vec![None; self.len()];
        let mut order = Vec::new();
        for (state, &initial) in self.initial.iter().enumerate() {
            if initial && alive(state as u32) {
                numbers[state] = Some(order.len() as u32);
                order.push(state);
            }
        }
        let mut at = 0;
        while at < order.len() {
            for &target in &self.next[order[at]] {
                if numbers[target as usize].is_none() && alive(target) {
                    numbers[target as usize] = Some(order.len() as u32);
                    order.push(target as usize);
                }
            }
            at += 1;
        }
        let mut kept = Labelled::default();
        for state in order {
            kept.letters.push(self.letters[state].clone());
            kept.accepting.push(self.accepting[state]);
            kept.initial.push(self.initial[state]);
            let targets = self.next[state].iter();
            let mut next: Vec<u32> = targets
                .filter_map(|&target| numbers[target as usize])
                .collect();
            next.sort_unstable();
            next.dedup();
            kept.next.push(next);
        }
        *self = kept;
    }

    /// Lets states accept, or not, where that makes no difference. With `most`, those accept through
    /// which no cycle goes but with an accepting state on it: a run that is in one of them for ever
    /// again is accepted as it is. Else those do not that are on no cycle.
    fn mark(&mut self, most: bool) {
        if most {
            let plain: Vec<Vec<u32>> = (0..self.len())
                .map(|state| {
                    let targets = self.next[state].iter().copied();
                    let plain = |state: usize| !self.accepting[state];
                    targets
                        .filter(|&target| plain(state) && plain(target as usize))
                        .collect()
                })
                .collect();
            let found = Components::of(&plain);
            for (accepting, state) in self.accepting.iter_mut().zip(0..) {
                *accepting |= !found.is_on_cycle(state);
            }
        } else {
            let found = Components::of(&self.next);
            for (accepting, state) in self.accepting.iter_mut().zip(0..) {
                *accepting &= found.is_on_cycle(state);
            }
        }
    }

    fn previous(&self) -> Vec<Vec<u32>> {
        let mut previous = vec![Vec::new(); self.len()];
        for (state, next) in self.next.iter().enumerate() {
            for &target in next {
                previous[target as usize].push(state as u32);
            }
        }
        previous
    }

    /// Joins states that read and accept the same and are followed by the same states, up to those
    /// that are joined; or, backwards, that are preceded by the same states: a run to one of them is
    /// a run to each.
    fn join_bisimilar(&mut self, forwards: bool, work: &Work<'_>) -> Result<(), Stopped> {
        let colour = |state: usize| {
            let initial = !forwards && self.initial[state];
            (&self.letters[state], self.accepting[state], initial)
        };
        let colours: Vec<_> = (0..self.len()).map(colour).collect();
        let previous;
        let around = if forwards {
            &self.next
        } else {
            previous = self.previous();
            &previous
        };
        let unlabelled = |around: &Vec<u32>| around.iter().map(|&other| ((), other)).collect();
        let edges: Vec<Vec<((), u32)>> = around.iter().map(unlabelled).collect();
        let class = bisimulation::classes(&colours, &edges, work)?;
        let classes = class.iter().max().map_or(0, |last| *last as usize + 1);
        self.join(&class, classes);
        Ok(())
    }

    /// Makes one state of each class, which can do what one of them can.
    fn join(&mut self, class: &[u32], classes: usize) {
        if classes == self.len() {
            return;
        }
        let mut joined = Labelled {
            letters: vec![Letters::none(); classes],
            accepting: vec![false; classes],
            initial: vec![false; classes],
            next: vec![Vec::new(); classes],
        };
        for (state, &own) in class.iter().enumerate() {
            let own = own as usize;
            joined.letters[own] = self.letters[state].clone();
            joined.accepting[own] = self.accepting[state];
            joined.initial[own] |= self.initial[state];
            let targets = self.next[state].iter();
            joined.next[own].extend(targets.map(|&target| class[target as usize]));
        }
        for next in &mut joined.next {
            next.sort_unstable();
            next.dedup();
        }
        *self = joined;
    }

    /// Direct simulation: a state simulates another one if it reads what that reads, accepts where
    /// that does, and can follow each of its steps to a state that simulates the target.
    fn simulate(&mut self, effort: &mut Effort<'_>) -> Result<(), Stopped> {
        let states = self.len();
        let degree = self.edges() / (states as u64).max(1) + 1;
        let pairs = (states * states) as u64;
        if states > MOST_SIMULATED || !effort.afford(pairs * degree) {
            return Ok(());
        }
        // Whether `large` simulates `small`, at small * states + large.
        let mut simulated = vec![false; states * states];
        for small in 0..states {
            effort.work().spend(10 * states)?;
            for large in 0..states {
                simulated[small * states + large] = (self.accepting[large]
                    || !self.accepting[small])
                    && self.letters[large].contains(&self.letters[small]);
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            let mut operations = 0;
            for small in 0..states {
                for large in 0..states {
                    if small == large || !simulated[small * states + large] {
                        continue;
                    }
                    let follows = self.next[small].iter().all(|&target| {
                        self.next[large].iter().any(|&other| {
                            operations += 1;
                            simulated[target as usize * states + other as usize]
                        })
                    });
                    if !follows {
                        simulated[small * states + large] = false;
                        changed = true;
                    }
                }
            }
            effort.work().spend(operations as usize)?;
            if !effort.afford(operations) {
                return Ok(());
            }
        }
        let simulated =
            |small: u32, large: u32| simulated[small as usize * states + large as usize];
        // Of states that simulate one another the first one stands for all.
        let stands: Vec<u32> = (0..states as u32)
            .map(|state| {
                let same = |&other: &u32| simulated(state, other) && simulated(other, state);
                (0..states as u32).find(same).unwrap_or(state)
            })
            .collect();
        let better = |one: u32, other: u32| one != other && simulated(one, other);
        let best = |targets: Vec<u32>| -> Vec<u32> {
            let mut targets: Vec<u32> = targets.into_iter().map(|t| stands[t as usize]).collect();
            targets.sort_unstable();
            targets.dedup();
            let all = targets.clone();
            targets.retain(|&one| !all.iter().any(|&other| better(one, other)));
            targets
        };
        let initial = (0..states as u32).filter(|&state| self.initial[state as usize]);
        let initial = best(initial.collect());
        self.initial = vec![false; states];
        for state in initial {
            self.initial[state as usize] = true;
        }
        for state in 0..states {
            self.next[state] = best(std::mem::take(&mut self.next[state]));
        }
        self.trim();
        Ok(())
    }

    /// As a Büchi automaton. What accepts everything from then on rejects at once.
    pub(crate) fn buchi(self, propositions: u32) -> Buchi {
        let rejects = self.rejects();
        let states = (0..self.len()).map(|state| BuchiState {
            label: self.letters[state].label(),
            initial: self.initial[state],
            reject: rejects[state],
            deadlock: false,
            infinite: self.accepting[state] && !rejects[state],
            next: if rejects[state] {
                Vec::new()
            } else {
                self.next[state].clone()
            },
        });
        let states: Vec<BuchiState> = states.collect();
        reached(Buchi {
            propositions,
            states,
            ends_repeat: true,
        })
    }

    /// The states whose runs are accepted whatever they read afterwards, as far as labels tell: an
    /// accepting state that reads everything and goes round, and where whatever is read next leads to
    /// such a state.
    fn rejects(&self) -> Vec<bool> {
        let any = Letters::any();
        let mut rejects: Vec<bool> = (0..self.len())
            .map(|state| {
                self.accepting[state]
                    && self.letters[state] == any
                    && self.next[state].contains(&(state as u32))
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for state in 0..self.len() {
                if rejects[state] {
                    continue;
                }
                let next = self.next[state].iter();
                let next = next.filter(|&&target| rejects[target as usize]);
                let read = next.fold(Letters::none(), |read, &target| {
                    read.union(&self.letters[target as usize])
                });
                if read == any {
                    rejects[state] = true;
                    changed = true;
                }
            }
        }
        rejects
    }
}

/// Without the states that are not reached.
fn reached(mut buchi: Buchi) -> Buchi {
    let mut numbers = vec![None; buchi.states.len()];
    let mut order: Vec<usize> = Vec::new();
    for (state, kept) in buchi.states.iter().enumerate() {
        if kept.initial {
            numbers[state] = Some(order.len() as u32);
            order.push(state);
        }
    }
    let mut at = 0;
    while at < order.len() {
        for &target in &buchi.states[order[at]].next {
            let number = &mut numbers[target as usize];
            if number.is_none() {
                *number = Some(order.len() as u32);
                order.push(target as usize);
            }
        }
        at += 1;
    }
    let states = order.into_iter().map(|state| {
        let mut state = std::mem::take(&mut buchi.states[state]);
        for target in &mut state.next {
            *target = numbers[*target as usize].unwrap_or_default();
        }
        state
    });
    let states = states.collect();
    Buchi { states, ..buchi }
}
