//! What a Büchi automaton accepts where nothing changes any more.

use rustc_hash::FxHashMap;

use crate::buchi::Buchi;
use crate::label::Valuation;
use stubborn_system::components::Components;

/// How many bytes of answers are kept: a byte a state,
const MOST_KEPT: usize = 1 << 26;
/// and about so many for the valuation that they are found by.
const BYTES_OF_VALUATION: usize = 64;

/// From which states an automaton accepts one valuation that repeats for ever. Each valuation is
/// worked out once, unless there are so many that all is forgotten on the way.
pub struct Forever {
    buchi: Buchi,
    mentions: Valuation,
    /// For the propositions that make a difference: whether each state accepts.
    known: FxHashMap<Valuation, Box<[bool]>>,
}

impl Forever {
    /// Copies the automaton.
    pub fn new(buchi: &Buchi) -> Forever {
        Forever {
            mentions: buchi.mentions(),
            buchi: buchi.clone(),
            known: FxHashMap::default(),
        }
    }

    /// Whether the automaton, being in a state having just read `valuation`, accepts if that
    /// valuation repeats for ever: it can come to a `reject` state, or be in `infinite` states
    /// infinitely often. The first question about a valuation takes time in the size of the
    /// automaton.
    pub fn accepts(&mut self, state: u32, valuation: Valuation) -> bool {
        self.accepts_keeping(state, valuation, MOST_KEPT)
    }

    fn accepts_keeping(&mut self, state: u32, valuation: Valuation, most: usize) -> bool {
        let Forever { buchi, known, .. } = self;
        let valuation = valuation & self.mentions;
        if (known.len() + 1).saturating_mul(BYTES_OF_VALUATION + buchi.states.len()) > most
            && !known.contains_key(&valuation)
        {
            known.clear();
        }
        let accepting = known
            .entry(valuation)
            .or_insert_with(|| accepting(buchi, valuation).into());
        accepting[state as usize]
    }
}

fn accepting(buchi: &Buchi, valuation: Valuation) -> Vec<bool> {
    let reads = |&next: &u32| buchi.states[next as usize].label.reads(valuation);
    let edges: Vec<Vec<u32>> = buchi
        .states
        .iter()
        .map(|state| state.next.iter().copied().filter(reads).collect())
        .collect();
    let components = Components::of(&edges);
    let goals = buchi.states.iter().enumerate().map(|(number, state)| {
        state.reject || state.infinite && components.is_on_cycle(number as u32)
    });
    components.leading_to(&goals.collect::<Vec<bool>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random::Random;
    use crate::word::Word;

    #[test]
    fn it_says_what_the_automaton_begun_in_that_state_accepts() {
        let mut random = Random::new(11);
        for _ in 0..500 {
            let buchi = random.buchi(2);
            let mut forever = Forever::new(&buchi);
            for number in 0..buchi.states.len() {
                let mut begun = buchi.clone();
                for (other, state) in begun.states.iter_mut().enumerate() {
                    state.initial = other == number;
                }
                for valuation in 0..4 {
                    let word = Word::Lasso {
                        prefix: Vec::new(),
                        cycle: vec![valuation],
                    };
                    if begun.states[number].label.reads(valuation) {
                        assert_eq!(
                            forever.accepts(number as u32, valuation),
                            begun.accepts(&word),
                            "{buchi:?} in {number} with {valuation}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn no_more_answers_are_kept_than_are_allowed_and_all_are_the_same() {
        let mut random = Random::new(13);
        for _ in 0..100 {
            let buchi = random.buchi(3);
            let states = buchi.states.len();
            let mut all = Forever::new(&buchi);
            for kept in [1, 2, 3] {
                let most = kept * (BYTES_OF_VALUATION + states);
                let mut some = Forever::new(&buchi);
                for valuation in [0, 1, 2, 3, 0, 5, 2, 7, 4, 6, 1] {
                    for state in 0..states as u32 {
                        let accepts = some.accepts_keeping(state, valuation, most);
                        assert_eq!(accepts, all.accepts(state, valuation));
                    }
                    assert!(some.known.len() <= kept);
                }
            }
        }
    }
}
