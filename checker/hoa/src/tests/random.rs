//! Random automata and random texts.

use proptest::prelude::*;

use stubborn_automata::Word;
use stubborn_automata::Work;
use stubborn_automata::label::{Cube, Label, Valuation};
use stubborn_automata::{Buchi, BuchiState};
use stubborn_system::components::Components;

use super::buchi;
use crate::acceptance::Condition;
use crate::automaton::Automaton;
use crate::{Read, parser, read, write};

fn some_buchi() -> impl Strategy<Value = Buchi> {
    (0usize..5, any::<bool>()).prop_flat_map(|(count, ends_repeat)| {
        let cube = (0u64..8, 0u64..8).prop_map(|(holds, fails)| Cube { holds, fails });
        let next = match count {
            0 => Just(Vec::new()).boxed(),
            _ => proptest::collection::vec(0..count as u32, 0..4).boxed(),
        };
        let marks = any::<(bool, bool, bool, bool)>();
        let label = proptest::collection::vec(cube, 0..3).prop_map(|cubes| Label { cubes });
        let state = (label, marks, next).prop_map(move |(label, marks, next)| BuchiState {
            label,
            initial: marks.0,
            reject: marks.1,
            deadlock: marks.2 && !ends_repeat,
            infinite: marks.3,
            next,
        });
        proptest::collection::vec(state, count).prop_map(move |states| Buchi {
            propositions: 3,
            states,
            ends_repeat,
        })
    })
}

fn some_word() -> impl Strategy<Value = Word> {
    let valuations = |length| proptest::collection::vec(0u64..4, length);
    (valuations(0..3), valuations(1..4)).prop_map(|(prefix, cycle)| Word::Lasso { prefix, cycle })
}

/// A file with two propositions and three acceptance sets.
fn some_file() -> impl Strategy<Value = String> {
    let leaf = (any::<bool>(), any::<bool>(), 0..3).prop_map(|(inf, outside, set)| {
        let kind = if inf { "Inf" } else { "Fin" };
        let outside = if outside { "!" } else { "" };
        format!("{kind}({outside}{set})")
    });
    let condition = leaf.prop_recursive(3, 5, 2, |inner| {
        (inner.clone(), any::<bool>(), inner).prop_map(|(left, and, right)| {
            format!("({left} {} {right})", if and { '&' } else { '|' })
        })
    });
    let label = prop_oneof![
        Just("t".to_owned()),
        Just("!(0 & 1)".to_owned()),
        Just("0 & !1 | !0 & 1".to_owned()),
        Just("0".to_owned()),
        Just("!1".to_owned()),
        Just("1 & 0".to_owned()),
    ];
    let sets = prop_oneof![
        Just(""),
        Just("{0}"),
        Just("{1}"),
        Just("{0 2}"),
        Just("{2 1}")
    ];
    let edge =
        (label, 0..3, sets.clone()).prop_map(|(label, to, sets)| format!("[{label}] {to} {sets}"));
    let state = (sets, proptest::collection::vec(edge, 0..4));
    (condition, proptest::collection::vec(state, 3)).prop_map(|(condition, states)| {
        let states: Vec<String> = states
            .iter()
            .enumerate()
            .map(|(number, (sets, edges))| {
                format!("State: {number} {sets}\n  {}\n", edges.join("\n  "))
            })
            .collect();
        format!(
            "HOA: v1\nStart: 0\nStart: 1\nAP: 2 \"a\" \"b\"\nAcceptance: 3 {condition}\n--BODY--\n{}--END--\n",
            states.concat()
        )
    })
}

/// Whether a file's automaton accepts, straight from the format's semantics: some edges of the product
/// with the word are strongly connected, and those of them that are in each set satisfy the condition.
fn accepts(automaton: &Automaton, prefix: &[Valuation], cycle: &[Valuation]) -> bool {
    let word = [prefix, cycle].concat();
    let states = automaton.states.len();
    // From, to, and for each set whether it is in.
    let mut edges: Vec<(usize, usize, [bool; 3])> = Vec::new();
    for at in 0..word.len() {
        let after = if at + 1 == word.len() {
            prefix.len()
        } else {
            at + 1
        };
        for (number, state) in automaton.states.iter().enumerate() {
            for edge in &state.edges {
                let label = state.label.as_ref().or(edge.label.as_ref());
                if label.is_some_and(|label| label.reads(word[at])) {
                    let sets = [0, 1, 2].map(|set| edge.is_in(state, (set, false)));
                    let to = after * states + edge.target as usize;
                    edges.push((at * states + number, to, sets));
                }
            }
        }
    }
    let mut reached: Vec<usize> = automaton
        .starts
        .iter()
        .map(|&start| start as usize)
        .collect();
    let mut at = 0;
    while at < reached.len() {
        for &(from, to, _) in &edges {
            if from == reached[at] && !reached.contains(&to) {
                reached.push(to);
            }
        }
        at += 1;
    }
    // Which edges not to use: those in some sets, and those outside some.
    (0u32..64).any(|avoided| {
        let usable: Vec<_> = edges
            .iter()
            .filter(|(from, _, sets)| {
                reached.contains(from)
                    && (0..3)
                        .all(|set| avoided >> (2 * set + u32::from(sets[set as usize])) & 1 == 0)
            })
            .collect();
        let mut graph = vec![Vec::new(); states * word.len()];
        for (from, to, _) in &usable {
            graph[*from].push(*to as u32);
        }
        let components = Components::of(&graph);
        (0..graph.len() as u32).any(|node| {
            let inner = usable.iter().filter(|(from, to, _)| {
                let of = |node: usize| components.component(node as u32);
                of(*from) == components.component(node) && of(*to) == components.component(node)
            });
            let inner: Vec<_> = inner.map(|(_, _, sets)| *sets).collect();
            !inner.is_empty() && satisfied(&automaton.condition, &inner)
        })
    })
}

fn satisfied(condition: &Condition, edges: &[[bool; 3]]) -> bool {
    let met = |set: u32, outside: bool| edges.iter().any(|sets| sets[set as usize] != outside);
    match condition {
        Condition::Constant(value) => *value,
        &Condition::Inf((set, outside)) => met(set, outside),
        &Condition::Fin((set, outside)) => !met(set, outside),
        Condition::All(parts) => parts.iter().all(|part| satisfied(part, edges)),
        Condition::Any(parts) => parts.iter().any(|part| satisfied(part, edges)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_is_written_is_read_back_as_the_same_automaton(
        buchi in some_buchi(),
        names in proptest::collection::vec(".*", 3),
        name in proptest::option::of(".*"),
    ) {
        let text = write(&buchi, &names, name.as_deref());
        let read = read(&text, &Work::unlimited()).unwrap();
        prop_assert_eq!(&read.buchi, &buchi);
        prop_assert_eq!(&read.name, &name);
        let distinct = names[0] != names[1] && names[1] != names[2] && names[0] != names[2];
        prop_assert!(!distinct || read.propositions == names);
    }

    #[test]
    fn other_programs_read_what_is_written_with_the_same_meaning(
        mut automaton in some_buchi(),
        words in proptest::collection::vec(some_word(), 8),
    ) {
        let text = write(&automaton, &[], None);
        // They know nothing of our items.
        let text = text.replace("stubborn-", "x-");
        automaton.ends_repeat = true;
        let foreign = buchi(&text);
        for word in words {
            prop_assert_eq!(foreign.accepts(&word), automaton.accepts(&word), "{:?} {}", word, &text);
        }
    }

    #[test]
    fn every_acceptance_condition_keeps_its_language(
        text in some_file(),
        words in proptest::collection::vec(some_word(), 8),
    ) {
        let automaton = parser::parse(&text).unwrap();
        let buchi = buchi(&text);
        for word in words {
            let Word::Lasso { prefix, cycle } = &word else { continue };
            let expected = accepts(&automaton, prefix, cycle);
            prop_assert_eq!(buchi.accepts(&word), expected, "{:?} {}", word, &text);
        }
    }

    #[test]
    fn nothing_that_is_read_makes_it_panic(
        text in some_file(),
        written in some_buchi(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0usize..3, "[ -~]{0,3}"), 1..6),
    ) {
        for text in [text, write(&written, &[], Some("x"))] {
            let mut bytes = text.into_bytes();
            for (at, removed, inserted) in &changes {
                let at = at.index(bytes.len() + 1);
                let end = (at + removed).min(bytes.len());
                bytes.splice(at..end, inserted.bytes());
            }
            let text = String::from_utf8_lossy(&bytes);
            if let Ok(Read { buchi, propositions, .. }) = read(&text, &Work::unlimited()) {
                let again = read(&write(&buchi, &propositions, None), &Work::unlimited()).unwrap();
                prop_assert_eq!(again.buchi, buchi);
            }
        }
    }

    #[test]
    fn any_tokens_in_any_order_are_read_or_refused(
        tokens in proptest::collection::vec(prop::sample::select(vec![
            "HOA:", "v1", "States:", "Start:", "AP:", "Alias:", "@a", "Acceptance:", "acc-name:",
            "Buchi", "parity", "min", "odd", "Inf", "Fin", "(", ")", "[", "]", "{", "}", "&", "|", "!",
            "0", "1", "2147483647", "\"p\"", "t", "f", "--BODY--", "--END--", "--ABORT--", "State:",
            "properties:", "state-acc", "stubborn-reject:", "stubborn-deadlock:", "/*", "*/",
        ]), 0..30),
        begins in any::<bool>(),
    ) {
        let mut text = tokens.join(" ");
        if begins {
            text = format!("HOA: v1 Acceptance: 1 Inf(0) --BODY-- State: 0 {text} --END--");
        }
        let _ = read(&text, &Work::unlimited());
    }
}
