//! Büchi automata of which each state reads exactly one valuation, as the paper has them (Hansen,
//! Penczek and Valmari 2002, 2.1).

use rustc_hash::FxHashMap;

use crate::buchi::{Buchi, BuchiState};
use crate::label::{Cube, Label, Valuation};
use crate::limits::{BYTES_OF_STATE, MOST_STATES, MOST_TRANSITIONS, TooLarge};
use crate::work::{NotMade, Work};

impl Buchi {
    /// The same automaton with a state for each valuation that a state reads, of which only the
    /// reachable ones are there. Propositions that no label mentions are not split over: a valuation
    /// here is one of the others.
    ///
    /// `reject` states have no transitions afterwards: they accept whatever comes.
    ///
    /// # Errors
    /// Where it would be too large, or the work has been stopped.
    pub fn split(&self, work: &Work<'_>) -> Result<Buchi, NotMade> {
        self.split_over(self.mentions(), work)
    }

    /// Likewise with a state for each valuation of the propositions in `over`, which all labels
    /// mention no others than.
    pub(crate) fn split_over(&self, over: Valuation, work: &Work<'_>) -> Result<Buchi, NotMade> {
        self.split_within(over, MOST_STATES, work)
    }

    /// With no more states than `most`.
    pub(crate) fn split_within(
        &self,
        over: Valuation,
        most: usize,
        work: &Work<'_>,
    ) -> Result<Buchi, NotMade> {
        let mut read: Vec<Option<Vec<Valuation>>> = vec![None; self.states.len()];
        let mut numbers: FxHashMap<(u32, Valuation), u32> = FxHashMap::default();
        let mut found: Vec<(u32, Valuation)> = Vec::new();
        let mut enter = |state: u32, found: &mut Vec<(u32, Valuation)>, into: &mut Vec<u32>| {
            let valuations = match &mut read[state as usize] {
                Some(valuations) => valuations,
                unknown => {
                    let label = &self.states[state as usize].label;
                    let valuations = label.valuations(over, most);
                    unknown.insert(valuations.ok_or(TooLarge::more_states_than(most))?)
                }
            };
            work.spend(1 + valuations.len())?;
            for &valuation in valuations.iter() {
                let number = *numbers.entry((state, valuation)).or_insert_with(|| {
                    found.push((state, valuation));
                    found.len() as u32 - 1
                });
                into.push(number);
            }
            if found.len() > most {
                return Err(NotMade::from(TooLarge::more_states_than(most)));
            }
            Ok(())
        };

        let mut begin = Vec::new();
        for (number, state) in self.states.iter().enumerate() {
            if state.initial {
                enter(number as u32, &mut found, &mut begin)?;
            }
        }
        let mut states: Vec<BuchiState> = Vec::new();
        let mut transitions = 0;
        while let Some(&(number, valuation)) = found.get(states.len()) {
            let state = &self.states[number as usize];
            let mut next = Vec::new();
            if !state.reject {
                for &target in &state.next {
                    enter(target, &mut found, &mut next)?;
                }
                next.sort_unstable();
                next.dedup();
            }
            transitions += next.len();
            work.hold(BYTES_OF_STATE * found.len() + 4 * transitions)?;
            if transitions > MOST_TRANSITIONS {
                return Err(TooLarge::transitions().into());
            }
            states.push(BuchiState {
                label: Label::of_cube(Cube::exactly(valuation, over)),
                next,
                ..*state
            });
        }
        Ok(Buchi {
            propositions: self.propositions,
            states,
            ends_repeat: self.ends_repeat,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::figures;
    use crate::tests::random::Random;

    #[test]
    fn split_states_read_one_valuation_and_accept_the_same() {
        let mut random = Random::new(21);
        for _ in 0..500 {
            let buchi = random.buchi(3);
            let split = buchi.split(&Work::unlimited()).unwrap();
            let mentions = buchi.mentions();
            for state in &split.states {
                assert_eq!(state.label.cubes.len(), 1);
                assert_eq!(state.label.mentions(), mentions);
            }
            for _ in 0..20 {
                let word = random.word(3);
                assert_eq!(
                    buchi.accepts(&word),
                    split.accepts(&word),
                    "{buchi:?} {word:?}"
                );
            }
        }
    }

    #[test]
    fn what_is_not_mentioned_is_not_split_over() {
        let mut buchi = figures::not_eventually_always_p();
        buchi.propositions = 64;
        assert_eq!(buchi.split(&Work::unlimited()).unwrap().states.len(), 3);
    }

    #[test]
    fn a_condition_with_too_many_valuations_is_refused() {
        let one_of = (0..20).map(|bit| Cube {
            holds: 1 << bit,
            fails: 0,
        });
        let label = Label {
            cubes: one_of.collect(),
        };
        let buchi = figures::buchi(&[("!", label, &[0])]);
        let refused = buchi.split(&Work::unlimited()).unwrap_err();
        assert_eq!(refused, TooLarge::states().into());
    }
}
