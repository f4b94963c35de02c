//! Every search against what closures of small random graphs say.

pub(crate) mod graph;

use std::collections::BTreeSet;

use stubborn_space::options::{Limits, Options, Order, Search, Storage};
use stubborn_space::verdict::{Reason, Violation};

use super::Meter;
use super::found::Searched;
use super::violations::{Algorithm, search};

use graph::{Graph, Random};

const KINDS_OF_ONE_PASS: [Violation; 3] =
    [Violation::Reject, Violation::Deadlock, Violation::Livelock];
const ALL_KINDS: [Violation; 4] = [
    Violation::Reject,
    Violation::Deadlock,
    Violation::Livelock,
    Violation::Infinite,
];
const KINDS_OF_NESTED: [Violation; 3] =
    [Violation::Reject, Violation::Deadlock, Violation::Infinite];

const ALL: [Algorithm; 5] = [
    Algorithm::OnePass,
    Algorithm::Nested { error_last: false },
    Algorithm::Nested { error_last: true },
    Algorithm::FourPass,
    Algorithm::TwoVisit,
];

fn ways(storage: Storage) -> Vec<Options> {
    let mut ways = Vec::new();
    for order in [Order::Forward, Order::Reverse] {
        for search in [Search::Breadth, Search::Depth] {
            ways.push(Options {
                order,
                search,
                storage,
                ..Options::default()
            });
        }
    }
    ways
}

fn look(graph: &Graph, how: Algorithm, options: &Options) -> Searched {
    let mut meter = Meter::quiet(options.limits.into());
    search(
        &stubborn_space::successors::Erased(graph),
        how,
        options,
        &mut meter,
    )
}

fn expect_exact(
    how: Algorithm,
    kinds: &[Violation],
    most_visits: u64,
    graph: fn(&mut Random, usize) -> Graph,
) {
    let mut random = Random::new(1 + most_visits);
    let mut violated = 0;
    for round in 0..6_000 {
        let graph = graph(&mut random, 2 + round % 11);
        let there = graph.violations();
        for options in ways(Storage::Exact) {
            let searched = look(&graph, how, &options);
            let context = || format!("{how:?}, {options:?}, {graph:?}: {searched:?}");
            match &searched.found {
                Some(found) => {
                    graph.expect_real(found);
                    assert!(kinds.contains(&found.violation), "{}", context());
                    violated += 1;
                }
                None => {
                    let missed = there.iter().any(|kind| kinds.contains(kind));
                    assert!(!missed, "misses {there:?}: {}", context());
                    assert!(searched.full, "{}", context());
                    assert_eq!(searched.states, graph.reachable().count() as u64);
                    assert_eq!(searched.edges, graph.edges(), "{}", context());
                }
            }
            assert_eq!(searched.stop, None);
            assert!(
                searched.visits <= most_visits * searched.states,
                "{}",
                context()
            );
        }
    }
    assert!(violated > 3_000, "only {violated} violations");
}

#[test]
fn the_one_pass_search_finds_what_closures_find_with_one_visit_a_state() {
    expect_exact(Algorithm::OnePass, &KINDS_OF_ONE_PASS, 1, Graph::random);
}

#[test]
fn the_nested_search_finds_what_closures_find_with_two_visits_a_state() {
    for error_last in [false, true] {
        expect_exact(
            Algorithm::Nested { error_last },
            &KINDS_OF_NESTED,
            2,
            Graph::random,
        );
    }
}

#[test]
fn the_four_pass_search_finds_what_closures_find_with_four_visits_a_state() {
    expect_exact(Algorithm::FourPass, &ALL_KINDS, 4, Graph::random);
}

#[test]
fn where_every_state_is_a_livelock_state_two_visits_are_enough() {
    let graph = Graph::random_where_all_is_livelock;
    expect_exact(Algorithm::TwoVisit, &ALL_KINDS, 2, graph);
}

#[test]
fn bitstate_storage_claims_nothing_false_and_misses_nothing_where_the_table_is_large() {
    let mut random = Random::new(7);
    let algorithms = [
        (Algorithm::OnePass, &KINDS_OF_ONE_PASS[..]),
        (
            Algorithm::Nested { error_last: false },
            &KINDS_OF_NESTED[..],
        ),
        (Algorithm::Nested { error_last: true }, &KINDS_OF_NESTED[..]),
        (Algorithm::FourPass, &ALL_KINDS[..]),
    ];
    let mut missed_in_small = 0;
    for round in 0..400 {
        let graph = Graph::random(&mut random, 2 + round % 11);
        let large = Graph::random_with_rare_violations(&mut random, 400);
        for (how, kinds) in algorithms {
            let large_enough = [
                Storage::Bitstate { bits: 16 },
                Storage::Compact { bits: 64 },
            ];
            for options in large_enough.into_iter().flat_map(ways) {
                let searched = look(&graph, how, &options);
                let is_there = graph.violations().iter().any(|kind| kinds.contains(kind));
                assert_eq!(searched.found.is_some(), is_there, "{how:?} {graph:?}");
                searched
                    .found
                    .iter()
                    .for_each(|found| graph.expect_real(found));
                assert!(!searched.full, "bitstate storage proves nothing");
            }
            for options in ways(Storage::Bitstate { bits: 10 }) {
                let searched = look(&large, how, &options);
                searched
                    .found
                    .iter()
                    .for_each(|found| large.expect_real(found));
                let exact = look(
                    &large,
                    how,
                    &Options {
                        storage: Storage::Exact,
                        ..options
                    },
                );
                missed_in_small += u32::from(searched.found.is_none() && exact.found.is_some());
            }
        }
    }
    assert!(missed_in_small > 0, "the small table was not small");
}

#[test]
fn a_limit_on_states_is_reached_when_one_more_is_found() {
    let graph = Graph::line(100);
    for storage in [
        Storage::Exact,
        Storage::Bitstate { bits: 20 },
        Storage::Compact { bits: 64 },
    ] {
        for how in ALL {
            for (max, stop) in [(100, None), (99, Some(Reason::States(99)))] {
                let limits = Limits {
                    max_states: Some(max),
                    ..Limits::default()
                };
                let options = Options {
                    storage,
                    limits,
                    ..Options::default()
                };
                let searched = look(&graph, how, &options);
                assert_eq!(searched.stop, stop);
                assert_eq!(searched.states, max);
            }
        }
    }
}

#[test]
fn a_bit_table_larger_than_the_memory_that_is_allowed_is_not_made() {
    let limits = Limits {
        max_memory: Some(1 << 20),
        ..Limits::default()
    };
    let options = Options {
        storage: Storage::Bitstate { bits: 40 },
        limits,
        ..Options::default()
    };
    let searched = look(&Graph::line(3), Algorithm::OnePass, &options);
    assert_eq!(searched.stop, Some(Reason::Memory(1 << 20)));
}

#[test]
fn a_path_of_many_states_is_searched_without_recursion() {
    let graph = Graph::line(100_000);
    for how in ALL {
        let searched = look(&graph, how, &Options::default());
        assert_eq!(searched.states, 100_000);
        assert!(searched.full);
    }
}

#[test]
fn each_search_finds_each_of_its_kinds_of_violation_without_the_others() {
    let mut random = Random::new(7);
    for kind in ALL_KINDS {
        let mut violated = 0;
        for round in 0..1_000 {
            let graph = Graph::random(&mut random, 2 + round % 11).only(kind);
            let is_there = graph.violations().contains(&kind);
            violated += u32::from(is_there);
            for (how, kinds) in [
                (Algorithm::OnePass, &KINDS_OF_ONE_PASS[..]),
                (Algorithm::Nested { error_last: false }, &KINDS_OF_NESTED),
                (Algorithm::FourPass, &ALL_KINDS),
            ] {
                if !kinds.contains(&kind) {
                    continue;
                }
                for options in ways(Storage::Exact) {
                    let searched = look(&graph, how, &options);
                    let found = searched.found.as_ref().map(|found| found.violation);
                    let expected = is_there.then_some(kind);
                    assert_eq!(found, expected, "{how:?}, {options:?}, {graph:?}");
                }
            }
        }
        assert!(violated > 50, "only {violated} graphs with {kind:?}");
    }
}

#[test]
fn random_graphs_have_every_set_of_violations() {
    let mut random = Random::new(3);
    let sets = (0..5_000).map(|round| Graph::random(&mut random, 2 + round % 11).violations());
    assert_eq!(sets.collect::<BTreeSet<_>>().len(), 16);
}
