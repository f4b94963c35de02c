//! Random runs: what they find is true, what is there they find, and they prove nothing.

use std::num::NonZeroU64;
use std::sync::Mutex;

use crate::models::peterson::{Version, mutex, peterson};
use proptest::prelude::*;
use stubborn_engine::{
    Caller, Event, Finding, Limits, Options, Outcome, RandomRuns, Reason, Search, Verdict, check,
};
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::System;

fn runs(runs: u64, seed: u64) -> Options {
    let search = Search::Random(RandomRuns {
        runs: NonZeroU64::new(runs),
        depth: None,
        seed,
    });
    Options {
        search,
        ..Options::default()
    }
}

fn outcomes(system: &System, properties: &[Property], options: &Options) -> Vec<Outcome> {
    check(system, properties, options, Caller::default()).expect("its states are small")
}

#[test]
fn a_broken_mutex_is_found_and_a_correct_one_is_not_proved() {
    let properties = [Property::Errors, Property::Invariant(mutex(3))];
    let broken = outcomes(
        &peterson(3, Version::MutexViolating),
        &properties,
        &runs(10_000, 1),
    );
    let Verdict::Violated { finding, trace } = &broken[1].verdict else {
        panic!("{:?}", broken[1].verdict);
    };
    assert_eq!(*finding, Finding::InvariantFalse);
    let nearest = outcomes(
        &peterson(3, Version::MutexViolating),
        &properties,
        &Options::default(),
    );
    assert_eq!(trace.len(), nearest[1].verdict.steps(), "it is shortened");
    for outcome in outcomes(&peterson(3, Version::Correct), &properties, &runs(30, 1)) {
        assert_eq!(outcome.verdict, Verdict::Undecided(Reason::Runs(30)));
        let made = outcome.runs.expect("random runs were made");
        assert_eq!(made.runs, 30);
        assert!(made.steps >= 30, "{made:?}");
        assert!(!outcome.full);
    }
}

#[test]
fn a_violation_is_reported_before_the_runs_are_over() {
    let properties = [Property::Errors, Property::Invariant(mutex(3))];
    let events = Mutex::new(Vec::new());
    let observer = |event: Event<'_>| {
        if let Event::Decided(property, outcome) = event {
            let told = (property, outcome.verdict.is_violated(), outcome.states);
            events.lock().expect("no thread panics").push(told);
        }
    };
    let system = peterson(3, Version::MutexViolating);
    let caller = Caller::observing(&observer);
    let found = check(&system, &properties, &runs(10_000, 1), caller).expect("a small system");
    let events = events.into_inner().expect("no thread panics");
    let (property, is_violated, states) = events[0];
    assert_eq!((property, is_violated), (1, true));
    assert!(
        states < found[0].states,
        "{states} states were visited by then"
    );
}

#[test]
fn what_no_finite_run_violates_is_left_without_a_run() {
    let system = peterson(3, Version::Correct);
    let outcome = outcomes(&system, &[Property::Termination], &runs(30, 1)).remove(0);
    assert_eq!(outcome.verdict, Verdict::Undecided(Reason::NoFiniteRun));
    assert_eq!(outcome.states, 0);
}

#[test]
fn the_same_seed_makes_the_same_runs_and_another_one_others() {
    let states = |seed| {
        let system = peterson(3, Version::Correct);
        outcomes(&system, &[Property::Errors], &runs(20, seed))[0].states
    };
    assert_eq!(states(1), states(1));
    assert!((2..6).any(|seed| states(seed) != states(1)));
}

#[test]
fn a_limit_ends_random_runs_without_a_number_of_them() {
    let mut options = runs(0, 1);
    options.limits = Limits {
        max_states: Some(5_000),
        ..Limits::default()
    };
    let outcome = outcomes(
        &peterson(3, Version::Correct),
        &[Property::Errors],
        &options,
    )
    .remove(0);
    assert_eq!(outcome.verdict, Verdict::Undecided(Reason::States(5_000)));
}

#[test]
fn two_threads_find_what_one_finds() {
    let properties = [Property::Invariant(mutex(3))];
    let options = Options {
        threads: std::num::NonZeroUsize::new(2),
        ..runs(10_000, 7)
    };
    let found = outcomes(&peterson(3, Version::MutexViolating), &properties, &options);
    assert!(found[0].verdict.is_violated());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn on_random_systems_what_random_runs_find_is_there(
        numbers in prop::collection::vec(any::<u16>(), 0..160),
        seed in any::<u64>(),
    ) {
        let system = Source::new(&numbers).system();
        let properties = Source::new(&numbers[numbers.len() / 2..]).properties(&system);
        let limits = Limits {
            max_states: Some(3_000),
            ..Limits::default()
        };
        let all = Options { limits, ..Options::default() };
        let Ok(of_all) = check(&system, &properties, &all, Caller::default()) else {
            return Ok(());
        };
        let by_runs = outcomes(&system, &properties, &Options { limits, ..runs(40, seed) });
        for (all, some) in of_all.iter().zip(&by_runs) {
            match &some.verdict {
                Verdict::Violated { .. } => prop_assert_ne!(&all.verdict, &Verdict::Holds),
                Verdict::Undecided(reason) => {
                    prop_assert!(!matches!(reason, Reason::Internal(_)), "{reason:?}");
                }
                Verdict::Holds => prop_assert!(false, "random runs prove nothing"),
            }
        }
    }
}
