//! The paper's automata, and random ones, through all the conversions and reductions: what is
//! accepted stays the same.

use crate::buchi::Buchi;
use crate::stuttering::Insensitivity;
use crate::testing::Testing;
use crate::tests::figures;
use crate::tests::random::Random;
use crate::to_buchi::buchi_of;
use crate::to_testing::testing_of;
use crate::word::Word;
use crate::work::Work;

/// Either kind.
#[derive(Clone, Debug)]
enum Either {
    Buchi(Buchi),
    Testing(Testing),
}

impl Either {
    fn accepts(&self, word: &Word) -> bool {
        match self {
            Either::Buchi(buchi) => buchi.accepts(word),
            Either::Testing(testing) => testing.accepts(word),
        }
    }

    /// What the automaton becomes by each conversion and reduction.
    fn converted(&self) -> Vec<Either> {
        match self {
            Either::Buchi(buchi) => vec![
                Either::Testing(testing_of(buchi, &Work::unlimited()).unwrap()),
                Either::Buchi(buchi.split(&Work::unlimited()).unwrap()),
                Either::Buchi(buchi.with_deadlock_states(&Work::unlimited()).unwrap()),
                Either::Buchi(buchi.clone().reduced(false, &Work::unlimited()).unwrap()),
                Either::Buchi(buchi.clone().reduced(true, &Work::unlimited()).unwrap()),
            ],
            Either::Testing(testing) => vec![
                Either::Buchi(buchi_of(testing, &Work::unlimited()).unwrap()),
                Either::Testing(testing.clone().reduced(&Work::unlimited()).unwrap()),
            ],
        }
    }
}

/// The automaton and all that three conversions make of it.
fn all_converted(automaton: Either) -> Vec<Either> {
    let mut all = vec![automaton];
    let mut last = all.clone();
    for _ in 0..3 {
        last = last.iter().flat_map(Either::converted).collect();
        all.extend_from_slice(&last);
    }
    all
}

#[test]
fn the_automata_of_theorem_4_3_and_figure_2_accept_the_same_words_however_converted() {
    let mut all = Vec::new();
    for automaton in [
        Either::Testing(figures::theorem_4_3()),
        Either::Buchi(figures::not_eventually_always_p()),
        Either::Buchi(figures::not_eventually_always_p_by_transitions()),
    ] {
        all.extend(all_converted(automaton));
    }
    let mut random = Random::new(101);
    let mut accepted = 0;
    for _ in 0..100 {
        let word = random.word(1);
        // ({P}|∅)*{P}^ω.
        let expected = match &word {
            Word::Ends(_) => false,
            Word::Lasso { cycle, .. } => cycle.iter().all(|&valuation| valuation == 1),
        };
        accepted += usize::from(expected);
        for automaton in &all {
            assert_eq!(automaton.accepts(&word), expected, "{automaton:?} {word:?}");
        }
    }
    assert!((10..90).contains(&accepted), "{accepted}");
}

#[test]
fn theorem_4_3_s_deterministic_automaton_has_no_infinite_state() {
    for buchi in [
        figures::not_eventually_always_p(),
        figures::not_eventually_always_p_by_transitions(),
    ] {
        assert!(!buchi.is_deterministic());
        let testing = testing_of(&buchi, &Work::unlimited()).unwrap();
        assert!(testing.is_deterministic());
        assert!(testing.states.iter().any(|state| state.livelock));
        assert!(testing.states.iter().all(|state| !state.infinite));
    }
}

#[test]
fn random_testing_automata_accept_the_same_words_however_converted() {
    let mut random = Random::new(102);
    for _ in 0..60 {
        let propositions = 1 + random.below(2) as u32;
        let testing = random.testing(propositions);
        let all = all_converted(Either::Testing(testing.clone()));
        for _ in 0..20 {
            let word = random.word(propositions);
            for automaton in &all {
                let (expected, found) = (testing.accepts(&word), automaton.accepts(&word));
                assert_eq!(expected, found, "{testing:?} {automaton:?} {word:?}");
            }
        }
    }
}

#[test]
fn random_insensitive_buchi_automata_accept_the_same_words_however_converted() {
    let mut random = Random::new(103);
    let mut with_infinite = 0;
    for _ in 0..200 {
        let buchi = random.buchi(2);
        if buchi.insensitivity(&Work::unlimited()).unwrap() != Insensitivity::Shown {
            continue;
        }
        let reduced = buchi.clone().reduced(false, &Work::unlimited()).unwrap();
        with_infinite += usize::from(reduced.states.iter().any(|state| state.infinite));
        let all = all_converted(Either::Buchi(buchi.clone()));
        for _ in 0..5 {
            let word = random.word(2);
            for automaton in &all {
                let (expected, found) = (buchi.accepts(&word), automaton.accepts(&word));
                assert_eq!(expected, found, "{buchi:?} {automaton:?} {word:?}");
            }
        }
    }
    assert!(with_infinite > 20, "{with_infinite}");
}
