//! A search that keeps a few bytes of each state, and no number, counts what one counts that numbers them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use stubborn_engine::packed::Packed;
use stubborn_engine::successors::Successors;
use stubborn_engine::{Exploration, Limits, Options, Reduction, Silent, Sink, explore};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_random::systems::Source;
use stubborn_system::system::System;

use crate::models::peterson::{Version, peterson};

/// Whether numbers are wanted.
struct Counting(bool);

impl Sink for Counting {
    fn wants_edges(&self) -> bool {
        self.0
    }
}

fn counted(system: &System, options: &Options, numbered: bool) -> Exploration {
    let found = explore(system, options, &Silent, &mut Counting(numbered));
    Exploration {
        // These may be others.
        bytes_per_state: 0.0,
        seconds: 0.0,
        ..found.expect("its states are small")
    }
}

#[test]
fn of_random_systems_as_much_is_counted_as_with_numbers() {
    let config = ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, seed);
    let (of_one_word, left_out) = (AtomicU32::new(0), AtomicU32::new(0));
    let numbers = proptest::collection::vec(any::<u16>(), 0..200);
    let result = runner.run(&(numbers, 1..2000_u64), |(numbers, most)| {
        let system = Source::new(&numbers).system();
        let packed = Packed::new(&system).expect("its states are small");
        of_one_word.fetch_add(u32::from(packed.words() == 1), Ordering::Relaxed);
        for reduction in [Reduction::None, Reduction::Stubborn] {
            for max_states in [None, Some(most)] {
                let limits = Limits {
                    max_states: max_states.or(Some(100_000)),
                    ..Limits::default()
                };
                let options = Options {
                    reduction,
                    limits,
                    ..Options::default()
                };
                let numbered = counted(&system, &options, true);
                let mut layered = counted(&system, &options, false);
                if !numbered.complete {
                    // What comes before a limit depends on how many steps wait.
                    layered.edges = numbered.edges;
                    layered.terminal = numbered.terminal;
                    layered.failing = numbered.failing;
                }
                prop_assert_eq!(&layered, &numbered);
                let is_reduced = numbered.complete && !numbered.full;
                left_out.fetch_add(u32::from(is_reduced), Ordering::Relaxed);
            }
        }
        Ok(())
    });
    result.expect("both count the same");
    let of_one_word = of_one_word.into_inner();
    assert!(of_one_word > 100 && of_one_word < 350, "{of_one_word}");
    assert!(left_out.into_inner() > 50);
}

#[test]
fn a_hundred_thousand_states_take_a_few_bytes_each() {
    let system = peterson(3, Version::Correct);
    let options = Options {
        reduction: Reduction::None,
        ..Options::default()
    };
    let found = explore(&system, &options, &Silent, &mut Counting(false));
    let found = found.expect("its states are small");
    assert_eq!((found.states, found.edges), (96_854, 290_562));
    assert_eq!(found.terminal, 27);
    assert!(found.bytes_per_state < 40.0, "{}", found.bytes_per_state);
}

#[test]
fn too_little_memory_is_told_before_it_is_taken() {
    let system = peterson(3, Version::Correct);
    for kilobytes in [10, 100, 500] {
        let most = kilobytes << 10;
        let options = Options {
            reduction: Reduction::None,
            limits: Limits {
                max_memory: Some(most),
                ..Limits::default()
            },
            ..Options::default()
        };
        let found = explore(&system, &options, &Silent, &mut Counting(false));
        let found = found.expect("its states are small");
        assert!(!found.complete && found.states < 96_854);
        assert!(found.bytes_per_state * found.states as f64 <= most as f64);
    }
}

fn of_text(text: &str) -> System {
    let file = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(file, &mut |_| None);
    let analysis = stubborn_model::analyze(&program, &Settings::default());
    analysis
        .model
        .expect("the text has a meaning")
        .system
        .as_ref()
        .clone()
}

/// Bits that nobody changes, more than a word has.
const WIDE: &str = "var high: array[0..2] of 0..4294967295\n";

/// Counted with numbers, and without where the words of states are made of components. Whether these were
/// given up.
fn counted_by_components(text: &str) -> (Exploration, bool) {
    let system = of_text(&format!("{WIDE}{text}"));
    assert!(Packed::new(&system).expect("a small state").words() > 1);
    let options = Options {
        reduction: Reduction::None,
        ..Options::default()
    };
    let explored = |numbered| explore(&system, &options, &Silent, &mut Counting(numbered));
    let [numbered, layered] = [true, false].map(|numbered| explored(numbered).expect("is small"));
    let bytes = numbered.bytes_per_state;
    let given_up = layered.bytes_per_state == bytes;
    let same = Exploration {
        bytes_per_state: bytes,
        seconds: numbered.seconds,
        ..layered.clone()
    };
    assert_eq!(same, numbered);
    (layered, given_up)
}

#[test]
fn wide_states_whose_components_have_few_values_take_a_few_bytes_each() {
    let text = "process p(i in 0..2) { var n: 0..24 while n < 24 { n = n + 1 } }";
    let (found, given_up) = counted_by_components(text);
    assert_eq!(found.states, 50 * 50 * 50);
    assert!(
        !given_up && found.bytes_per_state < 20.0,
        "{}",
        found.bytes_per_state
    );
}

#[test]
fn components_are_given_up_where_they_have_as_many_values_as_there_are_states() {
    let text = "process p { var n: 0..15000 while n < 15000 { n = n + 1 } }";
    let (found, given_up) = counted_by_components(text);
    assert_eq!(found.states, 30_002);
    assert!(given_up);
}

#[test]
fn components_are_given_up_where_a_word_has_no_bits_for_their_values() {
    // At each step all of them change: 64 bits are enough for eight of a byte, and not for nine.
    let text = |variables: u32| {
        let names: Vec<String> = (0..variables).map(|n| format!("v{n}")).collect();
        let declared = names.iter().map(|name| format!("var {name}: 0..255\n"));
        let steps = names.iter().map(|name| format!("{name} = {name} + 1"));
        let steps: Vec<String> = steps.collect();
        let declared: String = declared.collect();
        let steps = steps.join(", ");
        format!("{declared}process p {{ initial state s {{ when v0 < 255 do {steps} -> s }} }}")
    };
    let (found, given_up) = counted_by_components(&text(8));
    assert!(found.states == 256 && !given_up);
    let (found, given_up) = counted_by_components(&text(9));
    assert!(found.states == 256 && given_up);
}

#[test]
fn too_little_memory_for_components_is_told_before_it_is_taken() {
    let text = "process p(i in 0..2) { var n: 0..24 while n < 24 { n = n + 1 } }";
    let system = of_text(&format!("{WIDE}{text}"));
    for kilobytes in [50, 150, 500, 1000] {
        let most = kilobytes << 10;
        let options = Options {
            reduction: Reduction::None,
            limits: Limits {
                max_memory: Some(most),
                ..Limits::default()
            },
            ..Options::default()
        };
        let found = explore(&system, &options, &Silent, &mut Counting(false));
        let found = found.expect("its states are small");
        assert!(
            !found.complete && found.states < 50 * 50 * 50,
            "{kilobytes}"
        );
        assert!(found.bytes_per_state * found.states as f64 <= most as f64);
    }
}
