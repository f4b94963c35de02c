//! Valuations between which the labels of an automaton make no difference, as one.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::buchi::{Buchi, BuchiState};
use crate::label::{Cube, Label};
use crate::limits::{Counted, TooLarge};
use crate::work::{NotMade, Work};

/// No more classes are told apart,
const MOST_CLASSES: usize = 1_024;
/// and no more pairs of cubes are compared for that.
const MOST_WORK: usize = 4_000_000;

/// The automaton over as few propositions as its labels need: valuations that all labels read or do
/// not read alike are of one class, each class has a number, and its binary digits are the
/// propositions. Numbers that are left over stand for the first class.
///
/// So each word of the one automaton is a word of the other, class by class, which is accepted where
/// it is, and each word of classes stands for some words of the given automaton in which what repeats
/// in the one repeats in the other. A label over twenty propositions costs no more than one over one.
///
/// # Errors
/// Where it would be too large, or the work has been stopped.
pub fn by_classes(buchi: &Buchi, work: &Work<'_>) -> Result<Buchi, NotMade> {
    let too_many = TooLarge {
        what: Counted::Classes,
        most: MOST_CLASSES as u64,
    };
    let mut classes = vec![Label::any()];
    let mut compared = 0;
    let mut met: FxHashSet<&Label> = FxHashSet::default();
    for state in &buchi.states {
        if !met.insert(&state.label) {
            continue;
        }
        let outside = state.label.complement(work)?;
        let cubes = state.label.cubes.len() + outside.cubes.len();
        let pairs = cubes * classes.iter().map(|class| class.cubes.len()).sum::<usize>();
        compared += pairs;
        if compared > MOST_WORK {
            return Err(too_many.into());
        }
        let mut finer = Vec::with_capacity(classes.len() + 1);
        for class in &classes {
            for part in [&state.label, &outside] {
                let part = class.intersection(part, work)?;
                work.spend(part.comparisons())?;
                let part = part.simplified();
                if !part.is_empty() {
                    finer.push(part);
                }
            }
        }
        if finer.len() > MOST_CLASSES {
            return Err(too_many.into());
        }
        classes = finer;
    }
    let digits = classes.len().next_power_of_two().trailing_zeros();
    let all_digits = (1u64 << digits) - 1;
    let recoded = |given: &Label| {
        // A class is read as a whole or not at all.
        let reads = |code: u64| {
            let class = classes.get(code as usize).unwrap_or(&classes[0]);
            class.meets(given)
        };
        let codes = (0..=all_digits).filter(|&code| reads(code));
        let cubes = codes.map(|code| Label::of_cube(Cube::exactly(code, all_digits)));
        Label::union_of(cubes.collect(), work)
    };
    let mut states = Vec::with_capacity(buchi.states.len());
    let mut known: FxHashMap<&Label, Label> = FxHashMap::default();
    for state in &buchi.states {
        let label = match known.get(&state.label) {
            Some(label) => label.clone(),
            None => {
                work.spend((1 << digits) * state.label.cubes.len())?;
                let label = recoded(&state.label)?;
                known.insert(&state.label, label.clone());
                label
            }
        };
        states.push(BuchiState {
            label,
            next: state.next.clone(),
            ..*state
        });
    }
    Ok(Buchi {
        propositions: digits,
        states,
        ends_repeat: buchi.ends_repeat,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::figures;
    use crate::tests::random::Random;
    use crate::word::Word;

    #[test]
    fn labels_that_need_one_proposition_get_one() {
        let label = Label::of_cube(Cube {
            holds: (1 << 20) - 1,
            fails: 0,
        });
        let buchi = figures::buchi(&[("", Label::any(), &[0, 1]), ("!", label, &[1])]);
        let coded = by_classes(&buchi, &Work::unlimited()).unwrap();
        assert_eq!(coded.propositions, 1);
        assert_eq!(coded.states[0].label, Label::any());
        assert_eq!(coded.states[1].label, figures::not_p());
    }

    #[test]
    fn a_word_is_accepted_where_its_classes_are() {
        let mut random = Random::new(121);
        for _ in 0..300 {
            let buchi = random.buchi(3);
            let coded = by_classes(&buchi, &Work::unlimited()).unwrap();
            // A class is what the same states read.
            let readers = |buchi: &Buchi, valuation: u64| -> Vec<bool> {
                let states = buchi.states.iter();
                states.map(|state| state.label.reads(valuation)).collect()
            };
            let class = |&valuation: &u64| {
                let mut codes = 0..1 << coded.propositions;
                let same = |&code: &u64| readers(&coded, code) == readers(&buchi, valuation);
                codes.find(same).unwrap()
            };
            for _ in 0..10 {
                let word = random.word(3);
                let classes = match &word {
                    Word::Ends(valuations) => Word::Ends(valuations.iter().map(class).collect()),
                    Word::Lasso { prefix, cycle } => Word::Lasso {
                        prefix: prefix.iter().map(class).collect(),
                        cycle: cycle.iter().map(class).collect(),
                    },
                };
                assert_eq!(
                    buchi.accepts(&word),
                    coded.accepts(&classes),
                    "{buchi:?} {word:?}"
                );
            }
        }
    }

    #[test]
    fn an_automaton_with_too_many_classes_is_refused() {
        let proposition = |number: u32| {
            let label = Label::of_cube(Cube {
                holds: 1 << number,
                fails: 0,
            });
            ("!", label, &[0][..])
        };
        let states: Vec<_> = (0..11).map(proposition).collect();
        let refused = by_classes(&figures::buchi(&states), &Work::unlimited()).unwrap_err();
        let most = MOST_CLASSES as u64;
        let what = Counted::Classes;
        assert_eq!(refused, TooLarge { what, most }.into());
    }
}
