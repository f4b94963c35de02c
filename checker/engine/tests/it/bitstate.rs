//! Bitstate and compact storage: what is found is true, nothing is proved, and how much was searched is told.

use crate::models::peterson::{Version, mutex, peterson};
use proptest::prelude::*;
use stubborn_engine::{
    Caller, Finding, Limits, Omissions, Options, Order, Outcome, Reason, Reduction, Search,
    Storage, Verdict, check,
};
use stubborn_random::systems::Source;
use stubborn_system::property::Property;
use stubborn_system::system::System;

/// By a table of `2^bits` bits where that is few enough for one, and otherwise by fingerprints of as many.
const FINGERPRINTS: u32 = 48;

fn options(bits: u32, search: Search, reduction: Reduction) -> Options {
    Options {
        storage: match bits >= FINGERPRINTS {
            true => Storage::Compact { bits },
            false => Storage::Bitstate { bits },
        },
        search,
        reduction,
        ..Options::default()
    }
}

fn outcomes(system: &System, properties: &[Property], options: &Options) -> Vec<Outcome> {
    check(system, properties, options, Caller::default()).expect("its states are small")
}

/// What was searched where nothing was found.
fn omissions(outcome: &Outcome) -> Option<Omissions> {
    match &outcome.verdict {
        Verdict::Undecided(Reason::Missed(covered)) => Some(**covered),
        _ => None,
    }
}

fn ways(bits: u32) -> impl Iterator<Item = Options> {
    [Search::Breadth, Search::Depth]
        .into_iter()
        .flat_map(move |search| {
            [Reduction::None, Reduction::Stubborn]
                .into_iter()
                .map(move |reduction| options(bits, search, reduction))
        })
}

#[test]
fn a_broken_mutex_is_found_with_a_trace_and_a_correct_one_is_not_proved() {
    let properties = [Property::Errors, Property::Invariant(mutex(3))];
    for options in ways(24).chain(ways(64)) {
        let broken = peterson(3, Version::MutexViolating);
        let found = outcomes(&broken, &properties, &options);
        let covered = omissions(&found[0]).expect("nothing was found");
        assert_eq!(covered.states, found[0].states);
        let Verdict::Violated { finding, trace } = &found[1].verdict else {
            panic!("{options:?}: {:?}", found[1].verdict);
        };
        assert_eq!(*finding, Finding::InvariantFalse);
        assert!(!trace.steps().is_empty());
        let correct = peterson(3, Version::Correct);
        for outcome in outcomes(&correct, &properties, &options) {
            assert!(omissions(&outcome).is_some(), "{:?}", outcome.verdict);
            assert!(!outcome.full);
        }
    }
}

#[test]
fn a_large_table_finds_nearly_every_state() {
    let plain = |storage| Options {
        storage,
        keep_dead_variables: true,
        reduction: Reduction::None,
        ..Options::default()
    };
    let correct = peterson(3, Version::Correct);
    let properties = [Property::Errors];
    let exact = outcomes(&correct, &properties, &plain(Storage::Exact))[0].states;
    let bitstate = plain(Storage::Bitstate { bits: 24 });
    let found = outcomes(&correct, &properties, &bitstate)[0].states;
    assert!(
        found <= exact && found > exact - exact / 100,
        "{found} of {exact}"
    );
    let small = plain(Storage::Bitstate { bits: 12 });
    let found = outcomes(&correct, &properties, &small)[0].states;
    assert!(found < exact / 10, "{found} of {exact}");
}

/// The plain space, where nothing is looked for that is there.
fn searched(storage: Storage) -> (u64, Option<Omissions>) {
    let options = Options {
        storage,
        keep_dead_variables: true,
        reduction: Reduction::None,
        ..Options::default()
    };
    let system = peterson(3, Version::Correct);
    let outcome = outcomes(&system, &[Property::Errors], &options).remove(0);
    (outcome.states, omissions(&outcome))
}

#[test]
fn as_much_was_searched_as_is_said() {
    let (all, _) = searched(Storage::Exact);
    // The larger tables, and the longer fingerprints, with which less is missed than of a hundred states one.
    let tables = (20..=24).map(|bits| Storage::Bitstate { bits });
    let prints = [24, 26, 28].map(|bits| Storage::Compact { bits });
    for storage in tables.chain(prints) {
        let (found, covered) = searched(storage);
        let covered = covered.expect("nothing is found");
        assert_eq!(covered.states, found);
        let missed = (all - found) as f64;
        let expected = covered.expected_missed();
        // Some more, to which only missed ones lead, and as far off as chance has it.
        let off = 5.0 * expected.sqrt().max(1.0);
        let range = expected - off..=expected * 1.3 + off;
        assert!(
            range.contains(&missed),
            "{storage:?}: {missed}, not {expected}"
        );
    }
}

#[test]
fn where_much_is_missed_what_is_said_is_a_bound() {
    let (all, _) = searched(Storage::Exact);
    for storage in [10, 13, 16, 18].map(|bits| Storage::Bitstate { bits }) {
        let (found, covered) = searched(storage);
        let covered = covered.expect("nothing is found");
        assert!(!covered.is_close());
        let share = found as f64 / all as f64;
        assert!(share <= 1.0 - covered.missed(), "{share}, {covered:?}");
    }
    let (_, covered) = searched(Storage::Bitstate { bits: 22 });
    assert!(covered.is_some_and(|covered| covered.is_close()));
}

#[test]
fn what_needs_the_graph_of_all_states_needs_exact_storage() {
    let system = peterson(2, Version::Correct);
    let goal = mutex(2);
    let properties = [
        Property::Termination,
        Property::MayProgress(goal.clone()),
        Property::MustProgress(goal),
        Property::Errors,
    ];
    let found = outcomes(
        &system,
        &properties,
        &options(20, Search::Breadth, Reduction::None),
    );
    for outcome in &found[..3] {
        assert_eq!(
            outcome.verdict,
            Verdict::Undecided(Reason::NeedsExactStorage)
        );
    }
    assert!(omissions(&found[3]).is_some());
}

#[test]
fn limits_hold_in_bitstate_storage_too() {
    let system = peterson(3, Version::Correct);
    let limited = |limits| Options {
        limits,
        ..options(20, Search::Breadth, Reduction::None)
    };
    let states = limited(Limits {
        max_states: Some(100),
        ..Limits::default()
    });
    let memory = limited(Limits {
        max_memory: Some(1 << 16),
        ..Limits::default()
    });
    let verdict = |options| {
        outcomes(&system, &[Property::Errors], options)[0]
            .verdict
            .clone()
    };
    assert_eq!(verdict(&states), Verdict::Undecided(Reason::States(100)));
    assert_eq!(
        verdict(&memory),
        Verdict::Undecided(Reason::Memory(1 << 16))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn on_random_systems_a_violation_is_found_where_exact_storage_finds_one(
        numbers in prop::collection::vec(any::<u16>(), 0..160),
    ) {
        let system = Source::new(&numbers).system();
        let properties = Source::new(&numbers[numbers.len() / 2..]).properties(&system);
        let limits = Limits {
            max_states: Some(3_000),
            ..Limits::default()
        };
        let exact = Options { limits, ..Options::default() };
        let Ok(expected) = check(&system, &properties, &exact, Caller::default()) else {
            return Ok(());
        };
        let in_reverse = |options: Options| Options { order: Order::Reverse, ..options };
        let large = ways(22).chain(ways(22).map(in_reverse)).chain(ways(64));
        let large = large.map(|options| (true, options));
        let small = ways(10).map(|options| (false, options));
        for (is_large, options) in large.chain(small) {
            let found = outcomes(&system, &properties, &Options { limits, ..options });
            for ((property, expected), found) in properties.iter().zip(&expected).zip(&found) {
                let searched = matches!(
                    property,
                    Property::Errors | Property::Deadlock { .. } | Property::Invariant(_)
                );
                match (&expected.verdict, &found.verdict) {
                    (_, Verdict::Holds) => prop_assert!(false, "{property:?} is not proved"),
                    (Verdict::Holds, Verdict::Violated { .. }) => {
                        prop_assert!(false, "{property:?} is not violated");
                    }
                    (_, Verdict::Undecided(Reason::Internal(defect))) => {
                        prop_assert!(false, "{defect}");
                    }
                    (Verdict::Violated { .. }, Verdict::Undecided(Reason::Missed(_))) => {
                        prop_assert!(!searched || !is_large, "{property:?} is missed: {options:?}");
                    }
                    (_, Verdict::Undecided(Reason::NeedsExactStorage)) => {
                        prop_assert!(!searched);
                    }
                    _ => {}
                }
            }
        }
    }
}
