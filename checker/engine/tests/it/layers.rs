//! A search that keeps a few bytes of each state, and no number, counts what one counts that numbers them.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use stubborn_engine::packed::Packed;
use stubborn_engine::successors::Successors;
use stubborn_engine::{
    Exploration, Limits, Options, Reduction, Silent, Sink, Verdict, check, explore,
};
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::{Expr, System};

use crate::models::not;
use crate::models::peterson::{Version, mutex, peterson};

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
                for threads in [1, 2, 3] {
                    let threads = NonZeroUsize::new(threads);
                    let options = Options { threads, ..options };
                    let mut layered = counted(&system, &options, false);
                    if !numbered.complete {
                        // What comes before a limit depends on how many steps wait.
                        layered.edges = numbered.edges;
                        layered.terminal = numbered.terminal;
                        layered.failing = numbered.failing;
                    }
                    prop_assert_eq!(&layered, &numbered);
                }
                let is_reduced = numbered.complete && !numbered.full;
                left_out.fetch_add(u32::from(is_reduced), Ordering::Relaxed);
            }
        }
        Ok(())
    });
    result.expect("both count the same");
    assert!(of_one_word.into_inner() > 100 && left_out.into_inner() > 50);
}

#[test]
fn a_hundred_thousand_states_take_a_few_bytes_each() {
    let system = peterson(3, Version::Correct);
    let options = Options {
        reduction: Reduction::None,
        ..Options::default()
    };
    for threads in [1, 2, 3, 4] {
        let threads = NonZeroUsize::new(threads);
        let options = Options { threads, ..options };
        let found = explore(&system, &options, &Silent, &mut Counting(false));
        let found = found.expect("its states are small");
        assert_eq!((found.states, found.edges), (96_854, 290_562));
        assert_eq!(found.terminal, 27);
        assert!(found.bytes_per_state < 60.0, "{}", found.bytes_per_state);
    }
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
        for threads in [1, 2] {
            let threads = NonZeroUsize::new(threads);
            let options = Options { threads, ..options };
            let found = explore(&system, &options, &Silent, &mut Counting(false));
            let found = found.expect("its states are small");
            assert!(!found.complete && found.states < 96_854);
            assert!(found.bytes_per_state * found.states as f64 <= most as f64);
        }
    }
}

#[test]
fn verdicts_and_traces_do_not_depend_on_the_number_of_threads() {
    let mut violated = [0, 0];
    for version in [Version::Correct, Version::MutexViolating] {
        let system = peterson(3, version);
        let mut properties = vec![
            Property::Errors,
            Property::Deadlock { allowed: None },
            Property::Invariant(mutex(3)),
        ];
        // Nobody is ever in the second half of his way, which takes many layers to refute.
        let far = (0..3).map(|i| Property::Invariant(not(Expr::At(i, vec![5]))));
        properties.extend(far);
        for property in &properties {
            let found = [1, 2, 3].map(|threads| {
                let options = Options {
                    reduction: Reduction::None,
                    threads: NonZeroUsize::new(threads),
                    ..Options::default()
                };
                let asked = std::slice::from_ref(property);
                let found = check(&system, asked, &options, &Silent).expect("small states");
                let [outcome] = &found[..] else {
                    panic!("one property has one outcome");
                };
                let states = (outcome.verdict == Verdict::Holds).then_some((
                    outcome.states,
                    outcome.edges,
                    outcome.full,
                ));
                (outcome.verdict.clone(), states)
            });
            violated[usize::from(found[0].0.is_violated())] += 1;
            assert_eq!(found[0], found[1]);
            assert_eq!(found[0], found[2]);
        }
    }
    assert!(violated[0] > 4 && violated[1] > 4, "{violated:?}");
}
