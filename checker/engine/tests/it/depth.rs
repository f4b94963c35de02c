//! Searches to a depth, and the depth to which a search that a limit has ended is complete: what
//! they say of all runs of up to so many steps is so in the plain state space.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use stubborn_engine::{
    Caller, Limits, Options, Outcome, Reason, Reduction, Symmetry, Verdict, check,
};
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::models::peterson::{Version, mutex, peterson};

fn outcomes(system: &System, properties: &[Property], options: &Options) -> Vec<Outcome> {
    check(system, properties, options, Caller::default()).expect("its states are small")
}

fn to_depth(depth: u64) -> Options {
    Options {
        reduction: Reduction::None,
        limits: Limits {
            max_depth: Some(depth),
            ..Limits::default()
        },
        ..Options::default()
    }
}

/// Nothing is left out or merged, so that a run of this search is one of the system step by step.
fn plain() -> Options {
    Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        symmetry: Symmetry::Off,
        ..Options::default()
    }
}

#[test]
fn a_violation_is_found_at_the_depth_limit_and_not_beyond_it() {
    let system = peterson(3, Version::MutexViolating);
    let properties = [Property::Invariant(mutex(3))];
    let steps = outcomes(&system, &properties, &plain())[0].verdict.steps() as u64;
    assert!(steps > 3);
    let found = outcomes(&system, &properties, &to_depth(steps)).remove(0);
    assert_eq!(found.verdict.steps() as u64, steps);
    let nearer = Options {
        keep_dead_variables: true,
        ..to_depth(steps - 1)
    };
    let nearer = outcomes(&system, &properties, &nearer).remove(0);
    assert_eq!(nearer.verdict, Verdict::Undecided(Reason::Depth(steps - 1)));
    assert_eq!(nearer.depth, Some(steps - 1));
    assert!(!nearer.full);
}

#[test]
fn a_depth_that_all_states_are_within_decides() {
    let system = peterson(2, Version::Correct);
    let properties = [
        Property::Invariant(mutex(2)),
        Property::Deadlock { allowed: None },
    ];
    let all = outcomes(&system, &properties, &plain());
    let deep = Options {
        keep_dead_variables: true,
        symmetry: Symmetry::Off,
        ..to_depth(1_000)
    };
    for (deep, all) in outcomes(&system, &properties, &deep).iter().zip(&all) {
        assert_eq!(deep.verdict, all.verdict);
        assert_eq!((deep.states, deep.edges), (all.states, all.edges));
        assert!(deep.full);
    }
}

#[test]
fn what_a_limit_on_states_leaves_open_is_clear_short_of_the_nearest_violation() {
    let system = peterson(3, Version::MutexViolating);
    let properties = [Property::Invariant(mutex(3))];
    let steps = outcomes(&system, &properties, &plain())[0].verdict.steps() as u64;
    for symmetry in [Symmetry::Off, Symmetry::Always] {
        let mut deepest = 0;
        for states in (1..12).map(|number| 1 << number) {
            let options = Options {
                symmetry,
                reduction: Reduction::None,
                limits: Limits {
                    max_states: Some(states),
                    ..Limits::default()
                },
                ..Options::default()
            };
            let found = outcomes(&system, &properties, &options).remove(0);
            if !found.verdict.is_violated() {
                let depth = found.depth.unwrap_or(0);
                assert!(depth < steps, "{depth} of {steps}");
                assert!(depth >= deepest, "more states reach as deep");
                deepest = depth;
            }
        }
        assert!(deepest > 2, "{deepest}");
    }
}

/// Whether single states and steps violate it.
fn is_in_passing(property: &Property) -> bool {
    matches!(
        property,
        Property::Errors
            | Property::Deadlock { .. }
            | Property::Invariant(_)
            | Property::Reachable(_)
    )
}

/// Compares what searches with a limit say of a depth with the lengths of the shortest runs. Counts
/// the properties that are violated.
fn compared(
    numbers: &[u16],
    limited: &[Options],
    violated: &AtomicU32,
) -> Result<(), TestCaseError> {
    let system = Source::new(numbers).system();
    let properties = Source::new(&numbers[numbers.len() / 2..]).properties(&system);
    let all = Options {
        limits: Limits {
            max_states: Some(3_000),
            ..Limits::default()
        },
        ..plain()
    };
    let Ok(of_all) = check(&system, &properties, &all, Caller::default()) else {
        return Ok(());
    };
    for options in limited {
        let of_some = outcomes(&system, &properties, options);
        for ((all, some), property) in of_all.iter().zip(&of_some).zip(&properties) {
            match (&all.verdict, &some.verdict) {
                (_, Verdict::Undecided(Reason::Internal(defect))) => {
                    prop_assert!(false, "{defect}");
                }
                (Verdict::Holds, some) => prop_assert!(!some.is_violated(), "{property:?}"),
                (Verdict::Violated { trace, .. }, Verdict::Undecided(_)) => {
                    if is_in_passing(property)
                        && let Some(depth) = some.depth
                    {
                        prop_assert!(trace.len() as u64 > depth, "{property:?} to {depth}");
                    }
                }
                (Verdict::Violated { .. }, some) => {
                    prop_assert!(some.is_violated(), "{property:?}: {some:?}");
                    violated.fetch_add(1, Relaxed);
                }
                (Verdict::Undecided(_), _) => {}
            }
        }
    }
    Ok(())
}

#[test]
fn on_random_systems_no_run_within_the_depth_is_a_violation() {
    let violated = AtomicU32::new(0);
    let reduced = |depth| Options {
        reduction: Reduction::Stubborn,
        ..to_depth(depth)
    };
    let symmetric = |depth| Options {
        symmetry: Symmetry::Always,
        ..to_depth(depth)
    };
    let depths = [to_depth(1), to_depth(3), reduced(2), symmetric(4)];
    let numbers = prop::collection::vec(any::<u16>(), 0..160);
    let mut runner = TestRunner::new(ProptestConfig::with_cases(192));
    let run = runner.run(&numbers, |numbers| compared(&numbers, &depths, &violated));
    run.expect("it is so on every system");
    assert!(violated.into_inner() > 100);
}

#[test]
fn on_random_systems_a_limit_on_states_tells_a_depth_that_is_clear() {
    let violated = AtomicU32::new(0);
    let within = |options: Options, states| Options {
        limits: Limits {
            max_states: Some(states),
            ..Limits::default()
        },
        ..options
    };
    let limited = [
        within(plain(), 5),
        within(Options::default(), 12),
        within(Options::default(), 40),
    ];
    let numbers = prop::collection::vec(any::<u16>(), 0..160);
    let mut runner = TestRunner::new(ProptestConfig::with_cases(192));
    let run = runner.run(&numbers, |numbers| compared(&numbers, &limited, &violated));
    run.expect("it is so on every system");
    assert!(violated.into_inner() > 100);
}
