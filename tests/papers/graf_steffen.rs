//! The token ring of Graf and Steffen with n customers: 9n·2^(n-2) states, and 5n are enough to
//! find what can go wrong in it (A. Valmari, "On-the-fly verification with stubborn sets", CAV
//! 1993, in its conclusion). The paper gives no model; `examples/graf_steffen_ring.stb` is one
//! that has these figures.

use super::{checked, example, explored};

const RING: &str = "graf_steffen_ring.stb";

#[test]
fn the_ring_of_n_customers_has_9n_2_to_the_n_minus_2_states() {
    let edges = [26, 105, 352, 1_060, 2_976, 7_952, 20_480];
    for (n, edges) in (2..).zip(edges) {
        let states = 9 * u64::from(n) * 2_u64.pow(n - 2);
        assert_eq!(explored(RING, n, "none", &[]), (states, edges), "n = {n}");
    }
}

#[test]
fn stubborn_sets_leave_at_most_5n_states_of_it() {
    for n in 2..=8 {
        let (states, _) = explored(RING, n, "stubborn", &[]);
        assert!(states <= 5 * u64::from(n), "n = {n}: {states} states");
    }
}

#[test]
fn as_few_are_left_where_asking_and_releasing_are_visible() {
    // `ask` and `release` are the steps that change what the property reads.
    let text = std::fs::read_to_string(example(RING)).expect("the example is read");
    let visible = "invariant remembers_its_user: resource@taken or resource.user == 0";
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join(RING);
    std::fs::write(&model, format!("{text}\n{visible}\n")).expect("the model is written");
    for n in 2..=8 {
        let found = checked(&model, n, "remembers_its_user", &[]);
        assert_eq!(found.verdict, "holds", "n = {n}");
        let (states, _) = found.figures;
        assert!(states <= 5 * u64::from(n), "n = {n}: {states} states");
    }
}
