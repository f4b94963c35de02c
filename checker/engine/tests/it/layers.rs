//! A search that keeps a few bytes of each state, and no number, counts what one counts that numbers them.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use stubborn_engine::packed::Packed;
use stubborn_engine::successors::Successors;
use stubborn_engine::{
    Caller, Exploration, Limits, Options, Outcome, Reduction, Sink, Symmetry, Verdict, check,
    explore,
};
use stubborn_random::fixed;
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::{Expr, System, VariableRef};

use crate::extents::model;
use crate::models::peterson::{Version, peterson};
use crate::models::*;

/// Whether numbers are wanted.
struct Counting(bool);

impl Sink for Counting {
    fn wants_edges(&self) -> bool {
        self.0
    }
}

fn counted(system: &System, options: &Options, numbered: bool) -> Exploration {
    let found = explore(system, options, Caller::default(), &mut Counting(numbered));
    Exploration {
        // These may be others.
        bytes_per_state: 0.0,
        seconds: 0.0,
        ..found.expect("its states are small")
    }
}

#[test]
fn of_random_systems_as_much_is_counted_as_with_numbers() {
    let (of_one_word, left_out) = (AtomicU32::new(0), AtomicU32::new(0));
    let drawn = (fixed::numbers(0..200), 1..2000_u64);
    fixed::test(400, &drawn, |(numbers, most)| {
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
    let found = explore(&system, &options, Caller::default(), &mut Counting(false));
    let found = found.expect("its states are small");
    assert_eq!((found.states, found.edges), (96_854, 290_562));
    assert_eq!(found.terminal, 27);
    assert!(found.bytes_per_state < 40.0, "{}", found.bytes_per_state);
}

/// Of a system with so many states: so much memory is not enough.
fn is_told_before_it_is_taken(system: &System, states: u64, kilobytes: &[u64]) {
    for kilobytes in kilobytes {
        let most = kilobytes << 10;
        let options = Options {
            symmetry: Symmetry::Off,
            reduction: Reduction::None,
            limits: Limits {
                max_memory: Some(most),
                ..Limits::default()
            },
            ..Options::default()
        };
        let found = explore(system, &options, Caller::default(), &mut Counting(false));
        let found = found.expect("its states are small");
        assert!(!found.complete && found.states < states, "{kilobytes}");
        assert!(found.bytes_per_state * found.states as f64 <= most as f64);
    }
}

#[test]
fn too_little_memory_is_told_before_it_is_taken() {
    is_told_before_it_is_taken(&peterson(3, Version::Correct), 96_854, &[10, 100, 500]);
}

/// Each of sixteen goes one step, in any order: layers of up to 12,870 states. If all of the first nine have
/// gone, one more step fails.
fn sixteen() -> System {
    let nine = all_of(9);
    let too_far = set(VariableRef::Shared(0), range(0, 1), int(2));
    let last = instance(vec![vec![go(1)], vec![with(when(nine, 1), vec![too_far])]]);
    let mut instances = vec![instance(vec![vec![go(1)], vec![]]); 16];
    instances[0] = last;
    instances[15].locations[1].is_final = false;
    System {
        variables: vec![variable(range(0, 1))],
        instances,
        ..System::default()
    }
}

/// That the first of them have all gone.
fn all_of(many: u32) -> Expr {
    Expr::All((0..many).map(|i| Expr::At(i, vec![1])).collect())
}

fn on(threads: usize, limits: Limits) -> Options {
    Options {
        reduction: Reduction::None,
        // So that all sixteen are searched, whatever is asked.
        keep_dead_variables: true,
        threads: NonZeroUsize::new(threads),
        limits,
        ..Options::default()
    }
}

#[test]
fn several_threads_count_what_one_counts() {
    let system = sixteen();
    let one = counted(&system, &on(1, Limits::default()), false);
    assert_eq!((one.states, one.terminal), (1 << 16, 0));
    assert_eq!((one.edges, one.failing), ((8 << 16) + (1 << 7), 1 << 7));
    for threads in [2, 3, 4, 100] {
        let several = counted(&system, &on(threads, Limits::default()), false);
        assert_eq!(several, one);
    }
}

#[test]
fn several_threads_take_no_more_memory_than_is_allowed() {
    let system = sixteen();
    for kilobytes in [10, 100, 300, 500] {
        let limits = Limits {
            max_memory: Some(kilobytes << 10),
            ..Limits::default()
        };
        for threads in [2, 3] {
            let found = explore(
                &system,
                &on(threads, limits),
                Caller::default(),
                &mut Counting(false),
            );
            let found = found.expect("its states are small");
            let bytes = found.bytes_per_state * found.states as f64;
            assert!(bytes <= (kilobytes << 10) as f64);
            assert_eq!(found.complete, found.states == 1 << 16);
        }
    }
}

#[test]
fn verdicts_and_traces_do_not_depend_on_the_number_of_threads() {
    let system = sixteen();
    let impossible = Expr::All(vec![all_of(1), not(all_of(1))]);
    let wrong = [1, 7, 8, 9, 10, 16].map(|many| Property::Invariant(not(all_of(many))));
    let properties = [
        Property::Invariant(not(impossible)),
        Property::Deadlock { allowed: None },
        Property::Errors,
    ];
    let mut violated = [0, 0];
    for property in properties.iter().chain(&wrong) {
        let [one, two, three] = [1, 2, 3].map(|threads| {
            let asked = std::slice::from_ref(property);
            let found = check(
                &system,
                asked,
                &on(threads, Limits::default()),
                Caller::default(),
            );
            let [outcome] = &found.expect("its states are small")[..] else {
                panic!("one property has one outcome");
            };
            told(outcome)
        });
        violated[usize::from(one.0.is_violated())] += 1;
        assert_eq!(one, two);
        assert_eq!(one, three);
    }
    assert_eq!(violated, [2, 7]);
}

/// What of an outcome does not depend on the number of threads.
fn told(outcome: &Outcome) -> (Verdict, Option<(u64, u64, bool)>) {
    let Outcome {
        verdict,
        states,
        edges,
        full,
        ..
    } = outcome;
    let holds = *verdict == Verdict::Holds;
    (verdict.clone(), holds.then_some((*states, *edges, *full)))
}
fn of_text(text: &str) -> System {
    (*model(text).system).clone()
}

/// Bits that nobody changes, more than a word has.
const WIDE: &str = "var high: array[0..2] of 0..4294967295\n";

/// Counted with numbers, and without where the words of states are made of components. Whether these were
/// given up.
fn counted_by_components(text: &str) -> (Exploration, bool) {
    let system = of_text(&format!("{WIDE}{text}"));
    assert!(Packed::new(&system).expect("a small state").words() > 1);
    let options = Options {
        symmetry: Symmetry::Off,
        reduction: Reduction::None,
        ..Options::default()
    };
    let explored = |numbered| {
        explore(
            &system,
            &options,
            Caller::default(),
            &mut Counting(numbered),
        )
    };
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
    // At each step all of them change: 64 bits are enough for eight of a byte, and for more of them together where
    // they stand in a few words, and not for forty.
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
    assert!(found.states == 256 && !given_up);
    let (found, given_up) = counted_by_components(&text(40));
    assert!(found.states == 256 && given_up);
}

#[test]
fn too_little_memory_for_components_is_told_before_it_is_taken() {
    let text = "process p(i in 0..2) { var n: 0..24 while n < 24 { n = n + 1 } }";
    let system = of_text(&format!("{WIDE}{text}"));
    is_told_before_it_is_taken(&system, 50 * 50 * 50, &[50, 150, 500, 1000]);
}
