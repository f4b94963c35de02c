//! Random formulas and random words.

use proptest::prelude::*;
use stubborn_system::property::Formula;

use crate::ltl::formulas::{Formulas, Id, Node};
use crate::ltl::{self, buchi_of};
use crate::word::Word;
use crate::work::Work;

const PROPOSITIONS: u32 = 3;

fn holds(formula: &Formula, word: &Word) -> bool {
    ltl::holds(formula, word, &Work::unlimited()).expect("nothing ends it")
}

fn some_formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Formula::Constant),
        12 => (0..PROPOSITIONS).prop_map(Formula::Proposition),
    ];
    leaf.prop_recursive(5, 14, 3, |inner| {
        let part = inner.clone().prop_map(Box::new);
        prop_oneof![
            2 => part.clone().prop_map(Formula::Not),
            1 => proptest::collection::vec(inner.clone(), 0..4).prop_map(Formula::All),
            1 => proptest::collection::vec(inner, 0..4).prop_map(Formula::Any),
            2 => part.clone().prop_map(Formula::Always),
            2 => part.clone().prop_map(Formula::Eventually),
            2 => (part.clone(), part.clone()).prop_map(|(f, g)| Formula::Until(f, g)),
            1 => (part.clone(), part.clone()).prop_map(|(f, g)| Formula::WeakUntil(f, g)),
            2 => (part.clone(), part).prop_map(|(f, g)| Formula::Release(f, g)),
        ]
    })
}

fn some_word() -> impl Strategy<Value = Word> {
    let valuations = |length| proptest::collection::vec(0..1u64 << PROPOSITIONS, length);
    prop_oneof![
        4 => (valuations(0..4), valuations(1..5))
            .prop_map(|(prefix, cycle)| Word::Lasso { prefix, cycle }),
        1 => valuations(1..5).prop_map(Word::Ends),
    ]
}

fn written(formulas: &Formulas, id: Id) -> Formula {
    let boxed = |id: Id| Box::new(written(formulas, id));
    match formulas.node(id) {
        Node::Constant(value) => Formula::Constant(*value),
        Node::Literal { proposition, holds } => {
            let proposition = Formula::Proposition(*proposition);
            if *holds {
                proposition
            } else {
                Formula::Not(Box::new(proposition))
            }
        }
        Node::All(parts) => Formula::All(parts.iter().map(|&id| written(formulas, id)).collect()),
        Node::Any(parts) => Formula::Any(parts.iter().map(|&id| written(formulas, id)).collect()),
        Node::Until(left, right) => Formula::Until(boxed(*left), boxed(*right)),
        Node::Release(left, right) => Formula::Release(boxed(*left), boxed(*right)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn what_is_simplified_means_the_same(
        formula in some_formula(),
        words in proptest::collection::vec(some_word(), 12),
    ) {
        let mut formulas = Formulas::new();
        let simplified = formulas.read(&formula, true).unwrap();
        let simplified = written(&formulas, simplified);
        let negated = formulas.read(&formula, false).unwrap();
        let negated = written(&formulas, negated);
        for word in words {
            let expected = holds(&formula, &word);
            prop_assert_eq!(holds(&simplified, &word), expected, "{:?} {:?}", &simplified, word);
            prop_assert_eq!(holds(&negated, &word), !expected, "{:?} {:?}", &negated, word);
        }
    }

    #[test]
    fn a_formula_that_a_beginning_excludes_holds_of_no_run_that_begins_so(
        formula in some_formula(),
        words in proptest::collection::vec(some_word(), 12),
    ) {
        for word in words {
            let run = match &word {
                Word::Ends(run) => run.clone(),
                Word::Lasso { prefix, cycle } => [prefix.as_slice(), cycle].concat(),
            };
            let may_hold = |length: usize| {
                ltl::may_hold(&formula, &run[..length], &Work::unlimited()).expect("nothing ends it")
            };
            let allowed: Vec<bool> = (1..=run.len()).map(may_hold).collect();
            // What is excluded stays excluded.
            prop_assert!(allowed.is_sorted_by(|before, after| before >= after));
            prop_assert!(!holds(&formula, &word) || allowed.iter().all(|allowed| *allowed));
        }
    }

    #[test]
    fn the_automaton_accepts_the_words_of_which_the_formula_holds(
        formula in some_formula(),
        words in proptest::collection::vec(some_word(), 12),
    ) {
        let work = Work::unlimited();
        let buchi = buchi_of(&formula, PROPOSITIONS, &work);
        let negated = Formula::Not(Box::new(formula.clone()));
        let negated = buchi_of(&negated, PROPOSITIONS, &work);
        prop_assume!(buchi.is_ok() && negated.is_ok());
        let (buchi, negated) = (buchi.unwrap(), negated.unwrap());
        for word in words {
            let expected = holds(&formula, &word);
            prop_assert_eq!(buchi.accepts(&word), expected, "{:?}", word);
            prop_assert_eq!(negated.accepts(&word), !expected, "not: {:?}", word);
        }
    }
}
