//! H. Hansen, W. Penczek and A. Valmari, "Stuttering-insensitive automata for on-the-fly detection
//! of livelock properties" (2002), section 5: eight searches for somebody who may wait for ever,
//! named C to J in the paper's Table 1.
//!
//! How many states each of them needs is in `docs/livelock_searches.md`, made by
//! `tests/benchmarks/livelock_searches.sh`.

use stubborn_engine::Order;

use super::{Figures, error_last, example, explored, figures, found};

/// `--liveness`, `--search` and `--order` of a search.
type Search = [&'static str; 3];

/// C and D: one pass, breadth first.
const BREADTH: [Search; 2] = [
    ["one-pass", "bfs", "forward"],
    ["one-pass", "bfs", "reverse"],
];

/// E, F, G and I. The program does not offer H and J.
const OTHERS: [Search; 4] = [
    ["one-pass", "dfs", "forward"],
    ["one-pass", "dfs", "reverse"],
    ["nested", "dfs", "forward"],
    ["nested", "dfs", "reverse"],
];

/// The N of a system.
fn size(tester: &str) -> u32 {
    match tester {
        "philosophers.tester" => 10,
        "fischer.tester" => 12,
        _ => 4,
    }
}

/// What a search says of a property, and what it takes to say so.
fn searched(tester: &str, options: &[&str], property: &str, search: Search) -> (String, Figures) {
    let [liveness, search, order] = search;
    let n = size(tester);
    let mut all = vec!["--property", property, "--liveness", liveness];
    all.extend(["--search", search, "--order", order, "--reduction", "none"]);
    all.extend(options);
    let (told, _) = found("check", &example(tester), n, &all);
    let property = &told["properties"][0];
    let verdict = property["verdict"].as_str().unwrap_or("none");
    (verdict.to_owned(), figures(property))
}

/// The states until a search finds that a property is violated.
fn states(tester: &str, property: &str, search: Search) -> u64 {
    let (verdict, (states, _)) = searched(tester, &[], property, search);
    assert_eq!(verdict, "violated", "{tester}, {property}, {search:?}");
    states
}

#[test]
fn philosophers_and_servers_have_as_many_states_as_in_the_paper() {
    for n in [2, 5, 10] {
        let (states, _) = explored("philosophers.stb", n, "none", &[]);
        assert_eq!(states, 3_u64.pow(n) - 1, "n = {n}");
    }
    for n in [2, 5, 12] {
        let (states, _) = explored("fischer.stb", n, "none", &[]);
        assert_eq!(states, u64::from(n) * 2_u64.pow(n) + 1, "n = {n}");
    }
}

#[test]
fn one_pass_breadth_first_finds_each_starving_philosopher_within_80_states() {
    for i in 0..10 {
        for search in BREADTH {
            let states = states(
                "philosophers.tester",
                &format!("never_starves({i})"),
                search,
            );
            assert!(states <= 80, "philosopher {i}, {search:?}: {states} states");
        }
    }
}

#[test]
fn no_other_search_needs_fewer_states_than_one_pass_breadth_first() {
    for (tester, who) in [
        ("philosophers.tester", [0, 4, 9]),
        ("fischer.tester", [1, 6, 12]),
    ] {
        let sum = |search: &Search| -> u64 {
            let properties = who.iter().map(|i| format!("never_starves({i})"));
            properties.map(|name| states(tester, &name, *search)).sum()
        };
        let breadth = BREADTH.iter().map(sum).max();
        for other in &OTHERS {
            assert!(
                breadth <= Some(sum(other)),
                "{tester}: {breadth:?}, {other:?}"
            );
        }
        for order in [Order::Forward, Order::Reverse] {
            let states = who.iter().map(|i| {
                let name = format!("never_starves({i})");
                let outcome = error_last::searched(&example(tester), size(tester), &name, order);
                assert!(outcome.verdict.is_violated(), "{tester}, {name}");
                outcome.states
            });
            let sum = states.sum();
            assert!(breadth <= Some(sum), "{tester}: {breadth:?}, {sum}");
        }
    }
}

#[test]
fn a_token_that_is_handed_to_the_wrong_side_starves_every_server_in_every_place() {
    for place in ["wanting", "waiting", "asked", "relaying", "waiting_asked"] {
        for i in 0..4 {
            let property = format!("never_starves_{place}({i})");
            for (flaw, verdict) in [("FLAW=1", "violated"), ("FLAW=0", "holds")] {
                let options = ["-D", flaw];
                let search = BREADTH[0];
                let (found, _) = searched("token_ring_broken.tester", &options, &property, search);
                assert_eq!(found, verdict, "{property}, {flaw}");
            }
        }
    }
}
